; The first occurrence replaced. Each formula is true for all values of its parameters.

; What stands before, the new string, what stands behind.
(define-fun replace-definition ((s String) (t String) (u String)) Bool
  (= (str.replace s t u) (ite (str.contains s t) (str.++ (str.substr s 0 (str.indexof s t 0)) u (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s))) s)))

; The empty string first occurs at the beginning.
(define-fun replace-empty-pattern ((s String) (t String)) Bool
  (= (str.replace s "" t) (str.++ t s)))

; The string itself occurs at 0.
(define-fun replace-everything ((s String) (t String)) Bool
  (= (str.replace s s t) t))

; Nothing changes.
(define-fun replace-by-the-same ((s String) (t String)) Bool
  (= (str.replace s t t) s))

; What does not occur is not replaced.
(define-fun replace-absent ((s String) (t String) (u String)) Bool
  (=> (not (str.contains s t)) (= (str.replace s t u) s)))

; One occurrence goes, one string comes.
(define-fun replace-length ((s String) (t String) (u String)) Bool
  (= (str.len (str.replace s t u)) (ite (str.contains s t) (- (+ (str.len s) (str.len u)) (str.len t)) (str.len s))))

; A string of the same length comes for the other.
(define-fun replace-same-length ((s String) (t String) (u String)) Bool
  (=> (= (str.len t) (str.len u)) (= (str.len (str.replace s t u)) (str.len s))))

; The new string occurs if it was put in or was there.
(define-fun replace-contains ((s String) (t String) (u String)) Bool
  (= (str.contains (str.replace s t u) u) (or (str.contains s t) (str.contains s u))))

; Only the empty string occurs in the empty string.
(define-fun replace-in-empty ((s String) (t String)) Bool
  (= (str.replace "" s t) (ite (= s "") t "")))

; Nothing was there to replace, or it was replaced by itself.
(define-fun replace-changes-nothing ((s String) (t String) (u String)) Bool
  (= (= (str.replace s t u) s) (or (not (str.contains s t)) (= t u))))

; The first occurrence is in the first part if there is one.
(define-fun replace-in-first ((s String) (t String) (u String) (v String)) Bool
  (=> (str.contains s t) (= (str.replace (str.++ s u) t v) (str.++ (str.replace s t v) u))))

; The first part occurs at 0.
(define-fun replace-first-of-concat ((s String) (t String) (u String)) Bool
  (= (str.replace (str.++ s t) s u) (str.++ u t)))

; Only the string itself leaves nothing.
(define-fun replace-deletes-all ((s String) (t String)) Bool
  (= (= (str.replace s t "") "") (or (= s "") (= s t))))

; A prefix is the first occurrence.
(define-fun replace-prefix ((s String) (t String) (u String)) Bool
  (=> (str.prefixof t s) (= (str.replace s t u) (str.++ u (str.substr s (str.len t) (str.len s))))))

; Deleting does not make a string longer.
(define-fun replace-deleting-shortens ((s String) (t String)) Bool
  (<= (str.len (str.replace s t "")) (str.len s)))

; The new string stands where the old one stood.
(define-fun replace-position ((s String) (t String) (u String)) Bool
  (=> (str.contains s t) (<= (str.indexof (str.replace s t u) u 0) (str.indexof s t 0))))

; What stands before the first occurrence stays.
(define-fun replace-keeps-beginning ((s String) (t String) (u String)) Bool
  (str.prefixof (str.substr s 0 (str.indexof s t 0)) (str.replace s t u)))

; Putting a string in place of a pattern by itself, in an ite.
(define-fun replace-by-itself-in-order ((s String) (t String) (u String) (v String) (b Bool)) Bool
  (= (str.replace s t (ite b u v)) (ite b (str.replace s t u) (str.replace s t v))))

; A pattern that is longer does not occur.
(define-fun replace-pattern-too-long ((s String) (t String) (u String)) Bool
  (=> (< (str.len s) (str.len t)) (= (str.replace s t u) s)))

; The first character goes if it is the pattern.
(define-fun replace-character ((s String) (t String) (i Int)) Bool
  (= (str.replace (str.at s i) "a" t) (ite (= (str.at s i) "a") t (str.at s i))))
