; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: proves
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (str.prefixof "ab" x))
(assert (str.suffixof "cd" x))
(assert (= (str.len x) 3))
(check-sat)
