; Facts about strings in conflict.
; rewrite: proves
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(declare-const j Int)
(assert (not (str.contains x "a")))
(assert (= (str.indexof x "a" i) j))
(assert (not (= j (- 1))))
(check-sat)
