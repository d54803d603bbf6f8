; Memberships without words of the right lengths.
; rewrite: unknown
; search: unknown
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (str.in_re y (re.+ (str.to_re "c"))))
(assert (= (+ 1 (str.len x)) (* 2 (str.len y))))
(check-sat)
