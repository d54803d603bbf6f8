; Whole numbers. Each formula is true for all values of its parameters.

; The opposite of the opposite.
(define-fun neg-neg ((i Int)) Bool
  (= (- (- i)) i))

; The opposite is what is missing to zero.
(define-fun neg-by-sub ((i Int)) Bool
  (= (- i) (- 0 i)))

; Subtracting is adding the opposite.
(define-fun sub-by-add ((i Int) (j Int)) Bool
  (= (- i j) (+ i (- j))))

; One after the other.
(define-fun sub-of-three ((i Int) (j Int) (k Int)) Bool
  (= (- i j k) (- i (+ j k))))

; Nothing is left.
(define-fun sub-itself ((i Int)) Bool
  (= (- i i) 0))

; A sum does not depend on the order.
(define-fun add-commutes ((i Int) (j Int)) Bool
  (= (+ i j) (+ j i)))

; A sum does not depend on where one begins.
(define-fun add-associative ((i Int) (j Int) (k Int)) Bool
  (= (+ (+ i j) k) (+ i (+ j k))))

; Zero adds nothing.
(define-fun add-zero ((i Int)) Bool
  (= (+ i 0) i))

; A product does not depend on the order.
(define-fun mul-commutes ((i Int) (j Int)) Bool
  (= (* i j) (* j i)))

; Twice.
(define-fun mul-by-two ((i Int)) Bool
  (= (* 2 i) (+ i i)))

; Each part so many times.
(define-fun mul-over-add ((i Int) (j Int)) Bool
  (= (* 3 (+ i j)) (+ (* 3 i) (* 3 j))))

; The opposite.
(define-fun mul-by-minus-one ((i Int)) Bool
  (= (* (- 1) i) (- i)))

; A square is not negative.
(define-fun mul-square ((i Int)) Bool
  (>= (* i i) 0))

; Nothing, so many times.
(define-fun mul-zero ((i Int)) Bool
  (= (* i 0) 0))

; The number or its opposite.
(define-fun abs-by-ite ((i Int)) Bool
  (= (abs i) (ite (>= i 0) i (- i))))

; A distance is not negative.
(define-fun abs-not-negative ((i Int)) Bool
  (>= (abs i) 0))

; The opposite is as far from zero.
(define-fun abs-of-opposite ((i Int)) Bool
  (= (abs (- i)) (abs i)))

; Only zero is at zero.
(define-fun abs-zero ((i Int)) Bool
  (= (= (abs i) 0) (= i 0)))

; A length is not negative.
(define-fun abs-of-length ((s String)) Bool
  (= (abs (str.len s)) (str.len s)))

; Signs do not matter.
(define-fun abs-of-product ((i Int)) Bool
  (= (abs (* 2 i)) (* 2 (abs i))))

; Less, or equal.
(define-fun le-by-less ((i Int) (j Int)) Bool
  (= (<= i j) (or (< i j) (= i j))))

; Not greater.
(define-fun le-is-not-greater ((i Int) (j Int)) Bool
  (= (<= i j) (not (> i j))))

; At least one more.
(define-fun lt-by-next ((i Int) (j Int)) Bool
  (= (< i j) (<= (+ i 1) j)))

; Not at least.
(define-fun lt-is-not-ge ((i Int) (j Int)) Bool
  (= (< i j) (not (>= i j))))

; The other way round.
(define-fun ge-turned ((i Int) (j Int)) Bool
  (= (>= i j) (<= j i)))

; The other way round.
(define-fun gt-turned ((i Int) (j Int)) Bool
  (= (> i j) (< j i)))

; The difference is positive.
(define-fun gt-by-difference ((i Int) (j Int)) Bool
  (= (> i j) (> (- i j) 0)))

; Neighbours are in order.
(define-fun le-chain-of-numbers ((i Int) (j Int) (k Int)) Bool
  (= (<= i j k) (and (<= i j) (<= j k))))

; Neighbours are in order.
(define-fun lt-chain-of-numbers ((i Int) (j Int) (k Int)) Bool
  (= (< i j k) (and (< i j) (< j k))))

; Equal.
(define-fun le-each-other ((i Int) (j Int)) Bool
  (= (and (<= i j) (<= j i)) (= i j)))

; An order is transitive.
(define-fun lt-of-numbers-transitive ((i Int) (j Int) (k Int)) Bool
  (=> (and (< i j) (< j k)) (< i k)))

; There is no whole number between neighbours.
(define-fun lt-nothing-between ((i Int) (j Int)) Bool
  (not (and (< i j) (< j (+ i 1)))))

; Quotient times divisor and rest.
(define-fun div-and-mod ((i Int)) Bool
  (= i (+ (* 3 (div i 3)) (mod i 3))))

; Quotient times divisor and rest.
(define-fun div-and-mod-negative ((i Int)) Bool
  (= i (+ (* (- 2) (div i (- 2))) (mod i (- 2)))))

; Quotient times divisor and rest, by definition.
(define-fun div-and-mod-any ((i Int) (j Int)) Bool
  (=> (not (= j 0)) (= i (+ (* j (div i j)) (mod i j)))))

; A rest is never negative and below the divisor.
(define-fun mod-range ((i Int)) Bool
  (and (<= 0 (mod i 5)) (< (mod i 5) 5)))

; A rest is never negative and below the size of the divisor.
(define-fun mod-range-any ((i Int) (j Int)) Bool
  (=> (not (= j 0)) (and (<= 0 (mod i j)) (< (mod i j) (abs j)))))

; The rest does not depend on the sign of the divisor.
(define-fun mod-by-opposite ((i Int)) Bool
  (= (mod i (- 3)) (mod i 3)))

; Multiples do not change the rest.
(define-fun mod-of-multiple ((i Int) (j Int)) Bool
  (= (mod (+ i (* 4 j)) 4) (mod i 4)))

; A rest is its own rest.
(define-fun mod-of-mod ((i Int)) Bool
  (= (mod (mod i 7) 7) (mod i 7)))

; The quotient changes its sign, since the rest stays.
(define-fun div-by-opposite ((i Int)) Bool
  (= (div i (- 3)) (- (div i 3))))

; All of it.
(define-fun div-by-one ((i Int)) Bool
  (= (div i 1) i))

; One after the other.
(define-fun div-of-three ((i Int)) Bool
  (= (div i 2 3) (div i 6)))

; Division undoes multiplication.
(define-fun div-of-product ((i Int)) Bool
  (= (div (* 5 i) 5) i))

; The quotient is the largest that fits.
(define-fun div-rounds-down ((i Int) (j Int)) Bool
  (= (<= j (div i 3)) (<= (* 3 j) i)))

; There is no rest.
(define-fun divisible-by-mod ((i Int)) Bool
  (= ((_ divisible 3) i) (= (mod i 3) 0)))

; Divided and multiplied again.
(define-fun divisible-by-product ((i Int)) Bool
  (= ((_ divisible 2) i) (= i (* 2 (div i 2)))))

; A sum of multiples is a multiple.
(define-fun divisible-sum ((i Int) (j Int)) Bool
  (=> (and ((_ divisible 3) i) ((_ divisible 3) j)) ((_ divisible 3) (+ i j))))

; The opposite of a multiple is one.
(define-fun divisible-opposite ((i Int)) Bool
  (= ((_ divisible 5) (- i)) ((_ divisible 5) i)))

; By two and three is by six.
(define-fun divisible-by-both ((i Int)) Bool
  (= (and ((_ divisible 2) i) ((_ divisible 3) i)) ((_ divisible 6) i)))

; Neighbours are not both even.
(define-fun divisible-neighbours ((i Int)) Bool
  (not (and ((_ divisible 2) i) ((_ divisible 2) (+ i 1)))))

; Every number is a multiple of one.
(define-fun divisible-by-one ((i Int)) Bool
  ((_ divisible 1) i))

; The larger one is at least each.
(define-fun ite-maximum ((i Int) (j Int)) Bool
  (and (>= (ite (>= i j) i j) i) (>= (ite (>= i j) i j) j)))
