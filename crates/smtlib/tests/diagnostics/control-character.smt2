(declare-const x String)
(assert (= x "a	b"))
