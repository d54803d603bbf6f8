//! Every fact gets its own outcome, whatever happens to the process that checks many of them.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::time::Duration;

use luthier_ask::{ProcessMode, Quirks, ScriptRunner};
use luthier_conformance::{FactOutcome, FactResult, check_facts};
use luthier_records::{Clock, Ending, Verdict};
use luthier_runner::process::{Outcome as Process, Output};

/// A script and its mode.
struct Input {
    script: String,
    incremental: bool,
}

/// Output and end of a process.
struct Reply {
    stdout: Vec<u8>,
    ending: Ending,
}

/// Runs the simulated solver, and counts its processes.
struct CountingRunner {
    solver: Solver,
    quirks: Quirks,
    count: usize,
}

impl ScriptRunner for CountingRunner {
    fn quirks(&self) -> &Quirks {
        &self.quirks
    }

    fn preamble(&self, _: ProcessMode) -> Vec<String> {
        Vec::new()
    }

    fn run(&mut self, script: Vec<u8>, mode: ProcessMode, _: Duration) -> Process {
        self.count += 1;
        let script = String::from_utf8(script).unwrap();
        let reply = self.solver.run(&Input { script, incremental: mode.incremental });
        let stdout = Output { bytes: reply.stdout, ..Output::default() };
        let (measured, stderr) = Default::default();
        Process { ending: reply.ending, measured, stdout, stderr }
    }
}

/// A simulated solver: a fact is a word that says what it does with the negation of the fact.
#[derive(Clone, Copy, Default)]
struct Solver {
    /// It ends at its first error, as cvc5 does; otherwise it goes on, as Z3 does.
    ends_at_errors: bool,
    /// It does not know `echo`.
    is_silent: bool,
    /// It prints marks with their quotation marks.
    quotes_marks: bool,
}

impl Solver {
    fn run(self, input: &Input) -> Reply {
        let mut stdout = String::new();
        let mut facts_before = 0;
        for line in input.script.lines() {
            if let Some(text) = line.strip_prefix("(echo ") {
                let text = text.trim_end_matches(')');
                match (self.is_silent, self.quotes_marks) {
                    (true, _) => {}
                    (false, true) => stdout.push_str(&format!("{text}\n")),
                    (false, false) => stdout.push_str(&format!("{}\n", text.trim_matches('"'))),
                }
            }
            let Some(fact) = line.strip_prefix("(assert ") else { continue };
            let fact = fact.strip_suffix(')').unwrap();
            let (fact, negated) = match fact.strip_prefix("(not ") {
                Some(fact) => (fact.trim_end_matches(')'), true),
                None => (fact, false),
            };
            let died = |ending| Some(Reply { stdout: Vec::new(), ending });
            let ended = match (fact, negated) {
                ("right" | "wrong-after-others", false) | ("wrong" | "confused", true) => {
                    stdout.push_str("sat\n");
                    None
                }
                ("confused", false) => {
                    stdout.push_str("sat\n");
                    None
                }
                ("wrong-in-batches", true) if input.incremental => {
                    stdout.push_str("sat\n");
                    None
                }
                ("wrong-after-others", true) if facts_before > 0 => {
                    stdout.push_str("sat\n");
                    None
                }
                ("slow-in-batches", true) if input.incremental => {
                    died(Ending::TimedOut(Clock::Cpu))
                }
                ("unknown", _) => {
                    stdout.push_str("unknown\n");
                    None
                }
                ("error", _) if self.ends_at_errors => {
                    stdout.push_str("(error \"no such thing\")\n");
                    died(Ending::Exited(1))
                }
                // Without the assertion there is a model.
                ("error", _) => {
                    stdout.push_str("(error \"no such thing\")\nsat\n");
                    None
                }
                ("crash", _) => died(Ending::Signalled(11)),
                ("crash-after-answer", _) => {
                    stdout.push_str("unsat\n");
                    died(Ending::Signalled(6))
                }
                ("slow", _) => died(Ending::TimedOut(Clock::Cpu)),
                ("mute", _) => None,
                ("twice", _) => {
                    stdout.push_str("unsat\nunsat\n");
                    None
                }
                ("lost", _) => died(Ending::Lost("gone".to_owned())),
                _ => {
                    stdout.push_str("unsat\n");
                    None
                }
            };
            if let Some(reply) = ended {
                return Reply { stdout: stdout.into_bytes(), ..reply };
            }
            facts_before += 1;
        }
        Reply { stdout: stdout.into_bytes(), ending: Ending::Exited(0) }
    }

    fn check_facts(self, facts: &[&str]) -> (Vec<FactResult>, usize) {
        let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
        let mut runner = CountingRunner { solver: self, quirks: Quirks::default(), count: 0 };
        let results = check_facts("QF_S", &facts, &mut runner, Duration::from_secs(1));
        (results, runner.count)
    }
}

const KINDS: [Solver; 4] = [
    Solver { ends_at_errors: false, is_silent: false, quotes_marks: false },
    Solver { ends_at_errors: true, is_silent: false, quotes_marks: true },
    Solver { ends_at_errors: false, is_silent: true, quotes_marks: false },
    Solver { ends_at_errors: true, is_silent: true, quotes_marks: true },
];

fn expected(word: &str) -> FactOutcome {
    match word {
        "right" | "slow-in-batches" => FactOutcome::Right,
        "wrong" | "confused" => FactOutcome::Wrong,
        "unknown" => FactOutcome::Undecided,
        "error" => FactOutcome::Unsupported,
        "slow" => FactOutcome::Timeout,
        "crash" | "crash-after-answer" | "mute" | "twice" => FactOutcome::Crash,
        "lost" => FactOutcome::NotAsked,
        _ => unreachable!("{word}"),
    }
}

#[test]
fn every_fact_has_its_own_outcome_wherever_a_fault_stands() {
    let words = [
        "wrong",
        "confused",
        "unknown",
        "error",
        "slow",
        "crash",
        "crash-after-answer",
        "mute",
        "twice",
        "lost",
        "slow-in-batches",
    ];
    for solver in KINDS {
        for word in words {
            for length in [1, 2, 3, 70] {
                for position in [0, length / 2, length - 1] {
                    let mut facts = vec!["right"; length];
                    facts[position] = word;
                    let (results, _) = solver.check_facts(&facts);
                    let outcomes: Vec<FactOutcome> =
                        results.iter().map(|one| one.outcome).collect();
                    let wanted: Vec<FactOutcome> =
                        facts.iter().map(|word| expected(word)).collect();
                    assert_eq!(outcomes, wanted, "{word} at {position} of {length}");
                }
            }
        }
    }
}

#[test]
fn adjacent_faults_are_attributed_separately() {
    let facts = ["error", "crash", "wrong", "mute", "right", "twice", "slow", "unknown", "right"];
    for solver in KINDS {
        let (results, _) = solver.check_facts(&facts.repeat(20));
        let outcomes: Vec<FactOutcome> = results.iter().map(|one| one.outcome).collect();
        let wanted: Vec<FactOutcome> = facts.iter().map(|word| expected(word)).collect();
        assert_eq!(outcomes, wanted.repeat(20));
    }
}

#[test]
fn facts_that_are_right_share_processes() {
    let (results, asked) = KINDS[0].check_facts(&["right"; 1000]);
    assert_eq!(results.len(), 1000);
    assert!(asked <= 6, "{asked}");
    // One that fails costs little: a process of its own, and one for those behind it.
    let mut facts = vec!["right"; 1000];
    facts[500] = "crash";
    assert!(KINDS[0].check_facts(&facts).1 <= asked + 4);
    // If all fail, there is one process for each and few beside.
    assert!(KINDS[1].check_facts(&["error"; 200]).1 <= 210);
}

#[test]
fn a_wrong_answer_has_a_script_and_the_verdict_on_the_fact() {
    let (results, _) = KINDS[0].check_facts(&["right", "wrong", "confused", "right"]);
    let wrong = results[1].wrong.as_ref().unwrap();
    assert_eq!(wrong.script, "(set-logic QF_S)\n(assert (not wrong))\n(check-sat)\n");
    assert_eq!((wrong.of_fact, wrong.incremental), (Some(Verdict::Unsat), false));
    assert!(!wrong.contradicts_itself());
    assert!(results[2].wrong.as_ref().unwrap().contradicts_itself());
    assert!(results[0].wrong.is_none());
}

#[test]
fn an_answer_that_is_wrong_in_incremental_mode_only_is_wrong() {
    let (results, _) = KINDS[0].check_facts(&["right", "wrong-in-batches", "right"]);
    let wrong = results[1].wrong.as_ref().unwrap();
    assert!(wrong.incremental && results[1].outcome == FactOutcome::Wrong);
    assert_eq!(wrong.script.matches("(assert").count(), 1, "{}", wrong.script);

    let (results, _) = KINDS[0].check_facts(&["right", "wrong-after-others", "right"]);
    let wrong = results[1].wrong.as_ref().unwrap();
    assert_eq!(wrong.script.matches("(assert").count(), 2, "{}", wrong.script);
    assert_eq!(results[2].outcome, FactOutcome::Right);
}

#[test]
fn outcomes_other_than_right_have_a_detail() {
    let (results, _) = KINDS[0].check_facts(&["error", "slow", "crash", "mute"]);
    let details: Vec<&str> = results.iter().map(|one| one.detail.as_str()).collect();
    let slow = "CPU time limit";
    assert_eq!(details, ["no such thing", slow, "signal 11 (SIGSEGV)", "prints no answer"]);
}
