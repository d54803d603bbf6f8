; Beginnings and ends. Each formula is true for all values of its parameters.

; A prefix is the piece of its length at 0.
(define-fun prefix-by-substr ((s String) (t String)) Bool
  (= (str.prefixof s t) (= s (str.substr t 0 (str.len s)))))

; A suffix is the last piece of its length; that of a longer string would start before.
(define-fun suffix-by-substr ((s String) (t String)) Bool
  (= (str.suffixof s t) (= s (str.substr t (- (str.len t) (str.len s)) (str.len s)))))

; A prefix occurs at 0.
(define-fun prefix-by-indexof ((s String) (t String)) Bool
  (= (str.prefixof s t) (= (str.indexof t s 0) 0)))

; A suffix occurs where just it is left.
(define-fun suffix-by-indexof ((s String) (t String)) Bool
  (= (str.suffixof s t) (and (<= (str.len s) (str.len t)) (= (str.indexof t s (- (str.len t) (str.len s))) (- (str.len t) (str.len s))))))

; The string, then something.
(define-fun prefix-by-regex ((s String) (t String)) Bool
  (= (str.prefixof s t) (str.in_re t (re.++ (str.to_re s) re.all))))

; Something, then the string.
(define-fun suffix-by-regex ((s String) (t String)) Bool
  (= (str.suffixof s t) (str.in_re t (re.++ re.all (str.to_re s)))))

; A prefix and the rest are the string.
(define-fun prefix-by-split ((s String) (t String)) Bool
  (= (str.prefixof s t) (= t (str.++ s (str.substr t (str.len s) (str.len t))))))

; The rest and a suffix are the string.
(define-fun suffix-by-split ((s String) (t String)) Bool
  (= (str.suffixof s t) (= t (str.++ (str.substr t 0 (- (str.len t) (str.len s))) s))))

; Deleting a prefix leaves the rest.
(define-fun prefix-by-replace ((s String) (t String)) Bool
  (= (str.prefixof s t) (= t (str.++ s (str.replace t s "")))))

; The empty string is at every beginning.
(define-fun prefix-empty ((s String)) Bool
  (str.prefixof "" s))

; The empty string is at every end.
(define-fun suffix-empty ((s String)) Bool
  (str.suffixof "" s))

; A string is its own prefix.
(define-fun prefix-itself ((s String)) Bool
  (str.prefixof s s))

; A string is its own suffix.
(define-fun suffix-itself ((s String)) Bool
  (str.suffixof s s))

; The first part is a prefix.
(define-fun prefix-of-concat ((s String) (t String)) Bool
  (str.prefixof s (str.++ s t)))

; The last part is a suffix.
(define-fun suffix-of-concat ((s String) (t String)) Bool
  (str.suffixof t (str.++ s t)))

; A prefix occurs.
(define-fun prefix-contained ((s String) (t String)) Bool
  (=> (str.prefixof s t) (str.contains t s)))

; A suffix occurs.
(define-fun suffix-contained ((s String) (t String)) Bool
  (=> (str.suffixof s t) (str.contains t s)))

; A prefix of a prefix is a prefix.
(define-fun prefix-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.prefixof s t) (str.prefixof t u)) (str.prefixof s u)))

; A suffix of a suffix is a suffix.
(define-fun suffix-transitive ((s String) (t String) (u String)) Bool
  (=> (and (str.suffixof s t) (str.suffixof t u)) (str.suffixof s u)))

; By length, the two are the same.
(define-fun prefix-of-each-other ((s String) (t String)) Bool
  (= (and (str.prefixof s t) (str.prefixof t s)) (= s t)))

; By length, the two are the same.
(define-fun suffix-of-each-other ((s String) (t String)) Bool
  (= (and (str.suffixof s t) (str.suffixof t s)) (= s t)))

; Of two prefixes the shorter one is a prefix of the longer one.
(define-fun prefix-comparable ((s String) (t String) (u String)) Bool
  (=> (and (str.prefixof s u) (str.prefixof t u) (<= (str.len s) (str.len t))) (str.prefixof s t)))

; Of two suffixes the shorter one is a suffix of the longer one.
(define-fun suffix-comparable ((s String) (t String) (u String)) Bool
  (=> (and (str.suffixof s u) (str.suffixof t u) (<= (str.len s) (str.len t))) (str.suffixof s t)))

; The same beginning does not matter.
(define-fun prefix-cancel ((s String) (t String) (u String)) Bool
  (= (str.prefixof (str.++ s t) (str.++ s u)) (str.prefixof t u)))

; The same end does not matter.
(define-fun suffix-cancel ((s String) (t String) (u String)) Bool
  (= (str.suffixof (str.++ t s) (str.++ u s)) (str.suffixof t u)))

; A prefix is not longer.
(define-fun prefix-length ((s String) (t String)) Bool
  (=> (str.prefixof s t) (<= (str.len s) (str.len t))))

; A suffix is not longer.
(define-fun suffix-length ((s String) (t String)) Bool
  (=> (str.suffixof s t) (<= (str.len s) (str.len t))))

; Only the empty string is a prefix of the empty string.
(define-fun prefix-of-empty ((s String)) Bool
  (= (str.prefixof s "") (= s "")))

; Only the empty string is a suffix of the empty string.
(define-fun suffix-of-empty ((s String)) Bool
  (= (str.suffixof s "") (= s "")))

; A prefix that is not empty has the first character.
(define-fun prefix-first-character ((s String) (t String)) Bool
  (=> (and (str.prefixof s t) (not (= s ""))) (= (str.at s 0) (str.at t 0))))

; A suffix that is not empty has the last character.
(define-fun suffix-last-character ((s String) (t String)) Bool
  (=> (and (str.suffixof s t) (not (= s ""))) (= (str.at s (- (str.len s) 1)) (str.at t (- (str.len t) 1)))))

; A piece from 0 is a prefix.
(define-fun prefix-piece ((s String) (i Int)) Bool
  (str.prefixof (str.substr s 0 i) s))

; A piece up to the end is a suffix, and so is the empty one.
(define-fun suffix-piece ((s String) (i Int)) Bool
  (str.suffixof (str.substr s i (str.len s)) s))

; A character is a prefix exactly if it is the first one.
(define-fun prefix-character ((s String)) Bool
  (= (str.prefixof "a" s) (= (str.at s 0) "a")))

; A character is a suffix exactly if it is the last one.
(define-fun suffix-character ((s String)) Bool
  (= (str.suffixof "0" s) (= (str.at s (- (str.len s) 1)) "0")))

; One character more does not fit.
(define-fun prefix-too-long ((s String)) Bool
  (not (str.prefixof (str.++ s "b") s)))

; One character more does not fit.
(define-fun suffix-too-long ((s String)) Bool
  (not (str.suffixof (str.++ "b" s) s)))

; A prefix and a suffix that together are as long as the string are the string.
(define-fun prefix-before-suffix ((s String) (t String) (u String)) Bool
  (=> (and (str.prefixof s u) (str.suffixof t u) (= (str.len u) (+ (str.len s) (str.len t)))) (= u (str.++ s t))))

; A prefix comes first.
(define-fun prefix-in-order ((s String) (t String)) Bool
  (=> (str.prefixof s t) (str.<= s t)))
