(set-info :smt-lib-version 2.5)
(declare-const x String)
(assert (= x "a\x41\n"))
(assert (= x "\t"))
