; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= x (str.++ y "ab" z)))
(assert (= (str.at z 0) "c"))
(assert (not (str.contains x "bc")))
(check-sat)
