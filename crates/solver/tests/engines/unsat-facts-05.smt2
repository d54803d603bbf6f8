; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: proves
; cells: proves
; nielsen: unknown
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (= x "abc"))
(assert (not (str.contains x "b")))
(check-sat)
