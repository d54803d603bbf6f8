; Word equations with long periodic solutions.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "abdc" y) (str.++ y "dcba" x)))
(assert (> (str.len x) 32000))
(check-sat)
