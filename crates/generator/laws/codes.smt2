; Characters and their codes. Each formula is true for all values of its parameters.

; Codes go to 196607, and there is -1.
(define-fun to-code-range ((s String)) Bool
  (and (<= (- 1) (str.to_code s)) (< (str.to_code s) 196608)))

; Exactly strings of another length have no code.
(define-fun to-code-none ((s String)) Bool
  (= (= (str.to_code s) (- 1)) (not (= (str.len s) 1))))

; Exactly strings of length one have a code.
(define-fun to-code-some ((s String)) Bool
  (= (>= (str.to_code s) 0) (= (str.len s) 1)))

; A code is that of its character.
(define-fun to-code-of-from-code ((n Int)) Bool
  (= (str.to_code (str.from_code n)) (ite (and (<= 0 n) (< n 196608)) n (- 1))))

; A character is that of its code.
(define-fun from-code-of-to-code ((s String)) Bool
  (= (str.from_code (str.to_code s)) (ite (= (str.len s) 1) s "")))

; There is a character for each code.
(define-fun from-code-length ((n Int)) Bool
  (= (str.len (str.from_code n)) (ite (and (<= 0 n) (<= n 196607)) 1 0)))

; There is no character exactly outside of the codes.
(define-fun from-code-empty ((n Int)) Bool
  (= (= (str.from_code n) "") (or (< n 0) (> n 196607))))

; Different characters have different codes.
(define-fun to-code-injective ((s String) (t String)) Bool
  (=> (and (= (str.to_code s) (str.to_code t)) (>= (str.to_code s) 0)) (= s t)))

; Different codes have different characters.
(define-fun from-code-injective ((m Int) (n Int)) Bool
  (= (= (str.from_code m) (str.from_code n)) (or (= m n) (and (or (< m 0) (> m 196607)) (or (< n 0) (> n 196607))))))

; Characters are ordered by their codes.
(define-fun code-order ((s String) (t String)) Bool
  (=> (and (= (str.len s) 1) (= (str.len t) 1)) (= (str.< s t) (< (str.to_code s) (str.to_code t)))))

; Characters are ordered by their codes.
(define-fun code-order-or-equal ((s String) (t String)) Bool
  (=> (and (= (str.len s) 1) (= (str.len t) 1)) (= (str.<= s t) (<= (str.to_code s) (str.to_code t)))))

; A range has the characters with codes between, and nothing if an end is no character.
(define-fun code-in-range ((s String) (t String) (u String)) Bool
  (= (str.in_re s (re.range t u)) (and (= (str.len s) (str.len t) (str.len u) 1) (<= (str.to_code t) (str.to_code s) (str.to_code u)))))

; The letters from a to z have the codes 97 to 122.
(define-fun from-code-in-range ((n Int)) Bool
  (= (str.in_re (str.from_code n) (re.range "a" "z")) (and (<= 97 n) (<= n 122))))

; A range has the characters with codes between.
(define-fun from-code-in-range-of-codes ((i Int) (j Int) (n Int)) Bool
  (= (str.in_re (str.from_code n) (re.range (str.from_code i) (str.from_code j))) (and (<= 0 i n j) (<= j 196607))))

; There is a character for each code.
(define-fun from-code-is-character ((n Int)) Bool
  (= (str.in_re (str.from_code n) re.allchar) (and (<= 0 n) (< n 196608))))

; One of the parts is the character, the other is empty.
(define-fun to-code-of-concat ((s String) (t String)) Bool
  (= (str.to_code (str.++ s t)) (ite (= s "") (str.to_code t) (ite (= t "") (str.to_code s) (- 1)))))

; There is a code exactly at the positions of the string.
(define-fun to-code-of-at ((s String) (i Int)) Bool
  (= (>= (str.to_code (str.at s i)) 0) (and (<= 0 i) (< i (str.len s)))))

; The empty string has no code.
(define-fun to-code-of-empty ((s String) (i Int)) Bool
  (= (str.to_code (str.substr s i 0)) (- 1)))

; Two characters have no code.
(define-fun to-code-of-two ((s String)) Bool
  (= (str.to_code (str.++ "a" s "b")) (- 1)))

; The last character has the code 196607.
(define-fun from-code-last ((n Int)) Bool
  (= (= (str.from_code n) "\u{2ffff}") (= n 196607)))

; The first character of plane 1 has the code 65536.
(define-fun to-code-beyond-planes ((s String)) Bool
  (= (= (str.to_code s) 65536) (= s "\u{10000}")))

; Surrogates are characters.
(define-fun to-code-surrogate ((s String)) Bool
  (= (= (str.to_code s) 55296) (= s "\u{d800}")))

; The first character has the code 0.
(define-fun to-code-zero ((s String)) Bool
  (= (= (str.to_code s) 0) (= s "\u{0}")))

; There is no character behind the last.
(define-fun from-code-beyond ((s String)) Bool
  (= (str.from_code (+ 196608 (str.len s))) ""))

; Characters are ordered by their codes.
(define-fun from-code-order ((m Int) (n Int)) Bool
  (=> (and (<= 0 m) (< m n) (< n 196608)) (str.< (str.from_code m) (str.from_code n))))

; A code tells characters apart.
(define-fun to-code-distinct-characters ((s String) (t String)) Bool
  (=> (and (= (str.len s) 1) (= (str.len t) 1)) (= (distinct s t) (distinct (str.to_code s) (str.to_code t)))))
