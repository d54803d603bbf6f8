; The same with lengths that are possible.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)(declare-const y String)
(assert (str.in_re (str.++ x "z" y) (re.* (re.union (str.to_re "z") (str.to_re "ba")))))
(assert (str.in_re x (re.* (re.range "a" "u"))))
(assert (str.in_re y (re.* (re.range "a" "u"))))
(assert (= (str.len x) (+ 6 (str.len y))))
(check-sat)
