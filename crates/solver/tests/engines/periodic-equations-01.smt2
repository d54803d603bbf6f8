; Word equations with long periodic solutions.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: proves
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (= (str.++ "ab" x) (str.++ x "ba")))
(assert (> (str.len x) 16000))
(check-sat)
