; A model exists, so no engine may refute it.
; rewrite: proves
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (exists ((w String)) (= x (str.++ w w))))
(check-sat)
