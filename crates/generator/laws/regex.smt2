; Languages and membership. Each formula is true for all values of its parameters.

; The language of one string has just that.
(define-fun in-word ((s String) (t String)) Bool
  (= (str.in_re s (str.to_re t)) (= s t)))

; Nothing is in the empty language.
(define-fun in-none ((s String)) Bool
  (not (str.in_re s re.none)))

; Everything is in the language of all strings.
(define-fun in-all ((s String)) Bool
  (str.in_re s re.all))

; One character is a string of length one.
(define-fun in-allchar ((s String)) Bool
  (= (str.in_re s re.allchar) (= (str.len s) 1)))

; In one of the two.
(define-fun in-union ((s String) (r RegLan) (q RegLan)) Bool
  (= (str.in_re s (re.union r q)) (or (str.in_re s r) (str.in_re s q))))

; In both.
(define-fun in-inter ((s String) (r RegLan) (q RegLan)) Bool
  (= (str.in_re s (re.inter r q)) (and (str.in_re s r) (str.in_re s q))))

; Not in it.
(define-fun in-comp ((s String) (r RegLan)) Bool
  (= (str.in_re s (re.comp r)) (not (str.in_re s r))))

; In the first and not in the second.
(define-fun in-diff ((s String) (r RegLan) (q RegLan)) Bool
  (= (str.in_re s (re.diff r q)) (and (str.in_re s r) (not (str.in_re s q)))))

; In the first and in no other.
(define-fun in-diff-of-three ((s String) (r RegLan) (q RegLan) (p RegLan)) Bool
  (= (str.in_re s (re.diff r q p)) (and (str.in_re s r) (not (str.in_re s (re.union q p))))))

; Empty or in it.
(define-fun in-opt ((s String) (r RegLan)) Bool
  (= (str.in_re s (re.opt r)) (or (= s "") (str.in_re s r))))

; The language is the one that is chosen.
(define-fun in-ite ((s String) (b Bool) (r RegLan) (q RegLan)) Bool
  (= (str.in_re s (ite b r q)) (ite b (str.in_re s r) (str.in_re s q))))

; A range from a character to itself has just that.
(define-fun in-range-alone ((s String) (t String)) Bool
  (= (str.in_re s (re.range t t)) (and (= s t) (= (str.len t) 1))))

; A range has the characters that are ordered between its ends.
(define-fun in-range-in-order ((s String)) Bool
  (= (str.in_re s (re.range "0" "b")) (and (= (str.len s) 1) (str.<= "0" s "b"))))

; A range has the characters that are ordered between its ends, if these are characters.
(define-fun in-range-symbolic ((s String) (t String) (u String)) Bool
  (= (str.in_re s (re.range t u)) (and (= (str.len s) 1) (= (str.len t) 1) (= (str.len u) 1) (str.<= t s u))))

; A range between longer strings is empty.
(define-fun in-range-of-words ((s String) (t String) (u String)) Bool
  (not (str.in_re s (re.range (str.++ "a" t "b") u))))

; The range from the first to the last character has all of them.
(define-fun in-range-full () Bool
  (= (re.range "\u{0}" "\u{2ffff}") re.allchar))

; A range from a later to an earlier character is empty.
(define-fun in-range-crossed ((s String) (t String) (u String)) Bool
  (=> (str.< u t) (not (str.in_re s (re.range t u)))))

; Words of the two make a word of both.
(define-fun in-concat-of-parts ((s String) (t String) (r RegLan) (q RegLan)) Bool
  (=> (and (str.in_re s r) (str.in_re t q)) (str.in_re (str.++ s t) (re.++ r q))))

; The same beginning does not matter.
(define-fun in-concat-with-word ((s String) (t String) (r RegLan)) Bool
  (= (str.in_re (str.++ t s) (re.++ (str.to_re t) r)) (str.in_re s r)))

; The same end does not matter.
(define-fun in-concat-word-behind ((s String) (t String) (r RegLan)) Bool
  (= (str.in_re (str.++ s t) (re.++ r (str.to_re t))) (str.in_re s r)))

; Any character, then a word.
(define-fun in-concat-with-character ((s String) (r RegLan)) Bool
  (= (str.in_re s (re.++ re.allchar r)) (and (not (= s "")) (str.in_re (str.substr s 1 (str.len s)) r))))

; A word, then any character.
(define-fun in-concat-character-behind ((s String) (r RegLan)) Bool
  (= (str.in_re s (re.++ r re.allchar)) (and (not (= s "")) (str.in_re (str.substr s 0 (- (str.len s) 1)) r))))

; The first character decides, then the rest.
(define-fun in-concat-with-range ((s String) (r RegLan)) Bool
  (= (str.in_re s (re.++ (re.range "a" "b") r)) (and (str.in_re (str.at s 0) (re.range "a" "b")) (str.in_re (str.substr s 1 (str.len s)) r))))

; The first character decides.
(define-fun in-begins-with-range ((s String)) Bool
  (= (str.in_re s (re.++ (re.range "a" "b") re.all)) (str.in_re (str.at s 0) (re.range "a" "b"))))

; Two characters are a string of length two.
(define-fun in-two-characters ((s String)) Bool
  (= (str.in_re s (re.++ re.allchar re.allchar)) (= (str.len s) 2)))

; No word is the empty string.
(define-fun in-star-empty ((r RegLan)) Bool
  (str.in_re "" (re.* r)))

; One word is some words.
(define-fun in-star-of-one ((s String) (r RegLan)) Bool
  (=> (str.in_re s r) (str.in_re s (re.* r))))

; Words and words are words.
(define-fun in-star-of-concat ((s String) (t String) (r RegLan)) Bool
  (=> (and (str.in_re s (re.* r)) (str.in_re t (re.* r))) (str.in_re (str.++ s t) (re.* r))))

; A word and words are one word or more.
(define-fun in-plus-of-concat ((s String) (t String) (r RegLan)) Bool
  (=> (and (str.in_re s r) (str.in_re t (re.* r))) (str.in_re (str.++ s t) (re.+ r))))

; Two words are one word or more.
(define-fun in-plus-of-two ((s String) (t String) (r RegLan)) Bool
  (=> (and (str.in_re s r) (str.in_re t r)) (str.in_re (str.++ s t) (re.+ r))))

; Pairs of characters are strings of even length.
(define-fun in-star-even ((s String)) Bool
  (= (str.in_re s (re.* (re.++ re.allchar re.allchar))) ((_ divisible 2) (str.len s))))

; Threes of characters are strings whose length is a multiple of three.
(define-fun in-star-thirds ((s String)) Bool
  (= (str.in_re s (re.* ((_ re.^ 3) re.allchar))) (= (mod (str.len s) 3) 0)))

; Only a is left when a is deleted: nothing.
(define-fun in-star-of-letter ((s String)) Bool
  (= (str.in_re s (re.* (str.to_re "a"))) (= (str.replace_all s "a" "") "")))

; Nothing is left when the characters of the range are deleted.
(define-fun in-star-of-range ((s String)) Bool
  (= (str.in_re s (re.* (re.range "0" "9"))) (= (str.replace_re_all s (re.range "0" "9") "") "")))

; Everything but nothing.
(define-fun in-comp-all ((s String)) Bool
  (not (str.in_re s (re.comp re.all))))

; Everything but single characters.
(define-fun in-not-character ((s String)) Bool
  (= (str.in_re s (re.comp re.allchar)) (distinct (str.len s) 1)))

; A string without a has characters other than a only.
(define-fun in-not-containing ((s String)) Bool
  (= (not (str.contains s "a")) (str.in_re s (re.* (re.diff re.allchar (str.to_re "a"))))))

; What is in one is in the union.
(define-fun in-subset-union ((s String) (r RegLan) (q RegLan)) Bool
  (=> (str.in_re s r) (str.in_re s (re.union q r))))

; The only word of the language is the string.
(define-fun in-equal-words ((s String) (t String) (u String)) Bool
  (=> (and (str.in_re s (str.to_re u)) (str.in_re t (str.to_re u))) (= s t)))

; A joined word is a word, then a word.
(define-fun word-of-concat ((s String) (t String)) Bool
  (= (str.to_re (str.++ s t)) (re.++ (str.to_re s) (str.to_re t))))

; The language is that of the chosen word.
(define-fun word-of-ite ((s String) (t String) (b Bool)) Bool
  (= (str.to_re (ite b s t)) (ite b (str.to_re s) (str.to_re t))))

; In one of the two.
(define-fun union-commutes ((r RegLan) (q RegLan)) Bool
  (= (re.union r q) (re.union q r)))

; In one of the three.
(define-fun union-associative ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.union r (re.union q p)) (re.union (re.union r q) p)))

; In one of the three.
(define-fun union-of-three ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.union r q p) (re.union (re.union r q) p)))

; In one and the same.
(define-fun union-of-same ((r RegLan)) Bool
  (= (re.union r r) r))

; The empty language adds nothing.
(define-fun union-with-none ((r RegLan)) Bool
  (= (re.union r re.none) r))

; Everything is in it already.
(define-fun union-with-all ((r RegLan)) Bool
  (= (re.union r re.all) re.all))

; What is in both is in one.
(define-fun union-absorbs ((r RegLan) (q RegLan)) Bool
  (= (re.union r (re.inter r q)) r))

; A string is in a language or not.
(define-fun union-with-comp ((r RegLan)) Bool
  (= (re.union r (re.comp r)) re.all))

; In both.
(define-fun inter-commutes ((r RegLan) (q RegLan)) Bool
  (= (re.inter r q) (re.inter q r)))

; In all three.
(define-fun inter-associative ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.inter r (re.inter q p)) (re.inter (re.inter r q) p)))

; In one and the same.
(define-fun inter-of-same ((r RegLan)) Bool
  (= (re.inter r r) r))

; Nothing is in it.
(define-fun inter-with-none ((r RegLan)) Bool
  (= (re.inter r re.none) re.none))

; Everything is in the other.
(define-fun inter-with-all ((r RegLan)) Bool
  (= (re.inter r re.all) r))

; What is in one is in one of both.
(define-fun inter-absorbs ((r RegLan) (q RegLan)) Bool
  (= (re.inter r (re.union r q)) r))

; A string is not both in a language and not.
(define-fun inter-with-comp ((r RegLan)) Bool
  (= (re.inter r (re.comp r)) re.none))

; In the first, and in one of the others.
(define-fun inter-over-union ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.inter r (re.union q p)) (re.union (re.inter r q) (re.inter r p))))

; Not not in it.
(define-fun comp-of-comp ((r RegLan)) Bool
  (= (re.comp (re.comp r)) r))

; In neither.
(define-fun comp-of-union ((r RegLan) (q RegLan)) Bool
  (= (re.comp (re.union r q)) (re.inter (re.comp r) (re.comp q))))

; Not in both.
(define-fun comp-of-inter ((r RegLan) (q RegLan)) Bool
  (= (re.comp (re.inter r q)) (re.union (re.comp r) (re.comp q))))

; Nothing is excluded.
(define-fun comp-of-none () Bool
  (= (re.comp re.none) re.all))

; Everything is excluded.
(define-fun comp-of-all () Bool
  (= (re.comp re.all) re.none))

; Everything but the empty string has a first character.
(define-fun comp-of-empty-word () Bool
  (= (re.comp (str.to_re "")) (re.++ re.allchar re.all)))

; In the first and not in the second.
(define-fun diff-by-comp ((r RegLan) (q RegLan)) Bool
  (= (re.diff r q) (re.inter r (re.comp q))))

; Nothing is left.
(define-fun diff-of-same ((r RegLan)) Bool
  (= (re.diff r r) re.none))

; Nothing is taken away.
(define-fun diff-none ((r RegLan)) Bool
  (= (re.diff r re.none) r))

; Everything is taken away.
(define-fun diff-all ((r RegLan)) Bool
  (= (re.diff r re.all) re.none))

; What is not in it.
(define-fun diff-from-all ((r RegLan)) Bool
  (= (re.diff re.all r) (re.comp r)))

; One is taken away after the other.
(define-fun diff-of-three ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.diff r q p) (re.diff (re.diff r q) p)))

; Taking away what is kept.
(define-fun diff-of-diff ((r RegLan) (q RegLan)) Bool
  (= (re.diff r (re.diff r q)) (re.inter r q)))

; Joining does not depend on where one begins.
(define-fun concat-languages-associative ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.++ (re.++ r q) p) (re.++ r (re.++ q p))))

; Without a second part there is no word.
(define-fun concat-with-none ((r RegLan)) Bool
  (= (re.++ r re.none) re.none))

; Without a first part there is no word.
(define-fun concat-none-first ((r RegLan)) Bool
  (= (re.++ re.none r) re.none))

; The empty string adds nothing.
(define-fun concat-with-empty-word ((r RegLan)) Bool
  (= (re.++ r (str.to_re "")) r))

; The empty string adds nothing.
(define-fun concat-empty-word-first ((r RegLan)) Bool
  (= (re.++ (str.to_re "") r) r))

; A word, then one of either.
(define-fun concat-over-union ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.++ r (re.union q p)) (re.union (re.++ r q) (re.++ r p))))

; One of either, then a word.
(define-fun concat-over-union-first ((r RegLan) (q RegLan) (p RegLan)) Bool
  (= (re.++ (re.union q p) r) (re.union (re.++ q r) (re.++ p r))))

; A string can be cut.
(define-fun concat-all-all () Bool
  (= (re.++ re.all re.all) re.all))

; No word, or a word and words.
(define-fun star-unfolds ((r RegLan)) Bool
  (= (re.* r) (re.union (str.to_re "") (re.++ r (re.* r)))))

; No word, or words and a word.
(define-fun star-unfolds-behind ((r RegLan)) Bool
  (= (re.* r) (re.opt (re.++ (re.* r) r))))

; Words of words are words.
(define-fun star-of-star ((r RegLan)) Bool
  (= (re.* (re.* r)) (re.* r)))

; Words of words are words.
(define-fun star-of-plus ((r RegLan)) Bool
  (= (re.* (re.+ r)) (re.* r)))

; The empty word adds nothing.
(define-fun star-of-opt ((r RegLan)) Bool
  (= (re.* (re.opt r)) (re.* r)))

; Only no word at all can be made.
(define-fun star-of-none () Bool
  (= (re.* re.none) (str.to_re "")))

; Only the empty string can be made.
(define-fun star-of-empty-word () Bool
  (= (re.* (str.to_re "")) (str.to_re "")))

; All strings are made of characters.
(define-fun star-of-allchar () Bool
  (= (re.* re.allchar) re.all))

; All strings are strings.
(define-fun star-of-all () Bool
  (= (re.* re.all) re.all))

; Words and words are words.
(define-fun star-twice ((r RegLan)) Bool
  (= (re.++ (re.* r) (re.* r)) (re.* r)))

; Words of either come in runs.
(define-fun star-of-union ((r RegLan) (q RegLan)) Bool
  (= (re.* (re.union r q)) (re.* (re.++ (re.* r) (re.* q)))))

; A word, then pairs: pairs, then a word.
(define-fun star-slides ((r RegLan) (q RegLan)) Bool
  (= (re.++ r (re.* (re.++ q r))) (re.++ (re.* (re.++ r q)) r)))

; Words and a word: a word and words.
(define-fun star-commutes ((r RegLan)) Bool
  (= (re.++ (re.* r) r) (re.++ r (re.* r))))

; A word and words.
(define-fun plus-by-star ((r RegLan)) Bool
  (= (re.+ r) (re.++ r (re.* r))))

; Words of words are words.
(define-fun plus-of-plus ((r RegLan)) Bool
  (= (re.+ (re.+ r)) (re.+ r)))

; Perhaps no word at all.
(define-fun plus-of-opt ((r RegLan)) Bool
  (= (re.+ (re.opt r)) (re.* r)))

; There is no word.
(define-fun plus-of-none () Bool
  (= (re.+ re.none) re.none))

; All strings but the empty one.
(define-fun plus-of-allchar () Bool
  (= (re.+ re.allchar) (re.diff re.all (str.to_re ""))))

; Perhaps no word at all.
(define-fun opt-of-plus ((r RegLan)) Bool
  (= (re.opt (re.+ r)) (re.* r)))

; No word or one.
(define-fun opt-by-union ((r RegLan)) Bool
  (= (re.opt r) (re.union (str.to_re "") r)))

; No word or one.
(define-fun opt-of-opt ((r RegLan)) Bool
  (= (re.opt (re.opt r)) (re.opt r)))

; No word is in it already.
(define-fun opt-of-star ((r RegLan)) Bool
  (= (re.opt (re.* r)) (re.* r)))

; Only no word.
(define-fun opt-of-none () Bool
  (= (re.opt re.none) (str.to_re "")))

; A range from a character to itself; other strings make none.
(define-fun range-of-one ((s String)) Bool
  (= (re.range s s) (re.inter (str.to_re s) re.allchar)))

; A range is cut at a place.
(define-fun range-splits () Bool
  (= (re.range "0" "9") (re.union (re.range "0" "4") (re.range "5" "9"))))

; A range without its last character.
(define-fun range-without-end () Bool
  (= (re.diff (re.range "a" "c") (str.to_re "c")) (re.range "a" "b")))

; Ranges share the characters between.
(define-fun range-overlap () Bool
  (= (re.inter (re.range "0" "a") (re.range "9" "z")) (re.range "9" "a")))

; A range has only characters.
(define-fun range-of-characters ((s String) (t String)) Bool
  (= (re.inter (re.range s t) re.allchar) (re.range s t)))

; A range from a later to an earlier character is empty.
(define-fun range-crossed () Bool
  (= (re.range "b" "a") re.none))

; A range to the empty string is empty.
(define-fun range-empty-end ((s String)) Bool
  (= (re.range s "") re.none))

; The language is the one that is chosen.
(define-fun language-of-ite ((b Bool) (r RegLan) (q RegLan)) Bool
  (= (re.comp (ite b r q)) (ite b (re.comp r) (re.comp q))))
