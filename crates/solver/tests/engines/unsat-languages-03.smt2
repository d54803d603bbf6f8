; Memberships without words of the right lengths.
; rewrite: proves
; search: unknown
; languages: proves
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (or (= x "a") (= x "ab")))
(assert (not (str.prefixof "a" x)))
(check-sat)
