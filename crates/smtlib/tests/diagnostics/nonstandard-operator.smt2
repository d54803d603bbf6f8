(declare-const x String)
(assert (= (str.rev x) (str.rev x)))
(assert (= x (str.to_lower x)))
(assert (= x (seq.unit x)))
