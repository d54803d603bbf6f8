; Even the empty string contains the empty pattern, and it can be replaced.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun t () String """") (define-fun u () String ""a""))")
(declare-const t String)
(declare-const u String)
(assert (= (str.replace "" t u) "a"))
(check-sat)
