//! Checks many facts in few processes, and each that does not come out right once more alone.
//!
//! A batch of facts shares a process. A fact that is right in the batch is done. Every other fact
//! that the process reached is asked again in a process of its own, without `push` and `pop`, and
//! only that reply counts: solvers behave differently in incremental mode, and an earlier fact may
//! have caused the end of the process. Facts that the process did not reach go into the next batch.
//! A batch with a failure halves the size of the next one, a batch without doubles it, so that a
//! release that exits at its first error costs one process for each such fact.
//!
//! One reply of a batch counts even so: `sat` to a negation. If the release answers otherwise when
//! asked alone, its incremental mode is wrong, which is still a wrong answer.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_ask::{
    BatchFormula, BatchItem, BatchOptions, ProcessMode, Reply, ScriptRunner, Unanswered,
    ask_in_one_process, batch_script,
};
use luthier_records::{Class, Verdict};

use crate::outcome::{FactOutcome, FactResult, WrongAnswer};

const FIRST_BATCH: usize = 64;
const LARGEST_BATCH: usize = 256;

/// Checks facts, given as texts for the release, and returns a result for each. `timeout` is the CPU time
/// of one process.
pub fn check_facts<R: ScriptRunner>(
    logic: &str,
    facts: &[String],
    runner: &mut R,
    timeout: Duration,
) -> Vec<FactResult> {
    let mut check = FactCheck { logic, runner, timeout };
    let mut results = Vec::with_capacity(facts.len());
    let mut size = FIRST_BATCH;
    while results.len() < facts.len() {
        let rest = &facts[results.len()..];
        let batch = &rest[..size.min(rest.len())];
        let found = match batch {
            [fact] => vec![check.alone(fact, None)],
            _ => check.in_one_process(batch),
        };
        let failed = found.iter().any(|result| result.outcome != FactOutcome::Right);
        size = if failed { (size / 2).max(1) } else { (size * 2).min(LARGEST_BATCH) };
        results.extend(found);
    }
    results
}

/// A script that only asks whether a formula is satisfiable.
fn single(logic: &str, formula: &str) -> String {
    format!("(set-logic {logic})\n(assert {formula})\n(check-sat)\n")
}

struct FactCheck<'a, R> {
    logic: &'a str,
    runner: &'a mut R,
    timeout: Duration,
}

impl<R: ScriptRunner> FactCheck<'_, R> {
    /// Results for the first facts of the batch, at least for one.
    fn in_one_process(&mut self, facts: &[String]) -> Vec<FactResult> {
        let items = self.items(facts);
        let batch = BatchOptions {
            separator: self.runner.quirks().scopes_if_any(),
            mode: ProcessMode::default(),
            process_limit: self.timeout,
            formula_limit: Duration::ZERO,
            first_size: usize::MAX,
            stop: &AtomicBool::new(false),
        };
        let items: Vec<&BatchItem> = items.iter().collect();
        let process = ask_in_one_process(self.runner, &items, &batch);
        let mut results = Vec::new();
        for (position, reply) in process.replies.iter().enumerate() {
            results.push(match clean_verdict(reply) {
                Some(Verdict::Unsat) => FactResult::plain(FactOutcome::Right),
                Some(Verdict::Sat) => self.alone(&facts[position], Some(&facts[..=position])),
                _ => self.alone(&facts[position], None),
            });
        }
        if process.unanswered == Unanswered::ReplyLost {
            results.push(self.alone(&facts[results.len()], None));
        }
        results
    }

    /// The result for one fact. `wrong_after` are the facts of a batch, up to this one, in which the
    /// release answered `sat` to the negation of this one.
    fn alone(&mut self, fact: &String, wrong_after: Option<&[String]>) -> FactResult {
        let script = single(self.logic, &format!("(not {fact})"));
        let reply = self.ask(&script, false);
        if reply.class == Class::Sat {
            return self.wrong(fact, script, false);
        }
        if let Some(batch) = wrong_after {
            let pushed = self.script(std::slice::from_ref(fact));
            let script = match self.ask(&pushed, true).class {
                Class::Sat => pushed,
                _ => self.script(batch),
            };
            return self.wrong(fact, script, true);
        }
        let outcome = match reply.class {
            Class::Unsat => return FactResult::plain(FactOutcome::Right),
            Class::Sat => FactOutcome::Wrong,
            Class::Unknown => FactOutcome::Undecided,
            Class::Unsupported => FactOutcome::Unsupported,
            Class::Timeout | Class::Memout => FactOutcome::Timeout,
            Class::Crash | Class::Malformed => FactOutcome::Crash,
            Class::FrameworkError => FactOutcome::NotAsked,
        };
        FactResult::with_detail(outcome, reply.detail)
    }

    fn wrong(&mut self, fact: &str, script: String, incremental: bool) -> FactResult {
        let of_fact = self.ask(&single(self.logic, fact), false).verdict();
        let wrong = WrongAnswer { script, incremental, of_fact };
        let detail = match (wrong.incremental, wrong.contradicts_itself()) {
            (true, _) => "only in incremental mode",
            (false, true) => "both the fact and its negation are sat",
            (false, false) => "",
        };
        let wrong = Some(Box::new(wrong));
        FactResult { outcome: FactOutcome::Wrong, detail: detail.to_owned(), wrong }
    }

    fn ask(&mut self, script: &str, incremental: bool) -> Reply {
        let mode = ProcessMode { incremental, ..ProcessMode::default() };
        self.runner.ask_alone(script.as_bytes(), mode, self.timeout).0
    }

    fn items(&self, facts: &[String]) -> Vec<BatchItem> {
        let negation = |fact: &String| format!("(not {fact})").into_bytes();
        let formula = |fact| BatchFormula::assertion(self.logic, &negation(fact));
        facts
            .iter()
            .map(|fact| BatchItem { formula: formula(fact), request: None, values: Vec::new() })
            .collect()
    }

    /// The script of a batch, without marks.
    fn script(&self, facts: &[String]) -> String {
        let items = self.items(facts);
        let items: Vec<&BatchItem> = items.iter().collect();
        let quirks = self.runner.quirks();
        let script = batch_script(&items, quirks.scopes_if_any(), quirks, &[]);
        String::from_utf8_lossy(&script).into_owned()
    }
}

/// The verdict of a reply without errors.
fn clean_verdict(reply: &Reply) -> Option<Verdict> {
    let answer = reply.answer.as_ref()?;
    let is_clean = answer.errors_before.is_empty() && answer.errors_after.is_empty();
    is_clean.then_some(answer.verdict)
}
