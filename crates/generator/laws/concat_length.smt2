; Concatenation and length. Each formula is true for all values of its parameters.

; Joining does not depend on where one begins.
(define-fun concat-associative ((s String) (t String) (u String)) Bool
  (= (str.++ (str.++ s t) u) (str.++ s (str.++ t u))))

; More than two arguments are joined one after the other.
(define-fun concat-of-three ((s String) (t String) (u String)) Bool
  (= (str.++ s t u) (str.++ s (str.++ t u))))

; The empty string adds nothing.
(define-fun concat-empty-right ((s String)) Bool
  (= (str.++ s "") s))

; The empty string adds nothing.
(define-fun concat-empty-left ((s String)) Bool
  (= (str.++ "" s) s))

; Every character comes from one of the two.
(define-fun length-of-concat ((s String) (t String)) Bool
  (= (str.len (str.++ s t)) (+ (str.len s) (str.len t))))

; Every character comes from one of the three.
(define-fun length-of-three ((s String) (t String) (u String)) Bool
  (= (str.len (str.++ s t u)) (+ (str.len s) (str.len t) (str.len u))))

; A length is a number of characters.
(define-fun length-not-negative ((s String)) Bool
  (>= (str.len s) 0))

; Only the empty string has no character.
(define-fun length-zero ((s String)) Bool
  (= (= (str.len s) 0) (= s "")))

; The two strings have the same characters.
(define-fun length-commutes ((s String) (t String)) Bool
  (= (str.len (str.++ s t)) (str.len (str.++ t s))))

; What follows the same beginning is the same.
(define-fun concat-cancel-left ((s String) (t String) (u String)) Bool
  (= (= (str.++ s t) (str.++ s u)) (= t u)))

; What stands before the same end is the same.
(define-fun concat-cancel-right ((s String) (t String) (u String)) Bool
  (= (= (str.++ s u) (str.++ t u)) (= s t)))

; Only empty strings make an empty one.
(define-fun concat-is-empty ((s String) (t String)) Bool
  (= (= (str.++ s t) "") (and (= s "") (= t ""))))

; By length, nothing was added.
(define-fun concat-is-first ((s String) (t String)) Bool
  (= (= (str.++ s t) s) (= t "")))

; By length, nothing was put before.
(define-fun concat-is-second ((s String) (t String)) Bool
  (= (= (str.++ s t) t) (= s "")))

; Equal strings cut at the same place have the same pieces.
(define-fun concat-same-split ((s String) (t String) (u String) (v String)) Bool
  (=> (and (= (str.++ s t) (str.++ u v)) (= (str.len s) (str.len u))) (and (= s u) (= t v))))

; Of two beginnings of one string one is a prefix of the other.
(define-fun concat-two-splits ((s String) (t String) (u String) (v String)) Bool
  (=> (= (str.++ s t) (str.++ u v)) (or (str.prefixof s u) (str.prefixof u s))))

; The first halves of the equal strings are s and t.
(define-fun concat-commuting-same-length ((s String) (t String)) Bool
  (=> (and (= (str.++ s t) (str.++ t s)) (= (str.len s) (str.len t))) (= s t)))

; The last characters differ.
(define-fun concat-different-ends ((s String) (t String)) Bool
  (not (= (str.++ s "a") (str.++ t "b"))))

; The first characters differ.
(define-fun concat-different-beginnings ((s String) (t String)) Bool
  (not (= (str.++ "a" s) (str.++ "0" t))))

; One side has one more of the letter a.
(define-fun concat-counts-letters ((s String)) Bool
  (not (= (str.++ s "a") (str.++ "b" s))))

; The first halves of equal squares are equal.
(define-fun concat-squares ((s String) (t String)) Bool
  (= (= (str.++ s s) (str.++ t t)) (= s t)))

; One of the two has the only character.
(define-fun length-one-split ((s String) (t String)) Bool
  (= (= (str.len (str.++ s t)) 1) (or (and (= s "") (= (str.len t) 1)) (and (= t "") (= (str.len s) 1)))))

; A string is its first character and the rest.
(define-fun head-and-tail ((s String)) Bool
  (= (str.++ (str.at s 0) (str.substr s 1 (str.len s))) s))

; A string is all but the last character and the last.
(define-fun begin-and-last ((s String)) Bool
  (= (str.++ (str.substr s 0 (- (str.len s) 1)) (str.at s (- (str.len s) 1))) s))

; Equal strings have the same length.
(define-fun length-equal-strings ((s String) (t String)) Bool
  (=> (= s t) (= (str.len s) (str.len t))))

; A string that is longer is another one.
(define-fun length-longer ((s String) (t String)) Bool
  (=> (< (str.len s) (str.len t)) (distinct s t)))
