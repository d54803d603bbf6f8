; Occurrences and where they are. Each formula is true for all values of its parameters.

; What occurs has a position.
(define-fun contains-by-indexof ((s String) (t String)) Bool
  (= (str.contains s t) (>= (str.indexof s t 0) 0)))

; What does not occur has the position -1.
(define-fun contains-not-by-indexof ((s String) (t String)) Bool
  (= (not (str.contains s t)) (= (str.indexof s t 0) (- 1))))

; What occurs stands at its position; the piece at -1 is empty, and the empty string occurs.
(define-fun contains-by-substr ((s String) (t String)) Bool
  (= (str.contains s t) (= t (str.substr s (str.indexof s t 0) (str.len t)))))

; Something, the string, something.
(define-fun contains-by-regex ((s String) (t String)) Bool
  (= (str.contains s t) (str.in_re s (re.++ re.all (str.to_re t) re.all))))

; Deleting makes a string shorter exactly if there is something to delete.
(define-fun contains-by-replace ((s String) (t String)) Bool
  (= (str.contains s t) (= (str.len (str.replace s t "")) (- (str.len s) (str.len t)))))

; The empty string occurs everywhere.
(define-fun contains-empty ((s String)) Bool
  (str.contains s ""))

; A string occurs in itself.
(define-fun contains-itself ((s String)) Bool
  (str.contains s s))

; Each part of a joined string occurs in it.
(define-fun contains-part-of-concat ((s String) (t String) (u String)) Bool
  (str.contains (str.++ s t u) t))

; Each part of a joined string occurs in it.
(define-fun contains-first-of-concat ((s String) (t String)) Bool
  (str.contains (str.++ s t) s))

; What occurs in a part occurs in the whole.
(define-fun contains-in-first ((s String) (t String) (u String)) Bool
  (=> (str.contains s u) (str.contains (str.++ s t) u)))

; What occurs in a part occurs in the whole.
(define-fun contains-in-second ((s String) (t String) (u String)) Bool
  (=> (str.contains t u) (str.contains (str.++ s t) u)))

; What occurs in an occurrence occurs.
(define-fun contains-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.contains s t) (str.contains t u)) (str.contains s u)))

; What occurs is not longer.
(define-fun contains-length ((s String) (t String)) Bool
  (=> (str.contains s t) (<= (str.len t) (str.len s))))

; By length, the two are the same.
(define-fun contains-each-other ((s String) (t String)) Bool
  (= (and (str.contains s t) (str.contains t s)) (= s t)))

; Only the empty string occurs in the empty string.
(define-fun contains-in-empty ((s String)) Bool
  (= (str.contains "" s) (= s "")))

; By length, the occurrence is all.
(define-fun contains-same-length ((s String) (t String)) Bool
  (=> (= (str.len s) (str.len t)) (= (str.contains s t) (= s t))))

; A single character is in one of the two parts.
(define-fun contains-character-of-concat ((s String) (t String) (u String) (i Int)) Bool
  (= (str.contains (str.++ s t) (str.at u i)) (or (str.contains s (str.at u i)) (str.contains t (str.at u i)))))

; One character more does not fit.
(define-fun contains-too-long ((s String)) Bool
  (not (str.contains s (str.++ s "a"))))

; An added string that is not empty does not fit in.
(define-fun contains-added ((s String) (t String)) Bool
  (= (str.contains s (str.++ s t)) (= t "")))

; Both parts of an occurrence occur.
(define-fun contains-concat-parts ((s String) (t String) (u String)) Bool
  (=> (str.contains s (str.++ t u)) (and (str.contains s t) (str.contains s u))))

; A position is -1 or in the string.
(define-fun indexof-range ((s String) (t String) (i Int)) Bool
  (and (<= (- 1) (str.indexof s t i)) (<= (str.indexof s t i) (str.len s))))

; The occurrence ends in the string.
(define-fun indexof-fits ((s String) (t String) (i Int)) Bool
  (=> (>= (str.indexof s t i) 0) (<= (+ (str.indexof s t i) (str.len t)) (str.len s))))

; Nothing before the start is found.
(define-fun indexof-from ((s String) (t String) (i Int)) Bool
  (=> (>= (str.indexof s t i) 0) (>= (str.indexof s t i) i)))

; The empty string occurs at the start, if that is in the string or at its end.
(define-fun indexof-of-empty ((s String) (i Int)) Bool
  (= (str.indexof s "" i) (ite (and (<= 0 i) (<= i (str.len s))) i (- 1))))

; Nothing is found from outside of the string.
(define-fun indexof-start-outside ((s String) (t String) (i Int)) Bool
  (=> (or (< i 0) (> i (str.len s))) (= (str.indexof s t i) (- 1))))

; Looking from a position is looking in the rest.
(define-fun indexof-shifted ((s String) (t String) (i Int)) Bool
  (=> (and (<= 0 i) (<= i (str.len s))) (= (str.indexof s t i) (ite (str.contains (str.substr s i (str.len s)) t) (+ i (str.indexof (str.substr s i (str.len s)) t 0)) (- 1)))))

; Outside: -1; not in the rest: -1; otherwise counted on from the start.
(define-fun indexof-definition ((s String) (t String) (i Int)) Bool
  (= (str.indexof s t i) (ite (or (< i 0) (> i (str.len s)) (not (str.contains (str.substr s i (- (str.len s) i)) t))) (- 1) (+ i (str.indexof (str.substr s i (- (str.len s) i)) t 0)))))

; What was found stands where it was found.
(define-fun indexof-found ((s String) (t String) (i Int)) Bool
  (=> (>= (str.indexof s t i) 0) (= (str.substr s (str.indexof s t i) (str.len t)) t)))

; One character before the end of the first occurrence there is none yet.
(define-fun indexof-first ((s String) (t String)) Bool
  (=> (not (= t "")) (not (str.contains (str.substr s 0 (- (+ (str.indexof s t 0) (str.len t)) 1)) t))))

; A string occurs in itself at 0.
(define-fun indexof-itself ((s String)) Bool
  (= (str.indexof s s 0) 0))

; The first part stands at 0.
(define-fun indexof-first-of-concat ((s String) (t String)) Bool
  (= (str.indexof (str.++ s t) s 0) 0))

; What is added behind does not come first.
(define-fun indexof-appended ((s String) (t String) (u String)) Bool
  (=> (str.contains s t) (= (str.indexof (str.++ s u) t 0) (str.indexof s t 0))))

; The old occurrence is still there, further on; a new one starts in what was put before.
(define-fun indexof-prepended ((s String) (t String) (u String)) Bool
  (<= (str.indexof (str.++ u s) t 0) (+ (str.len u) (str.indexof s t 0))))

; Starting before the first occurrence finds it.
(define-fun indexof-skips-nothing ((s String) (t String) (i Int)) Bool
  (=> (and (<= 0 i) (<= i (str.indexof s t 0))) (= (str.indexof s t i) (str.indexof s t 0))))

; The character at a position occurs there or before.
(define-fun indexof-of-at ((s String) (i Int)) Bool
  (=> (and (<= 0 i) (< i (str.len s))) (and (<= 0 (str.indexof s (str.at s i) 0)) (<= (str.indexof s (str.at s i) 0) i))))

; The character at a position is found from there at once.
(define-fun indexof-of-at-from-there ((s String) (i Int)) Bool
  (=> (and (<= 0 i) (< i (str.len s))) (= (str.indexof s (str.at s i) i) i)))

; Only the empty string is found in the empty string, at 0.
(define-fun indexof-in-empty ((s String) (i Int)) Bool
  (= (str.indexof "" s i) (ite (and (= s "") (= i 0)) 0 (- 1))))

; Looking from further on does not find earlier.
(define-fun indexof-monotone ((s String) (t String) (i Int) (j Int)) Bool
  (=> (and (<= 0 i) (<= i j) (>= (str.indexof s t j) 0)) (<= (str.indexof s t i) (str.indexof s t j))))

; The length of what stands before is the position, if the string does not occur earlier.
(define-fun indexof-by-split ((s String) (t String) (x String) (z String)) Bool
  (=> (and (= s (str.++ x t z)) (not (= t "")) (not (str.contains (str.++ x (str.substr t 0 (- (str.len t) 1))) t))) (= (str.indexof s t 0) (str.len x))))
