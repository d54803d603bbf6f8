; Operators with a model among flat words.
; rewrite: unknown
; search: proves
; languages: proves
; cells: skip, unsupported: no two strings have letters in common
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "abc"))))
(assert (> (str.len x) 100))
(check-sat)
