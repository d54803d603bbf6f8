//! `luthier run`: what is run, in which way, and what is said if it cannot be.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;

use crate::common::shop::{Shop, TWO, classes};
use serde_json::Value;

const SAT: &str = "echo sat";

/// Keeps a list of the instances that it is asked about, by their number.
const DIARY: &str = "grep -o 'number [a-z]*' >> \"${0%/*}/diary\"; echo sat";

/// Instances `a` to the last of these letters; each says its own.
fn lettered(shop: &Shop, letters: &str) {
    for letter in letters.chars() {
        let text = format!("(declare-const x String)(assert (= x \"number {letter}\"))(check-sat)");
        shop.bench.write(&format!("set/{letter}.smt2"), text);
    }
}

/// What [`DIARY`] wrote, and forgets it.
fn diary(shop: &Shop) -> String {
    let path = shop.bench.path("bin/diary");
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    text.lines().map(|line| line.strip_prefix("number ").unwrap()).collect()
}

fn strings<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

#[test]
fn a_list_shows_what_would_be_run_and_makes_nothing() {
    let shop = Shop::with(TWO);
    shop.bench.write("set/faulty.smt2", "(assert");
    shop.bench.write("set/copy.smt2", TWO);
    shop.solver("one", SAT);
    let more = ["--list", "--repeat", "3", "--seed", "7", "--memory", "1GB"];
    let text = shop.run(&["one -v"], &more).expect(0);
    for expected in [
        "1 configuration\n  one -v\n",
        "bin/one --seed=7 -v {file}\n",
        "dialect 2.6, sha256 ",
        "  set: 3 instances, 1 of which cannot be read\n",
        "6 runs, each at most 60s of CPU time, 120s on the wall and 1GB of memory",
    ] {
        assert!(text.stdout.contains(expected), "{expected}: {text:?}");
    }
    let json = shop.run(&["one -v"], &[&more[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(json["runs"], 6);
    assert_eq!(json["sets"][0]["faulty"], 1);
    let configuration = &json["configurations"][0];
    assert_eq!(configuration["seed"], 7);
    assert_eq!(configuration["arguments"], serde_json::json!(["--seed=7", "-v", "{file}"]));
    assert_eq!(configuration["sha256"].as_str().unwrap().len(), 64);
    assert!(!shop.bench.path("results.db").exists());
    let run = shop.run(&["one -v"], &["--repeat", "3", "--seed", "7", "--memory", "1GB", "--json"]);
    assert_eq!(run.expect(3).json()["runs"], json["runs"], "the list counts what is run");
}

#[test]
fn an_experiment_in_a_file_is_the_same_as_its_options() {
    let shop = Shop::with(TWO);
    shop.solver("one", SAT);
    let options = ["--seed", "3", "--cores", "always", "--memory", "1GB", "--no-models"];
    let listed = shop.run(&["one -v"], &[&options[..], &["--list", "--json"]].concat());
    let listed = listed.expect(0).json();
    let experiment = listed["experiment"].as_str().unwrap();
    shop.bench.write("experiment.toml", experiment);
    let from_file = shop.luthier(&["run", "experiment.toml", "--list", "--json"]).expect(0).json();
    assert_eq!(from_file["configurations"], listed["configurations"]);
    assert_eq!(from_file["sets"], listed["sets"]);
    // One after the other: the second finds everything done, under the same identity.
    shop.run(&["one -v"], &options).expect(0);
    let again = shop.luthier(&["run", "experiment.toml", "--json"]).expect(0).json();
    assert_eq!((&again["made"], &again["recorded"]), (&0.into(), &1.into()), "{again}");
    // Options override the file.
    let other = ["run", "experiment.toml", "--timeout", "7s", "--json"];
    let other = shop.luthier(&other).expect(0).json();
    assert_eq!(other["made"], 1);
    let mut limits: Vec<_> =
        shop.rows().iter().map(|row| row["cpu_limit_seconds"].as_f64().unwrap()).collect();
    limits.sort_by(f64::total_cmp);
    assert_eq!(limits, [7.0, 60.0]);
}

#[test]
fn what_cannot_be_run_says_why_and_what_to_do() {
    let shop = Shop::with(TWO);
    shop.solver("one", SAT);
    shop.bench.write("bad.toml", "jobs = 2\ntimeout = \"2 parsecs\"\n");
    shop.bench.write("unknown.toml", "\n\n[[set]]\nname = \"a\"\npath = [\"x\"]\n");
    shop.bench.write("empty/readme.txt", "nothing here");
    for (arguments, expected) in [
        (&["--solver", "yices"][..], "no solver is called `yices`"),
        (&["--solver", "z3@4.8.5"], "hint: luthier solvers install z3@4.8.5"),
        (&["--solver", "one+unheard"], "has no option set `unheard`"),
        (&["--solver", "one 'a"], "a quotation mark is not closed"),
        (&["--solver", "one", "--solver", "one"], "two configurations are called one"),
        (&["--solver", "one", "--timeout", "soon"], "`soon` is no time"),
        (&["--solver", "one", "--timeout", "0s"], "`0s` is no time"),
        (&["--solver", "one", "--memory", "much"], "`much` is no size"),
        (&["--solver", "one", "--jobs", "0"], "at least 1 job"),
        (&["--solver", "one", "--repeat", "0"], "there must be at least 1 repetition"),
        (&["--solver", "one", "--limit", "0"], "leaves nothing to run"),
        (&["--solver", "one", "--sample"], "a sample needs a limit"),
        (&["--solver", "one", "--order", "best"], "there is instances, solvers, random"),
        (&["--solver", "one", "--cores", "some"], "there is never, where-planted, always"),
        (&["--solver", "one", "--dialect", "3.0"], "3.0"),
        (&["--solver", "one", "--suite", "unheard"], "there is no suite `unheard`; there are demo"),
        (&["--solver", "one", "--verify-with", "yices"], "no solver is called `yices`"),
        (&["--solver", "one", "--db", "no/where.db"], "the folder no is not there"),
        (&["--solver", "one", "--db", "set/a.smt2"], "is not a Luthier database"),
        (&[], "there is no solver to run"),
        (&["bad.toml"], "bad.toml:2:11: `2 parsecs` is no time"),
        (&["unknown.toml"], "unknown.toml:5:1: unknown field `path`"),
        (&["missing.toml"], "missing.toml: "),
    ] {
        let run = shop.luthier(&[&["run", "--bench", "set"], arguments].concat()).expect(1);
        assert!(run.stderr.contains(expected), "{arguments:?}: {run:?}");
        assert!(run.stdout.is_empty() && !run.stderr.contains("panicked"), "{run:?}");
        assert!(!shop.bench.path("luthier.db").exists(), "{arguments:?}");
    }
    let run = shop.luthier(&["run", "--solver", "one"]).expect(1);
    assert!(run.stderr.contains("hint: name instances with --bench"), "{run:?}");
    let nothing = shop.luthier(&["run", "--solver", "one", "--bench", "empty"]).expect(3);
    assert!(nothing.stderr.contains("there is no script"), "{nothing:?}");
    for list in [&[][..], &["--list"]] {
        // Nothing that was named is there: that is a slip of the pen, and leaves no trace.
        let missing = ["run", "--solver", "one", "--bench", "nowhere", "--db", "new.db"];
        let missing = shop.luthier(&[&missing[..], list].concat()).expect(1);
        assert!(missing.stderr.contains("nowhere: no such file or folder"), "{missing:?}");
        let left = ["new.db", "new.db-scratch"].map(|name| shop.bench.path(name).exists());
        assert_eq!(left, [false, false]);
        let missing = ["run", "--solver", "one", "--bench", "nowhere", "--bench", "set"];
        let missing = shop.luthier(&[&missing[..], list].concat()).expect(3);
        assert!(missing.stderr.contains("nowhere: "), "{missing:?}");
        assert!(missing.stdout.contains("set"), "the rest is there: {missing:?}");
    }
}

#[test]
fn an_instance_that_cannot_be_read_is_our_fault_and_the_others_are_run() {
    let shop = Shop::with(TWO);
    shop.bench.write("set/b.smt2", "(declare-const x String)\n(assert (= x 1))\n(check-sat)\n");
    shop.solver("one", "cat >> \"$0.asked\"; echo sat");
    let run = shop.run(&["one"], &["--json"]).expect(3);
    assert!(run.stderr.contains("b.smt2:2:"), "{run:?}");
    let json = run.json();
    let fault = &json["faulty_instances"][0];
    assert_eq!(fault["instance"], "b.smt2");
    assert!(fault["fault"].as_str().unwrap().starts_with("2:"), "{fault}");
    let row = shop.row("one");
    assert_eq!(classes(&row), "sat 1 framework_error 1");
    let asked = fs::read_to_string(shop.bench.path("bin/one.asked")).unwrap();
    assert_eq!(asked.matches("(check-sat)").count(), 1, "{asked}");
}

#[test]
fn a_copy_is_run_once_and_counted_twice() {
    let shop = Shop::with(TWO);
    shop.bench.write("set/b.smt2", TWO);
    shop.bench.write("other/c.smt2", TWO);
    shop.solver("one", DIARY);
    let json = shop.run(&["one"], &["--bench", "other", "--json"]).expect(0).json();
    assert_eq!((&json["runs"], &json["made"]), (&1.into(), &1.into()));
    let rows = shop.rows();
    let counts: Vec<_> =
        rows.iter().map(|row| (row["set"].clone(), row["total"].clone())).collect();
    assert_eq!(counts, [("other".into(), 1.into()), ("set".into(), 2.into())]);
    let text = shop.luthier(&["summary", "results.db"]).expect(0).stdout;
    assert!(text.contains("3 instances, 3 runs"), "{text}");
}

#[test]
fn an_archive_is_a_set() {
    let shop = Shop::new();
    let path = shop.bench.path("bench.tar.gz");
    let zipped = flate2::write::GzEncoder::new(fs::File::create(path).unwrap(), Default::default());
    let mut archive = tar::Builder::new(zipped);
    for name in ["track1/a.smt2", "track2/b.smt2", "readme.txt"] {
        let text = format!("{TWO}; {name}");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap();
    shop.solver("one", SAT);
    let run = ["run", "--bench", "bench.tar.gz", "--solver", "one", "--db", "results.db"];
    shop.luthier(&run).expect(0);
    let row = shop.row("one");
    assert_eq!((&row["set"], &row["total"]), (&"bench".into(), &2.into()));
    let names: Vec<_> = (1..=2).map(|run| shop.show(run)["instances"][0].clone()).collect();
    assert_eq!(names, ["bench/track1/a.smt2", "bench/track2/b.smt2"]);
}

#[test]
fn a_limit_takes_the_first_and_a_sample_depends_on_the_seed_alone() {
    let shop = Shop::new();
    lettered(&shop, "abcdefghijklmnop");
    shop.solver("one", DIARY);
    let chosen = |more: &[&str]| {
        let _ = fs::remove_file(shop.bench.path("results.db"));
        shop.run(&["one"], more).expect(0);
        diary(&shop)
    };
    assert_eq!(chosen(&["--limit", "3"]), "abc");
    let sample = |seed| chosen(&["--limit", "4", "--sample", "--seed", seed]);
    let first = sample("1");
    assert_eq!(first.len(), 4);
    assert_eq!(first, sample("1"));
    assert!(["2", "3", "4"].into_iter().any(|seed| sample(seed) != first), "always {first}");
    let all = chosen(&["--limit", "400", "--sample"]);
    assert_eq!(all, "abcdefghijklmnop");
}

#[test]
fn the_order_is_what_was_asked_for() {
    let shop = Shop::new();
    lettered(&shop, "abc");
    shop.solver("one", &format!("echo number one >> \"${{0%/*}}/diary\"; {DIARY}"));
    shop.solver("two", &format!("echo number two >> \"${{0%/*}}/diary\"; {DIARY}"));
    let order = |order: &str, seed: &str| {
        let _ = fs::remove_file(shop.bench.path("results.db"));
        let more = ["--order", order, "--seed", seed, "--jobs", "1"];
        shop.run(&["one", "two"], &more).expect(0);
        diary(&shop)
    };
    assert_eq!(order("instances", "1"), "oneatwoaonebtwobonectwoc");
    assert_eq!(order("solvers", "1"), "oneaonebonectwoatwobtwoc");
    let random = order("random", "1");
    assert_eq!(random, order("random", "1"));
    let mut parts: Vec<char> = random.chars().collect();
    parts.sort_unstable();
    let mut expected: Vec<char> = order("solvers", "1").chars().collect();
    expected.sort_unstable();
    assert_eq!(parts, expected, "the same runs");
    assert!(["2", "3", "4"].into_iter().any(|seed| order("random", seed) != random));
}

#[test]
fn repetitions_and_seeds_make_runs_and_configurations() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo \"$*\" >> \"$0.diary\"; echo sat");
    let more = ["--repeat", "2", "--seed", "5", "--seed", "6", "--json"];
    let json = shop.run(&["one"], &more).expect(0).json();
    assert_eq!(json["runs"], 4);
    let rows = Value::Array(shop.rows());
    assert_eq!(strings(&rows, "solver"), ["one seed=5", "one seed=6"]);
    assert!(rows.as_array().unwrap().iter().all(|row| row["total"] == 2));
    assert_ne!(rows[0]["configuration"], rows[1]["configuration"]);
    let diary = fs::read_to_string(shop.bench.path("bin/one.diary")).unwrap();
    assert_eq!(diary.matches("--seed=5 /dev/stdin").count(), 2, "{diary}");
    assert_eq!(diary.matches("--seed=6 /dev/stdin").count(), 2, "{diary}");
    // More of the same only adds what is missing.
    let more = ["--repeat", "3", "--seed", "5", "--seed", "6", "--json"];
    let json = shop.run(&["one"], &more).expect(0).json();
    assert_eq!((&json["made"], &json["recorded"]), (&2.into(), &4.into()));
}
