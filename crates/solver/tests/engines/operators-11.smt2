; Operators with a model among flat words.
; rewrite: unknown
; search: proves
; languages: proves
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (not (str.in_re x (re.* (re.range "a" "y")))))
(assert (= (str.len x) 3))
(assert (str.prefixof "ab" x))
(check-sat)
