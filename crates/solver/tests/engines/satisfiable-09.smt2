; A model exists, so no engine may refute it.
; rewrite: proves
; search: skip, unsupported: a constant of sort (Array Int String)
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: a constant of sort (Array Int String)
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: a constant of sort (Array Int String)
; flat: skip, unsupported: a constant of sort (Array Int String)
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const a (Array Int String))
(assert (= (select a 1) x))
(check-sat)
