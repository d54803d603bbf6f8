; Facts about strings in conflict.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: proves
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.+ (re.range "0" "9"))))
(assert (< (str.to_int x) 0))
(check-sat)
