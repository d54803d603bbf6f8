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
(declare-const y String)
(assert (not (str.contains x y)))
(assert (not (str.contains y x)))
(assert (= (str.len x) (str.len y)))
(assert (> (str.len x) 2))
(check-sat)
