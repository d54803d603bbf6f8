; A regular language that depends on a constant.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: proves
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: proves
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (str.prefixof x "aab"))
(assert (>= (str.len x) 2))
(assert (= (str.replace_re_all "aabb" (re.++ (str.to_re x) re.allchar) "aba") "aba"))
(check-sat)
