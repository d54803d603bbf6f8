//! `luthier solvers`: installing, listing, testing and removing real releases, which needs pip and
//! a network, and what is said where there are none.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::thread;

use crate::common::{Bench, Run};
use luthier_smtlib::Dialect;
use serde_json::Value;

/// A binary with a cache, settings and nothing of the user's.
struct Workshop {
    bench: Bench,
}

impl Workshop {
    fn new() -> Self {
        Self { bench: Bench::new() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(&[&["solvers"], arguments].concat());
        command.env("XDG_CACHE_HOME", self.bench.path("cache"));
        command.env("XDG_CONFIG_HOME", self.bench.path("settings"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        finish(self.command(arguments))
    }

    /// A program on a search path that has nothing else.
    fn program(&self, name: &str, script: &str) {
        self.bench.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        let path = self.bench.path(&format!("bin/{name}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run_on_own_path(&self, arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command.env("PATH", self.bench.path("bin"));
        finish(command)
    }
}

fn finish(mut command: Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn names(records: &Value) -> Vec<&str> {
    records.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn a_release_is_installed_once_listed_tested_and_removed() {
    let workshop = Workshop::new();
    let installed = workshop.run(&["install", "cvc4@1.6", "--json"]).expect(0).json();
    assert_eq!(installed["releases"][0]["result"], "installed");
    let sha256 = installed["releases"][0]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(sha256.len(), 64);
    // Without a network now: it must not be fetched again.
    let mut again = workshop.command(&["install", "cvc4@1.6.0", "cvc4@1.6"]);
    let again = finish({
        again.env("PIP_NO_INDEX", "1");
        again
    })
    .expect(0);
    assert_eq!(again.stdout.matches("already there: cvc4@1.6 in ").count(), 2, "{again:?}");

    let list = workshop.run_on_own_path(&["list", "--json"]).expect(0).json();
    let cvc4 = &list["solvers"].as_array().unwrap()[0];
    assert_eq!(names(&cvc4["releases"]), ["cvc4@1.6"]);
    assert_eq!(cvc4["releases"][0]["sha256"], sha256.as_str());
    assert_eq!(cvc4["releases"][0]["dialect"], "cvc4-1.6");
    assert_eq!(names(&list["solvers"]), ["cvc4", "cvc5", "luthier", "ostrich", "z3", "z3-noodler"]);

    let test = workshop.run(&["test", "cvc4@1.6", "--json"]).expect(0).json();
    let tested = &test["releases"][0];
    assert_eq!(tested["result"], "right", "{test}");
    assert_eq!(tested["runs"][0]["answer"], "sat");
    assert_eq!(tested["runs"][0]["model"], "valid");
    assert_eq!(tested["runs"][1]["answer"], "unsat");

    // The same program by its path.
    let path = cvc4["releases"][0]["path"].as_str().unwrap();
    let test = workshop.run(&["test", path]).expect(0);
    assert!(test.stdout.contains("in dialect cvc4-1.6: sat ("), "{test:?}");

    let removed = workshop.run(&["remove", "cvc4@1.6"]).expect(0);
    assert_eq!(removed.stdout, "removed: cvc4@1.6\n");
    let gone = workshop.run(&["test", "cvc4@1.6"]).expect(1);
    assert!(gone.stderr.contains("luthier solvers install cvc4@1.6 fetches it"), "{gone:?}");
    workshop.run(&["remove", "cvc4@1.6"]).expect(1);
}

#[test]
fn cvc5_runs_from_its_libraries_as_its_executable_does() {
    let workshop = Workshop::new();
    // Two at once: one fetches it, the other waits.
    thread::scope(|scope| {
        let install = || workshop.run(&["install", "cvc5@1.4.2", "--json"]).expect(0).json();
        let [one, other] = [scope.spawn(install), scope.spawn(install)];
        let [one, other] = [one, other].map(|thread| thread.join().unwrap());
        let results = [one, other].map(|run| run["releases"][0]["result"].clone());
        assert!(results.contains(&"installed".into()), "{results:?}");
    });
    let test = workshop.run(&["test", "cvc5@latest"]).expect(0);
    assert!(test.stdout.starts_with("right: cvc5@latest in dialect cvc5: sat ("), "{test:?}");

    let folder = workshop.bench.path("cache/luthier/solvers/cvc5/1.4.2/lib");
    let folder = folder.to_str().unwrap();
    let shell = |arguments: &[&str], script: &str| {
        let all = [&["cvc5-shell", "--library", folder], arguments].concat();
        workshop.bench.run_with_input(&all, script)
    };
    let version = shell(&["--version"], "").expect(0);
    assert!(version.stdout.starts_with("This is cvc5 version 1.4.2"), "{version:?}");
    let logic = "(set-logic QF_S)\n(set-option :produce-models true)\n(declare-const x String)\n";
    let wrong = format!(
        "{logic}(assert (= x \"a\" \"b\"))(check-sat)(get-model)(echo \"on\")(push 1)(echo \"no\")"
    );
    // A question without an answer does not end the script, another error does.
    let run = shell(&[], &wrong).expect(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0] == "unsat" && lines[1].starts_with("(error \""), "{run:?}");
    assert!(lines[2] == "\"on\"" && lines[3].contains("--incremental"), "{run:?}");
    assert_eq!(lines.len(), 4);
    // What the library itself prints for a verdict has a reason behind it, which is no verdict.
    let endless = format!(
        "{logic}(declare-const y String)(declare-const z String)\n\
         (assert (= (str.++ x \"b\" y \"a\" z) (str.++ y \"b\" z \"a\" x)))\n\
         (assert (> (str.len x) 40))(assert (not (= x y)))\n\
         (assert (= (str.len x) (* (str.len y) (str.len z))))(check-sat)"
    )
    .replace("QF_S", "ALL");
    assert_eq!(shell(&["--tlimit-per=200"], &endless).expect(0).stdout, "unknown\n");
    let run = shell(&["-i", "--seed", "3"], "(set-logic ALL)(push 1)(check-sat)(exit)(nonsense)");
    assert_eq!(run.expect(0).stdout, "sat\n");
    let run = shell(&[], "(set-logic ALL)\n(assert (= x \"\"))\n(check-sat)").expect(1);
    assert!(run.stdout.starts_with("(error \"Parse Error: Symbol 'x'"), "{run:?}");
    for (arguments, expected) in [
        (&["--unheard-of"][..], "can't understand option `--unheard-of'"),
        (&["--seed=x"], "(error \""),
        (&["missing.smt2"], "(error \"Couldn't open file: missing.smt2\")"),
        (&["--dump-models"], "needs the executable"),
    ] {
        let run = shell(arguments, "").expect(1);
        assert!(run.stderr.contains(expected) && run.stdout.is_empty(), "{run:?}");
    }
}

/// The second number of the version of the Python that is used for installing.
fn minor_of_python() -> u32 {
    let mut command = Command::new("python3");
    command.args(["-I", "-c", "import sys; print(sys.version_info[1])"]);
    finish(command).expect(0).stdout.trim().parse().unwrap()
}

#[test]
fn an_older_cvc5_runs_inside_the_python_that_it_was_installed_for() {
    let workshop = Workshop::new();
    let install = workshop.run(&["install", "cvc5@1.1.2", "--json"]);
    if !(8..=12).contains(&minor_of_python()) {
        // There is no module for other versions, and that has to be said.
        let run = install.expect(1);
        assert!(
            run.stderr.contains("there is one for Python 3.8, 3.9, 3.10, 3.11, 3.12"),
            "{run:?}"
        );
        return;
    }
    assert_eq!(install.expect(0).json()["releases"][0]["result"], "installed");
    let test = workshop.run(&["test", "cvc5@1.1.2", "--json"]).expect(0).json();
    assert_eq!(test["releases"][0]["runs"][0]["model"], "valid", "{test}");
    assert_eq!(test["releases"][0]["runs"][1]["answer"], "unsat", "{test}");

    let folder = workshop.bench.path("cache/luthier/solvers/cvc5/1.1.2/lib");
    let folder = folder.to_str().unwrap();
    let shell = |arguments: &[&str], script: &str| {
        let all = [&["cvc5-shell", "--library", folder], arguments].concat();
        workshop.bench.run_with_input(&all, script)
    };
    assert_eq!(shell(&["--version"], "").expect(0).stdout, "This is cvc5 version 1.1.2\n");
    let script = "(set-logic ALL)(set-option :produce-unsat-cores true)(declare-const x String)\n\
                  (assert (! (= x \"a\") :named one))(assert (! (= x \"b\") :named two))\n\
                  (assert (! (= (str.len x) 1) :named three))\n\
                  (check-sat)(get-unsat-core)(get-model)(push 1)(echo \"no\")";
    let run = shell(&["--minimal-unsat-cores", "--lang=smt2"], script).expect(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[..5], ["unsat", "(", "one", "two", ")"], "{run:?}");
    assert!(lines[5].contains("Cannot get model") && lines[6].contains("--incremental"), "{run:?}");
    assert_eq!(lines.len(), 7, "{run:?}");
    let run = shell(&[], "(set-logic ALL)\n(assert (= x \"\"))\n(check-sat)").expect(1);
    assert!(run.stdout.starts_with("(error \"Parse Error: "), "{run:?}");
    // Neither the release nor that Python is changed by a run.
    let left = fs::read_dir(workshop.bench.path("cache/luthier/solvers/cvc5/1.1.2/lib/cvc5"));
    assert_eq!(left.unwrap().count(), 2);
    assert_eq!(workshop.run(&["remove", "cvc5@1.1.2"]).expect(0).stdout, "removed: cvc5@1.1.2\n");
}

#[test]
fn a_python_without_a_module_of_cvc5_is_told_which_ones_have_it() {
    let workshop = Workshop::new();
    let mut real = Command::new("python3");
    real.args(["-I", "-c", "import sys; print(sys.executable)"]);
    let real = finish(real).expect(0).stdout;
    let pretend = format!(
        "case \"$*\" in *sys.implementation*) echo cpython 3.7 /old/python;; *) exec '{}' \"$@\";; esac",
        real.trim()
    );
    workshop.program("python3", &pretend);
    let run = workshop.run_on_own_path(&["install", "cvc5@1.1.2"]).expect(1);
    let expected = "cvc5@1.1.2 runs inside Python, and pip finds none for Python 3.7 (/old/python)";
    assert!(run.stderr.contains(expected), "{run:?}");
    assert!(run.stderr.contains("there is one for Python 3.8, 3.9, 3.10, 3.11, 3.12"), "{run:?}");
}

#[test]
fn without_python_pip_or_an_index_the_way_out_is_said() {
    let workshop = Workshop::new();
    workshop.bench.write("bin/nothing", "");
    let run = workshop.run_on_own_path(&["install", "z3@5.4.0"]).expect(1);
    assert!(run.stderr.contains("there is no python3 on the search path"), "{run:?}");
    assert!(run.stderr.contains("hint: install Python 3 with pip"), "{run:?}");

    workshop.program("python3", "echo \"$0: No module named pip\" >&2; exit 1");
    for release in ["z3@5.4.0", "z3@latest"] {
        let run = workshop.run_on_own_path(&["install", release]).expect(1);
        assert!(run.stderr.contains("has no pip"), "{run:?}");
        assert!(run.stderr.contains("hint: python3 -m ensurepip"), "{run:?}");
    }

    // pip, told to look nowhere; a folder of packages in its settings is left out too.
    for release in ["cvc4@1.6", "cvc4@latest"] {
        let mut command = workshop.command(&["install", release, "--json"]);
        command.env("PIP_NO_INDEX", "1").env("PIP_CONFIG_FILE", "/dev/null");
        command.env_remove("PIP_FIND_LINKS");
        let run = finish(command).expect(1);
        let record = run.json();
        assert_eq!(record["releases"][0]["result"], "failed");
        let error = record["releases"][0]["error"].as_str().unwrap();
        assert_eq!(error, "pip finds no package cvc4-solver at all", "{run:?}");
        assert!(run.stderr.contains("PIP_NO_INDEX"), "{run:?}");
    }
    let left = workshop.run_on_own_path(&["list", "--json"]).expect(0).json();
    let solvers = left["solvers"].as_array().unwrap();
    assert!(solvers.iter().all(|solver| solver["releases"] == Value::Array(Vec::new())));
}

/// Modules of these names in the folder in which luthier is started would be run by a Python that
/// looks there first.
#[test]
fn modules_in_the_working_folder_are_not_run_by_python() {
    let workshop = Workshop::new();
    let mark = workshop.bench.path("executed");
    let hostile = format!("open({:?}, 'a').write(__name__ + '\\n')\n", mark.display().to_string());
    for module in
        ["pip", "json", "zipfile", "runpy", "ssl", "sitecustomize", "usercustomize", "site"]
    {
        workshop.bench.write(&format!("{module}.py"), &hostile);
    }
    workshop.bench.write("pip/__init__.py", &hostile);
    workshop.bench.write("pip/__main__.py", &hostile);
    for python_path in [None, Some(""), Some("."), Some(":"), Some("lib:.:")] {
        for arguments in [
            &["solvers", "install", "z3@5.4.0"][..],
            &["solvers", "install", "cvc5@1.1.2"],
            &["solvers", "list", "--available", "cvc4"],
            &["demo"],
            &["run", "--suite", "demo", "--solver", "z3@5.4.0", "--install"],
        ] {
            let mut command = workshop.bench.command(arguments);
            command.env("XDG_CACHE_HOME", workshop.bench.path("cache"));
            command.env("XDG_CONFIG_HOME", workshop.bench.path("settings"));
            // Nothing is fetched; pip is run all the same.
            command.env("PIP_NO_INDEX", "1").env_remove("PYTHONPATH");
            command.envs(python_path.map(|path| ("PYTHONPATH", path)));
            let run = command.output().unwrap();
            let executed = fs::read_to_string(&mark).unwrap_or_default();
            assert_eq!(executed, "", "{arguments:?} with {python_path:?}: {run:?}");
            if python_path.is_some() {
                break;
            }
        }
    }
}

/// A release in the cache that is not what was installed is not run.
#[test]
fn a_release_that_was_changed_is_refused_until_it_is_removed() {
    let workshop = Workshop::new();
    let folder = "cache/luthier/solvers/z3/5.4.0";
    let program = "#!/bin/sh\necho Z3 version 5.4.0\n";
    workshop.bench.write(&format!("{folder}/bin/z3"), program);
    let path = workshop.bench.path(&format!("{folder}/bin/z3"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    // The SHA-256 of another file.
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let manifest = format!(
        r#"{{"solver": "z3", "version": "5.4.0", "answer": "Z3 version 5.4.0",
            "package": "z3-solver", "package_version": "5.4.0.0", "wheel": "w.whl",
            "wheel_sha256": "{sha256}", "file": "bin/z3", "sha256": "{sha256}",
            "library": false}}"#
    );
    workshop.bench.write(&format!("{folder}/release.json"), manifest);
    for arguments in [&["test", "z3@5.4.0"], &["install", "z3@5.4.0"]] {
        let refused = workshop.run(arguments).expect(1);
        assert!(
            refused.stderr.contains("another SHA-256 than when it was installed"),
            "{refused:?}"
        );
        assert!(refused.stderr.contains("luthier solvers remove z3@5.4.0"), "{refused:?}");
    }
    let listed = workshop.run_on_own_path(&["list", "z3"]).expect(3);
    assert!(listed.stderr.contains("another SHA-256"), "{listed:?}");
    workshop.run(&["remove", "z3@5.4.0"]).expect(0);
    assert!(!path.exists());
}

#[test]
fn what_cannot_be_installed_or_removed_says_why() {
    let workshop = Workshop::new();
    for (arguments, expected) in [
        (&["install", "ostrich@1.4"][..], "ostrich=PATH"),
        (&["install", "z3"], "z3@latest"),
        (&["install", "cvc5@1.0.8"], "only versions >=1.0.9, <1.2.0 and >=1.2.0 can"),
        (&["install", "yices@2"], "known are cvc4, cvc5, luthier, ostrich, z3, z3-noodler"),
        (&["install", "z3@new"], "names no release"),
        (&["install", "cvc4@1.5"], "pip finds no cvc4@1.5"),
        (&["remove", "z3@5.4.0"], "is not installed"),
        (&["remove", "./z3"], "only what luthier installed"),
        (&["test", "./missing"], "missing: "),
        (&["list", "yices"], "no solver is called `yices`"),
        (&["install"], "SOLVER@VERSION"),
        (&["test", "--seconds", "0"], "0 is not in"),
    ] {
        let run = workshop.run(arguments).expect(1);
        assert!(run.stderr.contains(expected) && run.stdout.is_empty(), "{arguments:?}: {run:?}");
    }
}

const DESCRIPTION: &str = "name = \"mine\"\ntitle = \"Mine\"\nprograms = [\"mine\"]\n\
                           [version]\narguments = [\"-V\"]\nanswer = \"mine {version}\"\n\
                           [run]\narguments = [\"{file}\"]\n[[dialects]]\nname = \"2.6\"\n\
                           [[ask.models]]\nscript = [\"(set-option :produce-models true)\"]\n";

/// A solver that answers by the first assertion, with a model that is right or wrong.
fn solver(model: &str) -> String {
    format!(
        "[ \"$1\" = -V ] && {{ echo mine 2.1; exit; }}\nread line < \"$1\"\n\
         case \"$line\" in *produce-models*) ;; *) exit 9;; esac\n\
         case \"$(while read -r line; do echo \"$line\"; done < \"$1\")\" in\n\
         *'(= (str.len x) 3)'*) echo unsat;;\n*) echo sat; echo '{model}';;\nesac"
    )
}

#[test]
fn a_solver_described_in_the_settings_is_found_and_its_model_is_judged() {
    let workshop = Workshop::new();
    workshop.bench.write("settings/luthier/solvers/mine.toml", DESCRIPTION);
    let right = r#"((define-fun x () String "ab") (define-fun y () String "c") (define-fun z () String "abc"))"#;
    workshop.program("mine", &solver(right));
    let list = workshop.run_on_own_path(&["list"]).expect(0);
    assert!(list.stdout.contains("2.1      on the search path:"), "{list:?}");
    let test = workshop.run_on_own_path(&["test"]).expect(0);
    assert!(test.stdout.starts_with("right: mine in dialect 2.6: sat ("), "{test:?}");

    workshop.program("mine", &solver(&right.replace("\"abc\"", "\"aaa\"")));
    let test = workshop.run_on_own_path(&["test", "mine", "--json"]).expect(2).json();
    assert_eq!(test["releases"][0]["runs"][0]["model"], "invalid");
    assert_eq!(test["releases"][0]["result"], "wrong");

    workshop.program("mine", "[ \"$1\" = -V ] && echo mine 2.1 || echo unknown");
    let test = workshop.run_on_own_path(&["test", "mine"]).expect(3);
    assert!(test.stdout.starts_with("no answer: mine"), "{test:?}");
    assert!(test.stdout.contains("unknown instead of unsat"), "{test:?}");
}

#[test]
fn a_wrong_description_is_an_error_at_its_line() {
    let workshop = Workshop::new();
    let wrong = DESCRIPTION.replace("[run]", "[runs]");
    workshop.bench.write("settings/luthier/solvers/mine.toml", wrong);
    let run = workshop.run(&["list"]).expect(1);
    assert!(run.stderr.contains("mine.toml:7:2: unknown field `runs`"), "{run:?}");
}

#[test]
fn every_dialect_in_a_description_is_one() {
    let catalogue = luthier_runner::releases::Catalogue::built_in().unwrap();
    for description in catalogue.descriptions() {
        for rule in &description.dialects {
            assert!(rule.name.parse::<Dialect>().is_ok(), "{}", rule.name);
        }
    }
}
