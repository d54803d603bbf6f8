; Letters in conflict under all lengths.
; rewrite: unknown
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
(declare-const v String)
(assert (= (str.++ x y z) (str.++ u "key=12345;" v)))
(assert (= (str.++ x y z) (str.++ x "-" u)))
(assert (= (str.len x) (+ 4 (str.len u))))
(check-sat)
