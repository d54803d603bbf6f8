; The form of a date, with the day that not every year has.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun date () String ""2024-02-29""))")
(declare-const date String)
(assert (str.in_re date (re.++ ((_ re.^ 4) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")))))
(assert (= (str.substr date 4 6) "-02-29"))
(check-sat)
