; A model by changing what a false assertion needs.
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
(assert (= (str.substr x 3 2) "ab"))
(assert (= (str.len x) 9))
(check-sat)
