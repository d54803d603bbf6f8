; Taking a bad part out once may put two pieces together to the same bad part.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun path () String ""....//""))")
(declare-const path String)
(assert (str.contains (str.replace path "../" "") "../"))
(assert (not (str.contains path "../../")))
(check-sat)
