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
(assert (= (str.substr x 3 4) "abcd"))
(assert (= (str.at x 9) "z"))
(assert (= (str.len x) 12))
(assert (not (= (str.at x 0) (str.at x 1))))
(check-sat)
