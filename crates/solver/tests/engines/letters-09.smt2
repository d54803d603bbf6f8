; Letters at given offsets.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x "a" y) z))
(assert (not (str.in_re z (re.* (re.range "a" "b")))))
(assert (= (str.len z) 3))
(check-sat)
