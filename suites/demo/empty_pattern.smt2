; The empty pattern stands at the beginning of every string, so something is put there.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected unsat)
(set-info :luthier-core "unchanged")
(declare-const s String)
(assert (! (= (str.replace s "" "x") s) :named unchanged))
(assert (! (<= (str.len s) 5) :named beside))
(check-sat)
