(set-logic QF_SLIA)
(assert (exists ((x Int)) (= x 1)))
