; A model exists, so no engine may refute it.
; rewrite: proves
; search: proves
; languages: proves
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= x "abc"))
(assert (str.contains x "b"))
(check-sat)
