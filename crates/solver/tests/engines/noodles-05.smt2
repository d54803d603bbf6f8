; The same with a text in the pre-image, and two alternatives.
; rewrite: unknown
; search: proves
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status sat)
(declare-const x String)(declare-const y String)
(assert (str.in_re (str.replace_re_all (str.++ x y) (re.+ (re.range "0" "9")) "n") (re.* (str.to_re "nnb"))))
(assert (or (str.prefixof "7" x) (str.prefixof "8" x)))
(assert (> (str.len y) 3))
(check-sat)
