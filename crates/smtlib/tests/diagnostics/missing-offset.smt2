(declare-const x String)
(assert (= (str.indexof x "a") 0))
(assert (= (str.indexof x "b") 0))
