; A membership of a concatenation: both parts have even lengths.
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
(assert (str.in_re (str.++ x "z" y) (re.* (re.union (str.to_re "z") (str.to_re "ba")))))
(assert (str.in_re x (re.* (re.range "a" "u"))))
(assert (str.in_re y (re.* (re.range "a" "u"))))
(assert (= (str.len x) (+ 1 (str.len y))))
(check-sat)
