(assert (= 0 (str.to.int "")))
