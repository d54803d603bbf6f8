//! `luthier solve` under limits: inputs made to overrun each engine, the rewriter, the reader and
//! the printers. Whatever happens inside, an answer is printed, the time that is used stays near
//! the limit, memory is bounded, and a signal ends the process at once.
//!
//! Time is processor time of the process and of those it has waited for, so that a loaded machine
//! does not matter. Two cores work on a query, so twice the limit may be used.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::common::Bench;

/// The limit of most tests.
const LIMIT: Duration = Duration::from_millis(500);

/// What may be used beyond twice the limit: starting, stopping, and a debug build.
const SLACK: Duration = Duration::from_millis(1500);

/// Processor time of children can only be measured if they run one at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Outcome {
    stdout: String,
    stderr: String,
    code: Option<i32>,
    signal: Option<i32>,
    cpu: Duration,
    /// The most memory that was seen, in bytes.
    peak: u64,
}

impl Outcome {
    /// The answers to queries.
    fn answers(&self) -> Vec<&str> {
        let lines = self.stdout.lines();
        lines.filter(|line| matches!(*line, "sat" | "unsat" | "unknown")).collect()
    }

    /// All that is asked of a run with one query: it has an answer and no time is wasted.
    #[track_caller]
    fn in_time(self, limit: Duration) -> Self {
        assert_eq!(self.answers().len(), 1, "{self:?}");
        self.cheap(2 * limit + SLACK)
    }

    #[track_caller]
    fn cheap(self, most: Duration) -> Self {
        assert!(self.cpu <= most, "{:?} of processor time: {self:?}", self.cpu);
        self
    }
}

/// The processor time of all children that were waited for, and of theirs.
fn time_of_children() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
    let ticks: u64 = fields[13..15].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

fn peak_of(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn started(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = bench.command(&[&["solve", "script.smt2"], arguments].concat());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Reads what a child prints until it has ended.
fn finish(mut child: Child, before: Duration) -> Outcome {
    use std::os::unix::process::ExitStatusExt as _;
    let mut streams = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let stdout = std::thread::spawn(move || {
        let mut text = Vec::new();
        streams.0.read_to_end(&mut text).map(|_| text)
    });
    let stderr = std::thread::spawn(move || {
        let mut text = Vec::new();
        streams.1.read_to_end(&mut text).map(|_| text)
    });
    let mut peak = 0;
    let status = loop {
        peak = peak_of(&child).unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let cpu = time_of_children().saturating_sub(before);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Outcome {
        stdout: text(stdout.join().unwrap().unwrap()),
        stderr: text(stderr.join().unwrap().unwrap()),
        code: status.code(),
        signal: status.signal(),
        cpu,
        peak,
    }
}

fn solve(script: &str, arguments: &[&str]) -> Outcome {
    let _alone = alone();
    let bench = Bench::with_arithmetic();
    bench.write("script.smt2", script);
    let before = time_of_children();
    finish(started(&bench, arguments), before)
}

/// Solves under the usual limit.
#[track_caller]
fn limited(script: &str) -> Outcome {
    let timeout = format!("{}ms", LIMIT.as_millis());
    let outcome = solve(script, &["--timeout", &timeout, "--memory", "1GB"]).in_time(LIMIT);
    // On a loaded machine the time may be over before all is read.
    let unread = outcome.stderr.contains("could not be read");
    assert_eq!(outcome.code, Some(if unread { 3 } else { 0 }), "{outcome:?}");
    assert!(outcome.peak < 1_300_000_000, "{outcome:?}");
    outcome
}

fn assertion(declarations: &str, formula: &str) -> String {
    format!("{declarations}\n(assert {formula})\n(check-sat)\n(get-info :reason-unknown)\n")
}

const X: &str = "(declare-const x String)";
const XY: &str = "(declare-const x String) (declare-const y String) (declare-const z String)";

/// `f60` is a definition whose tree has 2^60 leaves.
fn doubled(parameter: &str, sort: &str, first: &str, step: &str) -> String {
    let mut text = format!("(define-fun f0 (({parameter} {sort})) {sort} {first})\n");
    for level in 1..=60 {
        let body = step.replace("F", &format!("f{}", level - 1));
        let _ = writeln!(text, "(define-fun f{level} (({parameter} {sort})) {sort} {body})");
    }
    text
}

// Engines.

#[test]
fn nested_loops_of_a_language_overrun_nothing() {
    let range = "(re.range \"a\" \"b\")";
    limited(&assertion(
        X,
        &format!("(str.in_re x ((_ re.loop 1 300) ((_ re.loop 1 300) {range})))"),
    ));
    limited(&assertion(
        X,
        &format!(
            "(str.in_re x (re.inter (re.comp ((_ re.loop 2 90) ((_ re.loop 3 80) {range}))) \
             (re.++ re.all ((_ re.^ 200) re.allchar) (str.to_re \"b\") ((_ re.^ 300) {range}))))"
        ),
    ));
}

#[test]
fn exponential_automata_overrun_nothing() {
    // The letter at the n-th place from the end: 2^n states.
    let mut parts = String::new();
    for n in [400, 401, 403] {
        let _ = write!(
            parts,
            "(str.in_re x (re.++ re.all (str.to_re \"a\") ((_ re.^ {n}) (re.range \"a\" \"b\")))) "
        );
    }
    limited(&assertion(X, &format!("(and {parts} (not (= x \"\")))")));
}

#[test]
fn loops_with_indices_beyond_machine_words_overrun_nothing() {
    let huge = format!("1{}", "0".repeat(30));
    limited(&assertion(X, &format!("(str.in_re x ((_ re.loop 2 {huge}) (str.to_re \"ab\")))")));
    limited(&assertion(
        XY,
        &format!("(= x (str.++ y (str.substr z {huge} {huge}) (str.at x (str.len y))))"),
    ));
}

#[test]
fn word_equations_overrun_nothing() {
    // Nielsen's graph of many variables that occur more than twice.
    limited(&assertion(
        &format!("{XY} (declare-const u String) (declare-const v String)"),
        "(and (= (str.++ x y x z u v \"ab\" x) (str.++ z x v y \"ba\" u x y)) \
         (= (str.++ u x v y z z) (str.++ z u z x \"abba\" y v u)) (> (str.len x) 7) \
         (not (= x y)) (not (= u v)))",
    ));
}

#[test]
fn lengths_and_offsets_overrun_nothing() {
    // Cells: many offsets to choose, and letters that clash in most of them.
    let mut formula = String::from("(and (> (str.len x) 400) ");
    for n in 0..60 {
        let _ = write!(
            formula,
            "(str.contains x (str.++ \"a{n}\" y \"b{n}\")) (not (str.contains y \"{n}\")) \
             (not (= (str.indexof x \"{n}b\" {n}) {n}))"
        );
    }
    limited(&assertion(XY, &format!("{formula})")));
}

#[test]
fn flat_words_overrun_nothing() {
    limited(&assertion(
        XY,
        "(and (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)) (> (str.len x) 900000) \
         (not (= (str.at x 5) (str.at x 11))) \
         (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))",
    ));
}

#[test]
fn abstraction_and_search_overrun_nothing() {
    // Many terms, so that laws about pairs of them are many.
    let mut script = String::new();
    for n in 0..400 {
        let _ = writeln!(script, "(declare-const x{n} String)");
    }
    for n in 1..400 {
        let before = n - 1;
        let _ = writeln!(
            script,
            "(assert (= (str.replace_all x{before} \"a\" x{n}) (str.replace x{n} x{before} \"b\")))\
             \n(assert (not (str.contains x{n} (str.++ x{before} x{}))))",
            (n * 7) % 400
        );
    }
    limited(&format!("{script}(check-sat)"));
}

#[test]
fn many_disequalities_overrun_nothing() {
    let mut script = String::new();
    let mut names = String::new();
    for n in 0..5000 {
        let _ = writeln!(script, "(declare-const x{n} String)");
        let _ = write!(names, " x{n}");
    }
    limited(&format!("{script}(assert (distinct{names}))\n(check-sat)"));
    limited(&format!("{script}(assert (not (distinct{names})))\n(check-sat)"));
}

// Rewriting.

#[test]
fn definitions_that_double_overrun_nothing() {
    let strings = doubled("s", "String", "(str.++ s \"a\")", "(F (F s))");
    limited(&assertion(&format!("{X}\n{strings}"), "(= (f60 x) \"b\")"));
    let shared = doubled("s", "String", "(str.++ s \"a\")", "(str.++ (F s) (F s))");
    limited(&assertion(&format!("{X}\n{shared}"), "(= (f60 x) \"b\")"));
    let bools = doubled("b", "Bool", "(not b)", "(= (F b) (or b (F b)))");
    limited(&assertion(&format!("(declare-const b Bool)\n{bools}"), "(f60 b)"));
    let sums = doubled("n", "Int", "(+ n 1)", "(+ (F n) (F n))");
    limited(&assertion(&format!("(declare-const n Int)\n{sums}"), "(= (f60 n) 7)"));
    let products = doubled("n", "Int", "(+ n 1)", "(* (F n) (F n))");
    limited(&assertion(&format!("(declare-const n Int)\n{products}"), "(> (f60 n) 7)"));
}

#[test]
fn definitions_of_languages_that_double_overrun_nothing() {
    let languages = doubled("s", "String", "s", "(str.++ (F s) (F s))");
    let mut text = languages;
    text.push_str("(define-fun r0 () RegLan (str.to_re \"ab\"))\n");
    for level in 1..=60 {
        let below = level - 1;
        let _ = writeln!(
            text,
            "(define-fun r{level} () RegLan (re.union (re.++ r{below} r{below}) (re.* r{below})))"
        );
    }
    limited(&assertion(&format!("{X}\n{text}"), "(str.in_re x (re.comp r60))"));
    limited(&assertion(&format!("{X}\n{text}"), "(str.in_re (f60 x) r60)"));
}

#[test]
fn large_numbers_overrun_nothing() {
    let digits = "7".repeat(100_000);
    let mut lets = format!("(let ((n0 {digits}))");
    for level in 1..=22 {
        let below = level - 1;
        let _ = write!(lets, "(let ((n{level} (* n{below} n{below})))");
    }
    let closing = ")".repeat(23);
    limited(&assertion("(declare-const n Int)", &format!("{lets}(= (* n n) (+ n22 1)){closing}")));
    limited(&assertion(X, &format!("{lets}(= x (str.from_int n22)){closing}")));
    limited(&assertion(X, &format!("(> (str.to_int (str.++ x \"{digits}\")) (* 3 {digits}))")));
}

#[test]
fn chains_of_replacements_overrun_nothing() {
    let mut term = "x".to_owned();
    for n in 0..300 {
        term = format!("(str.replace_all {term} \"{n}\" (str.++ x \"{}\" x))", n + 1);
    }
    limited(&assertion(X, &format!("(= (str.len {term}) 100000)")));
    // Each doubles a literal.
    let mut term = "\"a\"".to_owned();
    for _ in 0..60 {
        term = format!("(str.replace_all {term} \"a\" \"aa\")");
    }
    limited(&assertion(X, &format!("(= x {term})")));
}

#[test]
fn deep_choices_and_long_concatenations_overrun_nothing() {
    let mut term = String::new();
    for n in 0..20_000 {
        let _ = write!(term, "(ite (= y \"{n}\") \"a{n}\" ");
    }
    let closing = ")".repeat(20_000);
    limited(&assertion(XY, &format!("(= z {term}x{closing})")));
    let parts = "x \"ab\" y ".repeat(100_000);
    limited(&assertion(XY, &format!("(= (str.++ {parts}) (str.++ z {parts} x))")));
}

#[test]
fn quantifiers_and_recursive_functions_overrun_nothing() {
    limited(&assertion(
        "(define-fun-rec g ((n Int)) Int (ite (< n 1) 0 (+ (g (- n 1)) (g (- n 2)))))",
        "(= (g 90) 7)",
    ));
    limited(&assertion(
        X,
        "(forall ((y String)) (exists ((z String)) (forall ((u String)) \
         (= (str.++ x y z u) (str.++ u z y x)))))",
    ));
}

// Parsing.

#[test]
fn a_script_that_takes_too_long_to_read_is_answered() {
    let literal = "abcdefgh".repeat(4_000_000);
    let script = assertion(X, &format!("(= x \"{literal}\")"));
    let outcome = solve(&script, &["--timeout", "20ms"]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("unknown\n", Some(3)), "{outcome:?}");
    assert!(outcome.stderr.contains("could not be read"), "{outcome:?}");
    let outcome = outcome.cheap(SLACK);
    let json = solve(&script, &["--timeout", "20ms", "--json"]);
    assert!(json.stdout.contains("\"verdict\":\"unknown\",\"reason\":\"timeout\""), "{json:?}");
    assert!(outcome.peak < 500_000_000);
}

#[test]
fn lets_that_double_and_deep_nesting_are_read() {
    let mut lets = "(let ((v0 (str.++ x \"a\")))".to_owned();
    for level in 1..=1000 {
        let below = level - 1;
        let _ = write!(lets, "(let ((v{level} (str.++ v{below} v{below})))");
    }
    let script = assertion(X, &format!("{lets}(= v1000 \"b\"){}", ")".repeat(1001)));
    limited(&script);
    limited(&crate::common::deep_script(100_000));
}

#[test]
fn two_hundred_thousand_declarations_take_linear_time() {
    let script = |count: usize| {
        let mut script = String::new();
        for n in 0..count {
            let _ = writeln!(script, "(declare-const x{n} String)");
        }
        for n in 0..100 {
            let _ = writeln!(script, "(assert (= (str.len x{n}) {}))", n % 7);
        }
        script + "(check-sat)\n(get-model)\n"
    };
    let few = solve(&script(20_000), &["--timeout", "60s"]);
    assert_eq!(few.answers(), ["sat"], "{:?}", few.stderr);
    let many = solve(&script(200_000), &["--timeout", "60s"]);
    assert_eq!(many.answers(), ["sat"], "{:?}", many.stderr);
    // Ten times as many: quadratic would be a hundred times as long.
    assert!(many.cpu < 30 * (few.cpu + Duration::from_millis(100)), "{:?} {:?}", few.cpu, many.cpu);
}

#[test]
fn twenty_thousand_constants_with_an_assertion_each_overrun_nothing() {
    let mut script = String::new();
    for n in 0..20_000 {
        let _ = writeln!(script, "(declare-const x{n} String)");
        let _ = writeln!(script, "(assert (str.contains x{n} \"a{n}\"))");
    }
    limited(&format!("{script}(check-sat)\n"));
}

// What is asked about an answer.

#[test]
fn values_and_terms_that_are_huge_are_told_or_refused_in_time() {
    let shared = doubled("s", "String", "(str.++ s \"a\")", "(str.++ (F s) (F s))");
    let script = format!(
        "{X}\n{shared}(assert (= (str.len x) 3))\n(check-sat)\n(get-value ((f60 x)))\n\
         (get-value (x))\n(get-assertions)"
    );
    let outcome = solve(&script, &["--timeout", "500ms", "--memory", "1GB"]);
    assert_eq!(outcome.answers(), ["sat"], "{outcome:?}");
    assert!(outcome.stdout.contains("(error \""), "{outcome:?}");
    assert!(outcome.stdout.contains("((x \""), "{outcome:?}");
    outcome.cheap(3 * LIMIT + SLACK);
}

#[test]
fn cores_are_made_small_within_the_limit() {
    let mut script = String::from("(set-option :produce-unsat-cores true)\n");
    script.push_str(XY);
    for n in 0..300 {
        let _ = writeln!(
            script,
            "(assert (! (not (= (str.++ x \"{n}\" y) (str.++ y z \"{n}{n}\" x z))) :named a{n}))"
        );
    }
    script.push_str("(assert (! (= x \"a\") :named b)) (assert (! (= x \"c\") :named c))\n");
    script.push_str("(check-sat)\n(get-unsat-core)\n");
    let outcome = solve(&script, &["--timeout", "500ms"]);
    assert_eq!(outcome.answers(), ["unsat"], "{outcome:?}");
    let core = outcome.stdout.lines().nth(1).unwrap();
    assert!(core.contains(" b c)") || core == "(b c)", "{outcome:?}");
    outcome.cheap(4 * LIMIT + SLACK);
}

#[test]
fn queries_after_one_that_was_stopped_have_their_own_answers() {
    let range = "(re.range \"a\" \"b\")";
    let script = format!(
        "{X}\n(push 1)\n(assert (str.in_re x ((_ re.loop 1 300) ((_ re.loop 1 300) {range}))))\n\
         (assert (> (str.len x) 50000))\n\
         (check-sat)\n(pop 1)\n(assert (= x \"ab\"))\n(check-sat)\n(get-value (x))\n\
         (assert (= x \"b\"))\n(check-sat)\n"
    );
    let outcome = solve(&script, &["--timeout", "300ms"]);
    assert_eq!(outcome.answers()[1..], ["sat", "unsat"], "{outcome:?}");
    assert_eq!(outcome.answers().len(), 3, "{outcome:?}");
    assert!(outcome.stdout.contains("((x \"ab\"))"), "{outcome:?}");
    outcome.cheap(6 * Duration::from_millis(300) + SLACK);
}

// Memory and signals.

#[test]
fn memory_is_bounded_in_every_phase() {
    let strings = doubled("s", "String", "(str.++ s \"a\")", "(F (F s))");
    let script = assertion(&format!("{X}\n{strings}"), "(= (f60 x) \"b\")");
    let outcome = solve(&script, &["--memory", "100MB", "--timeout", "20s"]);
    assert_eq!(outcome.answers().len(), 1, "{outcome:?}");
    assert!(outcome.peak < 400_000_000, "{outcome:?}");
    // While reading.
    let script = format!("{X}(declare-const y{} String)(check-sat)", "y".repeat(200_000_000));
    let outcome = solve(&script, &["--memory", "100MB", "--timeout", "60s"]);
    assert_eq!(outcome.answers().len(), 1, "{:?}", outcome.stderr);
    assert!(outcome.peak < 700_000_000, "{}", outcome.peak);
}

/// The processes that a process has started.
fn children_of(id: u32) -> Vec<u32> {
    let mut found = Vec::new();
    // Threads start processes, too.
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    for task in tasks {
        let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
    }
    found
}

fn is_running(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rfind(')').is_some_and(|at| !stat[at..].starts_with(") Z"))
}

#[test]
fn a_signal_ends_the_process_and_its_arithmetic_solvers_at_once() {
    let _alone = alone();
    let range = "(re.range \"a\" \"b\")";
    let loops = format!("(str.in_re x ((_ re.loop 1 300) ((_ re.loop 1 300) {range})))");
    let literal = format!("(= x \"{}\")", "abcdefgh".repeat(4_000_000));
    let flat = "(and (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)) (> (str.len x) 900000) \
                (not (= (str.at x 5) (str.at x 11))) \
                (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))";
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        for (formula, patience, most_at_start) in
            [(loops.as_str(), 300, 0), (&literal, 0, 20_000_000), (flat, 2500, 0)]
        {
            let bench = Bench::with_arithmetic();
            bench.write("script.smt2", assertion(XY, formula));
            let child = started(&bench, &[]);
            let start = Instant::now();
            std::thread::sleep(Duration::from_millis(patience));
            // Until it has begun to read, there is nothing to be answered.
            while peak_of(&child).is_some_and(|peak| peak < most_at_start)
                && start.elapsed() < Duration::from_secs(20)
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            let solvers = children_of(child.id());
            let before = Instant::now();
            let id = child.id().to_string();
            assert!(
                Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success()
            );
            let outcome = finish(child, time_of_children());
            // A hundred milliseconds are wanted; a loaded machine gets more.
            assert!(before.elapsed() < Duration::from_secs(2), "{:?}", before.elapsed());
            let answered = !outcome.answers().is_empty();
            assert!(answered || formula.len() < 10_000, "{outcome:?}");
            assert!(outcome.signal == Some(number) || outcome.code == Some(0), "{outcome:?}");
            let gone = || solvers.iter().all(|&solver| !is_running(solver));
            let start = Instant::now();
            while !gone() && start.elapsed() < Duration::from_secs(2) {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(gone(), "arithmetic solvers are left behind");
        }
    }
}

#[test]
fn a_signal_ends_a_process_that_nobody_reads() {
    let _alone = alone();
    let bench = Bench::with_arithmetic();
    let echo = format!("(echo \"{}\")\n", "a".repeat(1 << 20));
    bench.write("script.smt2", echo);
    let mut child = started(&bench, &[]);
    std::thread::sleep(Duration::from_millis(200));
    let before = Instant::now();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    use std::os::unix::process::ExitStatusExt as _;
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(before.elapsed() < Duration::from_secs(2));
}
