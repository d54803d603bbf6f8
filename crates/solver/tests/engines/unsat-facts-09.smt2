; Facts about strings in conflict.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.to_int x) 120))
(assert (< (str.len x) 3))
(check-sat)
