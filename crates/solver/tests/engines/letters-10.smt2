; Letters at given offsets: the occurrence that comes to mind first is not the first one.
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
(declare-const i Int)
(assert (= (str.indexof x "b" 0) i))
(assert (= (str.at x 2) "b"))
(assert (= (str.at x 1) "b"))
(assert (not (= i 0)))
(assert (= (str.len x) 4))
(check-sat)
