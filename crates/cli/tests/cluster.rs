//! `luthier cluster` with a solver whose faults are known: our own one behind a script that gives some
//! operators another meaning in one corner case each (`tools/faulty-solver.sh`).
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::BTreeSet;
use std::fs;

use crate::common::shop::{Shop, finish};
use serde_json::Value;

/// The operators with a fault.
const FAULTS: [&str; 4] = ["str.at", "str.contains", "str.from_int", "str.suffixof"];

/// Puts a solver with these faults on the search path.
fn faulty(shop: &Shop, name: &str, faults: &[&str]) {
    let description = format!(
        "name = \"{name}\"\ntitle = \"{name}\"\nfamily = \"faulty\"\nprograms = [\"{name}\"]\n\
         [run]\narguments = [\"--dialect=2.7\", \"{{file}}\"]\n\
         [[dialects]]\nname = \"2.7\"\n\
         [[ask.query-limit]]\narguments = [\"--timeout={{milliseconds}}ms\"]\n\
         [[ask.models]]\nscript = [\"(set-option :produce-models true)\"]\n\
         [[ask.incremental]]\n"
    );
    shop.bench.write(&format!("settings/luthier/solvers/{name}.toml"), description);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/faulty-solver.sh");
    let luthier = env!("CARGO_BIN_EXE_luthier");
    let faults = faults.join(" ");
    shop.program(name, &format!("exec sh '{script}' '{luthier}' '{faults}' \"$@\""));
}

/// Hunts with a solver; how many findings there are.
fn hunt(shop: &Shop, solver: &str, count: &str) -> u64 {
    let arguments = [
        "hunt",
        solver,
        "--suite",
        "bounded",
        "--count",
        count,
        "--variants",
        "0",
        "--sessions",
        "0",
    ];
    let more = ["--out", "found", "--json", "--no-reduce", "--most", "1000", "--timeout", "10s"];
    let limit = ["--query-timeout", "1s"];
    let record = shop.luthier(&[&arguments[..], &more, &limit].concat()).expect(2).json();
    ["wrong_unsat", "wrong_sat", "invalid_model", "wrong_value", "invalid_core"]
        .map(|one| record[one].as_u64().unwrap())
        .iter()
        .sum()
}

fn clusters(record: &Value) -> &Vec<Value> {
    record["clusters"].as_array().unwrap()
}

/// The verdict of a solver of the search path on one assertion.
fn verdict(shop: &Shop, solver: &str, assertion: &str) -> String {
    let script = format!("(set-logic QF_SLIA)\n(assert {assertion})\n(check-sat)\n");
    shop.bench.write("one.smt2", script);
    let mut command = std::process::Command::new(shop.bench.path(&format!("bin/{solver}")));
    shop.prepare(&mut command);
    command.args(["--timeout=10s", "--dialect=2.7", "/dev/stdin"]);
    command.stdin(fs::File::open(shop.bench.path("one.smt2")).unwrap());
    finish(command).stdout.trim().to_owned()
}

#[test]
fn each_planted_fault_is_one_cluster_and_none_mixes_two() {
    let shop = Shop::new();
    faulty(&shop, "faulty", &FAULTS);
    for fault in FAULTS {
        faulty(&shop, &format!("only-{fault}").replace('.', "-").replace('_', "-"), &[fault]);
    }
    faulty(&shop, "right", &[]);
    let found = hunt(&shop, "faulty", "200");
    assert!(found >= 15, "{found}");
    let arguments = ["cluster", "found", "--json", "--out", "bugs", "--known", "known.toml"];
    let record = shop.luthier(&[&arguments[..], &["--remember"]].concat()).expect(0).json();
    assert_eq!(record["failures"], found, "{record}");
    let operators: BTreeSet<String> = clusters(&record)
        .iter()
        .map(|one| one["operators"][0].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(operators, FAULTS.map(str::to_owned).into_iter().collect(), "{record}");
    assert_eq!(clusters(&record).len(), FAULTS.len(), "{record}");
    for cluster in clusters(&record) {
        assert_eq!(cluster["known"], false);
        let operator = cluster["operators"][0].as_str().unwrap();
        // Only the solver with this one fault is wrong about the minimal formula of each member.
        let minimal: BTreeSet<&str> = cluster["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|member| member["minimal"].as_str().unwrap())
            .collect();
        for assertion in minimal.into_iter().take(5) {
            let right = verdict(&shop, "right", assertion);
            for fault in FAULTS {
                let solver = format!("only-{fault}").replace('.', "-").replace('_', "-");
                let is_wrong = verdict(&shop, &solver, assertion) != right;
                assert_eq!(is_wrong, fault == operator, "{fault}: {assertion}");
            }
        }
        // The smallest formula is a file that fails again.
        let smallest = &cluster["smallest"];
        let file = smallest["file"].as_str().unwrap();
        assert!(smallest["nodes"].as_u64().unwrap() <= 8, "{smallest}");
        let class = smallest["class"].as_str().unwrap();
        shop.luthier(&["reduce", file, "--solver", "faulty", "--keep", class, "--check"]).expect(0);
    }

    // The next time everything is known, and a note of the user is kept and shown.
    let known = fs::read_to_string(shop.bench.path("known.toml")).unwrap();
    assert_eq!(known.matches("[[cluster]]").count(), FAULTS.len(), "{known}");
    shop.bench.write("known.toml", known.replacen("note = \"\"", "note = \"reported\"", 1));
    let again =
        shop.luthier(&["cluster", "found", "--known", "known.toml", "--remember"]).expect(0);
    assert!(again.stdout.contains("4 likely bugs (4 known, 0 new)"), "{again:?}");
    assert!(again.stdout.contains("note      reported"), "{again:?}");
    let kept = fs::read_to_string(shop.bench.path("known.toml")).unwrap();
    assert_eq!(kept.matches("[[cluster]]").count(), FAULTS.len(), "{kept}");
}

#[test]
fn a_campaign_with_failing_runs_has_clusters_and_jobs_do_not_matter() {
    let shop = Shop::new();
    faulty(&shop, "faulty", &["str.to_int"]);
    let formula = |assertion: &str| {
        format!(
            "(set-logic QF_SLIA)\n(set-info :luthier-expected sat)\n\
             (set-info :luthier-witness \"((define-fun x () String \"\"\"\"))\")\n\
             (declare-const x String)\n(assert {assertion})\n(check-sat)\n"
        )
    };
    shop.bench.write("set/a.smt2", formula("(and (= x \"\") (= (str.to_int x) (- 1)))"));
    shop.bench.write("set/b.smt2", formula("(and (= (str.len x) 0) (< (str.to_int x) 0))"));
    shop.bench.write("set/c.smt2", formula("(= (str.len x) 0)"));
    shop.run(&["faulty"], &[]).expect(2);
    let one = shop.luthier(&["cluster", "results.db", "--json", "--jobs", "1"]).expect(0).json();
    assert_eq!((&one["failures"], clusters(&one).len()), (&2.into(), 1), "{one}");
    let cluster = &clusters(&one)[0];
    assert_eq!((&cluster["members"], &cluster["corner"]), (&2.into(), &"empty".into()), "{one}");
    let three = shop.luthier(&["cluster", "results.db", "--json", "--jobs", "3"]).expect(0).json();
    assert_eq!(one["clusters"], three["clusters"]);
}

#[test]
fn wrong_inputs_are_refused_with_a_hint() {
    let shop = Shop::new();
    let run = shop.luthier(&["cluster", "."]).expect(1);
    assert!(
        run.stderr.contains("findings.jsonl") && run.stderr.contains("luthier hunt"),
        "{run:?}"
    );
    shop.bench
        .write("found/findings.jsonl", "{\"class\":\"odd\",\"solver\":\"a\",\"file\":\"b\"}\n");
    let run = shop.luthier(&["cluster", "found"]).expect(3);
    assert!(run.stderr.contains("`odd` is no kind of finding"), "{run:?}");
    let run = shop.luthier(&["cluster", "found", "--known", "none.toml"]).expect(1);
    assert!(run.stderr.contains("--remember"), "{run:?}");
    shop.bench.write("known.toml", "[[cluster]]\nname = 3\n");
    shop.luthier(&["cluster", "found", "--known", "known.toml"]).expect(1);
}
