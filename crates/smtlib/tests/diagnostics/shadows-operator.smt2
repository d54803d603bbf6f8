(declare-fun str.len (String) Int)
(declare-fun implies (Bool Bool) Bool)
(assert (= (str.len "a") 1))
