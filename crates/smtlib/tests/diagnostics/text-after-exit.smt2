(check-sat)
(exit)
(this is not read
