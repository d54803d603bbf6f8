//! Hostile models and replies: `luthier run`, `check` and `eval` end in time and say what happened.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Bench;
use crate::common::shop::{Shop, classes};
use serde_json::Value;

/// What the referee found about the model of the only run, and why.
fn model_of(shop: &Shop, solver: &str) -> (String, String) {
    let run = shop.run_of(solver);
    let answer = &run["answers"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&answer["model"]), text(&answer["model_detail"]))
}

#[test]
fn an_integer_of_four_million_digits_is_judged_or_refused_in_time() {
    let shop = Shop::with("(declare-const n Int)(assert (> n 0))(check-sat)");
    let digits = "head -c 4000000 /dev/zero | tr '\\0' 7";
    shop.solver("huge", &format!("printf 'sat\\n((define-fun n () Int '; {digits}; echo '))'"));
    shop.run(&["huge"], &[]).expect(0);
    let (outcome, detail) = model_of(&shop, "huge");
    assert!(["valid", "exceeded"].contains(&outcome.as_str()), "{outcome}: {detail}");
}

#[test]
fn a_model_that_makes_values_explode_exceeds_the_limits() {
    let shop = Shop::with(
        "(declare-const x String)\n\
         (assert (= 1 (str.len (str.replace_all (str.replace_all x \"a\" (str.++ x x)) \"a\" x))))\n\
         (check-sat)",
    );
    let letters = "head -c 10000000 /dev/zero | tr '\\0' a";
    let reply = format!("printf 'sat\\n((define-fun x () String \"'; {letters}; echo '\"))'");
    shop.solver("hostile", &reply);
    shop.run(&["hostile"], &[]).expect(0);
    let (outcome, detail) = model_of(&shop, "hostile");
    assert_eq!(outcome, "exceeded", "{detail}");
    assert!(detail.contains("is too large"), "{detail}");
    assert_eq!(classes(&shop.row("hostile")), "sat 1");
}

#[test]
fn a_deeply_nested_model_is_judged() {
    let shop = Shop::with("(declare-const b Bool)(assert b)(check-sat)");
    let nest = "yes '(not ' | head -n 200000 | tr -d '\\n'";
    let ends = "head -c 200000 /dev/zero | tr '\\0' ')'";
    let reply = format!("printf 'sat\\n((define-fun b () Bool '; {nest}; printf true; {ends}");
    shop.solver("deep", &format!("{reply}; echo '))'"));
    shop.run(&["deep"], &[]).expect(0);
    assert_eq!(model_of(&shop, "deep").0, "valid");
}

#[test]
fn check_and_eval_have_limits_that_can_be_raised() {
    let script =
        "(declare-const x String)\n(assert (= 3 (str.len (str.++ x x x x x))))\n(check-sat)\n";
    let model = format!("((define-fun x () String \"{}\"))", "a".repeat(100_000));
    let bench = Bench::with_model(script, &model);
    let check = ["check", "script.smt2", "--model", "model", "--memory"];
    let small = bench.run(&[&check[..], &["2MB"]].concat()).expect(3);
    assert!(small.stdout.starts_with("exceeded: "), "{small:?}");
    assert!(small.stdout.contains("--timeout and --memory set the limits"), "{small:?}");
    bench.run(&[&check[..], &["1GB"]].concat()).expect(2);
    let eval = ["eval", "script.smt2", "--model", "model", "--memory"];
    let small = bench.run(&[&eval[..], &["2MB"]].concat()).expect(3);
    assert!(small.stdout.contains("undecided"), "{small:?}");
    assert!(small.stderr.contains("--timeout and --memory set the limits"), "{small:?}");
    bench.run(&[&eval[..], &["1GB"]].concat()).expect(0);
}

#[test]
fn the_own_solver_is_not_blamed_for_refusing_a_model_after_unsat() {
    let bench = Bench::new();
    bench.write("a.smt2", include_str!("../../../suites/demo/incremental.smt2"));
    let run =
        ["run", "--bench", "a.smt2", "--solver", "luthier", "--timeout", "60s", "--db", "r.db"];
    bench.run(&run).expect(0);
    let shown = bench.run(&["show", "r.db", "1", "--json"]).expect(0).json();
    let classes: Vec<&str> = shown["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| answer["class"].as_str().unwrap())
        .collect();
    // Without an arithmetic solver the second one may stay unknown.
    assert_eq!((classes[0], classes[2]), ("sat", "sat"), "{shown}");
    assert!(["unsat", "unknown"].contains(&classes[1]), "{shown}");
    assert_ne!(shown["class"], "unsupported", "{shown}");
}

#[test]
fn an_error_that_answers_a_request_does_not_spoil_later_answers() {
    let shop = Shop::with(
        "(declare-const x String)(assert (= (str.len x) 2))(check-sat)\n\
         (push 1)(assert (= x \"a\"))(check-sat)(pop 1)(check-sat)\n",
    );
    let model = "echo '((define-fun x () String \"ab\"))'";
    for (name, refusal) in [
        ("wordy", "there is, regrettably, nothing of the kind here"),
        ("z3like", "line 9 column 10: model is not available"),
    ] {
        let error = format!("echo '(error \"{refusal}\")'");
        shop.solver(name, &format!("echo sat; {model}; echo unsat; {error}; echo sat; {model}"));
    }
    // The same error behind the model belongs to the next assertion.
    let error = "echo '(error \"line 9 column 10: model is not available\")'";
    shop.solver("tainted", &format!("echo sat; {model}; {error}; echo unsat; {error}; echo sat"));
    shop.run(&["wordy", "z3like", "tainted"], &[]);
    let class = |solver: &str| shop.run_of(solver)["class"].as_str().unwrap().to_owned();
    assert_eq!([class("wordy"), class("z3like")], ["sat", "sat"]);
    assert_eq!(class("tainted"), "unsupported");
}
