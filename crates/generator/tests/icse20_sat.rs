//! The satisfiable formulas of the suite `icse20`: the counts of the paper, a valid witness for
//! each, no duplicates.

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::icse20::{
    Constant, Constants, LeftOut, OPERATIONS, Settings, TooManyFormulas, Variant,
    constant_assignment, full_suite, operations, term_synthesis,
};
use luthier_generator::{Category, Expected, Formula};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, expectations};
use luthier_records::Verdict;
use luthier_smtlib::{Dialect, ReadOptions, read_script};
use luthier_terms::{BigInt, SmtString, TermPool};

/// Table 4 of the paper, operation by operation as the authors' files have it: name, constant
/// assignment, term synthesis.
const COUNTS: [(&str, usize, usize); 16] = [
    ("at", 93, 73),
    ("concat", 329, 77),
    ("intToStr", 9, 10),
    ("replace", 2480, 447),
    ("substr", 343, 223),
    ("indexOf", 712, 143),
    ("length", 20, 11),
    ("strToInt", 19, 10),
    ("contains", 65, 72),
    ("equals", 49, 44),
    ("prefixOf", 63, 72),
    ("suffixOf", 63, 72),
    ("notContains", 112, 28),
    ("notEquals", 129, 56),
    ("notPrefixOf", 114, 28),
    ("notSuffixOf", 114, 28),
];

fn suite(settings: &Settings) -> Vec<Formula> {
    let mut formulas = operations(settings);
    formulas.extend(constant_assignment(settings));
    formulas.extend(term_synthesis(settings).unwrap());
    formulas
}

fn count(formulas: impl Iterator<Item = Formula>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for formula in formulas {
        *counts.entry(formula.operation).or_default() += 1;
    }
    counts
}

/// Everything that must hold of any formula whose expected answer is `sat`.
fn check(formula: &Formula) {
    let text = &formula.text;
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.diagnostics.is_empty(), "{:?}\n{text}", reading.diagnostics);
    assert_eq!(reading.detection.dialect, Dialect::Smt26, "{text}");

    let expectations = expectations(&pool, &reading.script);
    assert!(expectations.problems.is_empty(), "{:?}\n{text}", expectations.problems);
    assert_eq!(expectations.queries.len(), 1, "{text}");
    assert_eq!(expectations.queries[0].planted, Some(Verdict::Sat), "{text}");
    let planted = expectations.witnesses[0].as_ref().expect("a witness is planted");
    let Expected::Sat(witness) = &formula.expected else { panic!("expected sat: {text}") };
    let model: Vec<String> = witness
        .iter()
        .map(|(name, sort, value)| format!("(define-fun {name} () {sort} {value})"))
        .collect();
    assert_eq!(planted.to_string(), format!("({})", model.join(" ")), "{text}");

    let options = CheckOptions { dialect: Some(Dialect::Smt26), ..CheckOptions::default() };
    let check = check_model(&mut pool, &reading.script, planted.as_bytes(), &options).unwrap();
    assert!(matches!(check.outcome, CheckOutcome::Valid), "{:?}\n{text}", check.outcome);
    assert_eq!(check.checked, 1, "{text}");
}

fn check_names_and_texts(formulas: &[Formula]) {
    let names: BTreeSet<&str> = formulas.iter().map(|formula| formula.name.as_str()).collect();
    assert_eq!(names.len(), formulas.len(), "names are unique");
    let texts: BTreeSet<&str> = formulas.iter().map(|formula| question(&formula.text)).collect();
    assert_eq!(texts.len(), formulas.len(), "no formula comes twice");
}

/// What a solver is asked, without what is known about the answer.
fn question(text: &str) -> &str {
    let (_, question) = text.split_once(":luthier-witness").unwrap();
    question.split_once('\n').unwrap().1
}

#[test]
fn every_operation_has_a_formula_with_free_variables() {
    let formulas = operations(&Settings::default());
    let names: Vec<&str> = formulas.iter().map(|formula| formula.operation).collect();
    let table: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(names, table);
    assert!(formulas[8].text.contains("(declare-fun res () Bool)"), "{}", formulas[8].text);
    assert!(formulas[9].text.contains("(assert (= (= s t) res))"), "{}", formulas[9].text);
}

#[test]
fn constant_assignment_has_the_counts_of_the_paper() {
    let counts = count(constant_assignment(&Settings::default()));
    let expected = COUNTS.iter().map(|&(name, assignment, _)| (name, assignment)).collect();
    assert_eq!(counts, expected);
    assert_eq!(counts.values().sum::<usize>(), 4_714);
}

#[test]
fn term_synthesis_has_the_counts_of_the_paper() {
    let counts = count(term_synthesis(&Settings::default()).unwrap());
    let expected = COUNTS.iter().map(|&(name, _, synthesis)| (name, synthesis)).collect();
    assert_eq!(counts, expected);
    assert_eq!(counts.values().sum::<usize>(), 1_394);
}

#[test]
fn the_judge_accepts_every_witness() {
    let formulas = suite(&Settings::default());
    assert_eq!(formulas.len(), 12 + 4_714 + 1_394);
    formulas.iter().for_each(check);
}

#[test]
fn names_and_questions_are_unique() {
    check_names_and_texts(&suite(&Settings::default()));
}

#[test]
fn two_runs_give_the_same_formulas() {
    let settings = Settings::default();
    assert_eq!(suite(&settings), suite(&settings));
}

#[test]
fn the_example_of_listing_1_is_there() {
    let wanted = r#"(assert (= (str.replace "" t u) "a"))"#;
    let formulas = constant_assignment(&Settings::default());
    let found: Vec<Formula> = formulas.filter(|formula| formula.text.contains(wanted)).collect();
    let [formula] = found.as_slice() else { panic!("{} formulas", found.len()) };
    assert_eq!(formula.operation, "replace");
    assert_eq!(formula.category, Category::ConstantAssignment);
    assert_eq!(formula.derivation, r#"(= (str.replace "" "" "a") "a")"#);
    assert_eq!(
        formula.text,
        r#"(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :luthier-expected sat)
(set-info :luthier-witness "((define-fun t () String """") (define-fun u () String ""a""))")
(declare-fun t () String)
(declare-fun u () String)
(assert (= (str.replace "" t u) "a"))
(check-sat)
"#
    );
}

#[test]
fn nested_prefixes_and_suffixes_keep_their_operators() {
    let formulas: Vec<Formula> = term_synthesis(&Settings::default()).unwrap().collect();
    let with =
        |operator: &str| formulas.iter().filter(|formula| formula.text.contains(operator)).count();
    assert_eq!(with("(str.prefixof"), with("(str.suffixof"));
    assert!(with("(str.prefixof") > 72 + 28, "{}", with("(str.prefixof"));
}

#[test]
fn unusual_constants_survive_writing_and_reading() {
    let assignment = Constants {
        strings: vec![
            SmtString::from_text("\\u{61}").unwrap(),
            SmtString::from_text("|;(\"\"é").unwrap(),
            SmtString::from_codes([0xD800, 0x2FFFF, 0]).unwrap(),
            // A repetition changes nothing.
            SmtString::from_text("\\u{61}").unwrap(),
        ],
        integers: vec![BigInt::from(u64::MAX) * -3, BigInt::from(u64::MAX) * 5],
    };
    let settings = Settings { synthesis: assignment.clone(), assignment, ..Settings::default() };
    let formulas = suite(&settings);
    assert!(formulas.len() > 500, "{}", formulas.len());
    formulas.iter().for_each(check);
    check_names_and_texts(&formulas);
}

#[test]
fn deeper_terms_and_more_of_them_are_still_right() {
    let settings = Settings {
        synthesis: Constants::from_text(&["a", "0"], &[0]).unwrap(),
        depth: 2,
        results_per_operation: 2,
        ..Settings::default()
    };
    let formulas: Vec<Formula> = term_synthesis(&settings)
        .unwrap()
        .filter(|formula| formula.operation != "replace")
        .collect();
    check_names_and_texts(&formulas);
    let step = formulas.len() / 500;
    assert!(step > 1, "{}", formulas.len());
    formulas.iter().step_by(step).for_each(check);

    // Different constants lead to the same formula: each comes once.
    let settings = Settings {
        synthesis: Constants::from_text(&["a", "b"], &[0]).unwrap(),
        arguments_per_operation: usize::MAX,
        ..Settings::default()
    };
    let formulas: Vec<Formula> = term_synthesis(&settings)
        .unwrap()
        .filter(|formula| formula.operation == "length")
        .collect();
    check_names_and_texts(&formulas);
    formulas.iter().for_each(check);
}

#[test]
fn without_constants_there_are_no_formulas() {
    let settings = Settings {
        assignment: Constants::default(),
        synthesis: Constants::default(),
        ..Settings::default()
    };
    assert_eq!(suite(&settings).len(), OPERATIONS.len());
}

#[test]
fn with_the_bound_0_terms_are_constants() {
    let flat = Settings { depth: 0, ..Settings::default() };
    let formulas: Vec<Formula> = term_synthesis(&flat).unwrap().collect();
    formulas.iter().for_each(check);
    check_names_and_texts(&formulas);
    let has = |assertion: &str| formulas.iter().any(|one| one.text.contains(assertion));
    assert!(has("(assert (= (str.at tmp_str0 tmp_int1) tmp_str2))"), "at(\"a\", -1) is \"\"");
    assert!(!has("str.prefixof"), "no constant is a truth value");
}

#[test]
fn too_many_formulas_are_an_error_and_not_fewer_formulas() {
    let few = Settings { most: 7036, ..Settings::default() };
    assert_eq!(full_suite(&few, false).unwrap().formulas.len(), 7036);
    let fewer = Settings { most: 7035, ..Settings::default() };
    assert_eq!(full_suite(&fewer, false), Err(TooManyFormulas { most: 7035, what: "formulas" }));
    let all = Settings {
        arguments_per_operation: usize::MAX,
        results_per_operation: usize::MAX,
        ..Settings::default()
    };
    assert!(full_suite(&all, false).is_err(), "42 million");
    // The terms alone are too many, and are not made.
    let deep = Settings { depth: 9, ..all };
    assert!(full_suite(&deep, false).is_err());
}

/// Files whose operators mean something else say so, all others have the same bytes as before.
#[test]
fn another_meaning_of_an_operation_concerns_the_files_that_have_it() {
    let mut settings = Settings::default();
    settings.semantics.choose(Variant::ReplaceEmptyPatternUnchanged);
    settings.semantics.choose(Variant::StrToIntSigned);
    let made = full_suite(&settings, false).unwrap();
    let standard = full_suite(&Settings::default(), false).unwrap();
    assert_eq!(standard.left_out, LeftOut::default());
    let known: BTreeSet<&str> = standard.formulas.iter().map(|one| one.text.as_str()).collect();
    let mut concerned = 0;
    for formula in &made.formulas {
        let replaces = formula.text.contains("(str.replace ");
        let converts = formula.text.contains("(str.to_int ");
        let said = match (replaces, converts) {
            (true, true) => "replace=empty-pattern-unchanged str-to-int=signed",
            (true, false) => "replace=empty-pattern-unchanged",
            (false, true) => "str-to-int=signed",
            (false, false) => {
                assert!(known.contains(formula.text.as_str()), "{}", formula.text);
                continue;
            }
        };
        concerned += 1;
        assert!(formula.text.contains(&format!("(set-info :luthier-semantics \"{said}\")\n")));
        assert!(matches!(formula.expected, Expected::Sat(_)), "{}", formula.name);
    }
    assert!(concerned > 3000, "{concerned}");
    let has = |text: &str| made.formulas.iter().any(|formula| formula.derivation == text);
    assert!(has(r#"(= (str.replace "a" "" "0") "a") by replace=empty-pattern-unchanged"#));
    assert!(has(r#"(= (str.to_int "-1") (- 1)) by str-to-int=signed"#));

    // Unsatisfiable formulas about these operations are left out, and all of them are counted.
    let unsat = |all: &[Formula]| {
        all.iter().filter(|one| one.category >= Category::EquivalentFormula).count()
    };
    assert_eq!(unsat(&made.formulas) + made.left_out.formulas, 916);
    assert_eq!(made.left_out.equivalences, ["E3", "E6"]);
    let digits = (18..=19).chain(21..=31).map(|number| format!("C{number}"));
    let expected: Vec<String> =
        ["NC4", "NC5", "NC6", "C4"].map(str::to_owned).into_iter().chain(digits).collect();
    assert_eq!(made.left_out.equalities, expected);
}

#[test]
fn equivalences_and_equalities_can_be_chosen() {
    let settings = Settings {
        equivalences: vec!["E9"],
        equalities: vec!["NC2", "NC3", "C32"],
        ..Settings::default()
    };
    let made = full_suite(&settings, false).unwrap();
    let count = |category: Category| {
        made.formulas.iter().filter(|formula| formula.category == category).count()
    };
    // E9 has two shared variables, one existential one and the constant true in no place.
    assert_eq!(count(Category::EquivalentFormula), 1);
    assert_eq!(count(Category::LargerUnsatCore), 4);
    assert_eq!(count(Category::RedundancyIntroductionPatterns), 2);
}

#[test]
fn an_operation_refuses_arguments_of_other_sorts() {
    let string = Constant::String(SmtString::empty());
    let zero = Constant::Int(BigInt::ZERO);
    for operation in &OPERATIONS {
        assert_eq!(operation.evaluate(&[]), None, "{}", operation.name);
        assert_eq!(operation.evaluate(&[&Constant::Bool(true)]), None, "{}", operation.name);
    }
    assert_eq!(OPERATIONS[0].evaluate(&[&zero, &string]), None);
    assert_eq!(OPERATIONS[0].evaluate(&[&string, &zero]), Some(string));
}
