//! Constructs to which a dialect gives another meaning than the standard are printed so that it is
//! kept. Which releases differ was tried on them: Z3 4.5.1, 4.8.0, 4.8.5, 4.8.7 to 4.8.11, CVC4 1.6
//! and 1.8.

use crate::support;

use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::{
    CommandKind, Dialect, Note, ParsedScript, PrintOptions, Printed, RoundTrip, print_script,
    round_trip,
};
use luthier_terms::{Op, TermId, TermPool};
use support::accept;

use Dialect::{Cvc4V16, Cvc4V17, Cvc4V18, Smt20, Smt25, Smt27, Z3Legacy, Z3Oldest, Z3Transition};

fn assertions(reading: &ParsedScript) -> Vec<TermId> {
    let commands = reading.script.commands.iter();
    let terms = commands.filter_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some(assertion.term),
        _ => None,
    });
    terms.collect()
}

/// Prints a formula that is true by the standard, and checks that the text is true as well.
fn print_true(formula: &str, dialect: Dialect) -> (String, Vec<Note>) {
    let mut pool = TermPool::new();
    let reading = accept(&mut pool, format!("(assert {formula})").as_bytes(), Smt27);
    let options = PrintOptions::new(dialect);
    let Printed { bytes, notes } = print_script(&pool, &reading.script, &options).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let again = accept(&mut pool, text.as_bytes(), dialect);
    let (before, after) = (assertions(&reading), assertions(&again));
    let model = Model::default();
    let mut evaluator = Evaluator::new(&pool, &model);
    for term in [&before[..], &after[..]].concat() {
        assert!(evaluator.evaluate(term).is_true(), "{dialect}: {formula} as {text}");
    }
    let rewritten = notes.iter().any(|note| matches!(note, Note::Rewritten(_)));
    assert_eq!(before != after, rewritten, "{dialect}: {text}");
    assert_eq!(
        round_trip(&mut pool, &reading.script, &options),
        if rewritten { RoundTrip::Rewritten } else { RoundTrip::Same },
    );
    (text, notes)
}

/// Checks which dialects write `instead` for `words`, and that all others write the words.
fn check(formula: &str, op: Op, instead: &str, differ: &[Dialect]) {
    for dialect in Dialect::ALL {
        let (text, notes) = print_true(formula, dialect);
        let avoids = differ.contains(&dialect);
        assert_eq!(notes.contains(&Note::Rewritten(op)), avoids, "{dialect}: {text}");
        if avoids {
            let old = text.contains("str.in.re");
            let instead = if old { instead.replace("re.none", "re.nostr") } else { instead.into() };
            assert!(text.contains(&instead), "{dialect}: {text}");
        }
    }
}

#[test]
fn loops_with_crossed_bounds_are_written_as_the_empty_language() {
    let differ = [Smt20, Smt25, Z3Oldest, Z3Legacy, Cvc4V16, Cvc4V17];
    for language in ["(str.to_re \"a\")", "(re.* (str.to_re \"a\"))", "(re.opt (str.to_re \"a\"))"]
    {
        for bounds in ["1 0", "2 1", "20 3"] {
            let formula = format!("(not (str.in_re \"a\" ((_ re.loop {bounds}) {language})))");
            check(&formula, Op::ReLoop, "\"a\" re.none)", &differ);
        }
    }
    // Other loops are loops, and what CVC4 makes of some of them stays its own fault.
    for (word, bounds) in [("", "0 0"), ("", "0 3"), ("a", "1 1"), ("aa", "1 2")] {
        let formula = format!("(str.in_re \"{word}\" ((_ re.loop {bounds}) (str.to_re \"a\")))");
        check(&formula, Op::ReLoop, "", &[]);
    }
}

#[test]
fn old_loops_with_crossed_bounds_are_read_by_the_standard() {
    for dialect in [Smt25, Z3Oldest, Z3Legacy, Z3Transition, Cvc4V16] {
        let mut pool = TermPool::new();
        let text = "(assert (str.in.re \"aa\" (re.loop (str.to.re \"a\") 2 1)))";
        let reading = accept(&mut pool, text.as_bytes(), dialect);
        let model = Model::default();
        let mut evaluator = Evaluator::new(&pool, &model);
        assert!(evaluator.evaluate(assertions(&reading)[0]).is_false(), "{dialect}");
    }
}

#[test]
fn names_in_loops_with_crossed_bounds_are_kept() {
    let text = "(declare-const s String)
        (assert (not (str.in_re s ((_ re.loop 2 1) (str.to_re (! (str.++ s \"a\") :named n))))))
        (assert (= n \"a\"))";
    for dialect in [Z3Legacy, Cvc4V16, Smt25] {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, text.as_bytes(), Smt27);
        let printed = print_script(&pool, &reading.script, &PrintOptions::new(dialect)).unwrap();
        let shown = String::from_utf8_lossy(&printed.bytes).into_owned();
        assert!(shown.contains("(re.inter re.nostr (str.to.re (! "), "{shown}");
        assert_eq!(shown.matches(":named n").count(), 1, "{shown}");
        accept(&mut pool, &printed.bytes, dialect);
    }
}

#[test]
fn variables_that_hide_the_empty_language_are_renamed() {
    for name in ["re.nostr", "re.none"] {
        let text = format!(
            "(assert (forall (({name} String))
                (not (str.in_re {name} ((_ re.loop 2 1) (str.to_re \"a\"))))))"
        );
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, text.as_bytes(), Smt27);
        for dialect in [Smt25, Z3Legacy, Cvc4V16] {
            let options = PrintOptions::new(dialect);
            let printed = print_script(&pool, &reading.script, &options).unwrap();
            let shown = String::from_utf8_lossy(&printed.bytes).into_owned();
            assert!(shown.contains(&format!("(({name}!1 String))")), "{shown}");
            assert!(shown.contains(&format!("(str.in.re {name}!1 re.nostr)")), "{shown}");
        }
    }
}

#[test]
fn differences_of_many_languages_are_written_in_pairs() {
    let differ = [Smt20, Smt25, Z3Transition, Cvc4V18];
    let languages = "(re.* (re.range \"a\" \"z\")) (str.to_re \"a\") (str.to_re \"b\")";
    for dialect in Dialect::ALL {
        if matches!(dialect, Cvc4V16 | Cvc4V17) {
            // They have no difference at all.
            continue;
        }
        let lacks = matches!(dialect, Z3Oldest | Z3Legacy);
        for formula in [
            format!("(not (str.in_re \"b\" (re.diff {languages})))"),
            format!("(not (str.in_re \"c\" (re.diff {languages} (str.to_re \"c\"))))"),
            format!("(str.in_re \"d\" (re.diff {languages} (str.to_re \"c\")))"),
        ] {
            let (text, notes) = print_true(&formula, dialect);
            let pairs = text.contains("(re.diff (re.diff ");
            assert_eq!(pairs, differ.contains(&dialect), "{dialect}: {text}");
            let rewritten = notes.contains(&Note::Rewritten(Op::ReDiff));
            assert_eq!(rewritten, pairs || lacks, "{dialect}: {text}");
        }
    }
}

#[test]
fn other_operators_of_many_languages_and_strings_stay_as_they_are() {
    for formula in [
        "(str.in_re \"abc\" (re.++ (str.to_re \"a\") (str.to_re \"b\") (str.to_re \"c\")))",
        "(str.in_re \"c\" (re.union (str.to_re \"a\") (str.to_re \"b\") (str.to_re \"c\")))",
        "(str.in_re \"a\" (re.inter (str.to_re \"a\") (str.to_re \"a\") (str.to_re \"a\")))",
        "(= \"abc\" (str.++ \"a\" \"b\" \"c\"))",
    ] {
        for dialect in Dialect::ALL {
            let (text, notes) = print_true(formula, dialect);
            assert!(notes.is_empty(), "{dialect}: {text}");
        }
    }
}

#[test]
fn ranges_that_cvc4_refuses_are_written_as_the_empty_language() {
    let differ = [Smt20, Smt25, Cvc4V16, Cvc4V17, Cvc4V18];
    for bounds in ["\"b\" \"a\"", "\"ab\" \"z\"", "\"a\" \"\"", "\"\" \"\"", "\"a\" \"bc\""] {
        let formula = format!("(not (str.in_re \"b\" (re.range {bounds})))");
        check(&formula, Op::ReRange, "\"b\" re.none)", &differ);
    }
    for bounds in ["\"b\" \"b\"", "\"a\" \"z\"", "\"\\u{0}\" \"\\u{ff}\""] {
        check(&format!("(str.in_re \"b\" (re.range {bounds}))"), Op::ReRange, "", &[]);
    }
}

#[test]
fn empty_strings_that_z3_4_5_took_otherwise_are_avoided() {
    let differ = [Smt20, Smt25, Z3Oldest];
    for (formula, op, instead) in [
        ("(= \"xab\" (str.replace \"ab\" \"\" \"x\"))", Op::StrReplace, "(str.++ \"x\" \"ab\")"),
        ("(= \"x\" (str.replace \"\" \"\" \"x\"))", Op::StrReplace, "(str.++ \"x\" \"\")"),
        ("(= 5 (+ 6 (str.to_int \"\")))", Op::StrToInt, "(+ 6 (- 1))"),
        ("(= 7 (+ 7 (str.indexof \"\" \"\" 0)))", Op::StrIndexOf, "(+ 7 0)"),
        ("(= 9 (+ 7 (str.indexof \"ab\" \"\" 2)))", Op::StrIndexOf, "(+ 7 2)"),
        ("(= 6 (+ 7 (str.indexof \"ab\" \"\" 3)))", Op::StrIndexOf, "(+ 7 (- 1))"),
        ("(= 6 (+ 7 (str.indexof \"ab\" \"\" (- 2))))", Op::StrIndexOf, "(+ 7 (- 1))"),
    ] {
        check(formula, op, instead, &differ);
    }
    for (formula, op) in [
        ("(= \"xb\" (str.replace \"ab\" \"a\" \"x\"))", Op::StrReplace),
        ("(= 12 (str.to_int \"12\"))", Op::StrToInt),
        ("(= 1 (str.indexof \"ab\" \"b\" 0))", Op::StrIndexOf),
    ] {
        check(formula, op, "", &[]);
    }
}

#[test]
fn strings_that_may_be_empty_are_noted_for_z3_4_5() {
    for (formula, op, noted) in [
        ("(= s (str.replace \"ab\" s \"x\"))", Op::StrReplace, true),
        ("(= s (str.replace s \"a\" \"x\"))", Op::StrReplace, false),
        ("(= 1 (str.to_int s))", Op::StrToInt, true),
        ("(= 1 (str.indexof \"ab\" s 0))", Op::StrIndexOf, true),
        ("(= 1 (str.indexof s \"\" 1))", Op::StrIndexOf, true),
        ("(= 1 (str.indexof s \"a\" 1))", Op::StrIndexOf, false),
    ] {
        for dialect in Dialect::ALL {
            let mut pool = TermPool::new();
            let text = format!("(declare-const s String)(assert {formula})");
            let reading = accept(&mut pool, text.as_bytes(), Smt27);
            let options = PrintOptions::new(dialect);
            let printed = print_script(&pool, &reading.script, &options).unwrap();
            let expected = noted && dialect == Z3Oldest;
            let note = Note::EmptyString(op);
            assert_eq!(printed.notes.contains(&note), expected, "{dialect}: {formula}");
            assert!(note.describe(dialect).contains(op.name()));
            assert_eq!(round_trip(&mut pool, &reading.script, &options), RoundTrip::Same);
        }
    }
}
