(check-sat-please)
(asert true)
(simplify (+ 1 1))
