(declare-const x Int)
  (assert (= x (+ 1 x))
  (assert (= y 1))
  (check-sat)
