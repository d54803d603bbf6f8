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

use luthier_records::{Class, Ending, Verdict};
use luthier_runner::answer::read;

use crate::outcome::{Finding, Outcome, WrongAnswer};
use crate::script::{Part, many_negations, replies, single_negation, single_statement};

const FIRST_BATCH: usize = 64;
const LARGEST_BATCH: usize = 256;

/// A script for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The script.
    pub script: String,
    /// It has several queries.
    pub incremental: bool,
}

/// What came of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What was printed on standard output.
    pub stdout: Vec<u8>,
    /// How the process ended.
    pub ending: Ending,
}

/// Asks for facts, given in the words for a release, and finds an outcome for each.
pub fn survey(logic: &str, facts: &[String], ask: &mut dyn FnMut(&Ask) -> Reply) -> Vec<Finding> {
    let mut survey = Survey { logic, ask };
    let mut findings = Vec::with_capacity(facts.len());
    let mut size = FIRST_BATCH;
    while findings.len() < facts.len() {
        let rest = &facts[findings.len()..];
        let batch = &rest[..size.min(rest.len())];
        let found = match batch {
            [fact] => vec![survey.alone(fact, None)],
            _ => survey.together(batch),
        };
        let failed = found.iter().any(|finding| finding.outcome != Outcome::Right);
        size = if failed { (size / 2).max(1) } else { (size * 2).min(LARGEST_BATCH) };
        findings.extend(found);
    }
    findings
}

struct Survey<'a> {
    logic: &'a str,
    ask: &'a mut dyn FnMut(&Ask) -> Reply,
}

impl Survey<'_> {
    /// Findings for the first facts of the batch, and for one at least.
    fn together(&mut self, batch: &[String]) -> Vec<Finding> {
        let script = many_negations(self.logic, batch);
        let reply = (self.ask)(&Ask { script, incremental: true });
        let parts = replies(&reply.stdout, batch.len());
        let mut findings = Vec::new();
        for (position, part) in parts.into_iter().enumerate() {
            // Without any mark the first fact is asked alone, so that there is an end to it.
            if part.is_none() && position > 0 {
                break;
            }
            findings.push(match part.map_or(Said::Other, Said::of) {
                Said::Right => Finding::plain(Outcome::Right),
                Said::Wrong => self.alone(&batch[position], Some(&batch[..=position])),
                Said::Other => self.alone(&batch[position], None),
            });
        }
        findings
    }

    /// A finding for one fact. `wrong_after` are the facts, up to this one, after which the
    /// release said in a batch that the negation of this one has a model.
    fn alone(&mut self, fact: &String, wrong_after: Option<&[String]>) -> Finding {
        let script = single_negation(self.logic, fact);
        let (class, detail) = self.question(&script, false);
        if class == Class::Sat {
            return self.wrong(fact, script, false);
        }
        if let Some(batch) = wrong_after {
            let pushed = many_negations(self.logic, [fact]);
            let script = match self.question(&pushed, true).0 {
                Class::Sat => pushed,
                _ => many_negations(self.logic, batch),
            };
            return self.wrong(fact, script, true);
        }
        let outcome = match class {
            Class::Unsat => return Finding::plain(Outcome::Right),
            Class::Sat => Outcome::Wrong,
            Class::Unknown => Outcome::Undecided,
            Class::Unsupported => Outcome::Unsupported,
            Class::Timeout | Class::Memout => Outcome::Timeout,
            Class::Crash | Class::Malformed => Outcome::Crash,
            Class::FrameworkError => Outcome::NotAsked,
        };
        Finding::with_detail(outcome, detail)
    }

    fn wrong(&mut self, fact: &str, script: String, incremental: bool) -> Finding {
        let of_fact = match self.question(&single_statement(self.logic, fact), false).0 {
            Class::Sat => Some(Verdict::Sat),
            Class::Unsat => Some(Verdict::Unsat),
            Class::Unknown => Some(Verdict::Unknown),
            _ => None,
        };
        let wrong = WrongAnswer { script, incremental, of_fact };
        let detail = match (wrong.incremental, wrong.contradicts_itself()) {
            (true, _) => "only in incremental mode",
            (false, true) => "both the fact and its negation are sat",
            (false, false) => "",
        };
        let wrong = Some(Box::new(wrong));
        Finding { outcome: Outcome::Wrong, detail: detail.to_owned(), wrong }
    }

    /// Asks a single question, and says what is known if the answer is no verdict.
    fn question(&mut self, script: &str, incremental: bool) -> (Class, String) {
        let reply = (self.ask)(&Ask { script: script.to_owned(), incremental });
        let said = read(&reply.stdout);
        let class = Class::of(&said, 1, &reply.ending);
        let in_answers = said.answers.iter();
        let errors = in_answers.flat_map(|answer| answer.errors_before.iter());
        let error = errors.chain(&said.errors).next().map(ToString::to_string);
        let detail = match (class, error) {
            (Class::Sat | Class::Unsat | Class::Unknown, _) => String::new(),
            (Class::Unsupported, Some(error)) => error,
            (Class::Malformed, _) => "prints no answer".to_owned(),
            _ => reply.ending.to_string(),
        };
        (class, detail)
    }
}

/// What a release said about a fact in a batch.
enum Said {
    Right,
    Wrong,
    Other,
}

impl Said {
    /// Only what is beyond doubt counts here.
    fn of(part: Part<'_>) -> Self {
        let said = read(part.bytes);
        let [answer] = &said.answers[..] else { return Self::Other };
        let has_errors = !answer.errors_before.is_empty() || !answer.errors_after.is_empty();
        if has_errors || said.unfinished || !part.is_complete {
            return Self::Other;
        }
        match answer.verdict {
            Verdict::Unsat => Self::Right,
            Verdict::Sat => Self::Wrong,
            Verdict::Unknown => Self::Other,
        }
    }
}
