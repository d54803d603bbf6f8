(declare-const x Strin)
(declare-const y Strin)
(assert (= x y))
(assert (forall ((z Nat)) (= z z)))
