(declare-const x String)
(assert (= (int.to.str 1) (str.replace x "" "a")))
