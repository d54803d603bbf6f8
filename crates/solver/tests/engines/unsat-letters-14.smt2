; Letters in conflict under all lengths.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const u String)
(assert (= (str.++ x y) (str.++ z u)))
(assert (= (str.len x) (str.len z)))
(assert (< (str.len x) 3))
(assert (not (= x z)))
(check-sat)
