; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) "abc"))
(assert (= (str.len x) 2))
(assert (not (str.suffixof x "xab")))
(check-sat)
