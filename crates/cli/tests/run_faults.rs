//! Solvers that misbehave, all the way from `luthier run` to the table: each fault is attributed to its
//! cause, and no process or file of the solver is left.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::common::shop::{Shop, TWO, classes, finish, survivors, two_with};

/// Runs one solver on an instance; gives the classes of its row and how the run ended.
fn outcome(instance: &str, script: &str, more: &[&str]) -> (Shop, String, String) {
    let shop = Shop::with(instance);
    shop.solver("fake", script);
    // A second solver beside it must never be touched by the first one's fault.
    shop.solver("good", "echo sat; echo '((define-fun x () String \"ab\"))'");
    let run = shop.run(&["fake", "good"], more);
    assert!([0, 2, 3].contains(&run.code), "{run:?}");
    let good = shop.row("good");
    assert_eq!(classes(&good), "sat 1", "{good}");
    assert_eq!((&good["wrong"], &good["valid_model"]), (&0.into(), &1.into()), "{good}");
    shop.check_database();
    let ending = shop.run_of("fake")["ending"].as_str().unwrap().to_owned();
    let classes = classes(&shop.row("fake"));
    (shop, classes, ending)
}

/// Fails if class or ending are others.
#[track_caller]
fn check(script: &str, more: &[&str], class: &str, ending: &str) -> Shop {
    let (shop, classes, ended) = outcome(TWO, script, more);
    assert_eq!((classes.as_str(), ended.as_str()), (format!("{class} 1").as_str(), ending));
    shop
}

/// Seconds that nobody else sleeps, to be found in command lines.
fn marker(number: u32) -> String {
    format!("{}.{number:03}", 200_000_000 + u64::from(std::process::id()))
}

#[test]
fn a_daemon_with_a_session_of_its_own_is_dead_afterwards() {
    let marker = marker(1);
    let script =
        format!("(setsid sh -c 'setsid sleep {marker} & exec setsid sleep {marker}' &)\necho sat");
    check(&script, &[], "sat", "exit code 0");
    assert_eq!(survivors(&marker), Vec::<String>::new());
}

#[test]
fn a_solver_that_sleeps_and_ignores_the_request_to_end_meets_the_wall_limit() {
    let marker = marker(2);
    let script = format!("trap '' TERM INT HUP; (trap '' TERM; sleep {marker}); sleep {marker}");
    let shop = check(&script, &["--wall-timeout", "2s"], "timeout", "wall time limit");
    assert_eq!(survivors(&marker), Vec::<String>::new());
    assert_eq!(shop.row("fake")["par2"], 120.0);
}

#[test]
fn a_solver_that_burns_time_meets_the_cpu_limit() {
    let shop = check("while :; do :; done", &["--timeout", "1s"], "timeout", "CPU time limit");
    let row = shop.row("fake");
    assert!(row["cpu_seconds"].as_f64().unwrap() >= 1.0, "{row}");
    assert_eq!(row["par2"], 2.0);
}

#[test]
fn a_solver_that_eats_memory_meets_the_memory_limit() {
    check("exec tail /dev/zero", &["--memory", "100MB"], "memout", "memory limit");
}

#[test]
fn an_answer_before_a_limit_is_kept_but_counts_as_the_limit() {
    let script = "echo unsat; while :; do :; done";
    let limit = ["--timeout", "500ms"];
    let (shop, classes, _) = outcome(&two_with("luthier-expected sat"), script, &limit);
    assert_eq!(classes, "timeout 1");
    assert_eq!(shop.row("fake")["wrong"], 1);
    assert_eq!(shop.run_of("fake")["answers"][0]["said"], "unsat");
}

#[test]
fn a_flood_of_output_costs_us_little_memory() {
    let shop = Shop::with(TWO);
    shop.solver("flood", "exec head -c 1000000000 /dev/zero");
    shop.solver("noisy", "head -c 1000000000 /dev/zero >&2; echo sat");
    let solvers = ["--solver", "flood", "--solver", "noisy"];
    let arguments = ["run", "--bench", "set", "--db", "results.db", "--timeout", "60s"];
    let mut command = shop.command(&[&arguments[..], &solvers].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        let text = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0_u64));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(0));
    assert!((1_000..300_000).contains(&peak), "{peak} kB");
    assert_eq!(classes(&shop.row("flood")), "malformed 1");
    assert_eq!(shop.run_of("flood")["ending"], "output limit");
    assert_eq!(classes(&shop.row("noisy")), "sat 1");
    // What is kept of zeroes takes next to nothing.
    let size = fs::metadata(shop.bench.path("results.db")).unwrap().len();
    assert!(size < 5_000_000, "{size} bytes");
}

#[test]
fn an_answer_before_a_crash_is_kept_and_may_be_wrong() {
    let script = "echo sat; kill -SEGV $$";
    let (shop, classes, ending) = outcome(TWO, script, &[]);
    assert_eq!((classes.as_str(), ending.as_str()), ("crash 1", "signal 11 (SIGSEGV)"));
    assert_eq!(shop.row("fake")["wrong"], 0);

    let shop = Shop::with(&two_with("luthier-expected unsat"));
    shop.solver("fake", script);
    shop.run(&["fake"], &[]).expect(2);
    let row = shop.row("fake");
    assert_eq!((&row["crash"], &row["wrong"], &row["sat"]), (&1.into(), &1.into(), &0.into()));
    let run = shop.run_of("fake");
    assert_eq!((&run["answers"][0]["said"], &run["class"]), (&"sat".into(), &"crash".into()));
    assert_eq!(shop.kinds(), ["wrong-sat", "crash"]);
}

#[test]
fn words_of_an_answer_inside_a_model_are_no_answer() {
    let instance = "(set-logic QF_S)\n(declare-const x String)\n\
                    (assert (str.prefixof \"unsat\" x))\n(check-sat)\n";
    let shop = Shop::with(instance);
    let model = "((define-fun x () String \"unsat core\"))";
    shop.solver("fake", &format!("echo sat; echo '{model}'"));
    // The same on lines of their own, where a reader of lines would be taken in.
    let split = "(\n(define-fun x () String \"unsat\nunsat\n\")\n)";
    shop.solver("split", &format!("echo sat; cat <<'END'\n{split}\nEND"));
    shop.run(&["fake", "split"], &[]).expect(0);
    for solver in ["fake", "split"] {
        let row = shop.row(solver);
        assert_eq!(classes(&row), "sat 1");
        assert_eq!((&row["valid_model"], &row["wrong"]), (&1.into(), &0.into()), "{row}");
    }
}

#[test]
fn an_error_before_the_answer_makes_it_no_claim() {
    let script = "echo '(error \"line 3: unknown constant str.len\")'; echo unsat; exit 1";
    let (shop, classes, ending) = outcome(&two_with("luthier-expected sat"), script, &[]);
    assert_eq!((classes.as_str(), ending.as_str()), ("unsupported 1", "exit code 1"));
    assert_eq!(shop.row("fake")["wrong"], 0, "it did not answer this question");
    assert_eq!(shop.run_of("fake")["answers"][0]["judgement"], "no-claim");
}

#[test]
fn an_error_after_the_answer_changes_nothing() {
    let script = "echo unsat; echo '(error \"no model\")'; exit 1";
    let shop = Shop::with(&two_with("luthier-expected unsat"));
    shop.solver("fake", script);
    shop.run(&["fake"], &[]).expect(0);
    assert_eq!(classes(&shop.row("fake")), "unsat 1");
    assert_eq!(shop.row("fake")["right"], 1);
}

#[test]
fn what_is_no_answer_is_malformed() {
    check("head -c 100000 /dev/urandom", &[], "malformed", "exit code 0");
    check("printf 'sat\\000\\377\\376\\n'", &[], "malformed", "exit code 0");
    check("exec >&-; sleep 0.1", &[], "malformed", "exit code 0");
    check("exit 0", &[], "malformed", "exit code 0");
    check("echo 'the answer is sat'", &[], "malformed", "exit code 0");
    check("exit 7", &[], "crash", "exit code 7");
}

#[test]
fn an_answer_before_standard_output_is_closed_counts() {
    check("echo sat; exec >&- 2>&-; sleep 0.1", &[], "sat", "exit code 0");
}

#[test]
fn a_solver_that_says_unknown_or_gives_up_in_words_is_not_decided() {
    check("echo unknown; echo '(:reason-unknown \"timeout\")'", &[], "unknown", "exit code 0");
    check("echo timeout", &[], "timeout", "exit code 0");
    check("echo unsupported", &[], "unsupported", "exit code 0");
    check("echo '(error \"out of memory\")'; exit 101", &[], "memout", "exit code 101");
}

#[test]
fn a_kill_from_outside_is_not_attributed_to_the_solver() {
    let shop = Shop::with(TWO);
    shop.solver("fake", "kill -KILL $$");
    shop.run(&["fake"], &[]).expect(3);
    let row = shop.row("fake");
    assert_eq!((classes(&row).as_str(), &row["par2"]), ("framework_error 1", &0.0.into()));
    assert!(row["par2_mean"].is_null(), "{row}");
}

#[test]
fn a_program_that_cannot_be_started_is_our_fault() {
    let shop = Shop::with(TWO);
    shop.describe("fake", "2.6", "fake");
    let missing = shop.run(&["fake"], &[]).expect(1);
    assert!(missing.stderr.contains("fake"), "{missing:?}");
    assert!(!shop.bench.path("results.db").exists(), "nothing is made in vain");
    let missing = shop.run(&["fake=./nowhere"], &[]).expect(1);
    assert!(missing.stderr.contains("nowhere"), "{missing:?}");

    shop.bench.write("plain", "#!/bin/sh\necho sat\n");
    let interpreter = shop.bench.path("interpreter");
    shop.executable("fake", &format!("#!{}\necho sat\n", interpreter.display()));
    for (number, solver) in ["fake", "fake=./plain"].into_iter().enumerate() {
        let database = format!("{number}.db");
        let run = shop.run(&[solver], &["--db", &database]).expect(3);
        let rows = shop.rows_of(&database);
        assert_eq!(classes(&rows[0]), "framework_error 1", "{run:?}");
        let shown = shop.luthier(&["show", &database, "1", "--json"]).expect(0).json();
        let ending = shown["ending"].as_str().unwrap();
        assert!(ending.starts_with("not started: "), "{ending}");
    }
    // Once it can be started, those runs and no others are made again.
    std::os::unix::fs::symlink("/bin/sh", interpreter).unwrap();
    let same = shop.run(&["fake"], &["--db", "0.db", "--json"]).expect(3).json();
    assert_eq!(same["made"], 0, "they count as made until somebody says otherwise");
    let arguments = ["--db", "0.db", "--retry-errors", "--json"];
    let again = shop.run(&["fake"], &arguments).expect(0).json();
    assert_eq!((&again["made"], &again["recorded"]), (&1.into(), &0.into()), "{again}");
}

#[test]
fn answers_are_counted_against_the_questions() {
    let several = format!("{TWO}(push 1)\n(assert (= x \"abc\"))\n(check-sat)\n(pop 1)\n");
    let shop = Shop::with(&several);
    shop.solver("fewer", "echo sat");
    shop.solver("more", "echo sat; echo unsat; echo sat");
    shop.solver("as-many", "echo sat; echo unsat");
    shop.solver("crash", "echo sat; kill -ABRT $$");
    shop.run(&["fewer", "more", "as-many", "crash"], &[]).expect(0);
    assert_eq!(classes(&shop.row("fewer")), "malformed 1");
    assert_eq!(classes(&shop.row("more")), "malformed 1");
    assert_eq!(classes(&shop.row("as-many")), "unsat 1");
    assert_eq!(classes(&shop.row("crash")), "crash 1");
    assert_eq!(shop.run_of("fewer")["answers"].as_array().unwrap().len(), 1);
    assert_eq!(shop.run_of("more")["answers"].as_array().unwrap().len(), 0);
}

#[test]
fn what_a_solver_writes_into_its_folder_is_gone() {
    let script = "mkdir -p deep/er && echo x > deep/er/file && echo y > \"$TMPDIR/z\"; echo sat";
    let shop = check(script, &[], "sat", "exit code 0");
    assert_eq!(fs::read_dir(shop.bench.path("set")).unwrap().count(), 1);
    assert!(!shop.bench.path("deep").exists());
}

#[test]
fn standard_output_that_nobody_reads_is_no_error() {
    let shop = Shop::with(TWO);
    shop.solver("fake", "echo sat");
    let program = env!("CARGO_BIN_EXE_luthier");
    let line = format!("{program} run --bench set --solver fake --db results.db | head -c 0");
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", &line]).current_dir(shop.bench.path("."));
    shop.prepare(&mut command);
    let run = finish(command);
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert_eq!(shop.total(), 1);
}
