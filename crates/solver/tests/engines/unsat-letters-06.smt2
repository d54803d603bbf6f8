; Letters in conflict under all lengths.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "a") (str.++ y "b")))
(check-sat)
