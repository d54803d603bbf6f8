; Word equations without a solution.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: proves
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const t String)
(assert (= (str.++ x "b" y) "acca"))
(assert (= (str.++ z t) x))
(check-sat)
