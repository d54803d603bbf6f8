; Letters at given offsets.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.replace x "key=" y) (str.++ z "value;")))
(assert (str.contains x "key="))
(assert (= (str.len y) 3))
(assert (= (str.at x 1) "q"))
(check-sat)
