; A model by changing what a false assertion needs.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_int x) 123))
(assert (= (str.len x) 5))
(check-sat)
