//! What scripts state about the verdicts of their own queries.

use luthier_judge::{Expectations, expectations, planted_witness};
use luthier_records::Verdict::{Sat, Unknown, Unsat};
use luthier_records::{Query, Text, Verdict};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{ReadOptions, Script, read_script};
use luthier_terms::TermPool;

fn read(text: &str) -> (TermPool, Script) {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    (pool, reading.script)
}

fn expect(text: &str) -> Expectations {
    let (pool, script) = read(text);
    let expectations = expectations(&pool, &script);
    assert_eq!(expectations.queries.len(), script.queries().count());
    assert_eq!(expectations.queries.len(), expectations.witnesses.len());
    expectations
}

/// The statuses of a script that has no problems.
fn statuses(text: &str) -> Vec<Option<Verdict>> {
    let found = expect(text);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    found.queries.iter().map(|query| query.status).collect()
}

/// The problems as `line: message`.
fn problems(text: &str) -> Vec<String> {
    let locator = Locator::new(text.as_bytes());
    let line = |offset| locator.location(offset).line;
    let show = |problem: &luthier_judge::AnnotationProblem| {
        format!("{}: {}", line(problem.span.start), problem.message)
    };
    expect(text).problems.iter().map(show).collect()
}

#[track_caller]
fn check_problem(text: &str, expected: &str) {
    let found = problems(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(expected), "{found:?}");
}

const CORE: &str = "(declare-const x Int)
(assert (! (> x 0) :named a))
(assert (! (< x 0) :named |b c|))
(assert (! (= x 5) :named d))
";

#[test]
fn a_status_belongs_to_the_next_query_only() {
    assert_eq!(statuses("(set-info :status sat)(check-sat)"), [Some(Sat)]);
    assert_eq!(statuses("(set-info :status unknown)(check-sat)"), [Some(Unknown)]);
    assert_eq!(statuses("(check-sat)"), [None]);
    let once = "(set-info :status sat)(check-sat)(assert false)(check-sat)";
    assert_eq!(statuses(once), [Some(Sat), None]);
    let each = "(set-info :status sat)(check-sat)(push 1)(assert false)(set-info :status unsat)
        (check-sat)(pop 1)(check-sat-assuming (false))";
    assert_eq!(statuses(each), [Some(Sat), Some(Unsat), None]);
}

#[test]
fn a_script_without_check_sat_has_one_query_if_it_has_assertions() {
    assert_eq!(statuses("(set-info :status sat)(assert true)"), [Some(Sat)]);
    assert_eq!(statuses("(assert true)(set-info :status sat)(exit)"), [Some(Sat)]);
    assert_eq!(statuses(""), []);
    check_problem("(set-info :status sat)", "no query follows");
}

#[test]
fn nothing_after_exit_counts() {
    let text = "(check-sat)(exit)(set-info :status sat)(check-sat)";
    assert_eq!(statuses(text), [None]);
    assert_eq!(statuses("(assert true)(exit)(set-info :status sat)(check-sat)"), [None]);
}

#[test]
fn a_planted_answer_a_core_and_a_witness_are_read() {
    let text = format!(
        "(set-info :luthier-expected unsat)(set-info :luthier-core (a |b c|))
        (set-info :status unsat){CORE}(check-sat)"
    );
    let found = expect(&text);
    let planted_core = Some(vec![Text::from("a"), Text::from("b c")]);
    let query = Query { planted: Some(Unsat), planted_core, status: Some(Unsat) };
    assert_eq!(
        found,
        Expectations { queries: vec![query], witnesses: vec![None], ..found.clone() }
    );
    assert!(found.problems.is_empty(), "{:?}", found.problems);

    let text = r#"(declare-const x String)(check-sat)(set-info :luthier-expected sat)
        (set-info :luthier-witness "((x ""a""))")(assert (= x "a"))(check-sat)"#;
    let (pool, script) = read(text);
    assert_eq!(planted_witness(&pool, &script, 0), None);
    assert_eq!(planted_witness(&pool, &script, 1), Some(Text::from(r#"((x "a"))"#)));
    assert_eq!(planted_witness(&pool, &script, 2), None);
    assert_eq!(expectations(&pool, &script).queries[1].planted, Some(Sat));
}

#[test]
fn bars_around_a_name_make_no_difference() {
    let text = format!(
        "(set-info :luthier-expected unsat)(set-info :luthier-core \"|a| |b c|\"){CORE}(check-sat)"
    );
    let found = expect(&text);
    assert_eq!(found.queries[0].planted_core.as_ref().unwrap()[0], Text::from("a"));
    assert!(found.problems.is_empty());
}

#[test]
fn malformed_values_are_reported_with_their_line_and_not_used() {
    let text = "\n(set-info :status maybe)(check-sat)";
    assert_eq!(problems(text), ["2: the status must be `sat`, `unsat` or `unknown`"]);
    assert_eq!(expect(text).queries[0], Query::default());
    check_problem("(set-info :status \"sat\")(check-sat)", "the status must be");
    check_problem("(set-info :luthier-expected unknown)(check-sat)", "must be `sat` or `unsat`");
    check_problem("(set-info :luthier-core a)(check-sat)", "list of different names");
    check_problem("(set-info :luthier-core \"a a\")(check-sat)", "list of different names");
    check_problem("(set-info :luthier-core (a a))(check-sat)", "list of different names");
    check_problem("(set-info :luthier-core (a (b)))(check-sat)", "list of different names");
    check_problem("(set-info :luthier-witness ((x 1)))(check-sat)", "string literal");
    check_problem("(set-info :luthier-witness \" \")(check-sat)", "string literal");
}

#[test]
fn contradictory_annotations_are_reported() {
    let twice = "(set-info :status sat)\n(set-info :status unsat)(check-sat)";
    assert_eq!(expect(twice).queries[0].status, Some(Unsat));
    check_problem(twice, "2: :status was set to something else");
    assert_eq!(statuses("(set-info :status sat)(set-info :status sat)(check-sat)"), [Some(Sat)]);
    check_problem("(check-sat)(set-info :status sat)", "no query follows");
    let reset = "(set-info :status sat)(reset)(check-sat)";
    check_problem(reset, "`(reset)` forgets it");
    assert_eq!(expect(reset).queries[0].status, None);
    let core = format!("{CORE}(set-info :luthier-core (a))(check-sat)");
    check_problem(&core, "needs `(set-info :luthier-expected unsat)`");
    let witness = "(set-info :luthier-witness \"()\")(set-info :luthier-expected unsat)(check-sat)";
    check_problem(witness, "no model if the planted answer is `unsat`");
    assert_eq!(expect(witness).witnesses, [None]);
}

#[test]
fn a_planted_core_must_name_assertions_that_hold_at_its_query() {
    let text = "(declare-const x Int)(push 1)(assert (! (> x 0) :named a))(check-sat)(pop 1)
        (assert (! (< x 0) :named b))
        (set-info :luthier-expected unsat)(set-info :luthier-core (a b))(check-sat)";
    check_problem(text, "names `a`, which no assertion of the query has");
    let query = &expect(text).queries[1];
    assert_eq!((query.planted, &query.planted_core), (Some(Unsat), &None));
}

#[test]
fn another_semantics_is_reported_and_planted_answers_stay() {
    let text = "(set-info :luthier-semantics \"replace=x at=y\")(set-info :luthier-expected sat)
        (set-info :luthier-witness \"((define-fun x () Int 1))\")
        (declare-const x Int)(assert (= x 1))(check-sat)";
    let found = expect(text);
    assert_eq!(found.semantics, Some(Text::from("replace=x at=y")));
    assert_eq!(found.queries[0].planted, Some(Sat));
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(expect("(check-sat)").semantics, None);
    // What cannot be read is no licence to judge by the standard.
    let unreadable = "(set-info :luthier-semantics ())(check-sat)";
    assert_eq!(expect(unreadable).semantics, Some(Text::from("unknown")));
    check_problem(unreadable, "the meaning must be a string literal");
}
