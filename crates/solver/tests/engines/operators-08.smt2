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
(assert (= (str.to_code (str.at x 1)) 233))
(assert (= (str.from_code n) (str.at x 0)))
(assert (> n 300))
(check-sat)
