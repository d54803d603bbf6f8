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
(declare-const i Int)
(assert (> (str.indexof x "b" i) 5))
(assert (= (str.at x 4) "b"))
(assert (= i 3))
(check-sat)
