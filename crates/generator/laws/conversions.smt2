; Numbers and digits. Each formula is true for all values of its parameters.

; The digits of a number write it; a negative number has none.
(define-fun to-int-of-from-int ((n Int)) Bool
  (= (str.to_int (str.from_int n)) (ite (>= n 0) n (- 1))))

; Exactly the negative numbers have no digits.
(define-fun from-int-empty ((n Int)) Bool
  (= (= (str.from_int n) "") (< n 0)))

; What is no number is -1.
(define-fun to-int-at-least ((s String)) Bool
  (>= (str.to_int s) (- 1)))

; Exactly strings of one or more digits write a number.
(define-fun to-int-of-digits ((s String)) Bool
  (= (>= (str.to_int s) 0) (str.in_re s (re.+ (re.range "0" "9")))))

; Exactly strings that are empty or have another character write none.
(define-fun to-int-fails ((s String)) Bool
  (= (= (str.to_int s) (- 1)) (not (str.in_re s (re.+ (re.range "0" "9"))))))

; Exactly numbers without leading zeros, and the empty string, come back.
(define-fun from-int-of-to-int ((s String)) Bool
  (= (= (str.from_int (str.to_int s)) s) (str.in_re s (re.opt (re.union (str.to_re "0") (re.++ (re.range "1" "9") (re.* (re.range "0" "9"))))))))

; A leading zero changes nothing but the empty string.
(define-fun to-int-leading-zero ((s String)) Bool
  (= (str.to_int (str.++ "0" s)) (ite (= s "") 0 (str.to_int s))))

; A number is written behind its leading zeros; what is none gives the empty string.
(define-fun to-int-suffix ((s String)) Bool
  (str.suffixof (str.from_int (str.to_int s)) s))

; Zeros before a number do not change it.
(define-fun to-int-of-zeros-and-number ((s String) (x String) (n Int)) Bool
  (=> (and (>= n 0) (str.in_re x (re.* (str.to_re "0"))) (= s (str.++ x (str.from_int n)))) (= (str.to_int s) n)))

; Exactly zeros write zero.
(define-fun to-int-zero ((s String)) Bool
  (= (= (str.to_int s) 0) (str.in_re s (re.+ (str.to_re "0")))))

; Different numbers have different digits.
(define-fun from-int-injective ((m Int) (n Int)) Bool
  (=> (and (>= m 0) (= (str.from_int m) (str.from_int n))) (= m n)))

; Numbers below ten have at most one digit.
(define-fun from-int-one-digit ((n Int)) Bool
  (= (<= (str.len (str.from_int n)) 1) (<= n 9)))

; Numbers from ten to ninety-nine have two digits.
(define-fun from-int-two-digits ((n Int)) Bool
  (= (= (str.len (str.from_int n)) 2) (and (<= 10 n) (< n 100))))

; A larger number does not have fewer digits.
(define-fun from-int-monotone ((m Int) (n Int)) Bool
  (=> (<= m n) (<= (str.len (str.from_int m)) (str.len (str.from_int n)))))

; Two digits write less than a hundred.
(define-fun to-int-short ((s String)) Bool
  (=> (<= (str.len s) 2) (< (str.to_int s) 100)))

; What writes a thousand or more has four characters or more.
(define-fun to-int-large ((s String)) Bool
  (=> (>= (str.to_int s) 1000) (>= (str.len s) 4)))

; A further digit is ten times the number and the digit.
(define-fun to-int-one-more-digit ((s String) (t String)) Bool
  (=> (and (str.is_digit t) (>= (str.to_int s) 0)) (= (str.to_int (str.++ s t)) (+ (* 10 (str.to_int s)) (str.to_int t)))))

; A further zero is ten times the number.
(define-fun to-int-times-ten ((s String)) Bool
  (=> (>= (str.to_int s) 0) (= (str.to_int (str.++ s "0")) (* 10 (str.to_int s)))))

; Both parts have digits only.
(define-fun to-int-of-concat ((s String) (t String)) Bool
  (= (and (>= (str.to_int s) 0) (>= (str.to_int t) 0)) (and (not (= s "")) (not (= t "")) (>= (str.to_int (str.++ s t)) 0))))

; A letter is no digit.
(define-fun to-int-with-letter ((s String) (t String)) Bool
  (= (str.to_int (str.++ s "a" t)) (- 1)))

; A number is written with digits.
(define-fun from-int-digits ((n Int)) Bool
  (=> (>= n 0) (str.in_re (str.from_int n) (re.+ (re.range "0" "9")))))

; A number is written with digits.
(define-fun from-int-no-letter ((n Int)) Bool
  (not (str.contains (str.from_int n) "a")))

; A number is written with digits.
(define-fun from-int-no-minus ((n Int)) Bool
  (not (str.contains (str.from_int n) "-")))

; Only zero begins with a zero.
(define-fun from-int-leading-zero ((n Int)) Bool
  (= (str.prefixof "0" (str.from_int n)) (= n 0)))

; The last digit is the rest by ten.
(define-fun from-int-last-digit ((n Int)) Bool
  (=> (>= n 0) (= (str.to_int (str.at (str.from_int n) (- (str.len (str.from_int n)) 1))) (mod n 10))))

; A number is its tens and its ones.
(define-fun from-int-split ((n Int)) Bool
  (=> (>= n 10) (= (str.from_int n) (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10))))))

; A length is not negative.
(define-fun from-int-of-length ((s String)) Bool
  (= (str.to_int (str.from_int (str.len s))) (str.len s)))

; Only zero is written 0.
(define-fun from-int-zero ((n Int)) Bool
  (= (= (str.from_int n) "0") (= n 0)))

; Only ten is written 10.
(define-fun from-int-ten ((n Int)) Bool
  (= (= (str.from_int n) "10") (= n 10)))

; No number is written with a leading zero.
(define-fun from-int-padded ((n Int)) Bool
  (not (= (str.from_int n) "01")))

; A digit is its code less that of 0.
(define-fun to-int-of-one-character ((s String)) Bool
  (=> (= (str.len s) 1) (= (str.to_int s) (ite (str.is_digit s) (- (str.to_code s) 48) (- 1)))))

; Numbers of the same length are ordered as strings.
(define-fun to-int-in-order ((s String) (t String)) Bool
  (=> (and (= (str.len s) (str.len t)) (>= (str.to_int s) 0) (>= (str.to_int t) 0)) (= (str.< s t) (< (str.to_int s) (str.to_int t)))))

; A character of a number is a digit.
(define-fun to-int-of-at ((s String) (i Int)) Bool
  (=> (and (>= (str.to_int s) 0) (<= 0 i) (< i (str.len s))) (str.is_digit (str.at s i))))

; A string without digits is no number.
(define-fun to-int-without-digit ((s String)) Bool
  (=> (not (str.in_re s (re.++ re.all (re.range "0" "9") re.all))) (= (str.to_int s) (- 1))))

; A negative number has no digits.
(define-fun from-int-of-negative ((s String)) Bool
  (= (str.from_int (- (- 1) (str.len s))) ""))

; The digits are the characters from 0 to 9.
(define-fun digit-by-regex ((s String)) Bool
  (= (str.is_digit s) (str.in_re s (re.range "0" "9"))))

; The digits have the codes 48 to 57.
(define-fun digit-by-code ((s String)) Bool
  (= (str.is_digit s) (and (<= 48 (str.to_code s)) (<= (str.to_code s) 57))))

; A digit is a number of length one.
(define-fun digit-by-to-int ((s String)) Bool
  (= (str.is_digit s) (and (= (str.len s) 1) (>= (str.to_int s) 0))))

; A digit writes its own number.
(define-fun digit-by-from-int ((s String)) Bool
  (= (str.is_digit s) (and (= (str.len s) 1) (= (str.from_int (str.to_int s)) s))))

; The numbers from 0 to 9 have one digit.
(define-fun digit-of-from-int ((n Int)) Bool
  (= (str.is_digit (str.from_int n)) (and (<= 0 n) (<= n 9))))

; One of the parts is the digit, the other is empty.
(define-fun digit-of-concat ((s String) (t String)) Bool
  (= (str.is_digit (str.++ s t)) (or (and (= s "") (str.is_digit t)) (and (= t "") (str.is_digit s)))))

; A digit is one character.
(define-fun digit-length ((s String)) Bool
  (=> (str.is_digit s) (= (str.len s) 1)))

; The digits have the codes 48 to 57.
(define-fun digit-of-from-code ((n Int)) Bool
  (= (str.is_digit (str.from_code n)) (and (<= 48 n) (<= n 57))))

; A digit is a number below ten.
(define-fun digit-below-ten ((s String)) Bool
  (=> (str.is_digit s) (and (<= 0 (str.to_int s)) (< (str.to_int s) 10))))
