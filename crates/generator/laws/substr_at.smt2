; Pieces of strings and characters at positions. Each formula is true for all values of its parameters.

; str.at is defined so.
(define-fun at-is-substr ((s String) (i Int)) Bool
  (= (str.at s i) (str.substr s i 1)))

; There is a character exactly at the positions of the string.
(define-fun at-length ((s String) (i Int)) Bool
  (= (str.len (str.at s i)) (ite (and (<= 0 i) (< i (str.len s))) 1 0)))

; There is no character exactly outside of the string.
(define-fun at-outside ((s String) (i Int)) Bool
  (= (= (str.at s i) "") (or (< i 0) (>= i (str.len s)))))

; A position is in the first string or, counted on, in the second.
(define-fun at-of-concat ((s String) (t String) (i Int)) Bool
  (= (str.at (str.++ s t) i) (ite (< i (str.len s)) (str.at s i) (str.at t (- i (str.len s))))))

; A character is its own first character.
(define-fun at-of-at ((s String) (i Int)) Bool
  (= (str.at (str.at s i) 0) (str.at s i)))

; Positions in a piece are counted from where it starts.
(define-fun at-of-substr ((s String) (i Int) (j Int) (n Int)) Bool
  (= (str.at (str.substr s i n) j) (ite (and (<= 0 i) (<= 0 j) (< j n)) (str.at s (+ i j)) "")))

; Strings of length one that agree at 0 are equal.
(define-fun at-equal-strings ((s String) (t String)) Bool
  (=> (and (= (str.len s) 1) (= (str.at s 0) (str.at t 0)) (= (str.len t) 1)) (= s t)))

; Two characters are all of a string of length two.
(define-fun at-two-characters ((s String)) Bool
  (=> (= (str.len s) 2) (= s (str.++ (str.at s 0) (str.at s 1)))))

; A character of a string occurs in it; the empty string does, too.
(define-fun at-contained ((s String) (i Int)) Bool
  (str.contains s (str.at s i)))

; All of its characters are the string.
(define-fun substr-whole ((s String)) Bool
  (= (str.substr s 0 (str.len s)) s))

; A piece has the characters asked for, as far as there are any.
(define-fun substr-length ((s String) (i Int) (n Int)) Bool
  (= (str.len (str.substr s i n)) (ite (and (<= 0 i) (< i (str.len s)) (< 0 n)) (ite (<= (+ i n) (str.len s)) n (- (str.len s) i)) 0)))

; A piece is never longer than the string.
(define-fun substr-length-at-most ((s String) (i Int) (n Int)) Bool
  (<= (str.len (str.substr s i n)) (str.len s)))

; A piece is empty exactly if it starts outside or nothing is asked for.
(define-fun substr-empty ((s String) (i Int) (n Int)) Bool
  (= (= (str.substr s i n) "") (or (< i 0) (>= i (str.len s)) (<= n 0))))

; A piece cannot start before the string.
(define-fun substr-negative-start ((s String) (i Int) (n Int)) Bool
  (=> (< i 0) (= (str.substr s i n) "")))

; A piece cannot start behind the string.
(define-fun substr-beyond-end ((s String) (i Int) (n Int)) Bool
  (=> (>= i (str.len s)) (= (str.substr s i n) "")))

; Nothing was asked for.
(define-fun substr-no-length ((s String) (i Int) (n Int)) Bool
  (=> (<= n 0) (= (str.substr s i n) "")))

; The empty string has no other piece.
(define-fun substr-of-empty ((i Int) (n Int)) Bool
  (= (str.substr "" i n) ""))

; Two pieces that meet are the string.
(define-fun substr-split-at ((s String) (i Int)) Bool
  (=> (<= 0 i) (= (str.++ (str.substr s 0 i) (str.substr s i (str.len s))) s)))

; Two pieces that meet are the string, since a length is not negative.
(define-fun substr-split-at-length ((s String) (t String)) Bool
  (= (str.++ (str.substr s 0 (str.len t)) (str.substr s (str.len t) (str.len s))) s))

; A piece of a piece starts further on and ends with it.
(define-fun substr-of-substr ((s String) (i Int) (j Int) (m Int) (n Int)) Bool
  (=> (and (<= 0 i) (<= 0 j)) (= (str.substr (str.substr s i n) j m) (str.substr s (+ i j) (ite (<= m (- n j)) m (- n j))))))

; The first characters of a joined string are those of the first.
(define-fun substr-of-concat-first ((s String) (t String)) Bool
  (= (str.substr (str.++ s t) 0 (str.len s)) s))

; The characters behind the first string are those of the second.
(define-fun substr-of-concat-second ((s String) (t String)) Bool
  (= (str.substr (str.++ s t) (str.len s) (str.len t)) t))

; A piece that ends in the first string does not see the second.
(define-fun substr-within-first ((s String) (t String) (i Int) (n Int)) Bool
  (=> (<= (+ i n) (str.len s)) (= (str.substr (str.++ s t) i n) (str.substr s i n))))

; A piece that starts behind the first string is one of the second.
(define-fun substr-within-second ((s String) (t String) (i Int) (n Int)) Bool
  (=> (>= i (str.len s)) (= (str.substr (str.++ s t) i n) (str.substr t (- i (str.len s)) n))))

; More than all cannot be had.
(define-fun substr-clipped ((s String) (i Int) (n Int)) Bool
  (= (str.substr s i (ite (< n (str.len s)) n (str.len s))) (str.substr s i n)))

; More than all cannot be had.
(define-fun substr-too-long ((s String) (i Int) (n Int)) Bool
  (=> (>= n (str.len s)) (= (str.substr s i n) (str.substr s i (str.len s)))))

; Two characters, one after the other.
(define-fun substr-two ((s String) (i Int)) Bool
  (=> (<= 0 i) (= (str.substr s i 2) (str.++ (str.at s i) (str.at s (+ i 1))))))

; Adjacent pieces make the longer piece.
(define-fun substr-adjacent ((s String) (i Int) (m Int) (n Int)) Bool
  (=> (and (<= 0 i) (<= 0 n) (<= 0 m)) (= (str.++ (str.substr s i n) (str.substr s (+ i n) m)) (str.substr s i (+ n m)))))

; A piece as long as the string is the string.
(define-fun substr-is-whole ((s String) (i Int) (n Int)) Bool
  (= (= (str.len (str.substr s i n)) (str.len s)) (= (str.substr s i n) s)))

; A piece of a string occurs in it.
(define-fun substr-contained ((s String) (i Int) (n Int)) Bool
  (str.contains s (str.substr s i n)))

; The middle of three parts is the piece at its place, cut short only by the end.
(define-fun substr-by-split ((s String) (x String) (y String) (z String) (i Int) (n Int)) Bool
  (=> (and (= s (str.++ x y z)) (= (str.len x) i) (or (= (str.len y) n) (and (< (str.len y) n) (= z "")))) (= (str.substr s i n) y)))
