; A model by changing what a false assertion needs.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) "abcdef"))
(assert (= (str.len y) 2))
(check-sat)
