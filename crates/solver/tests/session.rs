//! Sessions in the library: the replies to the commands of a script.

use std::time::Duration;

use luthier_smtlib::{ReadOptions, read_script};
use luthier_solver::Portfolio;
use luthier_solver::session::{NoSignals, Reply, Session, Watch, WatchLimits};
use luthier_terms::TermPool;

/// The replies to a script, one line or more each. No arithmetic is needed.
fn replies(script: &str) -> Vec<String> {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, script.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
    let limits = WatchLimits { timeout: Some(Duration::from_secs(60)), memory: None };
    let watch = Watch::new(limits, Box::new(NoSignals));
    let mut session = Session::new(pool, Portfolio::default(), &watch);
    let mut replies = Vec::new();
    for command in &reading.script.commands {
        replies.push(match session.execute(&command.kind).unwrap() {
            Reply::Silent => continue,
            Reply::CheckSat(checked) => format!("{} {}", checked.query, checked.verdict),
            Reply::Text(text) => String::from_utf8(text).unwrap().trim_end().to_owned(),
            Reply::Error(message) => format!("error: {message}"),
            Reply::Unsupported => "unsupported".to_owned(),
            Reply::Stopped(stop) => format!("stopped: {stop:?}"),
            Reply::Exit => return replies,
        });
    }
    replies
}

#[test]
fn scopes_models_and_cores() {
    let found = replies(
        "(set-logic ALL) (declare-const x String)
         (assert (! (= (str.++ x \"b\") \"ab\") :named one)) (check-sat) (get-value (x))
         (push 1) (assert (! (= x \"c\") :named two)) (check-sat) (get-unsat-core) (get-model)
         (pop 1) (check-sat) (get-info :assertion-stack-levels) (get-unsat-core)
         (check-sat-assuming ((= x \"d\"))) (get-unsat-assumptions)
         (reset-assertions) (check-sat) (get-proof) (echo \"a \"\" b\") (exit) (check-sat)",
    );
    let no_model = "error: there is no model: the last answer is not sat";
    assert_eq!(
        found,
        [
            "1 sat",
            "((x \"a\"))",
            "2 unsat",
            "(one two)",
            no_model,
            "3 sat",
            "(:assertion-stack-levels 0)",
            "error: the last answer is not unsat",
            "4 unsat",
            "((= x \"d\"))",
            "5 sat",
            "unsupported",
            "\"a \"\" b\"",
        ]
    );
}

#[test]
fn model_values_have_plain_names() {
    let mut pool = TermPool::new();
    let script =
        "(set-logic ALL) (declare-const |x y| String) (assert (= |x y| \"a\")) (check-sat)";
    let reading = read_script(&mut pool, script.as_bytes(), &ReadOptions::default());
    let watch = Watch::new(WatchLimits::default(), Box::new(NoSignals));
    let mut session = Session::new(pool, Portfolio::default(), &watch);
    assert!(session.model_values().is_none());
    for command in &reading.script.commands {
        session.execute(&command.kind).unwrap();
    }
    let values = session.model_values().unwrap().unwrap();
    assert_eq!(values, [("x y".to_owned(), "\"a\"".to_owned())]);
}
