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
(declare-const n Int)
(assert (= x (ite (> n 3) (str.++ y "a") (str.++ "b" y))))
(assert (= (str.len y) n))
(assert (> n 5))
(check-sat)
