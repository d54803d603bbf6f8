; Truth values, equality and choice. Each formula is true for all values of its parameters.

; Not false is true.
(define-fun not-not ((b Bool)) Bool
  (= (not (not b)) b))

; Not both.
(define-fun not-and ((b Bool) (c Bool)) Bool
  (= (not (and b c)) (or (not b) (not c))))

; Neither.
(define-fun not-or ((b Bool) (c Bool)) Bool
  (= (not (or b c)) (and (not b) (not c))))

; The premise without the conclusion.
(define-fun not-implies ((b Bool) (c Bool)) Bool
  (= (not (=> b c)) (and b (not c))))

; Not the premise, or the conclusion.
(define-fun implies-by-or ((b Bool) (c Bool)) Bool
  (= (=> b c) (or (not b) c)))

; Implication associates to the right.
(define-fun implies-of-three ((b Bool) (c Bool) (d Bool)) Bool
  (= (=> b c d) (=> (and b c) d)))

; Not the conclusion implies not the premise.
(define-fun implies-contraposed ((b Bool) (c Bool)) Bool
  (= (=> b c) (=> (not c) (not b))))

; Only under the premise the conclusion counts.
(define-fun implies-by-ite ((b Bool) (c Bool)) Bool
  (= (=> b c) (ite b c true)))

; One and not the other.
(define-fun xor-by-not ((b Bool) (c Bool)) Bool
  (= (xor b c) (= b (not c))))

; One of them, not both.
(define-fun xor-by-or ((b Bool) (c Bool)) Bool
  (= (xor b c) (and (or b c) (not (and b c)))))

; Different truth values.
(define-fun xor-is-distinct ((b Bool) (c Bool)) Bool
  (= (xor b c) (distinct b c)))

; The number of true ones is odd.
(define-fun xor-associative ((b Bool) (c Bool) (d Bool)) Bool
  (= (xor (xor b c) d) (xor b (xor c d))))

; The number of true ones is odd.
(define-fun xor-of-three ((b Bool) (c Bool) (d Bool)) Bool
  (= (xor b c d) (xor b (xor c d))))

; The other one.
(define-fun xor-with-true ((b Bool)) Bool
  (= (xor b true) (not b)))

; The same one.
(define-fun xor-with-false ((b Bool)) Bool
  (= (xor b false) b))

; Truth adds nothing.
(define-fun and-with-true ((b Bool)) Bool
  (= (and b true) b))

; All of them.
(define-fun and-of-three ((b Bool) (c Bool) (d Bool)) Bool
  (= (and b c d) (and b (and c d))))

; Both, or both.
(define-fun and-over-or ((b Bool) (c Bool) (d Bool)) Bool
  (= (and b (or c d)) (or (and b c) (and b d))))

; Falsehood adds nothing.
(define-fun or-with-false ((b Bool)) Bool
  (= (or b false) b))

; One of them.
(define-fun or-of-three ((b Bool) (c Bool) (d Bool)) Bool
  (= (or b c d) (or b (or c d))))

; One, and one.
(define-fun or-over-and ((b Bool) (c Bool) (d Bool)) Bool
  (= (or b (and c d)) (and (or b c) (or b d))))

; Both is one.
(define-fun or-absorbs ((b Bool) (c Bool)) Bool
  (= (or b (and b c)) b))

; One case or the other.
(define-fun ite-by-or ((b Bool) (c Bool) (d Bool)) Bool
  (= (ite b c d) (or (and b c) (and (not b) d))))

; Both cases.
(define-fun ite-by-implies ((b Bool) (c Bool) (d Bool)) Bool
  (= (ite b c d) (and (=> b c) (=> (not b) d))))

; The cases change places.
(define-fun ite-negated ((s String) (t String) (b Bool)) Bool
  (= (ite (not b) s t) (ite b t s)))

; There is no choice.
(define-fun ite-same ((s String) (b Bool)) Bool
  (= (ite b s s) s))

; There is no choice.
(define-fun ite-same-int ((i Int) (b Bool)) Bool
  (= (ite b i i) i))

; There is no choice.
(define-fun ite-same-language ((b Bool) (r RegLan)) Bool
  (= (ite b r r) r))

; The first is chosen.
(define-fun ite-true ((s String) (t String)) Bool
  (= (ite true s t) s))

; The second is chosen.
(define-fun ite-false ((i Int) (j Int)) Bool
  (= (ite false i j) j))

; Equal ones need no choice.
(define-fun ite-of-equality ((s String) (t String)) Bool
  (= (ite (= s t) s t) t))

; A choice can be made later.
(define-fun ite-in-length ((s String) (t String) (b Bool)) Bool
  (= (str.len (ite b s t)) (ite b (str.len s) (str.len t))))

; A choice can be made later.
(define-fun ite-in-concat ((s String) (t String) (u String) (b Bool)) Bool
  (= (str.++ (ite b s t) u) (ite b (str.++ s u) (str.++ t u))))

; A choice can be made later.
(define-fun ite-in-contains ((s String) (t String) (u String) (b Bool)) Bool
  (= (str.contains (ite b s t) u) (ite b (str.contains s u) (str.contains t u))))

; A choice can be made later.
(define-fun ite-in-substr ((s String) (i Int) (j Int) (n Int) (b Bool)) Bool
  (= (str.substr s (ite b i j) n) (ite b (str.substr s i n) (str.substr s j n))))

; A choice can be made later.
(define-fun ite-in-equality ((s String) (t String) (u String) (b Bool)) Bool
  (= (= (ite b s t) u) (ite b (= s u) (= t u))))

; A choice can be made later.
(define-fun ite-in-sum ((i Int) (j Int) (k Int) (b Bool)) Bool
  (= (+ (ite b i j) k) (ite b (+ i k) (+ j k))))

; Equality is symmetric.
(define-fun equal-commutes ((s String) (t String)) Bool
  (= (= s t) (= t s)))

; Equality is symmetric.
(define-fun equal-numbers-commute ((i Int) (j Int)) Bool
  (= (= i j) (= j i)))

; Neighbours are equal.
(define-fun equal-chain ((s String) (t String) (u String)) Bool
  (= (= s t u) (and (= s t) (= t u))))

; Equality is transitive.
(define-fun equal-transitive ((s String) (t String) (u String)) Bool
  (=> (and (= s t) (= t u)) (= s u)))

; Equal arguments give equal values.
(define-fun equal-arguments ((s String) (t String) (i Int) (j Int)) Bool
  (=> (and (= s t) (= i j)) (= (str.at s i) (str.at t j))))

; Both or neither.
(define-fun equal-booleans ((b Bool) (c Bool)) Bool
  (= (= b c) (or (and b c) (and (not b) (not c)))))

; Not equal.
(define-fun distinct-by-not ((s String) (t String)) Bool
  (= (distinct s t) (not (= s t))))

; Not equal.
(define-fun distinct-numbers-by-not ((i Int) (j Int)) Bool
  (= (distinct i j) (not (= i j))))

; No two are equal.
(define-fun distinct-of-three ((s String) (t String) (u String)) Bool
  (= (distinct s t u) (and (distinct s t) (distinct s u) (distinct t u))))

; There are only two truth values.
(define-fun distinct-booleans ((b Bool) (c Bool) (d Bool)) Bool
  (not (distinct b c d)))
