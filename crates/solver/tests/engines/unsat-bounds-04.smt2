; Lengths and offsets in conflict.
; rewrite: proves
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
(assert (and (= (str.to_code x) 97) (= (str.len x) 2)))
(check-sat)
