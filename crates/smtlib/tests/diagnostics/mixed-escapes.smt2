(declare-const x String)
(assert (= x "\u{41}\n"))
