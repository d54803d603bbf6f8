(set-info :smt-lib-version 2.5)
(declare-const x String)
(assert (= x "\8" "\x4"))
(assert (= x "\400"))
