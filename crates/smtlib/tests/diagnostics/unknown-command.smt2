(check-sat-please)
(asert true)
(simplyfy (+ 1 1))
