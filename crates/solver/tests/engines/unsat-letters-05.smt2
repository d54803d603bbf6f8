; Letters in conflict under all lengths.
; rewrite: proves
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
(declare-const b Bool)
(assert (= x (ite b "ab" "ac")))
(assert (= (str.at x 1) "d"))
(check-sat)
