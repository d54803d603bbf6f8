; Replacing once is not replacing all.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun x () String ""aa""))")
(declare-const x String)
(assert (not (= (str.replace_all x "a" "b") (str.replace x "a" "b"))))
(assert (= (str.len x) 2))
(check-sat)
