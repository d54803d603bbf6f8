//! The test that a candidate must pass: the same kind of failure in a fresh process, and a known answer.
//!
//! Verdicts come from batches; they only select candidates. The one that is taken is asked again alone.
//! Where models are needed, they are requested in a second batch for the candidates answered `sat`. Crashes
//! must have the same signature: the ending and the first line on standard error without numbers.

use std::time::Duration;

use luthier_ask::{Reply, Request};
use luthier_hunt::{AskedScript, Reproduced, is_crash, reproduced};
use luthier_judge::{core_script, examine_core, holds, repaired, used_functions};
use luthier_records::{Class, CoreOutcome, FindingKind, Text, Verdict};
use luthier_runner::process::{self, Command, Limits};
use luthier_semantics::Model;
use luthier_smtlib::{Command as ScriptCommand, CommandKind, Script};
use luthier_terms::TermPool;

use super::candidate::Candidate;
use super::{ReduceError, Settings, State};
use crate::Truth;
use crate::query::{last_query, text};
use crate::trial::Trial;
use crate::truth::{Evidence, accepted_model};

/// How many candidates of a batch get a proof or a repair at most.
const MAX_PROOFS: usize = 8;

/// The least CPU time for a candidate, in a process of its own and in a batch.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(400);
const SHORTEST_LIMIT: Duration = Duration::from_millis(50);

/// What a reduction keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// A kind of failure, judged with the ground truth.
    Kind(FindingKind),
    /// A command that succeeds on the file; nothing is judged.
    Command(CommandTest),
}

/// A command that decides whether a file is interesting: it exits with 0 if so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandTest {
    /// Program and arguments; `{file}` stands for the file, which comes last if it does not occur.
    pub words: Vec<String>,
}

/// How a formula fails.
#[derive(Clone, Default)]
pub(super) struct Shown {
    pub said: String,
    pub reasons: Vec<String>,
}

/// The test of one reduction.
pub(super) struct Test<'a> {
    settings: Settings<'a>,
    /// The environment of provers, with the limits as they were given.
    proofs: Trial<'a>,
    keep: Keep,
    /// What is requested with the verdict.
    request: Option<Request>,
    /// For crashes.
    signature: Option<String>,
}

impl<'a> Test<'a> {
    /// Confirms the failure of the formula, and establishes what the test depends on. A failure that shows
    /// only in incremental mode gets a `push`.
    pub fn new(
        pool: &mut TermPool,
        script: &mut Script,
        truth: Truth,
        keep: &Keep,
        settings: &Settings<'a>,
    ) -> Result<(Self, Truth, Shown), ReduceError> {
        let mut test = Self {
            settings: *settings,
            proofs: settings.trial,
            keep: keep.clone(),
            request: None,
            signature: None,
        };
        let truth = test.establish(pool, script, truth)?;
        if let Keep::Command(command) = keep {
            let text = text(pool, script).unwrap_or_default();
            if !test.succeeds(command, &text)? {
                return Err(test.does_not_fail("the command does not succeed on the file".into()));
            }
            return Ok((test, truth, Shown::of_command(command)));
        }
        let Keep::Kind(mut kind) = *keep else { return Ok((test, truth, Shown::default())) };
        // With a known answer these are wrong verdicts.
        kind = match (kind, &truth) {
            (FindingKind::Contradiction | FindingKind::Disputed, Truth::Sat(_)) => {
                FindingKind::WrongUnsat
            }
            // A dispute is about the `unsat` of the solver; if that is right there is nothing to keep.
            (FindingKind::Contradiction | FindingKind::Disputed, Truth::Open)
            | (FindingKind::Disputed, Truth::Unsat(_)) => return Err(ReduceError::NoTruth),
            (FindingKind::Contradiction | FindingKind::InvalidModel, Truth::Unsat(_)) => {
                FindingKind::WrongSat
            }
            _ => kind,
        };
        test.keep = Keep::Kind(kind);
        let requests = match kind {
            FindingKind::InvalidModel => vec![Some(Request::Model)],
            FindingKind::WrongValue => vec![Some(Request::Value)],
            FindingKind::InvalidCore => vec![Some(Request::Core)],
            _ => vec![None, Some(Request::Model)],
        };
        let mut said = None;
        let wrapped = between_scopes(script);
        for variant in [script.clone(), wrapped] {
            for &request in &requests {
                test.request = request;
                let trial = &settings.trial;
                let Some((reply, cpu)) = trial.ask_alone_timed(pool, &variant, request) else {
                    return Err(ReduceError::Inexpressible(trial.solver.name.clone()));
                };
                if kind == FindingKind::Crash && is_crash(&reply) {
                    test.signature = Some(crash_signature(&reply));
                }
                if let Some(found) = test.shows(pool, &variant, &reply) {
                    *script = variant;
                    test.fit_limits(cpu, kind);
                    return Ok((test, truth, found.into()));
                }
                said.get_or_insert_with(|| describe(&reply));
            }
        }
        Err(test.does_not_fail(said.unwrap_or_default()))
    }

    /// The answer to the formula. Wrong verdicts need one; for other kinds it is established if that is
    /// possible, so that the result carries it.
    fn establish(
        &self,
        pool: &mut TermPool,
        script: &Script,
        truth: Truth,
    ) -> Result<Truth, ReduceError> {
        let truth = match truth {
            Truth::Open => {
                let answers = self.settings.provers.answers(pool, &[script], &self.proofs);
                answers.into_iter().next().unwrap_or(Truth::Open)
            }
            known => known,
        };
        let fits = match &self.keep {
            Keep::Kind(FindingKind::WrongUnsat) => matches!(truth, Truth::Sat(_)),
            Keep::Kind(FindingKind::WrongSat | FindingKind::InvalidCore) => {
                matches!(truth, Truth::Unsat(_))
            }
            _ => true,
        };
        if fits { Ok(truth) } else { Err(ReduceError::NoTruth) }
    }

    /// A smaller formula hardly needs longer to fail: candidates get a few times the time of the formula,
    /// and not all that is allowed.
    fn fit_limits(&mut self, cpu: Duration, kind: FindingKind) {
        if kind == FindingKind::Slow {
            return;
        }
        let trial = &mut self.settings.trial;
        trial.timeout = cpu.saturating_mul(8).max(SHORTEST_TIMEOUT).min(trial.timeout);
        trial.query_limit = cpu.saturating_mul(4).max(SHORTEST_LIMIT).min(trial.query_limit);
    }

    /// Decides whether candidates may share processes: only if the formula fails in a batch, too.
    pub fn choose_mode(&mut self, pool: &mut TermPool, script: &Script) {
        let Keep::Kind(kind) = self.keep else { return };
        // Requests for cores need a process each, and a crash or a time-out ends the process anyway.
        let together =
            !matches!(kind, FindingKind::InvalidCore | FindingKind::Slow | FindingKind::Crash);
        let mut trial = self.settings.trial;
        trial.batches = together;
        let reply = trial.ask(pool, &[script], self.request).into_iter().next().flatten();
        let shows =
            together && reply.is_some_and(|reply| self.shows(pool, script, &reply).is_some());
        self.settings.trial.batches = shows;
    }

    pub fn keeps_names(&self) -> bool {
        self.keep == Keep::Kind(FindingKind::InvalidCore)
    }

    pub fn class(&self) -> Option<FindingKind> {
        match self.keep {
            Keep::Kind(kind) => Some(kind),
            Keep::Command(_) => None,
        }
    }

    fn does_not_fail(&self, said: String) -> ReduceError {
        ReduceError::DoesNotFail { solver: self.settings.trial.solver.name.clone(), said }
    }

    /// The first candidate, in their order, that fails and whose answer is known; with that answer and
    /// how it fails.
    pub fn first_failing(
        &self,
        pool: &mut TermPool,
        state: &State,
        batch: &[Candidate],
    ) -> Option<(usize, Truth, Shown)> {
        if let Keep::Command(command) = &self.keep {
            let (place, truth) = self.first_succeeding(pool, state, batch, command)?;
            return Some((place, truth, Shown::of_command(command)));
        }
        let suspects = self.suspects(pool, batch);
        let truths = self.truths(pool, state, batch, &suspects);
        for (place, truth) in suspects.into_iter().zip(truths) {
            let Some(truth) = truth else { continue };
            let script = &batch[place].script;
            let reply = self.settings.trial.ask_alone(pool, script, self.request);
            if let Some(found) = reply.and_then(|reply| self.shows(pool, script, &reply))
                && let Some(truth) = self.or_established(pool, script, truth)
            {
                return Some((place, truth, found.into()));
            }
        }
        None
    }

    /// An answer that is not known yet may be established for a smaller formula. `None` if it changes the
    /// kind of failure: the model of an unsatisfiable formula is a wrong verdict.
    fn or_established(&self, pool: &mut TermPool, script: &Script, truth: Truth) -> Option<Truth> {
        if truth.verdict().is_some() || self.keep != Keep::Kind(FindingKind::InvalidModel) {
            return Some(truth);
        }
        let answers = self.settings.provers.answers(pool, &[script], &self.proofs);
        let answer = answers.into_iter().next().unwrap_or(Truth::Open);
        (!matches!(answer, Truth::Unsat(_))).then_some(answer)
    }

    /// The candidates that seem to fail, by their replies.
    fn suspects(&self, pool: &mut TermPool, batch: &[Candidate]) -> Vec<usize> {
        let trial = &self.settings.trial;
        let scripts: Vec<&Script> = batch.iter().map(|one| &one.script).collect();
        let is_model_needed =
            matches!(self.keep, Keep::Kind(FindingKind::InvalidModel | FindingKind::WrongSat));
        let first = if is_model_needed && trial.batches { None } else { self.request };
        let replies = trial.ask(pool, &scripts, first);
        let mut suspects = Vec::new();
        for (place, reply) in replies.iter().enumerate() {
            let Some(reply) = reply else { continue };
            let is_suspect = if is_model_needed {
                reply.verdict() == Some(Verdict::Sat)
            } else {
                self.shows(pool, &batch[place].script, reply).is_some()
            };
            if is_suspect {
                suspects.push(place);
            }
        }
        if !is_model_needed || suspects.is_empty() {
            return suspects;
        }
        let scripts: Vec<&Script> = suspects.iter().map(|&one| &batch[one].script).collect();
        let replies = trial.ask(pool, &scripts, Some(Request::Model));
        let mut kept = Vec::new();
        for (place, reply) in suspects.into_iter().zip(replies) {
            let Some(reply) = reply else { continue };
            let script = &batch[place].script;
            let is_suspect = match self.keep {
                Keep::Kind(FindingKind::WrongSat) => match reply.model() {
                    // A valid model shows that the solver is right.
                    Some(model) => {
                        accepted_model(pool, script, model, trial.solver.dialect).is_none()
                    }
                    None => true,
                },
                _ => self.shows(pool, script, &reply).is_some(),
            };
            if is_suspect {
                kept.push(place);
            }
        }
        kept
    }

    /// The answers to candidates, as far as they are known and fit the kind of failure.
    fn truths(
        &self,
        pool: &mut TermPool,
        state: &State,
        batch: &[Candidate],
        suspects: &[usize],
    ) -> Vec<Option<Truth>> {
        let mut truths: Vec<Option<Truth>> = vec![None; suspects.len()];
        let mut open: Vec<usize> = Vec::new();
        for (number, &place) in suspects.iter().enumerate() {
            let candidate = &batch[place];
            let formulas = last_query(&candidate.script);
            match &state.truth {
                Truth::Sat(model) => {
                    let mut model = model.clone();
                    if let Some((constant, value)) = &candidate.fresh {
                        model.insert_value(*constant, value.clone());
                    }
                    let model = repaired(pool, &formulas, &model);
                    truths[number] = model.map(Truth::Sat).or_else(|| self.without_truth());
                }
                Truth::Unsat(evidence) => {
                    let is_false = holds(pool, &formulas, &Model::new()) == Some(false);
                    truths[number] = match () {
                        () if candidate.keeps_unsat => Some(Truth::Unsat(evidence.of_instance())),
                        () if is_false => Some(Truth::Unsat(Evidence::Evaluated)),
                        () => self.without_truth(),
                    };
                    if truths[number].is_none() && open.len() < MAX_PROOFS {
                        open.push(number);
                    }
                }
                Truth::Open => truths[number] = Some(Truth::Open),
            }
        }
        if !open.is_empty() {
            let scripts: Vec<&Script> =
                open.iter().map(|&number| &batch[suspects[number]].script).collect();
            let answers = self.settings.provers.answers(pool, &scripts, &self.proofs);
            for (number, answer) in open.into_iter().zip(answers) {
                truths[number] = matches!(answer, Truth::Unsat(_)).then_some(answer);
            }
        }
        truths
    }

    /// Kinds that are failures whatever the answer is may lose it; it is established again at the end.
    fn without_truth(&self) -> Option<Truth> {
        matches!(self.keep, Keep::Kind(FindingKind::Crash | FindingKind::Slow) | Keep::Command(_))
            .then_some(Truth::Open)
    }

    /// The failure that a reply shows, if it is of the kind that is kept.
    fn shows(&self, pool: &mut TermPool, script: &Script, reply: &Reply) -> Option<Reproduced> {
        let Keep::Kind(kind) = self.keep else { return None };
        let dialect = self.settings.trial.solver.dialect;
        match kind {
            FindingKind::Slow => matches!(reply.class, Class::Timeout | Class::Memout)
                .then(|| Reproduced { class: kind, said: describe(reply), reasons: Vec::new() }),
            FindingKind::InvalidCore => self.invalid_core(pool, script, reply),
            FindingKind::Incomplete if !is_ground(pool, script) => None,
            FindingKind::Crash
                if self.signature.as_ref().is_some_and(|one| *one != crash_signature(reply)) =>
            {
                None
            }
            _ => {
                let mut asked = AskedScript { pool, script, planted_core: None, dialect };
                reproduced(kind, reply, &mut asked).filter(|found| found.class == kind)
            }
        }
    }

    /// A core whose assertions have a model, or that names what is not there.
    fn invalid_core(
        &self,
        pool: &mut TermPool,
        script: &Script,
        reply: &Reply,
    ) -> Option<Reproduced> {
        if reply.verdict() != Some(Verdict::Unsat) {
            return None;
        }
        let names: Vec<Text> = reply.core()?.to_vec();
        let listed: Vec<String> = names.iter().map(ToString::to_string).collect();
        let said = format!("unsat, core ({})", listed.join(" "));
        let class = FindingKind::InvalidCore;
        let last = script.queries().count().checked_sub(1)?;
        let examined = examine_core(pool, script, last, &names, None).ok()?;
        if examined.outcome == CoreOutcome::Invalid {
            let reasons = examined.detail.into_iter().collect();
            return Some(Reproduced { class, said, reasons });
        }
        let core = core_script(pool, script, last, &names).ok()?;
        let answers = self.settings.provers.answers(pool, &[&core], &self.proofs);
        let answer = answers.into_iter().next()?;
        let Truth::Sat(model) = answer else { return None };
        let formulas = last_query(&core);
        let witness = luthier_judge::witness_text(pool, &formulas, &model).unwrap_or_default();
        let reasons = vec![format!("the assertions of the core have the model {witness}")];
        Some(Reproduced { class, said, reasons })
    }

    /// What the solver gets.
    pub fn copy(&self, pool: &mut TermPool, script: &Script) -> Vec<u8> {
        let copy = match self.keep {
            Keep::Command(_) => text(pool, script),
            Keep::Kind(_) => self.settings.trial.copy(pool, script, self.request),
        };
        copy.unwrap_or_default()
    }

    /// How the formula fails, in a fresh process.
    pub fn shown(&self, pool: &mut TermPool, script: &Script) -> Result<Shown, ReduceError> {
        let trial = &self.settings.trial;
        if let Keep::Command(command) = &self.keep {
            return Ok(Shown::of_command(command));
        }
        // With a model, which tells more about a wrong `sat`.
        let request = match self.keep {
            Keep::Kind(FindingKind::WrongSat) => Some(Request::Model),
            _ => self.request,
        };
        for request in [request, self.request] {
            let reply = trial.ask_alone(pool, script, request);
            if let Some(found) = reply.and_then(|reply| self.shows(pool, script, &reply)) {
                return Ok(found.into());
            }
        }
        Err(self.does_not_fail("the failure does not show every time".to_owned()))
    }

    /// The first candidate on which the command succeeds.
    fn first_succeeding(
        &self,
        pool: &mut TermPool,
        state: &State,
        batch: &[Candidate],
        command: &CommandTest,
    ) -> Option<(usize, Truth)> {
        let texts: Vec<Option<Vec<u8>>> = batch.iter().map(|one| text(pool, &one.script)).collect();
        let jobs = self.settings.trial.jobs.max(1);
        for (round, texts) in texts.chunks(jobs).enumerate() {
            let succeeded: Vec<bool> = std::thread::scope(|scope| {
                let runs: Vec<_> = texts
                    .iter()
                    .map(|text| {
                        scope.spawn(move || match text {
                            Some(text) => self.succeeds(command, text).unwrap_or(false),
                            None => false,
                        })
                    })
                    .collect();
                runs.into_iter().map(|run| run.join().unwrap_or(false)).collect()
            });
            if let Some(place) = succeeded.iter().position(|&one| one) {
                let place = round * jobs + place;
                let formulas = last_query(&batch[place].script);
                let truth = match &state.truth {
                    Truth::Sat(model) => repaired(pool, &formulas, model).map(Truth::Sat),
                    Truth::Unsat(evidence) if batch[place].keeps_unsat => {
                        Some(Truth::Unsat(evidence.of_instance()))
                    }
                    _ => None,
                };
                return Some((place, truth.unwrap_or(Truth::Open)));
            }
        }
        None
    }

    fn succeeds(&self, command: &CommandTest, text: &[u8]) -> Result<bool, ReduceError> {
        let failed = |error: std::io::Error| ReduceError::Command(error.to_string());
        let file = tempfile::Builder::new()
            .prefix("candidate-")
            .suffix(".smt2")
            .tempfile_in(self.settings.trial.folder)
            .map_err(failed)?;
        std::fs::write(file.path(), text).map_err(failed)?;
        let path = file.path().display().to_string();
        let mut words: Vec<String> =
            command.words.iter().map(|word| word.replace("{file}", &path)).collect();
        if words == command.words {
            words.push(path);
        }
        let Some((program, arguments)) = words.split_first() else {
            return Err(ReduceError::Command("it is empty".to_owned()));
        };
        let run = Command::new(program).arguments(arguments.iter().map(String::as_str));
        let timeout = self.settings.trial.timeout.max(Duration::from_millis(1));
        let limits = Limits::with_cpu(timeout);
        let outcome =
            process::run_unless_stopped(&run, &limits, None, Some(self.settings.trial.stop));
        match outcome.ending {
            luthier_records::Ending::Exited(code) => Ok(code == 0),
            luthier_records::Ending::NotStarted(why) => Err(ReduceError::Command(why)),
            _ => Ok(false),
        }
    }
}

impl Shown {
    fn of_command(command: &CommandTest) -> Self {
        Self { said: format!("{} succeeds", command.words.join(" ")), reasons: Vec::new() }
    }
}

impl From<Reproduced> for Shown {
    fn from(found: Reproduced) -> Self {
        Self { said: found.said, reasons: found.reasons }
    }
}

/// The script inside a `push`, so that solvers use their incremental mode.
fn between_scopes(script: &Script) -> Script {
    let first = script.commands.iter().position(|one| matches!(one.kind, CommandKind::Assert(_)));
    let mut commands: Vec<ScriptCommand> = script.commands.clone();
    commands.insert(first.unwrap_or(0), crate::query::command(CommandKind::Push(1)));
    Script { commands }
}

/// Whether a formula has neither constants nor quantifiers, so that evaluation decides it.
fn is_ground(pool: &TermPool, script: &Script) -> bool {
    let formulas = last_query(script);
    used_functions(pool, &formulas).is_empty() && holds(pool, &formulas, &Model::new()).is_some()
}

/// What a crash is recognised by: how the process ended and its first message, without numbers.
pub(crate) fn crash_signature(reply: &Reply) -> String {
    let line = reply.stderr_line.as_deref().unwrap_or_default();
    let text = format!("{} {line}", reply.detail);
    let mut plain = String::new();
    for character in text.chars() {
        let character = if character.is_ascii_digit() { '#' } else { character };
        if !(character == '#' && plain.ends_with('#')) {
            plain.push(character);
        }
    }
    plain
}

fn describe(reply: &Reply) -> String {
    match reply.verdict() {
        Some(verdict) => format!("it says {verdict}"),
        None => reply.detail.clone(),
    }
}
