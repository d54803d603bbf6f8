(declare-const x String)
(assert (str.in.re x re.allchar))
