; Word equations with long periodic solutions.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "abdc" y) (str.++ y "dcab" x)))
(assert (> (str.len y) 500))
(assert (> (str.len x) (+ (str.len y) 700)))
(check-sat)
