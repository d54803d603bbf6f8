(push 2)
(pop 1)
(pop 2)
