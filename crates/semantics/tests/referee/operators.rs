//! Corner cases of every operator, as the standard words them, through terms.

use luthier_semantics::{ArrayValue, Interpretation, Language, Value};
use luthier_terms::{BasicSort, BigInt, Op, SmtString, Sort, TermId};

use crate::support::{Bench, int, text};

/// Arguments of an operator: strings and integers.
enum Argument {
    S(&'static str),
    N(i64),
}
use Argument::{N, S};

#[track_caller]
fn check(op: Op, arguments: &[Argument], expected: impl Into<Value>) {
    let mut bench = Bench::default();
    let children: Vec<TermId> = arguments
        .iter()
        .map(|argument| match argument {
            S(text) => bench.s(text),
            N(number) => bench.n(*number),
        })
        .collect();
    assert_eq!(bench.value(op, &children), expected.into());
}

fn s(characters: &str) -> Value {
    text(characters).into()
}

#[test]
fn concatenation_takes_two_or_more_strings() {
    check(Op::StrConcat, &[S("a"), S("")], s("a"));
    check(Op::StrConcat, &[S("a"), S("b"), S("c")], s("abc"));
}

#[test]
fn length_counts_code_points_and_not_bytes() {
    let mut bench = Bench::default();
    let w = SmtString::from_codes([0, 0xD800, 0xFFFF, 0x2FFFF]).unwrap();
    let w = bench.pool.string(w).unwrap();
    assert_eq!(bench.value(Op::StrLen, &[w]), int(4));
    check(Op::StrLen, &[S("")], int(0));
}

#[test]
fn order_is_by_code_points_and_prefixes_are_smaller() {
    check(Op::StrLt, &[S(""), S("a")], true);
    check(Op::StrLt, &[S("a"), S("a")], false);
    check(Op::StrLt, &[S("a"), S("ab")], true);
    check(Op::StrLt, &[S("b"), S("ab")], false);
    check(Op::StrLt, &[S("Z"), S("a")], true);
    check(Op::StrLe, &[S("a"), S("a")], true);
    check(Op::StrLe, &[S("ab"), S("a")], false);
    check(Op::StrLt, &[S("a"), S("b"), S("c")], true);
    check(Op::StrLt, &[S("a"), S("b"), S("b")], false);
    check(Op::StrLe, &[S("a"), S("b"), S("a")], false);
}

#[test]
fn at_is_empty_outside_of_the_string() {
    check(Op::StrAt, &[S("ab"), N(0)], s("a"));
    check(Op::StrAt, &[S("ab"), N(1)], s("b"));
    check(Op::StrAt, &[S("ab"), N(2)], s(""));
    check(Op::StrAt, &[S("ab"), N(-1)], s(""));
    check(Op::StrAt, &[S(""), N(0)], s(""));
}

#[test]
fn substr_is_clipped_at_the_end_and_empty_outside() {
    check(Op::StrSubstr, &[S("abc"), N(0), N(2)], s("ab"));
    check(Op::StrSubstr, &[S("abc"), N(2), N(5)], s("c"));
    check(Op::StrSubstr, &[S("abc"), N(3), N(1)], s(""));
    check(Op::StrSubstr, &[S("abc"), N(-1), N(3)], s(""));
    check(Op::StrSubstr, &[S("abc"), N(0), N(0)], s(""));
    check(Op::StrSubstr, &[S("abc"), N(1), N(-1)], s(""));
}

#[test]
fn huge_positions_and_lengths_are_no_positions_and_clipped_lengths() {
    let mut bench = Bench::default();
    let huge: BigInt = BigInt::from(2).pow(100);
    let (w, zero, one) = (bench.s("abc"), bench.n(0), bench.n(1));
    let (high, low) = (bench.n(huge.clone()), bench.n(-huge));
    assert_eq!(bench.value(Op::StrSubstr, &[w, one, high]), s("bc"));
    assert_eq!(bench.value(Op::StrSubstr, &[w, one, low]), s(""));
    assert_eq!(bench.value(Op::StrSubstr, &[w, high, one]), s(""));
    assert_eq!(bench.value(Op::StrSubstr, &[w, low, high]), s(""));
    assert_eq!(bench.value(Op::StrAt, &[w, high]), s(""));
    let empty = bench.s("");
    assert_eq!(bench.value(Op::StrIndexOf, &[w, empty, high]), int(-1));
    assert_eq!(bench.value(Op::StrIndexOf, &[w, empty, low]), int(-1));
    assert_eq!(bench.value(Op::StrIndexOf, &[w, empty, zero]), int(0));
    assert_eq!(bench.value(Op::StrFromCode, &[high]), s(""));
    assert_eq!(bench.value(Op::StrFromCode, &[low]), s(""));
    assert_eq!(bench.value(Op::StrFromInt, &[low]), s(""));
}

#[test]
fn prefix_suffix_and_contains_know_their_order_of_arguments() {
    check(Op::StrPrefixOf, &[S("a"), S("ab")], true);
    check(Op::StrPrefixOf, &[S("ab"), S("a")], false);
    check(Op::StrPrefixOf, &[S(""), S("")], true);
    check(Op::StrSuffixOf, &[S("b"), S("ab")], true);
    check(Op::StrSuffixOf, &[S("ab"), S("b")], false);
    check(Op::StrSuffixOf, &[S(""), S("a")], true);
    check(Op::StrContains, &[S("abc"), S("b")], true);
    check(Op::StrContains, &[S("b"), S("abc")], false);
    check(Op::StrContains, &[S(""), S("")], true);
    check(Op::StrContains, &[S("abc"), S("ac")], false);
}

#[test]
fn indexof_of_the_empty_string_is_the_position_while_it_is_one() {
    check(Op::StrIndexOf, &[S("abc"), S(""), N(0)], int(0));
    check(Op::StrIndexOf, &[S("abc"), S(""), N(3)], int(3));
    check(Op::StrIndexOf, &[S("abc"), S(""), N(4)], int(-1));
    check(Op::StrIndexOf, &[S("abc"), S(""), N(-1)], int(-1));
    check(Op::StrIndexOf, &[S(""), S(""), N(0)], int(0));
}

#[test]
fn indexof_starts_at_its_position() {
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(0)], int(0));
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(1)], int(2));
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(2)], int(2));
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(3)], int(-1));
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(4)], int(-1));
    check(Op::StrIndexOf, &[S("abab"), S("ab"), N(-1)], int(-1));
    check(Op::StrIndexOf, &[S("aabaab"), S("aab"), N(1)], int(3));
}

#[test]
fn replace_changes_the_first_occurrence_only() {
    check(Op::StrReplace, &[S("aba"), S("a"), S("xy")], s("xyba"));
    check(Op::StrReplace, &[S("aba"), S("c"), S("xy")], s("aba"));
    check(Op::StrReplace, &[S("b"), S(""), S("a")], s("ab"));
    check(Op::StrReplace, &[S(""), S(""), S("a")], s("a"));
    check(Op::StrReplace, &[S(""), S("a"), S("b")], s(""));
    check(Op::StrReplace, &[S("aab"), S("ab"), S("")], s("a"));
}

#[test]
fn replace_all_does_not_overlap_and_does_not_search_what_it_inserts() {
    check(Op::StrReplaceAll, &[S("aaa"), S("aa"), S("b")], s("ba"));
    check(Op::StrReplaceAll, &[S("aa"), S("a"), S("aa")], s("aaaa"));
    check(Op::StrReplaceAll, &[S("abab"), S("ab"), S("")], s(""));
    check(Op::StrReplaceAll, &[S("ab"), S(""), S("x")], s("ab"));
    check(Op::StrReplaceAll, &[S("aabb"), S("ab"), S("")], s("ab"));
}

#[test]
fn digits_are_ascii_digits() {
    check(Op::StrIsDigit, &[S("0")], true);
    check(Op::StrIsDigit, &[S("9")], true);
    check(Op::StrIsDigit, &[S("/")], false);
    check(Op::StrIsDigit, &[S(":")], false);
    check(Op::StrIsDigit, &[S("")], false);
    check(Op::StrIsDigit, &[S("12")], false);
    check(Op::StrIsDigit, &[S("\u{0661}")], false);
}

#[test]
fn codes_are_those_of_one_character() {
    check(Op::StrToCode, &[S("a")], int(97));
    check(Op::StrToCode, &[S("")], int(-1));
    check(Op::StrToCode, &[S("ab")], int(-1));
    check(Op::StrFromCode, &[N(97)], s("a"));
    check(Op::StrFromCode, &[N(-1)], s(""));
    check(Op::StrFromCode, &[N(196_608)], s(""));
    let last = SmtString::from_codes([0x2FFFF]).unwrap();
    check(Op::StrFromCode, &[N(196_607)], last);
    check(Op::StrFromCode, &[N(0xD800)], SmtString::from_codes([0xD800]).unwrap());
}

#[test]
fn numbers_are_read_from_digits_only() {
    check(Op::StrToInt, &[S("")], int(-1));
    check(Op::StrToInt, &[S("007")], int(7));
    check(Op::StrToInt, &[S("0")], int(0));
    for text in ["-1", "+1", " 1", "1 ", "1a", "\u{0661}"] {
        check(Op::StrToInt, &[S(text)], int(-1));
    }
    check(Op::StrToInt, &[S("10000000000000000000000")], BigInt::from(10).pow(22));
    check(Op::StrFromInt, &[N(0)], s("0"));
    check(Op::StrFromInt, &[N(120)], s("120"));
    check(Op::StrFromInt, &[N(-120)], s(""));
}

#[test]
fn arithmetic_folds_from_the_left() {
    check(Op::Sub, &[N(10), N(3), N(2)], int(5));
    check(Op::Add, &[N(1), N(2), N(3)], int(6));
    check(Op::Mul, &[N(2), N(-3), N(4)], int(-24));
    check(Op::Div, &[N(100), N(7), N(2)], int(7));
    check(Op::Neg, &[N(-5)], int(5));
    check(Op::Abs, &[N(-5)], int(5));
    check(Op::Lt, &[N(1), N(2), N(2)], false);
    check(Op::Le, &[N(1), N(2), N(2)], true);
    check(Op::Gt, &[N(3), N(2), N(1)], true);
    check(Op::Ge, &[N(3), N(3), N(4)], false);
}

#[test]
fn division_leaves_a_remainder_that_is_not_negative() {
    for (m, n, q, r) in
        [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0)]
    {
        check(Op::Div, &[N(m), N(n)], int(q));
        check(Op::Mod, &[N(m), N(n)], int(r));
    }
}

#[test]
fn divisibility() {
    check(Op::Divisible, &[N(3), N(-9)], true);
    check(Op::Divisible, &[N(3), N(10)], false);
    check(Op::Divisible, &[N(0), N(0)], true);
    check(Op::Divisible, &[N(0), N(3)], false);
}

#[test]
fn division_by_zero_is_what_the_model_says() {
    let mut bench = Bench::default();
    let (seven, two, zero) = (bench.n(7), bench.n(2), bench.n(0));
    let x = bench.variable("x", Sort::Int);
    let square = bench.op(Op::Mul, &[x, x]);
    bench.model.division_by_zero =
        Some(Interpretation::Function { variables: vec![x], body: square });
    bench.model.modulo_by_zero = Some(Interpretation::Value(int(5)));
    assert_eq!(bench.value(Op::Div, &[seven, zero]), int(49));
    // ((7 div 0) div 2) div 0.
    assert_eq!(bench.value(Op::Div, &[seven, zero, two, zero]), int(24 * 24));
    assert_eq!(bench.value(Op::Mod, &[seven, zero]), int(5));
    assert_eq!(bench.value(Op::Mod, &[seven, two]), int(1));
    // Z3 gives the function the divisor, too.
    let y = bench.variable("y", Sort::Int);
    let sum = bench.op(Op::Add, &[x, y, two]);
    let of_both = Interpretation::Function { variables: vec![x, y], body: sum };
    bench.model.modulo_by_zero = Some(of_both);
    assert_eq!(bench.value(Op::Mod, &[seven, zero]), int(9));
}

#[test]
fn connectives_fold_as_the_standard_says() {
    let mut bench = Bench::default();
    let (t, f) = (bench.bool(true), bench.bool(false));
    assert_eq!(bench.value(Op::Not, &[t]), false.into());
    assert_eq!(bench.value(Op::And, &[t, t, f]), false.into());
    assert_eq!(bench.value(Op::Or, &[f, f, t]), true.into());
    assert_eq!(bench.value(Op::Xor, &[t, t, t]), true.into());
    // (=> t f f) is (=> t (=> f f)).
    assert_eq!(bench.value(Op::Implies, &[t, f, f]), true.into());
    assert_eq!(bench.value(Op::Implies, &[t, t, f]), false.into());
    assert_eq!(bench.value(Op::Eq, &[f, f, f]), true.into());
    assert_eq!(bench.value(Op::Eq, &[t, f, f]), false.into());
    assert_eq!(bench.value(Op::Distinct, &[t, f]), true.into());
    assert_eq!(bench.value(Op::Distinct, &[t, f, t]), false.into());
    let (one, two) = (bench.n(1), bench.n(2));
    assert_eq!(bench.value(Op::Ite, &[f, one, two]), int(2));
    assert_eq!(bench.value(Op::Distinct, &[one, two]), true.into());
}

/// A regular expression by its term, and words with their membership.
#[track_caller]
fn words(build: impl Fn(&mut Bench) -> TermId, inside: &[&str], outside: &[&str]) {
    let mut bench = Bench::default();
    let language = build(&mut bench);
    for (words, expected) in [(inside, true), (outside, false)] {
        for word in words {
            let term = bench.s(word);
            let member = bench.op(Op::StrInRe, &[term, language]);
            assert_eq!(bench.known(member), expected.into(), "{word:?}");
        }
    }
}

#[test]
fn languages_without_operands() {
    words(|bench| bench.op(Op::ReNone, &[]), &[], &["", "a"]);
    words(|bench| bench.op(Op::ReAll, &[]), &["", "a", "\u{0}b"], &[]);
    words(|bench| bench.op(Op::ReAllChar, &[]), &["a", "\u{0}", "\u{2FA1D}"], &["", "ab"]);
    words(|bench| bench.re("ab"), &["ab"], &["", "a", "abb"]);
    words(|bench| bench.re(""), &[""], &["a"]);
}

#[test]
fn a_range_has_single_characters_between_single_characters() {
    let range = |first: &'static str, last: &'static str| {
        move |bench: &mut Bench| {
            let (first, last) = (bench.s(first), bench.s(last));
            bench.op(Op::ReRange, &[first, last])
        }
    };
    words(range("b", "d"), &["b", "c", "d"], &["a", "e", "", "bc"]);
    words(range("b", "b"), &["b"], &["a", "c"]);
    words(range("d", "b"), &[], &["b", "c", "d"]);
    words(range("", "z"), &[], &["a", "", "z"]);
    words(range("ab", "z"), &[], &["a", "ab", "z"]);
    words(range("a", "yz"), &[], &["a", "y"]);
}

#[test]
fn stars_options_and_the_empty_language() {
    let apply = |op: Op| {
        move |bench: &mut Bench| {
            let none = bench.op(Op::ReNone, &[]);
            bench.op(op, &[none])
        }
    };
    words(apply(Op::ReStar), &[""], &["a"]);
    words(apply(Op::RePlus), &[], &["", "a"]);
    words(apply(Op::ReOpt), &[""], &["a"]);
    words(apply(Op::ReComp), &["", "a"], &[]);
    words(
        |bench| {
            let a = bench.re("ab");
            bench.op(Op::ReStar, &[a])
        },
        &["", "ab", "abab"],
        &["a", "aba"],
    );
    words(
        |bench| {
            let empty = bench.re("");
            bench.op(Op::RePlus, &[empty])
        },
        &[""],
        &["a"],
    );
}

#[test]
fn difference_takes_away_from_the_left() {
    words(
        |bench| {
            let (all, a, b) = (bench.op(Op::ReAllChar, &[]), bench.re("a"), bench.re("b"));
            bench.op(Op::ReDiff, &[all, a, b])
        },
        &["c"],
        &["a", "b", "", "cc"],
    );
}

#[test]
fn powers_and_loops() {
    let power = |n: i64, none: bool| {
        move |bench: &mut Bench| {
            let r = if none { bench.op(Op::ReNone, &[]) } else { bench.re("a") };
            let n = bench.n(n);
            bench.op(Op::RePower, &[n, r])
        }
    };
    words(power(0, false), &[""], &["a"]);
    words(power(0, true), &[""], &["a"]);
    words(power(1, true), &[], &["", "a"]);
    words(power(3, false), &["aaa"], &["", "aa", "aaaa"]);
    let between = |i: i64, n: i64, nullable: bool| {
        move |bench: &mut Bench| {
            let mut r = bench.re("a");
            if nullable {
                r = bench.op(Op::ReOpt, &[r]);
            }
            let (i, n) = (bench.n(i), bench.n(n));
            bench.op(Op::ReLoop, &[i, n, r])
        }
    };
    words(between(1, 3, false), &["a", "aa", "aaa"], &["", "aaaa"]);
    words(between(0, 0, false), &[""], &["a"]);
    words(between(3, 1, false), &[], &["", "a", "aa", "aaa"]);
    words(between(3, 1, true), &[], &["", "a", "aa", "aaa"]);
    words(between(2, 3, true), &["", "a", "aa", "aaa"], &["aaaa"]);
}

#[test]
fn complement_is_over_the_whole_alphabet() {
    let mut bench = Bench::default();
    let a = bench.re("a");
    let complement = bench.op(Op::ReComp, &[a]);
    for code in [0, 0x60, 0x62, 0xD800, 0x2FFFF] {
        let word = bench.pool.string(SmtString::from_codes([code]).unwrap()).unwrap();
        assert_eq!(bench.value(Op::StrInRe, &[word, complement]), true.into());
    }
}

/// `str.replace_re` and `str.replace_re_all` of a string, for a language.
#[track_caller]
fn replaced(s: &str, language: Language, u: &str, once: &str, all: &str) {
    let mut bench = Bench::default();
    let (s, u) = (bench.s(s), bench.s(u));
    let r = bench.constant("r", language);
    assert_eq!(bench.value(Op::StrReplaceRe, &[s, r, u]), text(once).into());
    assert_eq!(bench.value(Op::StrReplaceReAll, &[s, r, u]), text(all).into());
}

#[test]
fn replacing_takes_the_leftmost_and_then_the_shortest_match() {
    let literal = |characters: &str| Language::literal(text(characters));
    let a = literal("a");
    // The empty match is at zero; it does not count for all.
    replaced("aab", a.star(), "-", "-aab", "--b");
    replaced("aab", literal(""), "-", "-aab", "aab");
    replaced("", a.star(), "-", "-", "");
    replaced("", a.plus(), "-", "", "");
    replaced("baab", a.plus(), "-", "b-ab", "b--b");
    replaced("xyz", a.clone(), "-", "xyz", "xyz");
    replaced("aba", Language::none(), "-", "aba", "aba");
    replaced("aba", Language::all(), "-", "-aba", "---");
    // Leftmost before shortest: "abc" begins before "b".
    let either = Language::union(vec![literal("abc"), literal("b")]);
    replaced("xabcb", either.clone(), "-", "x-b", "x--");
    // Shortest among those that begin at one place, also when a longer one exists.
    let nested = Language::union(vec![literal("ab"), literal("abc")]);
    replaced("abcabc", nested, "-", "-cabc", "-c-c");
    // Matches do not overlap, and the inserted text is not searched.
    replaced("aaa", literal("aa"), "aa", "aaa", "aaa");
    replaced("aaaa", literal("aa"), "a", "aaa", "aa");
    // A longer try that fails gives way to a later start.
    let failing = Language::union(vec![literal("aaab"), literal("ab")]);
    replaced("aaaab", failing, "-", "a-", "a-");
}

#[test]
fn equality_of_languages_is_equality_of_their_words() {
    let mut bench = Bench::default();
    let (a, b) = (bench.re("a"), bench.re("b"));
    let union = bench.op(Op::ReUnion, &[a, b]);
    let left = bench.op(Op::ReStar, &[union]);
    let (a_star, b_star) = (bench.op(Op::ReStar, &[a]), bench.op(Op::ReStar, &[b]));
    let both = bench.op(Op::ReConcat, &[a_star, b_star]);
    let right = bench.op(Op::ReStar, &[both]);
    assert_eq!(bench.value(Op::Eq, &[left, right]), true.into());
    assert_eq!(bench.value(Op::Distinct, &[left, right]), false.into());
    assert_eq!(bench.value(Op::Eq, &[left, both]), false.into());
    assert_eq!(bench.value(Op::Distinct, &[left, both, a]), true.into());
}

#[test]
fn arrays_are_read_written_and_compared() {
    let mut bench = Bench::default();
    let (zero, one, two) = (bench.n(0), bench.n(1), bench.n(2));
    let empty = bench.s("");
    let a = bench.s("a");
    let array = bench.pool.constant_array(BasicSort::Int, empty).unwrap();
    let stored = bench.op(Op::Store, &[array, one, a]);
    assert_eq!(bench.value(Op::Select, &[stored, one]), s("a"));
    assert_eq!(bench.value(Op::Select, &[stored, two]), s(""));
    let other = bench.op(Op::Store, &[stored, one, empty]);
    assert_eq!(bench.value(Op::Eq, &[other, array]), true.into());
    assert_eq!(bench.value(Op::Eq, &[stored, array]), false.into());
    let mixed = bench.op(Op::Store, &[array, zero, a]);
    let mixed = bench.op(Op::Store, &[mixed, one, a]);
    let again = bench.op(Op::Store, &[stored, zero, a]);
    assert_eq!(bench.value(Op::Eq, &[mixed, again]), true.into());
    assert_eq!(bench.value(Op::Distinct, &[mixed, stored, array]), true.into());
}

#[test]
fn arrays_indexed_by_languages_compare_languages() {
    let mut bench = Bench::default();
    let a = Language::literal(text("a"));
    let zero = bench.n(0);
    let array = bench.pool.constant_array(BasicSort::RegLan, zero).unwrap();
    let one = bench.n(1);
    let key = bench.constant("k", a.star());
    let same = bench.constant("l", a.star().star());
    let other = bench.constant("m", a.plus());
    let stored = bench.op(Op::Store, &[array, key, one]);
    assert_eq!(bench.value(Op::Select, &[stored, same]), int(1));
    assert_eq!(bench.value(Op::Select, &[stored, other]), int(0));
    let again = bench.op(Op::Store, &[array, same, one]);
    assert_eq!(bench.value(Op::Eq, &[stored, again]), true.into());
}

#[test]
fn values_become_terms_that_evaluate_to_them() {
    let mut bench = Bench::default();
    let a = Language::literal(text("ab"));
    let languages = [
        Language::none(),
        Language::all(),
        Language::all_characters(),
        Language::range(&text("a"), &text("c")).complement(),
        a.power(&3.into()),
        a.between(&0.into(), &1.into()),
        a.between(&2.into(), &7.into()),
        a.plus().difference(&a.option()),
        Language::concat(vec![]),
        Language::union(vec![]),
        Language::intersection(vec![]),
        Language::concat(vec![a.clone(), Language::union(vec![a.star(), Language::none()])]),
    ];
    for language in languages {
        let value = Value::from(language.clone());
        let term = value.to_term(&mut bench.pool).unwrap();
        let Value::RegLan(again) = bench.known(term) else { panic!("wrong sort") };
        assert_eq!(language.equivalent(&again, &Default::default()), Some(true), "{language:?}");
    }
    let array = ArrayValue::constant(BasicSort::String, int(-3)).unwrap();
    let array = array.store(s("x"), int(4)).unwrap().store(s("x"), int(5)).unwrap();
    for value in [array.into(), int(-7), s("\u{0}\"\\"), true.into()] {
        let term = value.to_term(&mut bench.pool).unwrap();
        assert_eq!(bench.known(term), value);
    }
}
