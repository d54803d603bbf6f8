; Letters in conflict under all lengths: words that must differ but have the same cells, or the same letters.
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
(assert (= (str.++ x "b") (str.++ "a" y)))
(assert (= (str.len y) 1))
(assert (not (= x "a")))
(check-sat)
