(declare-const x Int)
(assert (= x {1}))
(assert (= x 12ab))
(assert (= x #q))
(assert (= x 1)) 
(assert (= |a\b| x))
(assert (= x €€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€))
