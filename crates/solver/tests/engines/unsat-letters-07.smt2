; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.replace x "key=" "k:") "abk:cd"))
(assert (= (str.at x 0) "z"))
(assert (= (str.len x) 8))
(check-sat)
