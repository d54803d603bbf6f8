; Memberships with conditions on lengths.
; rewrite: unknown
; search: proves
; languages: proves
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const n Int)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (str.in_re y (re.* (str.to_re "c"))))
(assert (= (* 3 (str.len x)) (* 2 (str.len y))))
(assert (> n (str.len x)))
(assert (> (str.len y) n))
(assert (not (= z "a")))
(check-sat)
