; Facts about strings in conflict.
; rewrite: unknown
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
(assert (= (str.len x) 2))
(assert (= (str.at x 0) "a"))
(assert (= (str.at x 1) "b"))
(assert (not (= x "ab")))
(check-sat)
