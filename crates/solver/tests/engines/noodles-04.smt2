; The pre-image of a replacement of all matches.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: skip, unsupported: no word equations
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)(declare-const y String)
(assert (str.in_re (str.replace_re_all (str.++ x y) (re.+ (re.range "0" "9")) "n") (re.* (str.to_re "nb"))))
(assert (str.suffixof "7" y))
(check-sat)
