(declare-const x String)
(declare-const r RegLan)
(assert (str.in.re x (re.diff r r r)))
