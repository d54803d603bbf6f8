; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (< (str.len x) 0))
(check-sat)
