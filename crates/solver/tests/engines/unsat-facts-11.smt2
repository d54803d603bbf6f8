; Facts about strings in conflict.
; rewrite: unknown
; search: unknown
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 2 4) (str.to_re "ab"))))
(assert (= (str.len x) 9))
(check-sat)
