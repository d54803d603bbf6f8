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
(assert (str.in_re x (re.+ (re.union (str.to_re "ab") (str.to_re "c")))))
(assert (= (str.len x) 7))
(check-sat)
