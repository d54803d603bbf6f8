(assert (= 007 7))
