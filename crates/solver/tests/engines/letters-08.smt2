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
(assert (str.in_re x (re.* (re.union (str.to_re "ab") (str.to_re "c")))))
(assert (str.in_re x (re.* (str.to_re "abc"))))
(assert (not (str.in_re x (str.to_re "abc"))))
(assert (not (= x "")))
(assert (= (str.++ x "c") (str.++ y z)))
(assert (= (str.len y) 2))
(check-sat)
