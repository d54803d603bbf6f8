(declare-const x Int)
(declare-fun x () Int)
(define-fun-rec r ((n Int)) Int n)
(define-fun-rec r ((n Int)) Int n)
