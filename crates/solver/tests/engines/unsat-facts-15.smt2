; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const i Int)
(assert (= (str.from_int i) "0012"))
(check-sat)
