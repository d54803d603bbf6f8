; Operators with a model among flat words.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= (str.substr x 2 3) "abc"))
(assert (= (str.at x 7) "z"))
(assert (not (str.contains x "bcz")))
(check-sat)
