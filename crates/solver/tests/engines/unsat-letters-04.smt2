; Letters in conflict under all lengths: the letters meet behind two variables.
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
(declare-const z String)
(assert (= (str.++ "a" x) (str.++ y "b")))
(assert (= (str.++ y "c") (str.++ z x)))
(assert (= (str.len x) 1))
(assert (= (str.len y) 1))
(assert (not (= z y)))
(assert (= z "a"))
(assert (= (str.++ x "a") (str.++ "b" y)))
(assert (= x "c"))
(check-sat)
