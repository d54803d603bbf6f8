; The first command lacks a parenthesis; the file is cut off in the last one.
(declare-const x Int)
(assert (and (> x 0) (< x 9))
(assert (= x 1))
(declare-fun f (Int
(check-sat)
(assert (or (= x 3)
(push 1)
(assert (= x
