; Letters at given offsets.
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
(declare-const b Bool)
(assert (= x (ite b (str.++ y "a") (str.++ "b" y))))
(assert (not b))
(assert (= (str.at x 3) "c"))
(check-sat)
