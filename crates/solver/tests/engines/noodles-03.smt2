; Word equations with memberships: a separator that neither part has.
; rewrite: unknown
; search: unknown
; languages: skip, unsupported: more than languages and lengths
; cells: unknown
; nielsen: unknown
; noodles: proves
; flat: unknown
; abstraction: unknown
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)(declare-const y String)
(declare-const u String)(declare-const v String)
(assert (= (str.++ x "-" y) (str.++ u v)))
(assert (str.in_re u (re.+ (re.range "a" "c"))))
(assert (str.in_re v (re.+ (re.range "d" "f"))))
(check-sat)
