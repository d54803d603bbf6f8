; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.< x y))
(assert (str.<= y x))
(check-sat)
