; A model exists, so no engine may refute it: a universal quantifier stays.
; rewrite: unknown
; search: skip, unsupported: a quantifier
; languages: skip, unsupported: more than languages and lengths
; cells: skip, unsupported: a quantifier
; nielsen: skip, unsupported: no word equations
; noodles: skip, unsupported: a quantifier
; flat: skip, unsupported: a quantifier
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (forall ((w String)) (or (= w x) (not (= w (str.++ y "a"))))))
(check-sat)
