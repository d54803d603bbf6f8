; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.contains x y))
(assert (> (str.len y) (str.len x)))
(check-sat)
