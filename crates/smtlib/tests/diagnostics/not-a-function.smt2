(declare-const x Int)
(assert (forall ((y Int)) (= (y 1) 2)))
(assert (let ((z 1)) (= (z 1) 2)))
