; Letters at given offsets: two spellings of one word with literals that must not overlap.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: skip, unsupported: no regular languages
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const u String)
(declare-const v String)
(declare-const w String)
(declare-const t String)
(assert (= (str.++ x y z) (str.++ u "key=12345;" v)))
(assert (= (str.++ x y z) (str.++ w "other=12345;" t)))
(assert (= (str.len x) (+ 4 (str.len u))))
(assert (not (= y "-")))
(check-sat)
