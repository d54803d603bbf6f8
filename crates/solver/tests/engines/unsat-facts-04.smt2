; Facts about strings in conflict.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "a" y) (str.++ y "b" x)))
(check-sat)
