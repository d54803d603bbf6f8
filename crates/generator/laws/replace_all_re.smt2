; All occurrences replaced; occurrences of languages replaced. Each formula is true for all values of its parameters.

; Empty occurrences are not replaced.
(define-fun replace-all-empty-pattern ((s String) (t String)) Bool
  (= (str.replace_all s "" t) s))

; Nothing changes.
(define-fun replace-all-by-the-same ((s String) (t String)) Bool
  (= (str.replace_all s t t) s))

; What does not occur is not replaced.
(define-fun replace-all-absent ((s String) (t String) (u String)) Bool
  (=> (not (str.contains s t)) (= (str.replace_all s t u) s)))

; The first occurrence is replaced, and then those in the rest.
(define-fun replace-all-step ((s String) (t String) (u String)) Bool
  (=> (and (str.contains s t) (not (= t ""))) (= (str.replace_all s t u) (str.++ (str.substr s 0 (str.indexof s t 0)) u (str.replace_all (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)) t u)))))

; The only occurrence is the whole string.
(define-fun replace-all-everything ((s String) (t String)) Bool
  (= (str.replace_all s s t) (ite (= s "") "" t)))

; There is nothing to replace.
(define-fun replace-all-in-empty ((s String) (t String)) Bool
  (= (str.replace_all "" s t) ""))

; No a is left.
(define-fun replace-all-deletes-character ((s String)) Bool
  (not (str.contains (str.replace_all s "a" "") "a")))

; A character that is replaced by another is gone.
(define-fun replace-all-character-gone ((s String) (t String) (u String)) Bool
  (=> (= (str.len t) 1) (= (str.contains (str.replace_all s t u) t) (and (str.contains s t) (str.contains u t)))))

; Occurrences of a single character do not overlap the border.
(define-fun replace-all-of-concat ((s String) (t String) (u String) (v String)) Bool
  (=> (= (str.len t) 1) (= (str.replace_all (str.++ s u) t v) (str.++ (str.replace_all s t v) (str.replace_all u t v)))))

; Occurrences of a single character do not overlap the border.
(define-fun replace-all-of-concat-letter ((s String) (u String) (v String)) Bool
  (= (str.replace_all (str.++ s u) "0" v) (str.++ (str.replace_all s "0" v) (str.replace_all u "0" v))))

; Every occurrence keeps its length.
(define-fun replace-all-same-length ((s String) (t String) (u String)) Bool
  (=> (= (str.len t) (str.len u)) (= (str.len (str.replace_all s t u)) (str.len s))))

; Each deleted occurrence has two characters.
(define-fun replace-all-deletes-twos ((s String)) Bool
  ((_ divisible 2) (- (str.len s) (str.len (str.replace_all s "ab" "")))))

; If replacing the first changes nothing, replacing all changes nothing.
(define-fun replace-all-nothing-by-one ((s String) (t String) (u String)) Bool
  (=> (= (str.replace s t u) s) (= (str.replace_all s t u) s)))

; Unless the pattern is empty, all are unchanged exactly if the first is.
(define-fun replace-all-changes-nothing ((s String) (t String) (u String)) Bool
  (=> (not (= t "")) (= (= (str.replace_all s t u) s) (= (str.replace s t u) s))))

; What stands before the first occurrence stays.
(define-fun replace-all-keeps-beginning ((s String) (t String) (u String)) Bool
  (str.prefixof (str.substr s 0 (str.indexof s t 0)) (str.replace_all s t u)))

; If b does not occur, the new b are those that were a.
(define-fun replace-all-there-and-back ((s String)) Bool
  (=> (not (str.contains s "b")) (= (str.replace_all (str.replace_all s "a" "b") "b" "a") s)))

; After the first time no a is left.
(define-fun replace-all-twice ((s String) (t String)) Bool
  (= (str.replace_all (str.replace_all s "a" "b") "a" t) (str.replace_all s "a" "b")))

; The language of one string has just its occurrences.
(define-fun replace-all-by-regex ((s String) (t String) (u String)) Bool
  (= (str.replace_re_all s (str.to_re t) u) (str.replace_all s t u)))

; The language of one string has just its occurrences.
(define-fun replace-re-by-replace ((s String) (t String) (u String)) Bool
  (= (str.replace_re s (str.to_re t) u) (str.replace s t u)))

; Nothing is in the empty language.
(define-fun replace-re-none ((s String) (t String)) Bool
  (= (str.replace_re s re.none t) s))

; Nothing is in the empty language.
(define-fun replace-re-all-none ((s String) (t String)) Bool
  (= (str.replace_re_all s re.none t) s))

; The shortest, leftmost match is the empty one at the beginning.
(define-fun replace-re-nullable ((s String) (t String) (r RegLan)) Bool
  (=> (str.in_re "" r) (= (str.replace_re s r t) (str.++ t s))))

; The shortest, leftmost match is the empty one at the beginning.
(define-fun replace-re-opt ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re s (re.opt r) t) (str.++ t s)))

; The shortest, leftmost match is the empty one at the beginning.
(define-fun replace-re-star ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re s (re.* r) t) (str.++ t s)))

; The shortest, leftmost match is the empty one at the beginning.
(define-fun replace-re-all-language ((s String) (t String)) Bool
  (= (str.replace_re s re.all t) (str.++ t s)))

; The shortest match of some words is a match of one.
(define-fun replace-re-plus ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re s (re.+ r) t) (str.replace_re s r t)))

; The shortest match of some words is a match of one.
(define-fun replace-re-all-plus ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re_all s (re.+ r) t) (str.replace_re_all s r t)))

; Empty matches are not replaced, and the shortest other match is one of one word.
(define-fun replace-re-all-star ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re_all s (re.* r) t) (str.replace_re_all s r t)))

; Empty matches are not replaced.
(define-fun replace-re-all-opt ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re_all s (re.opt r) t) (str.replace_re_all s r t)))

; Empty matches are not replaced.
(define-fun replace-re-all-not-empty ((s String) (t String) (r RegLan)) Bool
  (= (str.replace_re_all s (re.diff r (str.to_re "")) t) (str.replace_re_all s r t)))

; Empty matches are not replaced.
(define-fun replace-re-all-empty-word ((s String) (t String)) Bool
  (= (str.replace_re_all s (str.to_re "") t) s))

; The shortest match that is not empty is one character.
(define-fun replace-re-all-anything ((s String) (t String)) Bool
  (= (str.replace_re_all s re.all t) (str.replace_re_all s re.allchar t)))

; Without a match nothing is replaced.
(define-fun replace-re-absent ((s String) (t String) (r RegLan)) Bool
  (=> (not (str.in_re s (re.++ re.all r re.all))) (= (str.replace_re s r t) s)))

; Without a match nothing is replaced.
(define-fun replace-re-all-absent ((s String) (t String) (r RegLan)) Bool
  (=> (not (str.in_re s (re.++ re.all r re.all))) (= (str.replace_re_all s r t) s)))

; With a match the new string is put in.
(define-fun replace-re-present ((s String) (t String) (r RegLan)) Bool
  (=> (str.in_re s (re.++ re.all r re.all)) (str.contains (str.replace_re s r t) t)))

; The first match of any character is the first character.
(define-fun replace-re-character ((s String) (t String)) Bool
  (= (str.replace_re s re.allchar t) (ite (= s "") "" (str.++ t (str.substr s 1 (str.len s))))))

; Every character becomes one.
(define-fun replace-re-all-characters-length ((s String)) Bool
  (= (str.len (str.replace_re_all s re.allchar "a")) (str.len s)))

; Every character goes.
(define-fun replace-re-all-characters-deleted ((s String)) Bool
  (= (str.replace_re_all s re.allchar "") ""))

; Every character becomes two.
(define-fun replace-re-all-characters-twice ((s String)) Bool
  (= (str.len (str.replace_re_all s re.allchar "00")) (* 2 (str.len s))))

; Every digit goes.
(define-fun replace-re-all-no-digit-left ((s String)) Bool
  (not (str.in_re (str.replace_re_all s (re.range "0" "9") "") (re.++ re.all (re.range "0" "9") re.all))))

; Matches of single characters do not overlap the border.
(define-fun replace-re-all-of-concat ((s String) (t String) (u String)) Bool
  (= (str.replace_re_all (str.++ s t) (re.range "a" "b") u) (str.++ (str.replace_re_all s (re.range "a" "b") u) (str.replace_re_all t (re.range "a" "b") u))))

; Deleting letters, then digits, is deleting both.
(define-fun replace-re-all-in-two-steps ((s String)) Bool
  (= (str.replace_re_all (str.replace_re_all s (re.range "a" "b") "") (re.range "0" "9") "") (str.replace_re_all s (re.union (re.range "a" "b") (re.range "0" "9")) "")))

; The two languages are the same.
(define-fun replace-re-union-commutes ((s String) (t String) (r RegLan) (q RegLan)) Bool
  (= (str.replace_re s (re.union r q) t) (str.replace_re s (re.union q r) t)))

; Only the empty string can match in the empty string.
(define-fun replace-re-in-empty ((t String) (r RegLan)) Bool
  (= (str.replace_re "" r t) (ite (str.in_re "" r) t "")))

; There is nothing but empty matches.
(define-fun replace-re-all-in-empty ((t String) (r RegLan)) Bool
  (= (str.replace_re_all "" r t) ""))

; The match is the string itself.
(define-fun replace-re-by-the-same ((s String) (t String)) Bool
  (= (str.replace_re s (str.to_re t) t) s))

; A single character matches or does not.
(define-fun replace-re-of-character ((s String) (t String) (i Int)) Bool
  (= (str.replace_re (str.at s i) (re.range "0" "9") t) (ite (str.is_digit (str.at s i)) t (str.at s i))))

; A string without letters of the range stays.
(define-fun replace-re-all-keeps-others ((s String) (t String)) Bool
  (=> (str.in_re s (re.* (re.range "0" "9"))) (= (str.replace_re_all s (re.range "a" "b") t) s)))

; What changes has a match.
(define-fun replace-re-changes ((s String) (t String) (r RegLan)) Bool
  (=> (not (= (str.replace_re s r t) s)) (str.in_re s (re.++ re.all r re.all))))

; What changes has a match.
(define-fun replace-re-all-changes ((s String) (t String) (r RegLan)) Bool
  (=> (not (= (str.replace_re_all s r t) s)) (str.in_re s (re.++ re.all r re.all))))
