(declare-const x String)
(assert (= (str.to.int x) (str.indexof x "" 3)))
