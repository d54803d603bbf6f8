; A model exists, so no engine may refute it.
; rewrite: unknown
; search: proves
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const i Int)
(declare-const j Int)
(assert (= (* i j) 35))
(assert (> i 1))
(assert (> j i))
(check-sat)
