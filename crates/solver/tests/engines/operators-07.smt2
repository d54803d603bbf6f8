; Operators with a model among flat words.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const n Int)
(assert (= (str.from_int n) x))
(assert (str.suffixof "42" x))
(assert (> n 1000))
(check-sat)
