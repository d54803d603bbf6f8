; Letters at given offsets: words that must differ, of which the letters are given but not the lengths.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: unknown
; noodles: skip, unsupported: no regular languages
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(declare-const u String)
(assert (str.prefixof x "abcabc"))
(assert (str.suffixof x "abcabc"))
(assert (not (= x "")))
(assert (not (= x "abcabc")))
(assert (not (str.contains y x)))
(assert (= (str.++ "ab" z) (str.++ y u)))
(assert (= (str.len y) 2))
(check-sat)
