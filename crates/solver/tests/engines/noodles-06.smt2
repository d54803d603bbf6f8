; Digits, order and a replacement: numbers as regular languages.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)(declare-const y String)
(assert (str.in_re (str.++ x y) (re.* (str.to_re "ab"))))
(assert (or (= (str.to_int x) 13) (str.< y "a")))
(assert (not (= y "")))
(check-sat)
