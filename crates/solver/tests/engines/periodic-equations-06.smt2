; Word equations with long periodic solutions.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const t String)
(assert (= (str.++ x x "a" y z) (str.++ y y z z "aaa")))
(assert (= (str.len x) 1000))
(assert (= (str.++ z x y) (str.++ t "aa" t)))
(assert (> (str.len y) (str.len z)))
(check-sat)
