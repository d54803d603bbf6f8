; Word equations with long periodic solutions.
; rewrite: unknown
; search: proves
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
(declare-const n Int)
(assert (= (str.++ x z y) (str.++ y t x)))
(assert (= (str.len x) (* 3 (str.len z))))
(assert (= (str.len z) 111))
(assert (= (str.len y) n))
(assert (> n 1000))
(check-sat)
