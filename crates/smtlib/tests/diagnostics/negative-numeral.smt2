(assert (= -5 (- 5)))
