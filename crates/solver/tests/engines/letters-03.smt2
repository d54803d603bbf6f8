; Letters at given offsets.
; rewrite: unknown
; search: proves
; languages: proves
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (str.prefixof "ab" x))
(assert (str.suffixof "ba" x))
(assert (str.contains x "cc"))
(assert (= (str.len x) 6))
(check-sat)
