; Letters at given offsets.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x y) (str.++ "ab" z)))
(assert (str.in_re x (re.+ (str.to_re "abc"))))
(assert (str.in_re z (re.* (re.union (str.to_re "cab") (str.to_re "cd")))))
(assert (> (str.len x) 8))
(check-sat)
