; Memberships with conditions on lengths.
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
(assert (str.in_re x (re.+ (re.union (str.to_re "00") (str.to_re "111")))))
(assert (not (str.in_re x (re.* (str.to_re "00")))))
(assert (= (str.len x) 41))
(check-sat)
