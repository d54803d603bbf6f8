; A regular language that depends on a constant.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.prefixof x "aab"))
(assert (>= (str.len x) 2))
(assert (str.in_re "q" (re.range (str.at x 1) (str.++ "z" (str.substr x 2 (str.len y))))))
(check-sat)
