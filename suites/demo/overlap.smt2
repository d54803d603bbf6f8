; A string that overlaps itself.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun x () String ""babab""))")
(declare-const x String)
(assert (= (str.++ "ba" x) (str.++ x "ab")))
(assert (= (str.len x) 5))
(check-sat)
