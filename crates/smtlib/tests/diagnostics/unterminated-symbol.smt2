(declare-const |a b Int)
(check-sat)
