//! Asks for many facts at once, and for each that does not come out right once more alone.
//!
//! A batch of facts shares a process. Facts that come out right in a batch are done; every other
//! fact that the process came to is asked again in a process of its own, without `push` and `pop`,
//! and only that counts: solvers do different things in incremental mode, and whatever ended the
//! process may have been an earlier fact's doing. Facts that the process did not come to go into
//! the next batch. Batches become smaller when facts fail and larger when they do not, so that a
//! release that ends at its first error costs one process for each such fact.
//!
//! One thing a batch says is believed all the same: that a negation has a model. If the release
//! takes it back when asked alone, it is wrong in one mode only, which is still wrong.

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

/// Asks for facts, given in the texts for a release, and finds an outcome for each. `timeout` is
/// CPU time for a process.
pub fn check_facts<R: ScriptRunner>(
    logic: &str,
    facts: &[String],
    runner: &mut R,
    timeout: Duration,
) -> Vec<FactResult> {
    let mut check_facts = FactCheck { logic, runner, timeout };
    let mut results = Vec::with_capacity(facts.len());
    let mut size = FIRST_BATCH;
    while results.len() < facts.len() {
        let rest = &facts[results.len()..];
        let batch = &rest[..size.min(rest.len())];
        let found = match batch {
            [fact] => vec![check_facts.alone(fact, None)],
            _ => check_facts.together(batch),
        };
        let failed = found.iter().any(|result| result.outcome != FactOutcome::Right);
        size = if failed { (size / 2).max(1) } else { (size * 2).min(LARGEST_BATCH) };
        results.extend(found);
    }
    results
}

/// Asks whether a formula has a model, and nothing else.
fn single(logic: &str, formula: &str) -> String {
    format!("(set-logic {logic})\n(assert {formula})\n(check-sat)\n")
}

struct FactCheck<'a, R> {
    logic: &'a str,
    runner: &'a mut R,
    timeout: Duration,
}

impl<R: ScriptRunner> FactCheck<'_, R> {
    /// Findings for the first facts of the batch, and for one at least.
    fn together(&mut self, facts: &[String]) -> Vec<FactResult> {
        let items = self.items(facts);
        let batch = BatchOptions {
            separator: self.runner.quirks().scopes_if_any(),
            mode: ProcessMode::default(),
            process_limit: self.timeout,
            formula_limit: Duration::ZERO,
            stop: &AtomicBool::new(false),
        };
        let items: Vec<&BatchItem> = items.iter().collect();
        let together = ask_in_one_process(self.runner, &items, &batch);
        let mut results = Vec::new();
        for (position, reply) in together.replies.iter().enumerate() {
            results.push(match clean_verdict(reply) {
                Some(Verdict::Unsat) => FactResult::plain(FactOutcome::Right),
                Some(Verdict::Sat) => self.alone(&facts[position], Some(&facts[..=position])),
                _ => self.alone(&facts[position], None),
            });
        }
        if together.unanswered == Unanswered::ReplyLost {
            results.push(self.alone(&facts[results.len()], None));
        }
        results
    }

    /// A result for one fact. `wrong_after` are the facts, up to this one, after which the
    /// release said in a batch that the negation of this one has a model.
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
        facts.iter().map(|fact| BatchItem { formula: formula(fact), request: None }).collect()
    }

    /// The negations as in a batch.
    fn script(&self, facts: &[String]) -> String {
        let items = self.items(facts);
        let items: Vec<&BatchItem> = items.iter().collect();
        let quirks = self.runner.quirks();
        let script = batch_script(&items, quirks.scopes_if_any(), quirks, &[]);
        String::from_utf8_lossy(&script).into_owned()
    }
}

/// The verdict of a reply in which nothing else was said.
fn clean_verdict(reply: &Reply) -> Option<Verdict> {
    let answer = reply.answer.as_ref()?;
    let is_clean = answer.errors_before.is_empty() && answer.errors_after.is_empty();
    is_clean.then_some(answer.verdict)
}
