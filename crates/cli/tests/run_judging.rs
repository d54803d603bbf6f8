//! The judgement on answers, models and cores, from `luthier run` to the findings.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO, classes, two_with};
use serde_json::Value;

const RIGHT: &str = "echo sat; echo '((define-fun x () String \"ab\"))'";
const INVALID: &str = "echo sat; echo '((define-fun x () String \"abc\"))'";

/// Three named assertions of which `one` and `other` are the only minimal core.
const NAMED: &str = "(declare-const x String)\n(assert (! (= x \"a\") :named one))\n\
                     (assert (! (= x \"b\") :named other))\n\
                     (assert (! (str.prefixof \"a\" x) :named beside))\n(check-sat)\n";

fn core(names: &str) -> String {
    format!("echo unsat; echo '({names})'")
}

/// The judgements on the answers of a solver's only run, with their evidence.
fn judgements(shop: &Shop, solver: &str) -> Vec<String> {
    let run = shop.run_of(solver);
    let answers = run["answers"].as_array().unwrap().iter();
    let words = answers.map(|answer| match &answer["evidence"] {
        Value::String(evidence) => {
            format!("{} by {evidence}", answer["judgement"].as_str().unwrap())
        }
        _ => answer["judgement"].as_str().unwrap().to_owned(),
    });
    words.collect()
}

#[test]
fn an_invalid_model_is_found_and_can_be_reproduced() {
    let shop = Shop::with(TWO);
    shop.solver("fake", INVALID);
    let run = shop.run(&["fake"], &[]).expect(2);
    assert!(run.stdout.contains("INVALID MODELS (1)"), "{run:?}");
    let command = run.stdout.lines().find_map(|line| line.trim().strip_prefix("$ ")).unwrap();
    assert!(command.contains("luthier show results.db 1 --copy | "), "{command}");
    // The command does what it says.
    let program = env!("CARGO_BIN_EXE_luthier");
    let line = command.replacen("luthier", program, 1);
    let mut again = std::process::Command::new("/bin/sh");
    again.args(["-c", &line]).current_dir(shop.bench.path("."));
    shop.prepare(&mut again);
    let again = crate::common::shop::finish(again).expect(0);
    assert_eq!(again.stdout, "sat\n((define-fun x () String \"abc\"))\n");

    let row = shop.row("fake");
    assert_eq!(
        (&row["invalid_model"], &row["wrong"], &row["sat"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert_eq!(row["par2"], 120.0, "an answer with an invalid model is none");
    let findings = shop.findings();
    assert_eq!(shop.kinds(), ["invalid-model"]);
    assert_eq!((&findings[0]["run"], &findings[0]["query"]), (&1.into(), &1.into()));
    assert!(findings[0]["detail"].as_str().unwrap().contains("in line 3 is false"), "{findings:?}");
    shop.luthier(&["summary", "results.db"]).expect(2);
}

#[test]
fn a_model_without_a_value_is_incomplete_and_without_models_none_is_asked_for() {
    let shop = Shop::with(TWO);
    shop.solver("fake", "grep -q get-model && echo sat && echo '()' || echo sat");
    shop.run(&["fake"], &[]).expect(0);
    let row = shop.row("fake");
    assert_eq!((&row["incomplete_model"], &row["invalid_model"]), (&1.into(), &0.into()), "{row}");
    shop.run(&["fake"], &["--no-models", "--db", "without.db"]).expect(0);
    let rows = shop.rows_of("without.db");
    assert_eq!((&rows[0]["sat"], &rows[0]["incomplete_model"]), (&1.into(), &0.into()));
}

#[test]
fn a_verdict_against_the_planted_answer_is_wrong() {
    let shop = Shop::with(&two_with("luthier-expected sat"));
    shop.solver("wrong", "echo unsat");
    shop.solver("right", "echo sat");
    shop.run(&["wrong", "right"], &[]).expect(2);
    assert_eq!(judgements(&shop, "wrong"), ["wrong by planted"]);
    assert_eq!(judgements(&shop, "right"), ["right by planted"]);
    assert_eq!(shop.kinds(), ["wrong-unsat"]);
    let text = shop.luthier(&["summary", "results.db", "--findings"]).expect(2).stdout;
    assert!(text.contains("wrong says unsat; it is sat (planted answer)"), "{text}");
    assert!(text.contains("luthier show results.db "), "{text}");
    let row = shop.row("wrong");
    assert_eq!((&row["wrong"], &row["unsat"], &row["par2"]), (&1.into(), &1.into(), &120.0.into()));
    assert_eq!(shop.row("right")["right"], 1);
}

#[test]
fn a_valid_model_refutes_the_status_of_a_file_and_nobody_is_wrong() {
    let shop = Shop::with(&two_with("status unsat"));
    shop.solver("fake", RIGHT);
    shop.run(&["fake"], &[]).expect(0);
    assert_eq!(shop.kinds(), ["wrong-status"]);
    assert_eq!(judgements(&shop, "fake"), ["right by model"]);
    // A solver whose answer agrees with the wrong status is wrong.
    shop.solver("gullible", "echo unsat");
    shop.run(&["gullible"], &[]).expect(2);
    assert_eq!(judgements(&shop, "gullible"), ["wrong by model"]);
    assert_eq!(shop.kinds(), ["wrong-unsat", "wrong-status"]);
}

#[test]
fn a_valid_model_against_a_planted_unsat_is_a_fault_of_ours() {
    let shop = Shop::with(&two_with("luthier-expected unsat"));
    shop.solver("sat", RIGHT);
    shop.solver("unsat", "echo unsat");
    shop.run(&["sat", "unsat"], &[]).expect(2);
    assert_eq!(shop.kinds(), ["planted-against-model", "disputed"]);
    for solver in ["sat", "unsat"] {
        assert_eq!(
            (&shop.row(solver)["wrong"], &shop.row(solver)["disputed"]),
            (&0.into(), &1.into())
        );
    }
}

#[test]
fn the_status_counts_only_where_it_is_trusted() {
    let shop = Shop::with(&two_with("status sat"));
    shop.solver("fake", "echo unsat");
    shop.run(&["fake"], &[]).expect(2);
    assert_eq!(judgements(&shop, "fake"), ["wrong by status"]);
    shop.run(&["fake"], &["--distrust-status"]).expect(0);
    assert_eq!(judgements(&shop, "fake"), ["unjudged"]);
}

#[test]
fn solvers_that_contradict_each_other_are_disputed_and_nobody_is_wrong() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    shop.solver("other", "echo unsat");
    shop.solver("third", "echo unsat");
    shop.run(&["one", "other", "third"], &[]).expect(0);
    assert_eq!(shop.kinds(), ["disputed"]);
    let detail = shop.findings()[0]["detail"].as_str().unwrap().to_owned();
    assert_eq!(detail, "sat: one; unsat: other, third");
    for solver in ["one", "other", "third"] {
        let row = shop.row(solver);
        assert_eq!((&row["wrong"], &row["disputed"]), (&0.into(), &1.into()), "{row}");
    }
    let vote = shop.luthier(&["summary", "results.db", "--vote", "--findings"]).expect(0).stdout;
    assert!(vote.contains("most families vote unsat, which is no proof"), "{vote}");
}

#[test]
fn two_families_that_agree_are_evidence_and_one_family_is_not() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    shop.describe("sister", "2.6", "one");
    shop.program("sister", "echo sat # sister");
    shop.run(&["one", "sister"], &[]).expect(0);
    assert_eq!(judgements(&shop, "one"), ["unjudged"]);
    shop.solver("other", "echo sat # other");
    shop.run(&["other"], &[]).expect(0);
    assert_eq!(judgements(&shop, "one"), ["right by agreement"]);
}

#[test]
fn every_query_is_judged_by_itself() {
    let text = "(set-logic QF_SLIA)\n(declare-const x String)\n(set-info :luthier-expected sat)\n\
                (check-sat)\n(push 1)\n(assert (= (str.len x) 2))\n(check-sat)\n\
                (set-info :luthier-expected unsat)\n(assert (= x \"abc\"))\n(check-sat)\n(pop 1)\n\
                (check-sat)\n";
    let shop = Shop::with(text);
    let model = |value: &str| format!("echo '((define-fun x () String \"{value}\"))'");
    let answers = [
        format!("echo sat; {}", model("")),
        format!("echo sat; {}", model("abc")),
        "echo sat".to_owned(),
        "echo unknown".to_owned(),
    ];
    shop.solver("fake", &answers.join("\n"));
    shop.run(&["fake"], &[]).expect(2);
    let expected = ["right by planted", "unjudged", "wrong by planted", "no-claim"];
    assert_eq!(judgements(&shop, "fake"), expected);
    let row = shop.row("fake");
    assert_eq!(classes(&row), "unknown 1", "the query that gave the least");
    assert_eq!((&row["wrong"], &row["invalid_model"]), (&1.into(), &1.into()));
    let findings = shop.findings();
    let queries: Vec<_> = findings.iter().map(|one| (&one["kind"], &one["query"])).collect();
    let expected: [(Value, Value); 2] =
        [("wrong-sat".into(), 3.into()), ("invalid-model".into(), 2.into())];
    assert_eq!(queries, expected.each_ref().map(|(kind, query)| (kind, query)));
    let run = shop.run_of("fake");
    assert_eq!(run["answers"][0]["model"], "valid");
    // What shows the finding again asks in the same way as the run did.
    assert!(run["reproduce"].as_str().unwrap().contains("--incremental"), "{run}");
}

#[test]
fn a_core_is_held_against_the_planted_one() {
    let shop = Shop::with(&format!(
        "(set-info :luthier-expected unsat)\n(set-info :luthier-core \"one other\")\n{NAMED}"
    ));
    shop.solver("minimal", &core("other one"));
    shop.solver("larger", &core("one beside other"));
    shop.solver("lacking", &core("one beside"));
    shop.solver("foreign", &core("one other nobody"));
    shop.run(&["minimal", "larger", "lacking", "foreign"], &[]).expect(2);
    let outcome = |solver: &str| shop.run_of(solver)["answers"][0]["core"].clone();
    let solvers = ["minimal", "larger", "lacking", "foreign"];
    assert_eq!(solvers.map(outcome), ["minimal", "larger", "invalid", "invalid"]);
    assert_eq!(solvers.map(|one| shop.row(one)["invalid_core"].as_u64().unwrap()), [0, 0, 1, 1]);
    assert_eq!(solvers.map(|one| shop.row(one)["wrong"].as_u64().unwrap()), [0; 4]);
    assert_eq!(shop.kinds(), ["invalid-core", "invalid-core"]);
    let details: Vec<_> = shop.findings().iter().map(|one| one["detail"].to_string()).collect();
    assert!(details[0].contains("it lacks `other`"), "{details:?}");
    assert!(details[1].contains("it names what is not asserted: `nobody`"), "{details:?}");
    let run = shop.findings()[0]["run"].to_string();
    let copy = shop.luthier(&["show", "results.db", &run, "--copy"]).expect(0).stdout;
    assert!(copy.contains("(set-option :produce-unsat-cores true)"), "{copy}");
    assert!(copy.contains("(get-unsat-core)"), "the copy is what the solver got: {copy}");
}

#[test]
fn a_core_is_solved_again_by_another_family() {
    let shop = Shop::with(NAMED);
    shop.solver("fake", &core("one other"));
    shop.run(&["fake"], &["--cores", "always", "--db", "alone.db"]).expect(0);
    assert_eq!(shop.rows_of("alone.db")[0]["unconfirmed_core"], 1, "nobody to ask");

    shop.solver("confirmer", "cat > \"$0.asked\"; echo unsat");
    let with = ["--cores", "always", "--confirm-cores-with", "confirmer"];
    shop.run(&["fake"], &with).expect(0);
    assert_eq!(shop.row("fake")["confirmed_core"], 1);
    let asked = std::fs::read_to_string(shop.bench.path("bin/confirmer.asked")).unwrap();
    assert!(asked.contains("one") && asked.contains("other"), "{asked}");
    assert!(!asked.contains("prefixof"), "only the core is asked: {asked}");

    for (number, (script, expected, kind, code)) in [
        ("echo sat", "disputed_core", "disputed-core", 0),
        // A model that satisfies the whole core is proof, whoever found it.
        ("echo sat; echo '((define-fun x () String \"a\"))'", "invalid_core", "invalid-core", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let shop = Shop::with(NAMED);
        shop.solver("fake", &core("one beside"));
        shop.solver("confirmer", script);
        shop.run(&["fake"], &with).expect(code);
        assert_eq!(shop.row("fake")[expected], 1, "case {number}");
        assert_eq!(shop.kinds(), [kind]);
    }
}

#[test]
fn a_second_opinion_that_differs_from_the_referee_is_a_finding() {
    let shop = Shop::with(TWO);
    shop.solver("right", RIGHT);
    shop.solver("invalid", INVALID);
    shop.solver("accepts", "cat > \"$0.asked\"; echo sat");
    shop.solver("rejects", "echo unsat");
    let with = ["--verify-with", "accepts", "--verify-with", "rejects"];
    shop.run(&["right"], &with).expect(0);
    assert_eq!(shop.kinds(), ["different-opinion"]);
    let asked = std::fs::read_to_string(shop.bench.path("bin/accepts.asked")).unwrap();
    assert!(asked.contains("(assert (= x \"ab\"))"), "{asked}");
    shop.run(&["invalid"], &with).expect(2);
    let kinds = ["invalid-model", "different-opinion", "different-opinion"];
    assert_eq!(shop.kinds(), kinds);
    let details: Vec<_> = shop.findings().iter().map(|one| one["detail"].to_string()).collect();
    assert!(details.iter().any(|one| one.contains("rejects rejects it")), "{details:?}");
    assert!(details.iter().any(|one| one.contains("accepts accepts it")), "{details:?}");
}

#[test]
fn a_valid_model_is_proof_whatever_stands_beside_it() {
    for before in ["echo unknown", "echo '(error \"line 1: what?\")'; echo sat"] {
        let shop = Shop::with(TWO);
        shop.solver("wrong", "echo unsat");
        shop.solver("modest", &format!("{before}; echo '((define-fun x () String \"ab\"))'"));
        shop.run(&["wrong", "modest"], &[]).expect(2);
        assert_eq!(judgements(&shop, "wrong"), ["wrong by model"]);
        assert_eq!(judgements(&shop, "modest"), ["no-claim"]);

        // A model that nobody vouches for and that is invalid is nobody's fault.
        let shop = Shop::with(TWO);
        shop.solver("modest", &format!("{before}; echo '((define-fun x () String \"\"))'"));
        shop.run(&["modest"], &[]).expect(0);
        assert_eq!(shop.row("modest")["invalid_model"], 0);
    }
}
