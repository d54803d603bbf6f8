; Memberships without words of the right lengths.
; rewrite: unknown
; search: unknown
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "abc"))))
(assert (= (str.len x) 3001))
(check-sat)
