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
(assert (str.prefixof x "aab"))
(assert (not (str.prefixof x "aac")))
(assert (not (str.suffixof "x" x)))
(check-sat)
