//! `luthier solve` with a client on standard input.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::common::Bench;

/// A client that waits for each answer before it goes on.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Client {
    fn start(bench: &Bench, arguments: &[&str]) -> Self {
        let mut command = bench.command(&[&["solve"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, stdin, stdout }
    }

    fn say(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The next line; fails if none comes.
    fn hear(&mut self) -> String {
        let mut stdout = self.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            let _ = sender.send((line, stdout));
        });
        let (line, stdout) = lines.recv_timeout(Duration::from_secs(60)).expect("no answer came");
        self.stdout = Some(stdout);
        line.trim_end().to_owned()
    }

    fn ask(&mut self, text: &str) -> String {
        self.say(text);
        self.hear()
    }

    fn end(mut self) -> i32 {
        drop(self.stdin.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn every_command_is_answered_before_the_next_one_is_sent() {
    let bench = Bench::with_arithmetic();
    for arguments in [&["-in", "-smt2"][..], &["--lang", "smt2", "--incremental"], &["-"], &[]] {
        let mut client = Client::start(&bench, arguments);
        assert_eq!(client.ask("(set-option :print-success true)"), "success", "{arguments:?}");
        assert_eq!(client.ask("(declare-const x String) ; (\n"), "success");
        // A command may come in pieces.
        client.say("(assert (! (= (str.++ x \"b");
        assert_eq!(client.ask("\") \"ab\") :named |a )|))"), "success");
        assert_eq!(client.ask("(check-sat)"), "sat");
        assert_eq!(client.ask("(get-value (x))"), "((x \"a\"))");
        assert_eq!(client.ask("(get-assignment)"), "((|a )| true))");
        assert_eq!(client.ask("(push 1)(assert (= x \"c\"))"), "success");
        assert_eq!(client.hear(), "success");
        assert_eq!(client.ask("(check-sat)"), "unsat");
        assert_eq!(client.ask("(pop 1)"), "success");
        assert_eq!(client.ask("(check-sat)"), "sat");
        assert_eq!(client.ask("(reset)"), "success");
        assert_eq!(client.ask("(echo \"end\")"), "\"end\"");
        client.say("(exit)");
        assert_eq!(client.end(), 0);
    }
}

#[test]
fn an_error_is_answered_and_the_session_goes_on() {
    let bench = Bench::with_arithmetic();
    let mut client = Client::start(&bench, &[]);
    assert_eq!(client.ask("(get-info :error-behavior)"), "(:error-behavior continued-execution)");
    assert!(client.ask("(assert (= x 1))\n").starts_with("(error \"line 1 column 38: "));
    assert!(client.ask("nonsense\n").starts_with("(error \"line 2 column 1: "));
    assert!(client.ask("\u{1}\u{2}\u{fffd})").starts_with("(error \"line 3 column 1: "));
    assert_eq!(client.ask("(declare-sort U 0)"), "unsupported");
    assert!(client.ask("(push 1 1)").starts_with("(error \""));
    assert!(client.ask("(pop 1)").starts_with("(error \""));
    assert!(client.ask("(set-option :timeout soon)").starts_with("(error \":timeout is "));
    assert_eq!(client.ask("(declare-const x Int)(assert (= x 1))(check-sat)"), "sat");
    assert_eq!(client.end(), 3);
}

#[test]
fn options_and_information_can_be_asked_for() {
    let bench = Bench::with_arithmetic();
    let mut client = Client::start(&bench, &["--seed", "7"]);
    assert_eq!(client.ask("(get-option :produce-models)"), "true");
    assert_eq!(client.ask("(set-option :random-seed 3)(get-option :random-seed)"), "3");
    assert_eq!(client.ask("(get-option :unheard-of)"), "unsupported");
    assert_eq!(client.ask("(set-option :produce-proofs true)"), "unsupported");
    client.say("(set-option :diagnostic-output-channel \"stdout\")");
    assert_eq!(client.ask("(simplify (str.++ \"a\" \"b\"))"), "\"ab\"");
    assert_eq!(client.ask("(check-sat)"), "sat");
    assert!(client.ask("(get-info :all-statistics)").starts_with("(:queries 1 :assertions 0 "));
    assert!(client.ask("(get-info :reason-unknown)").starts_with("(error \""));
    assert_eq!(client.end(), 0);
}

#[test]
fn the_time_that_a_client_sets_holds_for_its_queries() {
    let bench = Bench::with_arithmetic();
    let mut client = Client::start(&bench, &["--timeout", "60s"]);
    client.say(
        "(set-option :timeout 300) (declare-const x String) (declare-const y String)
         (declare-const z String) (assert (= (str.++ x \"ab\" y z) (str.++ z y \"ba\" x)))
         (assert (> (str.len x) 900000)) (assert (not (= (str.at x 5) (str.at x 11))))
         (assert (not (str.contains (str.++ y z x) (str.++ x y \"q\"))))",
    );
    let start = std::time::Instant::now();
    assert_eq!(client.ask("(check-sat)"), "unknown");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(client.ask("(get-info :reason-unknown)"), "(:reason-unknown \"timeout\")");
    assert_eq!(client.end(), 0);
}

#[test]
fn the_end_of_the_input_ends_the_session_also_inside_a_command() {
    let bench = Bench::with_arithmetic();
    let run = bench.run_with_input(&["solve"], "(check-sat)\n(assert (and ").expect(3);
    assert!(run.stdout.starts_with("sat\n(error \"line 2 column "), "{run:?}");
    bench.run_with_input(&["solve"], "").expect(0);
    let run = bench.run_with_input(&["solve", "--json"], "(check-sat)(get-model)").expect(0);
    assert_eq!(run.json()["verdict"], "sat");
}

#[test]
fn input_that_never_ends_a_command_is_bounded_by_the_memory() {
    let bench = Bench::with_arithmetic();
    let mut command = bench.command(&["solve", "--memory", "100MB"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let portion = b"(a ".repeat(1 << 16);
    // It stops reading at some time, long before this is all.
    let sent = (0..10_000).take_while(|_| stdin.write_all(&portion).is_ok()).count();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(sent < 5_000, "{sent}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "unknown\n");
}

#[test]
fn a_client_that_no_longer_listens_ends_the_session() {
    let bench = Bench::with_arithmetic();
    let mut client = Client::start(&bench, &[]);
    assert_eq!(client.ask("(check-sat)"), "sat");
    drop(client.stdout.take());
    let stdin = client.stdin.as_mut().unwrap();
    let sent = (0..1_000_000).take_while(|_| stdin.write_all(b"(check-sat)\n").is_ok()).count();
    assert!(sent < 1_000_000);
    client.child.wait().unwrap();
}

#[test]
fn a_long_command_is_read_under_the_limits() {
    let bench = Bench::with_arithmetic();
    let literal = "abcdefgh".repeat(10_000);
    let script = format!(
        "(declare-const x String)(assert (= x \"{literal}\"))(check-sat)(get-value ((str.len x)))"
    );
    let run = bench.run_with_input(&["solve", "--timeout", "60s"], &script).expect(0);
    assert_eq!(run.stdout, "sat\n(((str.len x) 80000))\n");
    let literal = "abcdefgh".repeat(4_000_000);
    let script = format!("(declare-const x String)(assert (= x \"{literal}\"))(check-sat)");
    let run = bench.run_with_input(&["solve", "--timeout", "5ms"], &script).expect(3);
    assert_eq!(run.stdout, "unknown\n");
    assert!(run.stderr.contains("could not be read"), "{}", run.stderr);
}

#[test]
fn a_thousand_rounds_over_a_hundred_assertions_are_answered() {
    use std::fmt::Write as _;
    let mut script = String::new();
    for n in 0..50 {
        let _ = writeln!(script, "(declare-const x{n} String)(assert (str.prefixof \"ab\" x{n}))");
        let _ = writeln!(script, "(assert (< (str.len x{n}) {}))", n + 10);
    }
    for round in 0..1000 {
        let n = round % 50;
        let formula = match round % 2 {
            0 => format!("(= x{n} (str.++ \"abc\" \"{}\"))", round % 7),
            _ => format!("(= x{n} (str.++ \"b\" x{}))", (round + 1) % 50),
        };
        let _ = writeln!(script, "(push 1)(assert {formula})(check-sat)(pop 1)");
    }
    let bench = Bench::with_arithmetic();
    let run = bench.run_with_input(&["solve"], script).expect(0);
    assert_eq!(run.stdout, "sat\nunsat\n".repeat(500));
}
