(declare-const x String)
(assert (str.in.re x (re.comp (str.to.re "a"))))
(assert (= 1 (str.code x)))
