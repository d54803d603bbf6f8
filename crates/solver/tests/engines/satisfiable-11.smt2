; A model exists, so no engine may refute it.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const i Int)
(assert (= (div i 0) 7))
(check-sat)
