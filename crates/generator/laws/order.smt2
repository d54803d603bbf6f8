; Lexicographic order. Each formula is true for all values of its parameters.

; At most is less or equal.
(define-fun le-by-lt ((s String) (t String)) Bool
  (= (str.<= s t) (or (= s t) (str.< s t))))

; At most and different is less.
(define-fun lt-by-le ((s String) (t String)) Bool
  (= (str.< s t) (and (str.<= s t) (not (= s t)))))

; The order is total.
(define-fun lt-is-not-le ((s String) (t String)) Bool
  (= (str.< s t) (not (str.<= t s))))

; The order is total.
(define-fun le-is-not-lt ((s String) (t String)) Bool
  (= (str.<= s t) (not (str.< t s))))

; Nothing is less than itself.
(define-fun lt-irreflexive ((s String)) Bool
  (not (str.< s s)))

; Everything is at most itself.
(define-fun le-reflexive ((s String)) Bool
  (str.<= s s))

; An order is transitive.
(define-fun lt-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.< s t) (str.< t u)) (str.< s u)))

; An order is transitive.
(define-fun le-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.<= s t) (str.<= t u)) (str.<= s u)))

; An order is transitive.
(define-fun lt-le-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.< s t) (str.<= t u)) (str.< s u)))

; Not both are less.
(define-fun lt-asymmetric ((s String) (t String)) Bool
  (=> (str.< s t) (not (str.< t s))))

; One of the two comes first.
(define-fun le-total ((s String) (t String)) Bool
  (or (str.<= s t) (str.<= t s)))

; Exactly different strings are ordered.
(define-fun lt-different ((s String) (t String)) Bool
  (= (distinct s t) (or (str.< s t) (str.< t s))))

; At most each other is equal.
(define-fun le-both-ways ((s String) (t String)) Bool
  (= (and (str.<= s t) (str.<= t s)) (= s t)))

; The empty string comes first.
(define-fun le-empty-first ((s String)) Bool
  (str.<= "" s))

; The empty string comes first.
(define-fun lt-nothing-before-empty ((s String)) Bool
  (not (str.< s "")))

; Only the empty string is at most empty.
(define-fun le-empty ((s String)) Bool
  (= (str.<= s "") (= s "")))

; The empty string is less than every other.
(define-fun lt-empty ((s String)) Bool
  (= (str.< "" s) (not (= s ""))))

; A prefix comes first.
(define-fun le-longer ((s String) (t String)) Bool
  (str.<= s (str.++ s t)))

; A proper prefix is less.
(define-fun lt-longer ((s String) (t String)) Bool
  (= (str.< s (str.++ s t)) (not (= t ""))))

; The same beginning does not matter.
(define-fun lt-cancel ((s String) (t String) (u String)) Bool
  (= (str.< (str.++ s t) (str.++ s u)) (str.< t u)))

; The same beginning does not matter.
(define-fun le-cancel ((s String) (t String) (u String)) Bool
  (= (str.<= (str.++ s t) (str.++ s u)) (str.<= t u)))

; The first difference decides.
(define-fun lt-by-first-character ((s String) (t String)) Bool
  (=> (and (not (= s "")) (str.< (str.at s 0) (str.at t 0))) (str.< s t)))

; The first characters are ordered alike or equal.
(define-fun lt-first-characters ((s String) (t String)) Bool
  (=> (str.< s t) (str.<= (str.at s 0) (str.at t 0))))

; The codes of the first characters decide or, if they are equal, the rest.
(define-fun lt-definition ((s String) (t String)) Bool
  (= (str.< s t) (and (not (= t "")) (or (= s "") (< (str.to_code (str.at s 0)) (str.to_code (str.at t 0))) (and (= (str.at s 0) (str.at t 0)) (str.< (str.substr s 1 (str.len s)) (str.substr t 1 (str.len t))))))))

; A chain holds if its neighbours are ordered.
(define-fun lt-chain ((s String) (t String) (u String)) Bool
  (= (str.< s t u) (and (str.< s t) (str.< t u))))

; A chain holds if its neighbours are ordered.
(define-fun le-chain ((s String) (t String) (u String)) Bool
  (= (str.<= s t u) (and (str.<= s t) (str.<= t u))))

; What follows the first difference does not matter.
(define-fun lt-extended ((s String) (t String) (u String) (v String)) Bool
  (=> (and (str.< s t) (not (str.prefixof s t))) (str.< (str.++ s u) (str.++ t v))))

; Nothing lies between a string and that with the first character added.
(define-fun lt-next-string ((s String) (t String)) Bool
  (not (and (str.< s t) (str.< t (str.++ s "\u{0}")))))

; A piece from 0 is a prefix and comes first.
(define-fun le-prefix-piece ((s String) (i Int)) Bool
  (str.<= (str.substr s 0 i) s))

; What is less is different.
(define-fun lt-not-equal ((s String) (t String)) Bool
  (=> (str.< s t) (distinct s t)))

; What lies between a prefix and the string has the prefix.
(define-fun le-between-prefixes ((s String) (t String) (u String)) Bool
  (=> (and (str.prefixof s u) (str.<= s t) (str.<= t u)) (str.prefixof s t)))

; Strings of the same length are ordered by themselves, whatever follows.
(define-fun lt-equal-length-extended ((s String) (t String) (u String) (v String)) Bool
  (=> (and (= (str.len s) (str.len t)) (str.< s t)) (str.< (str.++ s u) (str.++ t v))))
