(declare-const x String)
(assert (str.in.re x ((_ re.loop 3 1) (str.to.re "a"))))
