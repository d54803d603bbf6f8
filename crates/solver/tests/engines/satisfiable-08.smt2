; A model exists, so no engine may refute it.
; rewrite: unknown
; search: skip, unsupported: a function with arguments
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: a function with arguments
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: a function with arguments
; flat: skip, unsupported: a function with arguments
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-fun f (String) Int)
(assert (> (f x) (f y)))
(check-sat)
