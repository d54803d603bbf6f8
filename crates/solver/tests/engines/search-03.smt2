; A model by changing what a false assertion needs.
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
(assert (str.in_re x (re.++ (re.+ (re.range "a" "c")) (str.to_re "-end"))))
(check-sat)
