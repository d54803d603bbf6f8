//! `luthier conformance` on a real release, which needs pip and a network, and on programs that
//! misbehave in the middle.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::common::{Bench, Run};
use serde_json::Value;

/// A binary with a cache, settings and a search path, and nothing of the user's.
struct Workshop {
    bench: Bench,
}

const DESCRIPTION: &str = "name = \"mine\"\ntitle = \"Mine\"\nprograms = [\"mine\"]\n\
                           [version]\narguments = [\"-V\"]\nanswer = \"mine {version}\"\n\
                           [run]\narguments = [\"{file}\"]\n[[dialects]]\nname = \"2.6\"\n\
                           [[ask.incremental]]\narguments = [\"-i\"]\n\
                           [option-sets.odd]\nsummary = \"nothing\"\narguments = [\"-odd\"]\n";

impl Workshop {
    fn new() -> Self {
        Self { bench: Bench::new() }
    }

    /// With a solver `mine` that says `unsat` unless a line of the shell's `case` says otherwise
    /// for an assertion.
    fn with_solver(cases: &str) -> Self {
        let workshop = Self::new();
        workshop.bench.write("settings/luthier/solvers/mine.toml", DESCRIPTION);
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = -V ] && {{ echo mine 2.1; exit; }}\n\
             for argument; do file=$argument; done\nanswer=unsat\n\
             while read -r line; do case \"$line\" in\n{cases}\n\
             '(echo '*) line=${{line#*\\\"}}; echo \"${{line%\\\"*}}\";;\n\
             '(check-sat)') echo $answer; answer=unsat;;\nesac; done < \"$file\"\n"
        );
        workshop.bench.write("bin/mine", script);
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(workshop.bench.path("bin/mine"), permissions).unwrap();
        workshop
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let mut command = self.bench.command(&[&["conformance"], arguments].concat());
        command.env("XDG_CACHE_HOME", self.bench.path("cache"));
        command.env("XDG_CONFIG_HOME", self.bench.path("settings"));
        if self.bench.path("bin").exists() {
            command.env("PATH", self.bench.path("bin"));
        }
        let output = command.output().unwrap();
        Run {
            code: output.status.code().expect("it ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn outcomes(release: &Value) -> Vec<(&str, &str)> {
    let findings = release["findings"].as_array().unwrap().iter();
    let text = |value: &'_ Value| -> &'static str { value.as_str().unwrap().to_owned().leak() };
    findings.map(|one| (text(&one["fact"]), text(&one["outcome"]))).collect()
}

#[test]
fn a_real_release_is_asked_and_its_faults_are_listed_with_scripts() {
    let workshop = Workshop::new();
    let missing = workshop.run(&["--solver", "cvc4@1.6", "--only", "str.at"]).expect(1);
    assert!(missing.stderr.contains("cvc4@1.6 is not installed"), "{missing:?}");

    let arguments = ["--solver", "cvc4@1.6", "--only", "str.at", "--only", "core/xor"];
    let run = workshop.run(&[&arguments[..], &["--install", "--json"]].concat()).expect(2);
    let record = run.json();
    assert_eq!(record["facts"], 148 + 68);
    let release = &record["releases"][0];
    assert_eq!(release["name"], "cvc4@1.6");
    assert_eq!((&release["dialect"], &release["as_written"]), (&"cvc4-1.6".into(), &false.into()));
    let [at, xor] = &release["operators"].as_array().unwrap()[..] else { panic!("{run:?}") };
    assert_eq!((&at["operator"], &at["file"]), (&"str.at".into(), &"strings/str.at".into()));
    assert_eq!(xor["counts"], serde_json::json!({ "right": 68 }));
    // It computes positions modulo two to the power of 32, and has 256 characters.
    let expected = serde_json::json!({ "inexpressible": 14, "right": 132, "wrong": 2 });
    assert_eq!(at["counts"], expected);
    let wrong: Vec<&Value> = release["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["outcome"] == "wrong")
        .collect();
    assert_eq!(wrong[0]["fact"], "at-078");
    assert_eq!(wrong[0]["text"], "(= (str.at \"abc\" 4294967296) \"\")");
    assert!(wrong[0]["script"].as_str().unwrap().contains("(assert (not (= (str.at"));

    let run = workshop.run(&[&arguments[..], &["--list-wrong"]].concat()).expect(2);
    assert!(run.stdout.starts_with("cvc4@1.6: 2 wrong answers\n  at-078 "), "{run:?}");
    assert!(run.stdout.contains("\n    (check-sat)\n"), "{run:?}");
    assert!(run.stdout.contains("\nstr.at  132/148 W2 i14\nxor                 68\n"), "{run:?}");

    let run = workshop.run(&[&arguments[..], &["--markdown"]].concat()).expect(2);
    assert!(run.stdout.starts_with("| | facts | cvc4@1.6 |\n|---|---:|---:|\n"), "{run:?}");
    assert!(run.stdout.contains("\n| `xor` | 68 | 68 |\n| total | 216 | "), "{run:?}");
}

#[test]
fn a_release_that_is_right_about_everything_ends_with_0() {
    let workshop = Workshop::with_solver("");
    let run = workshop.run(&["--only", "core/xor", "--only", "at-001"]).expect(0);
    assert!(run.stdout.contains("mine@2.1\nstr.at         1\nxor           68\n"), "{run:?}");
    assert!(run.stdout.contains("all facts come out right"), "{run:?}");
}

#[test]
fn a_process_that_dies_in_the_middle_loses_no_fact() {
    // One crash, one error after which it ends, one error after which it goes on, one answer
    // that is wrong, one that never comes.
    let workshop = Workshop::with_solver(
        "*'(xor true true)'*) kill -SEGV $$;;\n\
         *'(xor true false)'*) echo '(error \"not that\")'; exit 1;;\n\
         *'(xor false true)'*) echo '(error \"nor that\")'; answer=sat;;\n\
         *'(xor false false)'*) answer=sat;;\n\
         *'(str.at \"\" (- 2))'*) answer=;;",
    );
    let arguments = ["--solver", "mine", "--only", "xor", "--only", "str.at", "--jobs", "2"];
    let run = workshop.run(&[&arguments[..], &["--json"]].concat()).expect(2);
    let record = run.json();
    let release = &record["releases"][0];
    let suite = include_str!("../../../conformance/core/xor.smt2");
    let facts = suite.lines().filter_map(|line| line.strip_prefix("(assert (! "));
    let mut expected = vec![("at-001", "crash")];
    for fact in facts {
        let name = fact.rsplit_once(' ').unwrap().1.trim_end_matches(')');
        let outcome =
            ["(xor true true)", "(xor true false)", "(xor false true)", "(xor false false)"]
                .iter()
                .position(|pattern| fact.contains(pattern));
        match outcome {
            Some(0) => expected.push((name, "crash")),
            Some(1 | 2) => expected.push((name, "unsupported")),
            Some(_) => expected.push((name, "wrong")),
            None => {}
        }
    }
    assert!(expected.len() > 4, "{expected:?}");
    assert_eq!(outcomes(release), expected);
    let counts = &release["counts"];
    assert_eq!(
        counts["right"].as_u64().unwrap() + expected.len() as u64,
        record["facts"].as_u64().unwrap()
    );
    // Asked in other words, it reports the same errors.
    let said: Vec<&str> = release["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["outcome"] == "unsupported")
        .map(|one| one["detail"].as_str().unwrap())
        .collect();
    assert!(said.contains(&"not that") && said.contains(&"nor that"), "{said:?}");
}

#[test]
fn what_is_not_read_as_written_is_asked_in_the_words_of_the_dialect() {
    let workshop = Workshop::with_solver("*'(_ char '*) echo '(error \"no char\")';;");
    let run = workshop.run(&["--solver", "mine", "--only", "char-001", "--json"]).expect(3);
    assert_eq!(outcomes(&run.json()["releases"][0]), [("char-001", "rewritten")]);
}

#[test]
fn a_fact_that_takes_too_long_is_a_timeout_and_the_others_are_not() {
    let workshop = Workshop::with_solver("*'(xor true true)'*) while :; do :; done;;");
    let arguments = ["--solver", "mine", "--only", "core-xor-001", "--only", "core-xor-068"];
    let run = workshop.run(&[&arguments[..], &["--timeout", "300ms", "--json"]].concat()).expect(3);
    assert_eq!(outcomes(&run.json()["releases"][0]), [("core-xor-001", "timeout")]);
}

#[test]
fn option_sets_are_given_and_wrong_names_are_refused() {
    let workshop = Workshop::with_solver("");
    let run = workshop.run(&["--solver", "mine+odd", "--only", "at-001", "--json"]).expect(0);
    let record = run.json();
    assert_eq!(record["releases"][0]["name"], "mine@2.1+odd");
    assert_eq!(record["releases"][0]["option_sets"], serde_json::json!(["odd"]));
    for (arguments, expected) in [
        (&["--solver", "mine+even"][..], "mine@2.1 has no option set `even`"),
        (&["--solver", "mine+"], "cannot be an option set"),
        (&["--solver", "nobody"], "no solver is called `nobody`"),
        (&["--solver", "mine", "--only", "str.foo"], "is called `str.foo`"),
        (&["--solver", "mine", "--timeout", "soon"], "is no time"),
        (&["--solver", "mine", "--markdown", "--json"], "cannot be used with"),
    ] {
        let run = workshop.run(arguments).expect(1);
        assert!(run.stderr.contains(expected) && run.stdout.is_empty(), "{arguments:?}: {run:?}");
    }
    // One that is not there does not keep the others from being asked.
    let arguments = ["--solver", "mine", "--solver", "nobody", "--only", "at-001", "--json"];
    let record = workshop.run(&arguments).expect(3).json();
    assert_eq!(record["releases"].as_array().unwrap().len(), 1);
    assert_eq!(record["failed"][0]["name"], "nobody");
}
