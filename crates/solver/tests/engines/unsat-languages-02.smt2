; Memberships without words of the right lengths.
; rewrite: unknown
; search: unknown
; languages: proves
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (str.contains x "bb"))
(check-sat)
