; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.substr x 3 4) "abcd"))
(assert (= (str.at x 5) "z"))
(check-sat)
