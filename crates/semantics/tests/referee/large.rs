//! Inputs that are too deep for recursion or too large for careless algorithms. Each test must
//! take seconds, not minutes.

use luthier_semantics::{Evaluation, Evaluator, Language, Limits, Value};
use luthier_terms::{BigInt, CodePoint, Op, SmtString, TermId};

use crate::support::{Bench, int, text};

const DEEP: usize = 100_000;

fn big(number: u64) -> BigInt {
    number.into()
}

fn literal(characters: &str) -> Language {
    Language::literal(text(characters))
}

fn class(characters: &str) -> Language {
    Language::union(characters.chars().map(|character| literal(&character.to_string())).collect())
}

fn between(language: &Language, least: u64, most: u64) -> Language {
    language.between(&big(least), &big(most))
}

#[track_caller]
fn check(language: &Language, word: &str, expected: bool) {
    assert_eq!(language.contains(&text(word), &Limits::default()), Some(expected));
}

/// A fixed sequence of letters without a pattern.
fn letters(alphabet: &str, length: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..length).map(|_| alphabet[(next() >> 32) as usize % alphabet.len()]).collect()
}

fn nest(
    bench: &mut Bench,
    start: TermId,
    mut wrap: impl FnMut(&mut Bench, TermId) -> TermId,
) -> TermId {
    (0..DEEP).fold(start, |term, _| wrap(bench, term))
}

#[test]
fn deep_boolean_terms_are_evaluated() {
    let mut bench = Bench::default();
    let start = bench.bool(true);
    let term = nest(&mut bench, start, |bench, term| bench.op(Op::Not, &[term]));
    bench.is(term, true);
    let term = nest(&mut bench, start, |bench, term| bench.op(Op::And, &[term, term]));
    bench.is(term, true);
    let term = nest(&mut bench, start, |bench, term| {
        let other = bench.bool(false);
        bench.op(Op::Ite, &[term, term, other])
    });
    bench.is(term, true);
}

#[test]
fn deep_concatenations_to_both_sides_are_evaluated() {
    let mut bench = Bench::default();
    let (a, start) = (bench.s("a"), bench.s(""));
    let left = nest(&mut bench, start, |bench, term| bench.op(Op::StrConcat, &[term, a]));
    let right = nest(&mut bench, start, |bench, term| bench.op(Op::StrConcat, &[a, term]));
    let equal = bench.op(Op::Eq, &[left, right]);
    bench.is(equal, true);
    let length = bench.op(Op::StrLen, &[left]);
    bench.is(length, int(DEEP as i64));
}

#[test]
fn deep_sums_are_evaluated() {
    let mut bench = Bench::default();
    let (one, start) = (bench.n(1), bench.n(0));
    let sum = nest(&mut bench, start, |bench, term| bench.op(Op::Add, &[one, term]));
    bench.is(sum, int(DEEP as i64));
}

#[test]
fn deep_replacements_are_evaluated_and_explained() {
    let mut bench = Bench::default();
    let (a, b, start) = (bench.s("a"), bench.s("b"), bench.s("ab"));
    let term = nest(&mut bench, start, |bench, term| {
        let swapped = bench.op(Op::StrReplace, &[term, a, b]);
        bench.op(Op::StrReplace, &[swapped, b, a])
    });
    let other = bench.s("ba");
    let equal = bench.op(Op::Eq, &[term, other]);
    bench.is(equal, false);
    let mut evaluator = Evaluator::new(&bench.pool, &bench.model);
    let explanation = evaluator.explain(equal);
    assert_eq!(explanation.steps.len(), Limits::default().explanation_steps);
}

#[test]
fn deep_regular_expressions_are_matched_compared_shown_and_destroyed() {
    let mut bench = Bench::default();
    let (a, b) = (bench.re("a"), bench.re("b"));
    type Wrap = fn(&mut Bench, TermId, TermId, TermId) -> TermId;
    let none = [false; 4];
    let only_a = [false, true, false, false];
    let wraps: [(Wrap, [bool; 4]); 9] = [
        (|bench, term, _, b| bench.op(Op::ReConcat, &[term, b]), none),
        (|bench, term, _, b| bench.op(Op::ReConcat, &[b, term]), none),
        (|bench, term, a, _| bench.op(Op::ReUnion, &[term, a]), only_a),
        (
            |bench, term, _, b| {
                let other = bench.op(Op::ReComp, &[b]);
                bench.op(Op::ReInter, &[other, term])
            },
            only_a,
        ),
        (|bench, term, _, _| bench.op(Op::ReComp, &[term]), only_a),
        (|bench, term, _, _| bench.op(Op::ReStar, &[term]), [true, true, false, true]),
        (|bench, term, _, _| bench.op(Op::ReOpt, &[term]), [true, true, false, false]),
        (
            |bench, term, _, b| {
                let inner = bench.op(Op::ReConcat, &[b, term]);
                let union = bench.op(Op::ReConcat, &[inner, b]);
                bench.op(Op::RePlus, &[union])
            },
            none,
        ),
        (
            |bench, term, a, b| {
                let inner = bench.op(Op::ReUnion, &[term, b]);
                bench.op(Op::ReInter, &[inner, a])
            },
            only_a,
        ),
    ];
    for (number, (wrap, expected)) in wraps.into_iter().enumerate() {
        let deep = nest(&mut bench, a, |bench, term| wrap(bench, term, a, b));
        let members: Vec<TermId> = ["", "a", "b", "aa"]
            .map(|word| {
                let word = bench.s(word);
                bench.op(Op::StrInRe, &[word, deep])
            })
            .to_vec();
        let mut evaluator = Evaluator::new(&bench.pool, &bench.model);
        for (member, expected) in members.into_iter().zip(expected) {
            assert_eq!(evaluator.evaluate(member).as_bool(), Some(expected), "{number}");
        }
        let Evaluation::Known(Value::RegLan(language)) = evaluator.evaluate(deep) else {
            panic!("wrong sort")
        };
        let term = language.to_term(&mut bench.pool).unwrap();
        let Value::RegLan(again) = bench.known(term) else { panic!("wrong sort") };
        assert!(language == again || number == 0, "{number}");
        assert!(!format!("{language:?}").is_empty());
    }
}

#[test]
fn a_deep_concatenation_matches_its_word_and_no_other() {
    let mut bench = Bench::default();
    let (a, b) = (bench.re("a"), bench.re("b"));
    let c = bench.re("c");
    for left in [true, false] {
        let mut count = 0;
        let deep = nest(&mut bench, c, |bench, term| {
            count += 1;
            let next = if count % 2 == 0 { a } else { b };
            bench.op(Op::ReConcat, &if left { [term, next] } else { [next, term] })
        });
        let mut word: String = "ba".repeat(DEEP / 2);
        if left {
            word.insert(0, 'c');
        } else {
            word = word.chars().rev().chain(['c']).collect();
        }
        for (word, expected) in [(word.clone(), true), (format!("{word}a"), false)] {
            let word = bench.s(&word);
            let member = bench.op(Op::StrInRe, &[word, deep]);
            bench.is(member, expected);
        }
    }
}

#[test]
fn nested_brackets_of_any_depth_are_matched() {
    let mut language = literal("x");
    for _ in 0..20_000 {
        language = Language::concat(vec![
            Language::concat(vec![literal("("), language]),
            literal(")").option(),
        ]);
    }
    let word = format!("{}x{}", "(".repeat(20_000), ")".repeat(10_000));
    check(&language, &word, true);
    check(&language, &format!("{word}{}", ")".repeat(10_001)), false);
}

#[test]
fn nested_counted_loops_over_long_words() {
    let (a, b) = (literal("a"), literal("b"));
    let block = Language::concat(vec![a.star(), between(&b, 2, 20)]);
    let language = between(&block, 1, 50);
    let word = format!("{}{}", "a".repeat(1_998), "b".repeat(2)).repeat(50);
    check(&language, &word, true);
    check(&language, &format!("{word}abb"), false);
    check(&language, &"a".repeat(100_000), false);
    // Twenty letters in each of fifty blocks are the most.
    check(&language, &"b".repeat(1_000), true);
    check(&language, &"b".repeat(1_001), false);
}

#[test]
fn loops_in_loops_in_loops_over_a_long_word() {
    let inner = between(&class("ab"), 1, 50);
    let middle = between(&Language::concat(vec![inner, literal("c").option()]), 1, 50);
    let language = Language::concat(vec![between(&middle, 40, 50), literal("d")]);
    let word = letters("ab", 100_000);
    check(&language, &format!("{word}d"), true);
    check(&language, &word, false);
    let word = letters("abc", 20_000);
    assert!(language.contains(&text(&format!("{word}d")), &Limits::default()).is_some());
}

#[test]
fn a_subset_construction_with_many_states_is_not_written_out() {
    let tail = between(&class("ab"), 1_000, 1_000);
    let language = Language::concat(vec![class("ab").star(), literal("a"), tail]);
    let word = letters("ab", 100_000);
    let expected = word.as_bytes()[100_000 - 1_001] == b'a';
    check(&language, &word, expected);
    check(&language, &format!("{word}a{}", "b".repeat(1_000)), true);
}

#[test]
fn forgetting_expressions_changes_no_answer() {
    let tail = between(&class("ab"), 100, 100);
    let language = Language::concat(vec![class("ab").star(), literal("a"), tail]);
    let limits = Limits { regex_cells: 1 << 13, ..Limits::default() };
    let word = letters("ab", 5_000);
    for length in 4_900..5_000 {
        let expected = word.as_bytes()[length - 101] == b'a';
        let answer = language.contains(&text(&word[..length]), &limits);
        assert_eq!(answer, Some(expected), "{length}");
    }
}

#[test]
fn many_optional_parts_in_a_row() {
    let part = |number| Language::union(vec![literal("a"), literal(&format!("x{number}"))]);
    let language = Language::concat((0..1_000).map(|number| part(number).option()).collect());
    check(&language, &"a".repeat(1_000), true);
    check(&language, &"a".repeat(1_001), false);
    check(&language, &"ax500".repeat(2), false);
    check(&language, "ax500ax999", true);
}

#[test]
fn an_expression_that_is_exponential_as_a_tree() {
    let mut language = Language::union(vec![literal("a"), literal("bb")]);
    for number in 0..60 {
        let between = literal(if number % 2 == 0 { "b" } else { "a" }).option();
        language = Language::concat(vec![language.clone(), between, language]);
    }
    check(&language, &letters("ab", 1_000), false);
    check(&language.option(), "", true);
    check(&language.complement(), &letters("ab", 1_000), true);
}

#[test]
fn complements_and_intersections_under_concatenation_and_star() {
    let any = Language::all();
    let has = |word: &str| Language::concat(vec![any.clone(), literal(word), any.clone()]);
    // Blocks without "aba" that have "bb", separated by "c".
    let block =
        Language::intersection(vec![has("aba").complement(), has("bb"), has("c").complement()]);
    let language = Language::concat(vec![block.clone(), literal("c")]).star();
    let good = "aabbaabbbc".repeat(10_000);
    check(&language, &good, true);
    check(&language, &format!("{good}bbababc"), false);
    check(&language, &format!("{good}aac"), false);
    // The same without a separator: every cut of the word counts.
    let odd = Language::concat(vec![block.complement(), block.clone()]).star();
    let word = letters("ab", 100_000);
    assert!(odd.contains(&text(&word), &Limits::default()).is_some());
    let nested = Language::concat(vec![
        odd.complement().star(),
        literal("a"),
        Language::intersection(vec![odd.option(), has("bbb").complement()]),
    ]);
    assert!(nested.complement().contains(&text(&word), &Limits::default()).is_some());
}

#[test]
fn a_count_of_thirty_digits_is_no_problem() {
    let huge: BigInt = "123456789012345678901234567890".parse().unwrap();
    let a = literal("a");
    check(&a.power(&huge), &"a".repeat(1_000), false);
    check(&a.option().power(&huge), &"a".repeat(1_000), true);
    check(&a.between(&3.into(), &huge), &"a".repeat(1_000), true);
    check(&a.between(&3.into(), &huge), "aa", false);
    check(&a.power(&huge).complement(), &"a".repeat(1_000), true);
    check(&a.option().power(&huge).power(&huge), "aaa", true);
    check(&literal("").power(&huge), "", true);
    check(&a.between(&huge, &3.into()), "aaa", false);
    // What cannot be told apart is not compared.
    let limits = Limits::default();
    assert_eq!(a.power(&huge).equivalent(&a.power(&(huge + 1)), &limits), None);
}

#[test]
fn a_long_literal_is_matched() {
    let word = letters("abc", 100_000);
    let language = Language::union(vec![literal(&word), literal("a")]);
    check(&language, &word, true);
    check(&language, &word[1..], false);
    check(&language.star(), &word.repeat(2), true);
}

#[test]
fn a_union_of_many_literals_is_matched() {
    let words: Vec<String> = (0..50_000).map(|number| format!("w{number:06}")).collect();
    let language = Language::union(words.iter().map(|word| literal(word)).collect()).star();
    check(&language, &words.concat(), true);
    check(&language, "w05000", false);
}

#[test]
fn the_whole_alphabet_is_told_apart() {
    let word: SmtString = (0..=CodePoint::MAX.code()).filter_map(CodePoint::new).collect();
    let limits = Limits::default();
    let all = Language::all();
    assert_eq!(all.contains(&word, &limits), Some(true));
    let not_b = Language::intersection(vec![
        Language::all_characters(),
        Language::range(&text("b"), &text("b")).complement(),
    ]);
    assert_eq!(not_b.star().contains(&word, &limits), Some(false));
    assert_eq!(not_b.star().complement().contains(&word, &limits), Some(true));
}

#[test]
fn replacing_matches_in_long_strings() {
    let mut bench = Bench::default();
    let (a, b) = (literal("a"), literal("b"));
    let any = Language::all();
    // `a.*b` in a string without `b`: every position is the start of something that never ends.
    let endless = bench.constant("r", Language::concat(vec![a.clone(), any, b.clone()]));
    let s = bench.constant("s", text(&"a".repeat(100_000)));
    let u = bench.s("-");
    for op in [Op::StrReplaceRe, Op::StrReplaceReAll] {
        let term = bench.op(op, &[s, endless, u]);
        bench.is(term, text(&"a".repeat(100_000)));
    }
    let runs = bench.constant("q", Language::concat(vec![a.plus(), between(&b, 2, 3)]));
    let s = bench.constant("t", text(&"aabbbc".repeat(20_000)));
    let term = bench.op(Op::StrReplaceReAll, &[s, runs, u]);
    bench.is(term, text(&"-bc".repeat(20_000)));
}

#[test]
fn searching_in_repetitive_strings_takes_linear_time() {
    let mut bench = Bench::default();
    let s = bench.constant("s", text(&"a".repeat(200_000)));
    let t = bench.constant("t", text(&format!("{}b", "a".repeat(100_000))));
    let (u, zero) = (bench.s("c"), bench.n(0));
    let index = bench.op(Op::StrIndexOf, &[s, t, zero]);
    bench.is(index, int(-1));
    let contains = bench.op(Op::StrContains, &[s, t]);
    bench.is(contains, false);
    let replaced = bench.op(Op::StrReplaceAll, &[s, t, u]);
    let same = bench.op(Op::Eq, &[replaced, s]);
    bench.is(same, true);
}

#[test]
fn numbers_of_a_hundred_thousand_digits_are_read_and_written() {
    let mut bench = Bench::default();
    let digits = bench.constant("s", text(&"9".repeat(100_000)));
    let number = bench.op(Op::StrToInt, &[digits]);
    let back = bench.op(Op::StrFromInt, &[number]);
    let same = bench.op(Op::Eq, &[back, digits]);
    bench.is(same, true);
}
