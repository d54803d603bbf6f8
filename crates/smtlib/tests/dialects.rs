//! What each dialect accepts and prints. The behaviour of old solvers was tried on the releases:
//! Z3 4.5.1, 4.8.7, 4.8.9, 4.8.10, 5.4.0, CVC4 1.6 and 1.8, cvc5 1.0.3.

use crate::support;

use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::dialect::names::{EXTENSIONS, LEGACY_NAMES};
use luthier_smtlib::{
    CannotExpress, Code, CommandKind, Detection, Dialect, Mode, Note, ParsedScript, PrintOptions,
    ReadOptions, Reason, RoundTrip, Severity, detect, print_script, read_script, round_trip,
};
use luthier_terms::{Op, Term, TermId, TermPool};
use support::{accept, read};

use Dialect::{
    Cvc4V16, Cvc4V17, Cvc4V18, Cvc5, Smt20, Smt25, Smt26, Smt27, Z3, Z3Legacy, Z3Oldest,
    Z3Transition,
};

fn first_assertion(reading: &ParsedScript) -> TermId {
    let found = reading.script.commands.iter().find_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some(assertion.term),
        _ => None,
    });
    found.unwrap()
}

fn codes(reading: &ParsedScript) -> Vec<Code> {
    reading.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The string that a literal (with its quotation marks) means.
fn literal(raw: &str, dialect: Dialect) -> Vec<u32> {
    let mut pool = TermPool::new();
    let reading = accept(&mut pool, format!("(assert (= {raw} {raw}))").as_bytes(), dialect);
    let Term::Op(Op::Eq, &[term, _]) = pool.term(first_assertion(&reading)) else {
        panic!("{raw}")
    };
    pool.as_string(term).unwrap().iter().map(|character| character.code()).collect()
}

fn text_codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

#[test]
fn literals_read_as_the_solvers_of_the_dialect_read_them() {
    let standard = [Smt26, Smt27, Z3, Cvc4V18];
    let legacy = [Smt25, Z3Oldest, Z3Legacy, Cvc4V16, Cvc4V17];
    // (literal, standard, legacy, both)
    let table: &[(&str, &str, &str, &str)] = &[
        (r#""""#, "", "", ""),
        (r#""a""b""#, "a\"b", "a\"b", "a\"b"),
        (r#""\n""#, "\\n", "\n", "\n"),
        (r#""\a\b\t\v\f\r""#, "\\a\\b\\t\\v\\f\\r", "\x07\x08\t\x0b\x0c\r", "\x07\x08\t\x0b\x0c\r"),
        (r#""\e""#, "\\e", "e", "e"),
        (r#""\\""#, "\\\\", "\\", "\\"),
        (r#""\.""#, "\\.", ".", "."),
        (r#""\x41""#, "\\x41", "A", "A"),
        (r#""\X41""#, "\\X41", "X41", "X41"),
        (r#""\xC3\xa9""#, "\\xC3\\xa9", "\u{c3}\u{a9}", "\u{c3}\u{a9}"),
        (r#""\0""#, "\\0", "\0", "\0"),
        (r#""\12""#, "\\12", "\n", "\n"),
        (r#""\18""#, "\\18", "\x018", "\x018"),
        (r#""\101""#, "\\101", "A", "A"),
        (r#""\1012""#, "\\1012", "A2", "A2"),
        (r#""\0000""#, "\\0000", "\x000", "\x000"),
        (r#""\u0041""#, "A", "u0041", "A"),
        (r#""\u{41}""#, "A", "u{41}", "A"),
        (r#""\\u{41}""#, "\\A", "\\u{41}", "\\u{41}"),
        (r#""\u{1}""#, "\x01", "u{1}", "\x01"),
        (r#""\""""#, "\\\"", "\"", "\""),
        (r#""\u02C1a""#, "\u{2c1}a", "u02C1a", "\u{2c1}a"),
        (r#""\u{2C}1a""#, ",1a", "u{2C}1a", ",1a"),
        // No escape in 2.6; Z3 4.8.9 leaves what is too large as it is.
        (r#""\u{30000}""#, "\\u{30000}", "u{30000}", "\\u{30000}"),
        (r#""\u{110000}""#, "\\u{110000}", "u{110000}", "\\u{110000}"),
        (r#""\u{ACG}""#, "\\u{ACG}", "u{ACG}", "\\u{ACG}"),
    ];
    for &(raw, standard_text, legacy_text, both_text) in table {
        for dialect in standard {
            assert_eq!(literal(raw, dialect), text_codes(standard_text), "{dialect}: {raw}");
        }
        for dialect in legacy {
            assert_eq!(literal(raw, dialect), text_codes(legacy_text), "{dialect}: {raw}");
        }
        assert_eq!(literal(raw, Z3Transition), text_codes(both_text), "{raw}");
    }
    for dialect in standard {
        assert_eq!(literal(r#""\ud800\u{2ffff}\u{0}""#, dialect), [0xD800, 0x2FFFF, 0]);
        // Not UTF-8 in SMT-LIB, but it stands in files.
        assert_eq!(literal("\"é\"", dialect), [0xE9]);
    }
}

#[test]
fn quotation_marks_are_escaped_by_backslash_in_2_0_only() {
    assert_eq!(literal(r#""a\"b\\""#, Smt20), text_codes("a\"b\\"));
    assert_eq!(literal(r#""\n\x41""#, Smt20), text_codes("\nA"));
    let mut pool = TermPool::new();
    // Two literals in 2.0, one everywhere else.
    let text = r#"(assert (= "a" "a""b"))"#;
    for dialect in Dialect::ALL {
        let reading = accept(&mut pool, text.as_bytes(), dialect);
        let arguments = pool.children(first_assertion(&reading)).len();
        assert_eq!(arguments, if dialect == Smt20 { 3 } else { 2 }, "{dialect}");
    }
}

#[test]
fn where_legacy_solvers_disagree_a_warning_says_so() {
    for dialect in [Smt20, Smt25, Z3Oldest, Z3Legacy, Z3Transition, Cvc4V16, Cvc4V17] {
        for raw in [r"\8", r"\9", r"\x4", r"\xg", r"\400", r"\777"] {
            let mut pool = TermPool::new();
            let text = format!("(assert (= \"{raw}\" \"\"))");
            let reading = accept(&mut pool, text.as_bytes(), dialect);
            assert!(codes(&reading).contains(&Code::EscapesDisagree), "{dialect}: {raw}");
        }
    }
    for (raw, dialect) in [(r"\u004", Z3Transition), (r"\u{}", Z3Transition), (r"a\", Cvc4V16)] {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, format!("(assert (= \"{raw}\" \"\"))").as_bytes(), dialect);
        assert!(codes(&reading).contains(&Code::EscapesDisagree), "{dialect}: {raw}");
    }
}

#[test]
fn every_legacy_name_is_read_with_a_warning_and_refused_by_the_strict_reader() {
    for legacy in LEGACY_NAMES {
        let formula = formulas(legacy.op)[0].replace(
            &match legacy.op {
                Op::ReNone => "re.none".to_owned(),
                op => format!("({} ", op.name()),
            },
            &match legacy.op {
                Op::ReNone => legacy.name.to_owned(),
                _ => format!("({} ", legacy.name),
            },
        );
        let text = format!("(assert {formula})");
        let mut pool = TermPool::new();
        let standard = format!("(assert {})", formulas(legacy.op)[0]);
        let expected = first_assertion(&accept(&mut pool, standard.as_bytes(), Smt26));
        let reading = accept(&mut pool, text.as_bytes(), Smt26);
        assert_eq!(first_assertion(&reading), expected, "{text}");
        assert!(codes(&reading).contains(&Code::LegacyName), "{text}");
        let strict = ReadOptions { dialect: Some(Smt26), mode: Mode::Strict };
        let strict = read_script(&mut pool, text.as_bytes(), &strict);
        assert!(strict.errors().any(|error| error.code == Code::LegacyName), "{text}");
    }
}

#[test]
fn extensions_of_solvers_are_refused_by_name() {
    for (name, _) in EXTENSIONS {
        let mut pool = TermPool::new();
        let text = format!("(declare-const s String)(assert (= s ({name} s)))");
        let reading = read(&mut pool, text.as_bytes(), Z3);
        let errors: Vec<_> = reading.errors().map(|error| error.code).collect();
        assert_eq!(errors, [Code::NonstandardOperator], "{name}");
    }
    // A script may define them itself.
    let text = "(define-fun str.rev ((s String)) String s)(assert (= \"\" (str.rev \"\")))";
    let strict = ReadOptions { dialect: Some(Smt26), mode: Mode::Strict };
    assert!(read_script(&mut TermPool::new(), text.as_bytes(), &strict).is_accepted());
}

#[test]
fn old_forms_mean_what_the_standard_forms_mean() {
    let pairs = [
        ("(re.loop (str.to_re \"a\") 1 3)", "((_ re.loop 1 3) (str.to_re \"a\"))"),
        (
            "(re.loop (str.to_re \"a\") 2)",
            "(re.++ ((_ re.^ 2) (str.to_re \"a\")) (re.* (str.to_re \"a\")))",
        ),
        (
            "((_ re.loop 2) (str.to_re \"a\"))",
            "(re.++ ((_ re.^ 2) (str.to_re \"a\")) (re.* (str.to_re \"a\")))",
        ),
        ("(as re.empty (RegEx String))", "re.none"),
        ("(as re.nostr RegLan)", "re.none"),
        ("(str.to_re (seq.unit (_ Char 65)))", "(str.to_re \"A\")"),
        ("(str.to_re (_ char #x41))", "(str.to_re \"A\")"),
        ("(str.to_re (as seq.empty (Seq Char)))", "(str.to_re \"\")"),
        ("(re.union re.all)", "re.all"),
    ];
    for (old, new) in pairs {
        let mut pool = TermPool::new();
        let [old_term, new_term] = [old, new].map(|language| {
            let text = format!("(assert (str.in_re \"\" {language}))");
            first_assertion(&accept(&mut pool, text.as_bytes(), Z3))
        });
        assert_eq!(old_term, new_term, "{old}");
    }
}

#[test]
fn allchar_means_all_strings_only_in_the_oldest_z3() {
    for dialect in Dialect::ALL {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, b"(assert (= re.allchar re.allchar))", dialect);
        let op = match pool.term(pool.children(first_assertion(&reading))[0]) {
            Term::Op(op, _) => op,
            _ => panic!("not an operator"),
        };
        assert_eq!(op, if dialect == Z3Oldest { Op::ReAll } else { Op::ReAllChar }, "{dialect}");
    }
}

#[test]
fn operators_whose_meaning_changed_are_remarked_in_legacy_dialects_only() {
    let cases = [
        ("(= re.allchar re.none)", Code::MeaningAllchar),
        ("(= (str.replace s \"\" \"a\") s)", Code::MeaningReplaceEmpty),
        ("(= ((_ re.loop 3 1) re.all) re.none)", Code::MeaningLoopBounds),
        ("(= (re.loop re.all 3 1) re.none)", Code::MeaningLoopBounds),
        ("(= (re.diff re.all re.none re.all) re.none)", Code::MeaningDiffFold),
        ("(= (str.indexof s \"\" 1) 1)", Code::MeaningIndexofEmpty),
        ("(= (str.to_int \"\") 0)", Code::MeaningToIntEmpty),
        ("(= (re.comp re.all) re.none)", Code::MeaningAlphabet),
        ("(= (str.from_code 300) s)", Code::MeaningAlphabet),
        ("(= (str.to_code s) 300)", Code::MeaningAlphabet),
    ];
    let meanings = [
        Code::MeaningAllchar,
        Code::MeaningReplaceEmpty,
        Code::MeaningLoopBounds,
        Code::MeaningDiffFold,
        Code::MeaningIndexofEmpty,
        Code::MeaningToIntEmpty,
        Code::MeaningAlphabet,
    ];
    for (formula, code) in cases {
        for dialect in Dialect::ALL {
            let mut pool = TermPool::new();
            let text = format!("(declare-const s String)(assert {formula})");
            let reading = accept(&mut pool, text.as_bytes(), dialect);
            let said: Vec<Code> =
                codes(&reading).into_iter().filter(|code| meanings.contains(code)).collect();
            let chosen = code == Code::MeaningAllchar && dialect == Z3Oldest;
            let expected = if dialect.is_legacy() && !chosen { vec![code] } else { vec![] };
            assert_eq!(said, expected, "{dialect}: {formula}");
        }
    }
    // Where nothing is odd, nothing is said.
    let plain = "(declare-const s String)(assert (= (str.replace s \"b\" \"a\") (str.at s 1)))";
    let reading = accept(&mut TermPool::new(), plain.as_bytes(), Smt25);
    assert!(reading.diagnostics.is_empty());
}

#[test]
fn the_dialect_is_detected_with_a_reason() {
    let legacy = |name: &str| Reason::LegacyName(name.to_owned());
    let both = |name: &str| Reason::LegacyNameStandardEscape(name.to_owned());
    let standard = |name: &str| Reason::StandardName(name.to_owned());
    let cases = [
        ("", Smt26, Reason::Indifferent, false),
        ("(assert true) ; str.in.re \"\\n\"", Smt26, Reason::Indifferent, false),
        ("(assert |str.in.re|)", Smt26, Reason::Indifferent, false),
        ("(echo \"str.in.re\")", Smt26, Reason::Indifferent, false),
        ("(set-info :smt-lib-version 2.0)", Smt20, Reason::Declared, false),
        ("(set-info :smt-lib-version 2.5)(assert (str.in_re x y))", Smt25, Reason::Declared, false),
        ("(set-info :smt-lib-version 2.6)(= x \"\\n\")", Smt26, Reason::Declared, false),
        ("(set-info :smt-lib-version 2.7)(= x \"\\n\")", Smt27, Reason::Declared, false),
        ("(set-info :smt-lib-version 3.1)(= x \"\\n\")", Smt25, Reason::LegacyEscape, false),
        // A legacy name contradicts 2.6.
        ("(set-info :smt-lib-version 2.6)(str.to.int x)", Smt25, legacy("str.to.int"), false),
        ("(int.to.str 1)", Smt25, legacy("int.to.str"), false),
        ("(str.to-re \"\\n\")", Smt25, legacy("str.to-re"), false),
        ("(str.to.re \"\\u{41}\")", Z3, both("str.to.re"), false),
        ("(str.to.re \"\\u{41}\\n\")", Z3Transition, both("str.to.re"), true),
        ("(str.to_re \"a\")", Smt26, standard("str.to_re"), false),
        ("(str.to_re \"\\n\")", Smt26, standard("str.to_re"), true),
        ("(re.^ 1)", Smt26, standard("re.^"), false),
        ("(= x \"\\u0041\")", Smt26, Reason::StandardEscape, false),
        ("(= x \"\\u0041\\t\")", Smt26, Reason::StandardEscape, true),
        ("(= x \"\\t\")", Smt25, Reason::LegacyEscape, false),
        ("(= x \"\\u{30000}\")", Smt25, Reason::LegacyEscape, false),
        ("(= x \"\\u{\")", Smt25, Reason::LegacyEscape, false),
        ("(= x \"a\\\"b\")", Smt20, Reason::BackslashQuotes, false),
        ("(= x \"a\\\")", Smt26, Reason::Indifferent, false),
    ];
    for (text, dialect, reason, mixed) in cases {
        let Detection { dialect: found, reason: why, mixed_escapes } = detect(text.as_bytes());
        assert_eq!((found, &why, mixed_escapes.is_some()), (dialect, &reason, mixed), "{text}");
        assert!(!why.describe().is_empty());
        // Names in a long text are found as well.
        let long = format!("{}{text}", "(assert (= 1 1))\n".repeat(500));
        assert_eq!(detect(long.as_bytes()).dialect, dialect, "{text}");
    }
}

/// Formulas without constants that use an operator, for which they are enough to tell it apart.
fn formulas(op: Op) -> Vec<String> {
    let name = op.name();
    let texts: &[&str] = match op {
        Op::True => &["(= true true)"],
        Op::False => &["(= false true)"],
        Op::Not => &["(not true)", "(not false)"],
        Op::Implies => &["(=> true false)", "(=> false true false)"],
        Op::And | Op::Or | Op::Xor => &["(OP true false)", "(OP true true false)"],
        Op::Eq | Op::Distinct => &["(OP false true)", "(OP 1 2 1)", "(OP \"a\" \"a\" \"b\")"],
        Op::Ite => &["(= 1 (ite true 1 2))", "(ite false true false)"],
        Op::Neg => &["(= (- 3) (- 1 4))"],
        Op::Sub | Op::Add | Op::Mul => &["(= 2 (OP 6 3 1))"],
        Op::Div => &["(= (- 4) (div (- 7) 2))"],
        Op::Mod => &["(= 1 (mod (- 7) 2))"],
        Op::Abs => &["(= 7 (abs (- 7)))"],
        Op::Le | Op::Lt | Op::Ge | Op::Gt => &["(OP 1 2)", "(OP 2 1)", "(OP 1 1 2)"],
        Op::Divisible => {
            &["((_ divisible 3) 9)", "((_ divisible 3) 10)", "((_ divisible 3) (- 3))"]
        }
        Op::StrConcat => &["(= \"abc\" (str.++ \"a\" \"b\" \"c\"))"],
        Op::StrLen => &["(= 3 (str.len \"abc\"))"],
        Op::StrLt | Op::StrLe => &["(OP \"a\" \"b\")", "(OP \"a\" \"a\")", "(OP \"b\" \"a\")"],
        Op::StrAt => &["(= \"b\" (str.at \"abc\" 1))"],
        Op::StrSubstr => &["(= \"bc\" (str.substr \"abc\" 1 5))"],
        Op::StrPrefixOf | Op::StrSuffixOf => &["(OP \"a\" \"ab\")", "(OP \"b\" \"ab\")"],
        Op::StrContains => &["(str.contains \"abc\" \"b\")"],
        Op::StrIndexOf => &["(= 2 (str.indexof \"abcb\" \"c\" 0))"],
        Op::StrReplace | Op::StrReplaceAll => &["(= \"xbab\" (OP \"abab\" \"a\" \"x\"))"],
        Op::StrReplaceRe | Op::StrReplaceReAll => {
            &["(= \"xbab\" (OP \"abab\" (str.to_re \"a\") \"x\"))"]
        }
        Op::StrIsDigit => &[
            "(str.is_digit \"7\")",
            "(str.is_digit \"77\")",
            "(str.is_digit \"\")",
            "(str.is_digit \"a\")",
        ],
        Op::StrToCode => &["(= 97 (str.to_code \"a\"))"],
        Op::StrFromCode => &["(= \"a\" (str.from_code 97))"],
        Op::StrToInt => &["(= 12 (str.to_int \"12\"))"],
        Op::StrFromInt => &["(= \"12\" (str.from_int 12))"],
        Op::StrToRe | Op::StrInRe => &["(str.in_re \"a\" (str.to_re \"a\"))"],
        Op::ReNone | Op::ReAll | Op::ReAllChar => {
            &["(str.in_re \"ab\" OP)", "(str.in_re \"\" OP)", "(str.in_re \"a\" OP)"]
        }
        Op::ReConcat | Op::ReUnion | Op::ReInter => {
            &["(str.in_re \"ab\" (OP (str.to_re \"a\") (str.to_re \"b\")))"]
        }
        Op::ReDiff => &[
            "(str.in_re \"a\" (re.diff re.all (str.to_re \"a\")))",
            "(str.in_re \"b\" (re.diff re.all (str.to_re \"a\")))",
        ],
        Op::ReStar | Op::RePlus | Op::ReOpt | Op::ReComp => &[
            "(str.in_re \"aa\" (OP (str.to_re \"a\")))",
            "(str.in_re \"\" (OP (str.to_re \"a\")))",
        ],
        Op::ReRange => &["(str.in_re \"b\" (re.range \"a\" \"c\"))"],
        Op::RePower => &[
            "(str.in_re \"aa\" ((_ re.^ 2) (str.to_re \"a\")))",
            "(str.in_re \"\" ((_ re.^ 0) (str.to_re \"a\")))",
            "(str.in_re \"a\" ((_ re.^ 2) (str.to_re \"a\")))",
        ],
        Op::ReLoop => &[
            "(str.in_re \"aa\" ((_ re.loop 1 2) (str.to_re \"a\")))",
            "(str.in_re \"aa\" ((_ re.loop 0 1) (str.to_re \"a\")))",
        ],
        Op::Select => &["(= 1 (select ((as const (Array Int Int)) 1) 0))"],
        Op::Store => &["(= 2 (select (store ((as const (Array Int Int)) 1) 0 2) 0))"],
        Op::ConstArray => &["(= 1 (select ((as const (Array Bool Int)) 1) true))"],
    };
    texts.iter().map(|text| text.replace("OP", name)).collect()
}

/// The operators that a dialect cannot express, and those that are rewritten.
fn differences(dialect: Dialect) -> (Vec<Op>, Vec<Op>) {
    let unknown = [Op::StrReplaceAll, Op::StrReplaceRe, Op::StrReplaceReAll, Op::StrFromCode];
    match dialect {
        Smt20 | Smt25 | Smt26 | Smt27 | Cvc4V18 | Cvc5 => (vec![], vec![]),
        Z3 | Z3Transition => (vec![], vec![Op::Divisible]),
        Z3Oldest => (
            [&unknown[..], &[Op::StrToCode, Op::StrLt, Op::StrLe]].concat(),
            vec![Op::Divisible, Op::StrIsDigit, Op::ReAllChar, Op::ReDiff, Op::RePower],
        ),
        Z3Legacy => (
            [&unknown[..], &[Op::StrToCode]].concat(),
            vec![Op::Divisible, Op::StrIsDigit, Op::ReDiff, Op::RePower],
        ),
        Cvc4V16 => (
            [&unknown[..], &[Op::ReComp, Op::ReDiff]].concat(),
            vec![Op::StrIsDigit, Op::ReAll, Op::RePower],
        ),
        Cvc4V17 => (
            [&unknown[1..], &[Op::ReComp, Op::ReDiff]].concat(),
            vec![Op::StrIsDigit, Op::ReAll, Op::RePower],
        ),
    }
}

#[test]
fn every_operator_reads_back_or_is_rewritten_or_is_refused() {
    for dialect in Dialect::ALL {
        let (missing, rewritten) = differences(dialect);
        for info in Op::TABLE {
            for formula in formulas(info.op) {
                check_operator(dialect, info.op, &formula, &missing, &rewritten);
            }
        }
    }
}

fn check_operator(dialect: Dialect, op: Op, formula: &str, missing: &[Op], rewritten: &[Op]) {
    let mut pool = TermPool::new();
    let reading = accept(&mut pool, format!("(assert {formula})").as_bytes(), Smt27);
    let term = first_assertion(&reading);
    let below = ops_below(&pool, term);
    assert!(below.contains(&op), "{formula} does not use {}", op.name());
    let printed = print_script(&pool, &reading.script, &PrintOptions::new(dialect));
    let refused = missing.iter().find(|missing| below.contains(missing));
    let printed = match (printed, refused) {
        (Err(error), Some(&op)) => {
            assert!(matches!(error, CannotExpress::Operator { .. }), "{error}");
            assert!(error.to_string().contains(op.name()) || missing.len() > 1, "{error}");
            return;
        }
        (Ok(printed), None) => printed,
        (result, _) => panic!("{dialect}: {formula}: {result:?}"),
    };
    let text = String::from_utf8_lossy(&printed.bytes).into_owned();
    let noted: Vec<Op> = printed
        .notes
        .iter()
        .filter_map(|note| match note {
            Note::Rewritten(op) => Some(*op),
            _ => None,
        })
        .collect();
    let expected: Vec<Op> = rewritten.iter().copied().filter(|op| below.contains(op)).collect();
    assert_eq!(noted.len(), expected.len(), "{dialect}: {text}");
    assert!(noted.iter().all(|op| expected.contains(op)), "{dialect}: {noted:?}: {text}");
    for note in &printed.notes {
        assert!(!note.describe(dialect).is_empty());
    }
    let again = first_assertion(&accept(&mut pool, &printed.bytes, dialect));
    if expected.is_empty() {
        assert_eq!(term, again, "{dialect}: {text}");
    }
    let model = Model::default();
    let mut evaluator = Evaluator::new(&pool, &model);
    let value = evaluator.evaluate(term);
    assert!(value.as_bool().is_some(), "{formula} has no value");
    assert_eq!(value, evaluator.evaluate(again), "{dialect}: {text}");
}

fn ops_below(pool: &TermPool, root: TermId) -> Vec<Op> {
    let terms = luthier_terms::PostOrder::new(pool, [root]);
    let ops = terms.filter_map(|term| match pool.term(term) {
        Term::Op(op, _) => Some(op),
        _ => None,
    });
    ops.collect()
}

#[test]
fn the_index_zero_of_divisible_is_written_without_it() {
    for dialect in Dialect::ALL {
        let mut pool = TermPool::new();
        let text = "(assert (and ((_ divisible 0) 0) (not ((_ divisible 0) 5))))";
        let reading = accept(&mut pool, text.as_bytes(), dialect);
        let printed = print_script(&pool, &reading.script, &PrintOptions::new(dialect)).unwrap();
        assert!(printed.notes.contains(&Note::Rewritten(Op::Divisible)));
        let again = first_assertion(&accept(&mut pool, &printed.bytes, dialect));
        let model = Model::default();
        assert!(Evaluator::new(&pool, &model).evaluate(again).is_true(), "{dialect}");
    }
}

#[test]
fn chains_that_no_solver_reads_are_written_in_pairs() {
    let text = "(assert (and (str.< \"a\" \"b\" \"c\") (not (str.<= \"a\" \"c\" \"b\" \"d\"))
        (= 2 (div 13 3 2))))";
    for dialect in Dialect::ALL {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, text.as_bytes(), Smt27);
        let printed = print_script(&pool, &reading.script, &PrintOptions::new(dialect));
        if dialect == Z3Oldest {
            assert!(printed.is_err());
            continue;
        }
        let printed = printed.unwrap();
        let pairs = |op| printed.notes.contains(&Note::Rewritten(op));
        assert_eq!(pairs(Op::StrLt), !dialect.is_standard(), "{dialect}");
        assert_eq!(pairs(Op::StrLe), !dialect.is_standard(), "{dialect}");
        assert_eq!(pairs(Op::Div), matches!(dialect, Cvc4V16 | Cvc4V17), "{dialect}");
        let again = first_assertion(&accept(&mut pool, &printed.bytes, dialect));
        let model = Model::default();
        let shown = String::from_utf8_lossy(&printed.bytes);
        assert!(Evaluator::new(&pool, &model).evaluate(again).is_true(), "{dialect}: {shown}");
    }
}

#[test]
fn characters_above_255_are_refused_where_they_cannot_be_written() {
    for dialect in Dialect::ALL {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, br#"(assert (= "\u{ff}" "\u{100}"))"#, Smt27);
        let printed = print_script(&pool, &reading.script, &PrintOptions::new(dialect));
        match printed {
            Ok(_) => assert!(!dialect.is_legacy(), "{dialect}"),
            Err(error) => {
                assert!(dialect.is_legacy(), "{dialect}");
                assert_eq!(error, CannotExpress::Character { dialect, code: 0x100 });
            }
        }
    }
}

#[test]
fn small_alphabets_are_noted() {
    let mut pool = TermPool::new();
    let reading = accept(&mut pool, b"(assert (= (re.comp re.none) re.all re.allchar))", Smt27);
    for dialect in Dialect::ALL {
        let Ok(printed) = print_script(&pool, &reading.script, &PrintOptions::new(dialect)) else {
            continue;
        };
        for op in [Op::ReComp, Op::ReAll, Op::ReAllChar] {
            let noted = printed.notes.contains(&Note::SmallAlphabet(op));
            assert_eq!(noted, dialect.is_legacy(), "{dialect}: {}", op.name());
        }
    }
}

#[test]
fn standard_scripts_say_their_version_and_others_are_changed() {
    let mut pool = TermPool::new();
    let plain = accept(&mut pool, b"(check-sat)", Smt26).script;
    let declared = accept(&mut pool, b"(set-info :smt-lib-version 2.5)(check-sat)", Smt26).script;
    for dialect in Dialect::ALL {
        let version = format!("(set-info :smt-lib-version {})\n", dialect.smt_lib_version());
        let print = |script| {
            let printed = print_script(&pool, script, &PrintOptions::new(dialect)).unwrap();
            String::from_utf8(printed.bytes).unwrap()
        };
        assert_eq!(print(&declared), format!("{version}(check-sat)\n"));
        let expected = if dialect.is_standard() { version } else { String::new() };
        assert_eq!(print(&plain), format!("{expected}(check-sat)\n"));
    }
}

#[test]
fn the_strict_reader_accepts_only_the_standard() {
    let refused = [
        "(assert (true))",
        "(assert (= re.all (re.all)))",
        "(assert (= \"A\" (_ Char 65)))",
        "(assert (= \"A\" (seq.unit (_ Char 65))))",
        "(assert (= \"\" (as seq.empty String)))",
        "(assert (let () true))",
        "(assert (= 01 1))",
        "(assert (= -1 1))",
        "(assert (and true))",
        "(push)",
        "(declare-const assert Int)",
        "(declare-const |a\\b| Int)",
        "(declare-fun and (Bool) Bool)",
        "(declare-const x (Seq Char))",
        "(assert ((_ divisible 0) 1))",
        "(declare-const x Int)(declare-const x Int)",
    ];
    let accepted = [
        "(declare-fun implies (Bool Bool) Bool)",
        "(declare-const str.rev Int)",
        "(declare-const |assert| Int)",
        "(set-logic QF_SLIA)(declare-fun x () String)(assert (= (as x String) (_ char #x41)))",
    ];
    let strict = ReadOptions { dialect: Some(Smt27), mode: Mode::Strict };
    for text in refused {
        let reading = read_script(&mut TermPool::new(), text.as_bytes(), &strict);
        assert!(!reading.is_accepted(), "{text}");
        // The generous reader takes it, and says so.
        let generous = ReadOptions { dialect: Some(Smt27), mode: Mode::Generous };
        let reading = read_script(&mut TermPool::new(), text.as_bytes(), &generous);
        assert!(reading.is_accepted(), "{text}: {:?}", reading.diagnostics);
        assert!(reading.diagnostics.iter().any(|one| one.severity == Severity::Warning), "{text}");
    }
    for text in accepted {
        let reading = read_script(&mut TermPool::new(), text.as_bytes(), &strict);
        assert!(reading.diagnostics.is_empty(), "{text}: {:?}", reading.diagnostics);
    }
}

#[test]
fn the_sort_of_languages_has_the_name_that_the_dialect_knows() {
    for (dialect, expected) in [
        (Smt27, Some("(declare-const r RegLan)")),
        (Z3Transition, Some("(declare-const r RegLan)")),
        (Z3Legacy, Some("(declare-const r (RegEx String))")),
        (Z3Oldest, Some("(declare-const r (RegEx String))")),
        (Cvc4V16, None),
    ] {
        let mut pool = TermPool::new();
        let reading = accept(&mut pool, b"(declare-const r RegLan)(assert (= r r))", Smt27);
        let options = PrintOptions::new(dialect);
        match (print_script(&pool, &reading.script, &options), expected) {
            (Ok(printed), Some(expected)) => {
                let text = String::from_utf8_lossy(&printed.bytes).into_owned();
                assert!(text.contains(expected), "{dialect}: {text}");
                let outcome = round_trip(&mut pool, &reading.script, &options);
                assert_eq!(outcome, RoundTrip::Same, "{dialect}");
            }
            (Err(error), None) => assert!(matches!(error, CannotExpress::Sort { .. }), "{error}"),
            (result, _) => panic!("{dialect}: {result:?}"),
        }
    }
}
