; Words repeated a number of times. Each formula is true for all values of its parameters.

; No word at all.
(define-fun power-zero ((r RegLan)) Bool
  (= ((_ re.^ 0) r) (str.to_re "")))

; One word.
(define-fun power-one ((r RegLan)) Bool
  (= ((_ re.^ 1) r) r))

; No word at all.
(define-fun loop-zero-zero ((r RegLan)) Bool
  (= ((_ re.loop 0 0) r) (str.to_re "")))

; No word or one.
(define-fun loop-zero-one ((r RegLan)) Bool
  (= ((_ re.loop 0 1) r) (re.opt r)))

; No number is at least the larger and at most the smaller.
(define-fun loop-1-0-crossed ((r RegLan)) Bool
  (= ((_ re.loop 1 0) r) re.none))

; No number is at least the larger and at most the smaller.
(define-fun loop-3-1-crossed ((r RegLan)) Bool
  (= ((_ re.loop 3 1) r) re.none))

; No number is at least the larger and at most the smaller.
(define-fun loop-5-2-crossed ((r RegLan)) Bool
  (= ((_ re.loop 5 2) r) re.none))

; A word, then the others.
(define-fun power-2-unfolds ((r RegLan)) Bool
  (= ((_ re.^ 2) r) (re.++ r ((_ re.^ 1) r))))

; The others, then a word.
(define-fun power-2-unfolds-behind ((r RegLan)) Bool
  (= ((_ re.^ 2) r) (re.++ ((_ re.^ 1) r) r)))

; A word, then the others.
(define-fun power-3-unfolds ((r RegLan)) Bool
  (= ((_ re.^ 3) r) (re.++ r ((_ re.^ 2) r))))

; The others, then a word.
(define-fun power-3-unfolds-behind ((r RegLan)) Bool
  (= ((_ re.^ 3) r) (re.++ ((_ re.^ 2) r) r)))

; Exactly that many.
(define-fun loop-1-1-is-power ((r RegLan)) Bool
  (= ((_ re.loop 1 1) r) ((_ re.^ 1) r)))

; Exactly that many.
(define-fun loop-2-2-is-power ((r RegLan)) Bool
  (= ((_ re.loop 2 2) r) ((_ re.^ 2) r)))

; Exactly that many.
(define-fun loop-3-3-is-power ((r RegLan)) Bool
  (= ((_ re.loop 3 3) r) ((_ re.^ 3) r)))

; First some words, then others.
(define-fun power-1-and-2 ((r RegLan)) Bool
  (= (re.++ ((_ re.^ 1) r) ((_ re.^ 2) r)) ((_ re.^ 3) r)))

; Each time as many words.
(define-fun power-2-of-power-2 ((r RegLan)) Bool
  (= ((_ re.^ 2) ((_ re.^ 2) r)) ((_ re.^ 4) r)))

; First some words, then others.
(define-fun power-2-and-2 ((r RegLan)) Bool
  (= (re.++ ((_ re.^ 2) r) ((_ re.^ 2) r)) ((_ re.^ 4) r)))

; Each time as many words.
(define-fun power-2-of-power-3 ((r RegLan)) Bool
  (= ((_ re.^ 2) ((_ re.^ 3) r)) ((_ re.^ 6) r)))

; The words that must be, then those that may be.
(define-fun loop-1-3-splits ((r RegLan)) Bool
  (= ((_ re.loop 1 3) r) (re.++ ((_ re.^ 1) r) ((_ re.loop 0 2) r))))

; A word, then one word less.
(define-fun loop-1-3-unfolds ((r RegLan)) Bool
  (= ((_ re.loop 1 3) r) (re.++ r ((_ re.loop 0 2) r))))

; One word less, or just as many.
(define-fun loop-1-3-last ((r RegLan)) Bool
  (= ((_ re.loop 1 3) r) (re.union ((_ re.loop 1 2) r) ((_ re.^ 3) r))))

; The words that must be, then those that may be.
(define-fun loop-2-3-splits ((r RegLan)) Bool
  (= ((_ re.loop 2 3) r) (re.++ ((_ re.^ 2) r) ((_ re.loop 0 1) r))))

; A word, then one word less.
(define-fun loop-2-3-unfolds ((r RegLan)) Bool
  (= ((_ re.loop 2 3) r) (re.++ r ((_ re.loop 1 2) r))))

; One word less, or just as many.
(define-fun loop-2-3-last ((r RegLan)) Bool
  (= ((_ re.loop 2 3) r) (re.union ((_ re.loop 2 2) r) ((_ re.^ 3) r))))

; The words that must be, then those that may be.
(define-fun loop-2-4-splits ((r RegLan)) Bool
  (= ((_ re.loop 2 4) r) (re.++ ((_ re.^ 2) r) ((_ re.loop 0 2) r))))

; A word, then one word less.
(define-fun loop-2-4-unfolds ((r RegLan)) Bool
  (= ((_ re.loop 2 4) r) (re.++ r ((_ re.loop 1 3) r))))

; One word less, or just as many.
(define-fun loop-2-4-last ((r RegLan)) Bool
  (= ((_ re.loop 2 4) r) (re.union ((_ re.loop 2 3) r) ((_ re.^ 4) r))))

; Each word may be there or not.
(define-fun loop-0-1-by-opt ((r RegLan)) Bool
  (= ((_ re.loop 0 1) r) ((_ re.^ 1) (re.opt r))))

; Each word may be there or not.
(define-fun loop-0-2-by-opt ((r RegLan)) Bool
  (= ((_ re.loop 0 2) r) ((_ re.^ 2) (re.opt r))))

; Each word may be there or not.
(define-fun loop-0-3-by-opt ((r RegLan)) Bool
  (= ((_ re.loop 0 3) r) ((_ re.^ 3) (re.opt r))))

; Numbers up to a border or behind it.
(define-fun loop-0-1-or-2-3 ((r RegLan)) Bool
  (= (re.union ((_ re.loop 0 1) r) ((_ re.loop 2 3) r)) ((_ re.loop 0 3) r)))

; Numbers up to a border or behind it.
(define-fun loop-1-2-or-3-4 ((r RegLan)) Bool
  (= (re.union ((_ re.loop 1 2) r) ((_ re.loop 3 4) r)) ((_ re.loop 1 4) r)))

; From two to four words.
(define-fun loop-1-2-twice ((r RegLan)) Bool
  (= (re.++ ((_ re.loop 1 2) r) ((_ re.loop 1 2) r)) ((_ re.loop 2 4) r)))

; Pairs, and perhaps one more.
(define-fun star-of-power ((r RegLan)) Bool
  (= (re.* r) (re.++ (re.opt r) (re.* ((_ re.^ 2) r)))))

; Few words, or more.
(define-fun star-by-loop ((r RegLan)) Bool
  (= (re.* r) (re.union ((_ re.loop 0 2) r) (re.++ ((_ re.^ 3) r) (re.* r)))))

; One or two words, or more.
(define-fun plus-by-loop ((r RegLan)) Bool
  (= (re.+ r) (re.union ((_ re.loop 1 2) r) (re.++ ((_ re.^ 2) r) (re.+ r)))))

; One word or two words each time.
(define-fun star-of-loop ((r RegLan)) Bool
  (= (re.* ((_ re.loop 1 2) r)) (re.* r)))

; Words of words are words.
(define-fun loop-of-star ((r RegLan)) Bool
  (= ((_ re.loop 1 3) (re.* r)) (re.* r)))

; Words of words are words.
(define-fun power-of-star ((r RegLan)) Bool
  (= ((_ re.^ 2) (re.* r)) (re.* r)))

; At least two words.
(define-fun power-of-plus ((r RegLan)) Bool
  (= ((_ re.^ 2) (re.+ r)) (re.++ r (re.+ r))))

; There is no word.
(define-fun power-of-none () Bool
  (= ((_ re.^ 2) re.none) re.none))

; Only no word.
(define-fun loop-of-none () Bool
  (= ((_ re.loop 0 3) re.none) (str.to_re "")))

; The empty string stays empty.
(define-fun loop-of-empty-word () Bool
  (= ((_ re.loop 2 5) (str.to_re "")) (str.to_re "")))

; A string can be cut.
(define-fun power-of-all () Bool
  (= ((_ re.^ 3) re.all) re.all))

; So many characters.
(define-fun power-2-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.^ 2) re.allchar)) (= (str.len s) 2)))

; So many characters.
(define-fun power-3-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.^ 3) re.allchar)) (= (str.len s) 3)))

; So many characters.
(define-fun power-50-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.^ 50) re.allchar)) (= (str.len s) 50)))

; So many characters.
(define-fun loop-1-3-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.loop 1 3) re.allchar)) (<= 1 (str.len s) 3)))

; So many characters.
(define-fun loop-2-3-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.loop 2 3) re.allchar)) (<= 2 (str.len s) 3)))

; So many characters.
(define-fun loop-0-50-of-allchar ((s String)) Bool
  (= (str.in_re s ((_ re.loop 0 50) re.allchar)) (<= 0 (str.len s) 50)))

; A word of one letter.
(define-fun power-of-letter () Bool
  (= ((_ re.^ 3) (str.to_re "a")) (str.to_re "aaa")))

; A word twice.
(define-fun power-of-word ((s String)) Bool
  (= ((_ re.^ 2) (str.to_re s)) (str.to_re (str.++ s s))))

; A word once or twice.
(define-fun loop-of-word ((s String) (t String)) Bool
  (= (str.in_re t ((_ re.loop 1 2) (str.to_re s))) (or (= t s) (= t (str.++ s s)))))

; Not at most two characters: three, and perhaps more.
(define-fun comp-of-loop () Bool
  (= (re.comp ((_ re.loop 0 2) re.allchar)) (re.++ ((_ re.^ 3) re.allchar) re.all)))

; Fewer characters, or more.
(define-fun comp-of-power () Bool
  (= (re.comp ((_ re.^ 2) re.allchar)) (re.union (re.opt re.allchar) (re.++ ((_ re.^ 3) re.allchar) re.all))))

; Numbers in both.
(define-fun loop-inter () Bool
  (= (re.inter ((_ re.loop 0 3) re.allchar) ((_ re.loop 2 5) re.allchar)) ((_ re.loop 2 3) re.allchar)))

; Numbers in the first only.
(define-fun loop-diff () Bool
  (= (re.diff ((_ re.loop 1 3) re.allchar) ((_ re.loop 3 4) re.allchar)) ((_ re.loop 1 2) re.allchar)))

; Two words make two words.
(define-fun in-power-of-words ((s String) (t String) (r RegLan)) Bool
  (=> (and (str.in_re s r) (str.in_re t r)) (str.in_re (str.++ s t) ((_ re.^ 2) r))))

; Two words are one to three words.
(define-fun in-loop-of-words ((s String) (t String) (r RegLan)) Bool
  (=> (and (str.in_re s r) (str.in_re t r)) (str.in_re (str.++ s t) ((_ re.loop 1 3) r))))

; Some words are words.
(define-fun in-loop-in-star ((s String) (r RegLan)) Bool
  (=> (str.in_re s ((_ re.loop 1 3) r)) (str.in_re s (re.* r))))

; Two words are words.
(define-fun in-power-in-plus ((s String) (r RegLan)) Bool
  (=> (str.in_re s ((_ re.^ 2) r)) (str.in_re s (re.+ r))))

; So many digits write a number below a bound.
(define-fun in-power-of-digits ((s String)) Bool
  (=> (str.in_re s ((_ re.loop 1 3) (re.range "0" "9"))) (and (<= 0 (str.to_int s)) (< (str.to_int s) 1000))))
