; Letters in conflict under all lengths.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: proves
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y) "abc"))
(assert (str.in_re x (re.* (str.to_re "aaaa"))))
(assert (str.in_re y (re.* (str.to_re "aaaa"))))
(check-sat)
