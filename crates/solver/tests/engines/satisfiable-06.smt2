; A model exists, so no engine may refute it.
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (exists ((w String)) (= x (str.++ w w))))
(check-sat)
