//! Results of model checks as records of one line.

use luthier_judge::{CheckOptions, check_model, model_finding};
use luthier_records::{ModelFinding, ModelOutcome};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_terms::TermPool;

fn finding(script: &str, model: &str) -> ModelFinding {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, script.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    let options = CheckOptions::default();
    let check = check_model(&mut pool, &reading.script, model.as_bytes(), &options).unwrap();
    let finding = model_finding(&mut pool, &check, Some(&Locator::new(script.as_bytes())));
    let detail = finding.detail.as_deref().unwrap_or("");
    assert!(!detail.contains(char::is_control), "{detail:?}");
    assert!(detail.chars().count() < 430, "{detail}");
    finding
}

#[track_caller]
fn check(script: &str, model: &str, outcome: ModelOutcome, detail: Option<&str>) {
    let expected = ModelFinding { outcome, detail: detail.map(str::to_owned) };
    assert_eq!(finding(script, model), expected);
}

const SCRIPT: &str = r#"(declare-const x String)
(declare-const y Int)
(assert (! (>= (str.indexof x "0" 0) 0) :named has-zero))
(assert (= (str.len x) y))
(check-sat)"#;

#[test]
fn a_valid_model_needs_no_words() {
    check(SCRIPT, r#"((x "a0") (y 2))"#, ModelOutcome::Valid, None);
}

#[test]
fn an_invalid_model_has_the_assertion_its_line_and_the_reason() {
    let detail =
        r#"assertion 1 `has-zero` in line 3 is false: (str.indexof x "0" 0) = -1, x = "aa""#;
    check(SCRIPT, r#"((x "aa") (y 2))"#, ModelOutcome::Invalid, Some(detail));
    let found = finding(SCRIPT, r#"((x "aa") (y 3))"#);
    assert!(found.detail.unwrap().ends_with("(and 1 more)"));
    let found = finding(SCRIPT, r#"((x "a0") (y 2) ((str.len x) 7))"#);
    assert_eq!(found.detail.unwrap(), "(str.len x) is 2, not 7 as the solver says");
    let assuming = "(declare-const p Bool)(check-sat-assuming (p))";
    check(assuming, "((p false))", ModelOutcome::Invalid, Some("an assumption is false: p"));
}

#[test]
fn missing_values_are_named_and_completion_decides_the_outcome() {
    let detail = "no value for `y`; false with default values";
    check(SCRIPT, r#"((x "a0"))"#, ModelOutcome::Incomplete, Some(detail));
    let script = "(declare-const n Int)(assert (= n 0))(check-sat)";
    let detail = "no value for `n`; true with default values";
    check(script, "()", ModelOutcome::Completed, Some(detail));
    let script = "(declare-const n Int)(assert (= (div n 0) 0))(check-sat)";
    let detail = "no value for (div n 0); true with default values";
    check(script, "((n 7))", ModelOutcome::Completed, Some(detail));
}

#[test]
fn an_unreadable_model_is_described_in_one_line() {
    let found = finding(SCRIPT, "((x 1))");
    assert_eq!(found.outcome, ModelOutcome::Unsupported);
    let detail = found.detail.unwrap();
    assert!(detail.starts_with("the model could not be read: "), "{detail}");
}

#[test]
fn long_and_strange_details_stay_one_short_line() {
    let script = "(declare-const |x\ny| String)(assert (= |x\ny| \"a\"))(check-sat)";
    let model = format!("((define-fun |x\ny| () String \"{}\"))", "b".repeat(5000));
    let found = finding(script, &model);
    assert_eq!(found.outcome, ModelOutcome::Invalid);
    assert!(found.detail.unwrap().contains("…"));
}
