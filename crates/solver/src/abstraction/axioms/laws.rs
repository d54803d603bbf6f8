//! Axioms given by patterns and a formula alone: name, level, patterns, law.
//!
//! `_` is the term that matches the first pattern. Each law is valid in the theory of strings; the
//! level is the depth up to which it is instantiated (0: only terms of the problem), low for laws
//! that introduce new terms.

use super::{Axiom, Trigger};

macro_rules! laws {
    ($($name:literal $level:literal [$($pattern:literal),*] $law:literal;)*) => {
        /// Axioms given by patterns and a formula alone.
        pub(crate) const LAWS: &[Axiom] = &[
            Axiom {
                name: "length-is-not-negative",
                law: "(>= (str.len x) 0)",
                level: 9,
                trigger: Trigger::Strings,
            },
            Axiom {
                name: "only-the-empty-string-has-length-zero",
                law: "(= (= (str.len x) 0) (= x \"\"))",
                level: 2,
                trigger: Trigger::Strings,
            },
            $(Axiom {
                name: $name,
                law: $law,
                level: $level,
                trigger: Trigger::Patterns(&[$($pattern),*]),
            },)*
        ];
    };
}

laws! {
    "substr-out-of-range-is-empty" 2 ["(str.substr s i n)"]
        "(=> (or (< i 0) (>= i (str.len s)) (<= n 0)) (= _ \"\"))";
    "substr-has-a-length" 3 ["(str.substr s i n)"]
        "(= (str.len _) (ite (or (< i 0) (>= i (str.len s)) (<= n 0)) 0 (ite (<= n (- (str.len s) i)) n (- (str.len s) i))))";
    "substr-of-all-is-all" 2 ["(str.substr s i n)"]
        "(=> (and (= i 0) (>= n (str.len s))) (= _ s))";
    "substr-is-contained" 1 ["(str.substr s i n)"]
        "(str.contains s _)";
    "substr-splits" 0 ["(str.substr s i n)"]
        "(=> (and (<= 0 i) (<= i (str.len s)) (<= 0 n)) (= s (str.++ (str.substr s 0 i) _ (str.substr s (+ i (str.len _)) (str.len s)))))";
    "substr-within-substr" 1 ["(str.substr s i n)", "(str.substr s j m)"]
        "(=> (and (<= 0 i) (<= i j) (<= (+ j m) (+ i n))) (= (str.substr s j m) (str.substr _ (- j i) m)))";
    "substr-of-substr" 0 ["(str.substr (str.substr s i n) j m)"]
        "(=> (and (<= 0 i) (<= 0 j) (<= (+ j m) n)) (= _ (str.substr s (+ i j) m)))";

    "contained-is-not-longer" 2 ["(str.contains x y)"]
        "(=> _ (>= (str.len x) (str.len y)))";
    "contained-of-same-length-is-equal" 2 ["(str.contains x y)"]
        "(=> (and _ (= (str.len x) (str.len y))) (= x y))";
    "contains-itself" 2 ["(str.contains x y)"]
        "(=> (= x y) _)";
    "contains-the-empty-string" 2 ["(str.contains x y)"]
        "(=> (= y \"\") _)";
    "contains-means-found" 0 ["(str.contains x y)"]
        "(= _ (>= (str.indexof x y 0) 0))";
    "contains-splits" 0 ["(str.contains x y)"]
        "(=> _ (= x (str.++ (str.substr x 0 (str.indexof x y 0)) y (str.substr x (+ (str.indexof x y 0) (str.len y)) (str.len x)))))";
    "contains-is-transitive" 1 ["(str.contains x y)", "(str.contains y z)"]
        "(=> (and _ (str.contains y z)) (str.contains x z))";
    "contained-in-a-contained" 0 ["(str.contains x y)", "(str.contains x z)"]
        "(=> (and _ (str.contains y z)) (str.contains x z))";

    "indexof-range" 1 ["(str.indexof s t n)"]
        "(and (>= _ -1) (=> (>= _ 0) (and (>= n 0) (>= _ n) (<= (+ _ (str.len t)) (str.len s)))))";
    "indexof-from-outside" 1 ["(str.indexof s t n)"]
        "(=> (or (< n 0) (> n (str.len s))) (= _ -1))";
    "indexof-of-nothing" 1 ["(str.indexof s t n)"]
        "(=> (and (= t \"\") (<= 0 n) (<= n (str.len s))) (= _ n))";
    "indexof-finds-the-needle" 1 ["(str.indexof s t n)"]
        "(=> (>= _ 0) (= t (str.substr s _ (str.len t))))";
    "indexof-means-contains" 1 ["(str.indexof s t n)"]
        "(and (=> (>= _ 0) (str.contains s t)) (=> (= n 0) (= (>= _ 0) (str.contains s t))))";
    "indexof-means-the-rest-contains" 0 ["(str.indexof s t n)"]
        "(=> (and (<= 0 n) (<= n (str.len s))) (= (>= _ 0) (str.contains (str.substr s n (- (str.len s) n)) t)))";
    "indexof-is-the-first" 0 ["(str.indexof s t n)"]
        "(=> (and (>= _ 0) (> (str.len t) 0)) (not (str.contains (str.substr s n (- (+ _ (str.len t)) (+ n 1))) t)))";
    "indexof-of-the-whole" 1 ["(str.indexof s t n)"]
        "(=> (and (= s t) (= n 0)) (= _ 0))";
    "indexof-from-further-on" 0 ["(str.indexof s t n)", "(str.indexof s t m)"]
        "(=> (and (<= 0 n) (<= n m) (<= m _)) (= _ (str.indexof s t m)))";
    "indexof-grows-with-its-start" 0 ["(str.indexof s t n)", "(str.indexof s t m)"]
        "(=> (and (<= 0 n) (<= n m) (>= (str.indexof s t m) 0)) (and (<= 0 _) (<= _ (str.indexof s t m))))";
    "indexof-is-not-after-an-occurrence" 0 ["(str.indexof s t n)", "(str.substr s i m)"]
        "(=> (and (= (str.substr s i m) t) (<= 0 n) (<= n i) (<= i (str.len s))) (and (<= 0 _) (<= _ i)))";

    "replace-without-occurrence" 1 ["(str.replace s t u)"]
        "(=> (not (str.contains s t)) (= _ s))";
    "replace-has-a-length" 1 ["(str.replace s t u)"]
        "(=> (str.contains s t) (= (str.len _) (- (+ (str.len s) (str.len u)) (str.len t))))";
    "replace-puts-it-in" 1 ["(str.replace s t u)"]
        "(=> (str.contains s t) (str.contains _ u))";
    "replace-of-nothing-prepends" 0 ["(str.replace s t u)"]
        "(=> (= t \"\") (= _ (str.++ u s)))";
    "replace-by-the-same" 1 ["(str.replace s t u)"]
        "(=> (= t u) (= _ s))";
    "replace-of-the-whole" 1 ["(str.replace s t u)"]
        "(=> (= s t) (= _ u))";
    "replace-splits" 0 ["(str.replace s t u)"]
        "(=> (str.contains s t) (= _ (str.++ (str.substr s 0 (str.indexof s t 0)) u (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))";
    "replace-all-without-occurrence" 1 ["(str.replace_all s t u)"]
        "(=> (or (not (str.contains s t)) (= t \"\") (= t u)) (= _ s))";
    "replace-all-length" 1 ["(str.replace_all s t u)"]
        "(and (=> (<= (str.len u) (str.len t)) (<= (str.len _) (str.len s))) (=> (>= (str.len u) (str.len t)) (>= (str.len _) (str.len s))))";
    "replace-all-of-the-whole" 1 ["(str.replace_all s t u)"]
        "(=> (and (= s t) (not (= s \"\"))) (= _ u))";

    "replace-all-by-shorter-has-a-length" 1 ["(str.replace_all s t u)"]
        "(=> (and (not (= t \"\")) (<= (str.len u) (str.len t))) (>= (* (str.len t) (str.len _)) (* (str.len u) (str.len s))))";
    "replace-all-by-longer-has-a-length" 1 ["(str.replace_all s t u)"]
        "(=> (and (not (= t \"\")) (>= (str.len u) (str.len t))) (<= (* (str.len t) (str.len _)) (* (str.len u) (str.len s))))";
    "replace-all-puts-it-in" 1 ["(str.replace_all s t u)"]
        "(or (= _ s) (str.contains _ u))";
    "replace-re-puts-it-in" 1 ["(str.replace_re s r u)"]
        "(or (= _ s) (and (str.contains _ u) (<= (str.len _) (+ (str.len s) (str.len u)))))";
    "replace-re-all-puts-it-in" 1 ["(str.replace_re_all s r u)"]
        "(or (= _ s) (and (str.contains _ u) (not (= s \"\"))))";
    "replace-re-all-by-a-letter-is-not-longer" 1 ["(str.replace_re_all s r u)"]
        "(=> (<= (str.len u) 1) (<= (str.len _) (str.len s)))";

    "prefix-is-the-start" 1 ["(str.prefixof p s)"]
        "(= _ (= p (str.substr s 0 (str.len p))))";
    "prefix-is-contained" 1 ["(str.prefixof p s)"]
        "(=> _ (and (<= (str.len p) (str.len s)) (str.contains s p)))";
    "prefix-of-same-length-is-equal" 1 ["(str.prefixof p s)"]
        "(and (=> (= p s) _) (=> (= p \"\") _) (=> (and _ (= (str.len p) (str.len s))) (= p s)))";
    "prefix-means-found-at-the-start" 0 ["(str.prefixof p s)"]
        "(= _ (= (str.indexof s p 0) 0))";
    "suffix-is-the-end" 1 ["(str.suffixof p s)"]
        "(= _ (= p (str.substr s (- (str.len s) (str.len p)) (str.len p))))";
    "suffix-is-contained" 1 ["(str.suffixof p s)"]
        "(=> _ (and (<= (str.len p) (str.len s)) (str.contains s p)))";
    "suffix-of-same-length-is-equal" 1 ["(str.suffixof p s)"]
        "(and (=> (= p s) _) (=> (= p \"\") _) (=> (and _ (= (str.len p) (str.len s))) (= p s)))";

    "to-int-range" 2 ["(str.to_int x)"]
        "(and (>= _ -1) (=> (= x \"\") (= _ -1)))";
    "to-int-of-a-digit" 1 ["(str.to_int x)"]
        "(=> (and (= (str.len x) 1) (>= _ 0)) (= (str.to_code x) (+ _ 48)))";
    "to-int-of-the-shortest" 0 ["(str.to_int x)"]
        "(=> (>= _ 0) (and (<= (str.len (str.from_int _)) (str.len x)) (=> (= (str.len (str.from_int _)) (str.len x)) (= x (str.from_int _)))))";
    "to-int-of-a-part" 0 ["(str.to_int x)", "(str.contains x y)"]
        "(=> (and (>= _ 0) (str.contains x y) (not (= y \"\"))) (and (>= (str.to_int y) 0) (<= (str.to_int y) _)))";
    "to-int-of-the-same-length" 0 ["(str.to_int x)", "(str.to_int y)"]
        "(=> (and (>= _ 0) (= _ (str.to_int y)) (= (str.len x) (str.len y))) (= x y))";
    "to-int-of-a-substr" 0 ["(str.to_int x)", "(str.substr x i n)"]
        "(=> (and (>= _ 0) (not (= (str.substr x i n) \"\"))) (and (>= (str.to_int (str.substr x i n)) 0) (<= (str.to_int (str.substr x i n)) _)))";
    "from-int-of-a-negative" 1 ["(str.from_int n)"]
        "(= (< n 0) (= _ \"\"))";
    "from-int-back" 1 ["(str.from_int n)"]
        "(=> (>= n 0) (= (str.to_int _) n))";
    "from-int-has-no-leading-zero" 1 ["(str.from_int n)"]
        "(=> (> n 0) (and (not (str.prefixof \"0\" _)) (not (= (str.substr _ 0 1) \"0\"))))";
    "to-code-range" 2 ["(str.to_code x)"]
        "(ite (= (str.len x) 1) (and (<= 0 _) (<= _ 196607)) (= _ -1))";
    "to-code-back" 1 ["(str.to_code x)"]
        "(=> (= (str.len x) 1) (= (str.from_code _) x))";
    "from-code-range" 2 ["(str.from_code n)"]
        "(ite (and (<= 0 n) (<= n 196607)) (and (= (str.len _) 1) (= (str.to_code _) n)) (= _ \"\"))";
    "is-digit-by-code" 1 ["(str.is_digit x)"]
        "(= _ (and (<= 48 (str.to_code x)) (<= (str.to_code x) 57)))";
    "is-digit-by-value" 1 ["(str.is_digit x)"]
        "(= _ (and (= (str.len x) 1) (>= (str.to_int x) 0)))";

    "order-is-strict-and-total" 1 ["(str.< x y)"]
        "(and (=> _ (not (= x y))) (=> _ (not (str.< y x))) (or _ (= x y) (str.< y x)))";
    "order-of-the-empty-string" 1 ["(str.< x y)"]
        "(and (=> (= y \"\") (not _)) (=> (= x \"\") (= _ (not (= y \"\")))))";
    "order-of-letters" 1 ["(str.< x y)"]
        "(=> (and (= (str.len x) 1) (= (str.len y) 1)) (= _ (< (str.to_code x) (str.to_code y))))";
    "order-of-prefixes" 0 ["(str.< x y)"]
        "(=> (str.prefixof x y) (= _ (not (= x y))))";
    "order-is-transitive" 0 ["(str.< x y)", "(str.< y z)"]
        "(=> (and _ (str.< y z)) (str.< x z))";
    "order-below-by-a-prefix" 1 ["(str.< x y)", "(str.prefixof p x)"]
        "(=> (and _ (str.prefixof p x)) (str.< p y))";
    "order-above-by-a-prefix" 1 ["(str.< x y)", "(str.prefixof p y)"]
        "(=> (and _ (str.prefixof p y) (not (str.prefixof p x))) (str.< x p))";
    "order-below-by-a-start" 1 ["(str.< x y)", "(str.substr x i n)"]
        "(=> (and _ (= i 0)) (str.< (str.substr x i n) y))";
    "order-above-by-a-start" 1 ["(str.< x y)", "(str.substr y i n)"]
        "(=> (and _ (= i 0) (not (str.prefixof (str.substr y i n) x))) (str.< x (str.substr y i n)))";
    "order-by-first-letters" 0 ["(str.< x y)"]
        "(=> (not (= (str.substr x 0 1) (str.substr y 0 1))) (= _ (str.< (str.substr x 0 1) (str.substr y 0 1))))";
    "order-or-equal" 1 ["(str.<= x y)"]
        "(= _ (or (= x y) (str.< x y)))";
    "store-is-read-back" 2 ["(store a i e)"]
        "(= (select _ i) e)";
    "select-elsewhere" 2 ["(select (store a i e) j)"]
        "(=> (not (= i j)) (= _ (select a j)))";
}
