(declare-const x String)
(assert (= x "naïve" "café"))
