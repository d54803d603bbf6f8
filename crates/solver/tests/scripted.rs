//! Engines with a scripted arithmetic solver: how they use its answers. Above all, `unsat` is
//! reported only if the core contains none of the engine's own bounds.

use luthier_semantics::Evaluator;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::arithmetic::{Backend, ReplyScript, ScriptedReply, Value};
use luthier_solver::{Budget, Cancel, Portfolio, Problem, UnknownReason, Verdict, strategy};
use luthier_terms::TermPool;

fn problem(text: &str) -> Problem {
    let mut pool = TermPool::new();
    let text = format!("(set-logic ALL)\n(declare-const x String)\n{text}\n(check-sat)\n");
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{text}: {:?}", reading.diagnostics);
    let query = reading.script.queries().next().unwrap();
    let assertions = query.assertions.iter().map(|active| active.assertion.term).collect();
    Problem { pool: pool.into(), assertions }
}

/// The verdict of an engine, and the number of unused replies.
fn run(name: &str, text: &str, replies: Vec<ScriptedReply>) -> (Verdict, usize) {
    let script = ReplyScript::new(replies);
    let backend = Some(Backend::Script(script.clone()));
    let portfolio = Portfolio { backend, ..Portfolio::default() };
    let engine = strategy::engine(name).unwrap().build(&portfolio).unwrap();
    let problem = problem(text);
    let verdict = engine.run(&problem, &Budget::until_cancelled(Cancel::new()));
    if let Verdict::Sat(model) = &verdict {
        let mut evaluator = Evaluator::new(&problem.pool, model);
        assert!(problem.assertions.iter().all(|&one| evaluator.evaluate(one).is_true()), "{name}");
    }
    (verdict, script.left())
}

const LANGUAGE: &str =
    "(assert (str.in_re x (re.* (str.to_re \"ab\")))) (assert (> (str.len x) 3))";

#[test]
fn languages_build_words_of_the_lengths_that_arithmetic_chooses() {
    let four = ScriptedReply::Values(vec![Value::Int(4.into())]);
    let replies = vec![ScriptedReply::Sat, four, ScriptedReply::Values(Vec::new())];
    let (verdict, left) = run("languages", LANGUAGE, replies);
    assert!(matches!(verdict, Verdict::Sat(_)) && left == 0, "{verdict:?}");
}

#[test]
fn languages_report_unsat_only_without_their_bound_on_lengths() {
    let (verdict, _) = run("languages", LANGUAGE, vec![ScriptedReply::Unsat(Vec::new())]);
    assert!(matches!(verdict, Verdict::Unsat(_)), "{verdict:?}");
    let (verdict, _) = run("languages", LANGUAGE, vec![ScriptedReply::Unsat(vec![0])]);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Incomplete(_))), "{verdict:?}");
}

const LETTERS: &str = "(assert (str.prefixof \"ab\" x)) (assert (> (str.len x) 3))";

#[test]
fn cells_try_longer_strings_before_unknown() {
    // The assumptions: rejected candidates are blocked, and lengths are bounded.
    let short = || ScriptedReply::Unsat(vec![1]);
    let (verdict, left) = run("cells", LETTERS, vec![short(), short(), short(), short()]);
    assert!(
        matches!(verdict, Verdict::Unknown(UnknownReason::Incomplete(_))) && left == 0,
        "{verdict:?}"
    );
    let (verdict, left) = run("cells", LETTERS, vec![short(), ScriptedReply::Unsat(Vec::new())]);
    assert!(matches!(verdict, Verdict::Unsat(_)) && left == 0, "{verdict:?}");
    let (verdict, _) = run("cells", LETTERS, vec![ScriptedReply::Unsat(vec![0])]);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Incomplete(_))), "{verdict:?}");
}

#[test]
fn flat_domains_in_the_core_grow_and_proofs_are_confirmed() {
    let text = "(assert (= (str.at x 7) \"z\"))";
    let blamed = || ScriptedReply::Unsat(vec![0]);
    let none = || ScriptedReply::Unsat(Vec::new());
    // A second solver confirms a contradiction that does not depend on domains.
    let (verdict, left) = run("flat", text, vec![blamed(), none(), none()]);
    assert!(matches!(verdict, Verdict::Unsat(_)) && left == 0, "{verdict:?}");
    let (verdict, _) = run("flat", text, vec![none(), ScriptedReply::Sat]);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Failed(_))), "{verdict:?}");
    // All 19 domains of the ladder are too small.
    let (verdict, left) = run("flat", text, (0..19).map(|_| blamed()).collect());
    assert!(
        matches!(verdict, Verdict::Unknown(UnknownReason::Incomplete(_))) && left == 0,
        "{verdict:?}"
    );
}

#[test]
fn the_abstraction_proves_nothing_without_a_contradiction() {
    let text = "(assert (str.contains x \"a\"))";
    let (verdict, _) = run("abstraction", text, vec![ScriptedReply::Unsat(Vec::new())]);
    assert!(matches!(verdict, Verdict::Unsat(_)), "{verdict:?}");
    let replies = vec![ScriptedReply::Unknown("it is hard".to_owned())];
    let (verdict, _) = run("abstraction", text, replies);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Incomplete(_))), "{verdict:?}");
}

#[test]
fn failures_of_the_arithmetic_solver_are_reported() {
    let text = "(assert (= (str.++ x \"ab\") (str.++ \"ba\" x))) (assert (> (str.len x) 3))";
    for name in ["languages", "cells", "nielsen", "flat", "abstraction"] {
        let text = if name == "languages" { LANGUAGE } else { text };
        let fails = ScriptedReply::Fails(UnknownReason::Failed("it was killed".to_owned()));
        let (verdict, _) = run(name, text, vec![fails]);
        let Verdict::Unknown(UnknownReason::Failed(what)) = verdict else {
            panic!("{name}: {verdict:?}")
        };
        assert_eq!(what, "it was killed", "{name}");
        // A script without further replies is a failure, too.
        let (verdict, _) = run(name, text, Vec::new());
        assert!(
            matches!(verdict, Verdict::Unknown(UnknownReason::Failed(_))),
            "{name}: {verdict:?}"
        );
    }
}
