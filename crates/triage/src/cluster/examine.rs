//! The likely cause of one failure.
//!
//! In this order, the first that succeeds:
//!
//! 1. **Evaluation.** An application of an operator to literals, as the formula computes it under the witness
//!    (wrong `unsat`) or under the solver's own invalid model (wrong `sat`, invalid model), is answered wrongly
//!    by itself ([`super::application`]). It counts only if the failure disappears when the subterm is
//!    replaced by its value; otherwise the formula fails without it, and the search goes on there. The
//!    fact about the application is a minimal failing formula, so nothing has to be reduced.
//! 2. **Claim.** The formula is reduced. In the minimal formula, the solver's model claims a value for an
//!    application that the referee does not compute from its arguments ([`super::claim`]).
//! 3. **Operators.** Those of the minimal formula, for an invalid model of its false assertions. For a wrong `unsat`, subterms are first replaced by fresh
//!    constants as long as the formula fails: an operator that can be abstracted from has no part in it.
//!    Connectives, integer arithmetic, `str.len`, `str.++`, `str.to_re` and `str.in_re` are left out if
//!    there are others. A claim about a membership counts for the operators of the regular expression.
//!
//! A session of several queries whose last query does not fail as a plain script is asked again as a whole. If it
//! fails in the same way, its cause is the state of the session, with the operators of the failing query.
//!
//! A crash is described by how the process ended and its first message, without numbers.

use std::sync::atomic::Ordering;

use luthier_ask::Request;
use luthier_hunt::{AskedScript, is_crash, reproduced, session_failure};
use luthier_judge::core_script;
use luthier_records::{FindingKind, Verdict};
use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::{Dialect, PrintOptions, Script, print_script};
use luthier_terms::{Op, PostOrder, Term, TermId, TermPool, Theory};
use rustc_hash::FxHashMap;

use super::application::{Application, Ground, applications, confirmed, term_text, wrong_facts};
use super::claim::{fresh, is_common, printed_model, subterms, wrong_claim, wrong_values};
use crate::query::{flattened, last_query, nodes, replaced};
use crate::reduce::crash_signature;
use crate::trial::Trial;
use crate::truth::Evidence;
use crate::{Input, Keep, ReduceError, Settings, Truth, reduce};

/// How many faults of evaluation are set aside in one formula.
const MOST_FAULTS: usize = 4;

/// A failing formula.
pub struct Failure {
    /// The pool of its terms.
    pub pool: TermPool,
    /// The script; its last query fails.
    pub script: Script,
    /// The answer to that query, as far as it is known.
    pub truth: Truth,
    /// How it fails.
    pub kind: FindingKind,
    /// It is reduced already.
    pub is_reduced: bool,
}

/// Where the solver is likely to be at fault.
#[derive(Clone, Debug)]
pub enum Cause {
    /// It gives an application to literals a wrong value.
    Evaluation(Application),
    /// Its model claims a wrong value for an application to constants.
    Claim(Application),
    /// Not located: the operators of the minimal formula.
    Operators(Vec<Op>),
    /// It fails only in a session of several queries: the operators of the failing one.
    Session(Vec<Op>),
    /// It crashes with this message.
    Crash {
        /// How the process ends, and its first message, without numbers.
        message: String,
        /// The operators of the minimal formula.
        operators: Vec<Op>,
    },
}

/// A small formula that shows the cause.
pub struct Minimal {
    /// The pool of its terms.
    pub pool: TermPool,
    /// The script.
    pub script: Script,
    /// Its answer.
    pub truth: Truth,
    /// How it fails.
    pub kind: FindingKind,
    /// The nodes of its terms.
    pub nodes: u64,
    /// Whether nothing more can be removed; a fact about an application may have long literals.
    pub is_reduced: bool,
    /// Its assertions, on one line.
    pub text: String,
}

/// What was found out about a failure.
pub struct Examined {
    /// The likely cause.
    pub cause: Cause,
    /// A small formula with the same cause.
    pub minimal: Minimal,
    /// Further operators that the solver evaluates wrongly in the formula.
    pub also: Vec<Op>,
}

/// Why a failure cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// It does not fail in this way, or its answer is not known.
    #[error(transparent)]
    Reduce(#[from] ReduceError),
    /// Somebody stopped it, or the time was over.
    #[error("stopped before its cause was found")]
    Stopped,
}

/// Finds the likely cause of a failure, also of one that shows only in a session of several queries.
pub fn examine(failure: Failure, settings: &Settings<'_>) -> Result<Examined, ExamineError> {
    if failure.script.queries().count() < 2 {
        return examine_query(failure, settings);
    }
    let (pool, script, truth) =
        (failure.pool.clone(), failure.script.clone(), failure.truth.clone());
    let kind = failure.kind;
    examine_query(failure, settings).or_else(|error| match error {
        ExamineError::Reduce(_) => {
            examine_session(pool, script, truth, kind, settings).ok_or(error)
        }
        ExamineError::Stopped => Err(error),
    })
}

/// The cause of a failure that the whole session shows again.
fn examine_session(
    pool: TermPool,
    script: Script,
    truth: Truth,
    kind: FindingKind,
    settings: &Settings<'_>,
) -> Option<Examined> {
    let trial = &settings.trial;
    let printed = print_script(&pool, &script, &PrintOptions::new(Dialect::Smt27)).ok()?;
    let text = String::from_utf8(printed.bytes).ok()?;
    let (solver, folder, stop) = (trial.solver, trial.folder, trial.stop);
    let found = session_failure(solver, &text, kind, trial.timeout, folder, stop)?;
    let query = script.queries().nth(found.query)?;
    let asserted = query.assertions.iter().map(|active| active.assertion.term);
    let terms: Vec<TermId> = asserted.chain(query.assumptions.iter().copied()).collect();
    let cause = Cause::Session(operators_of(&pool, &terms));
    let minimal = Minimal::new(pool, script, truth, kind, true);
    Some(Examined { cause, minimal, also: Vec::new() })
}

/// Finds the likely cause of a failure of the last query. If the time for its reduction is over, the smallest formula so far
/// shows the cause.
fn examine_query(failure: Failure, settings: &Settings<'_>) -> Result<Examined, ExamineError> {
    let Failure { mut pool, mut script, mut truth, mut kind, is_reduced } = failure;
    let trial = &settings.trial;
    let mut also = Vec::new();
    if matches!(kind, FindingKind::Contradiction | FindingKind::Disputed | FindingKind::WrongUnsat)
        && truth.verdict().is_none()
    {
        let answers = settings.provers.answers(&mut pool, &[&script], trial);
        truth = answers.into_iter().next().unwrap_or(Truth::Open);
    }
    if kind == FindingKind::InvalidCore
        && let Some((core, witness)) = satisfiable_core(&mut pool, &script, settings)
    {
        // A core that the solver refutes by itself is a wrong `unsat`.
        (script, truth, kind) = (core, witness, FindingKind::WrongUnsat);
    }
    if kind == FindingKind::Disputed && !matches!(truth, Truth::Sat(_)) {
        return Err(ReduceError::NoTruth.into());
    }
    if matches!(kind, FindingKind::Contradiction | FindingKind::Disputed) {
        kind = match &truth {
            Truth::Sat(_) => FindingKind::WrongUnsat,
            Truth::Unsat(_) => FindingKind::WrongSat,
            Truth::Open => return Err(ReduceError::NoTruth.into()),
        };
    }
    if is_about_values(kind)
        && let Some(flat) = flattened(&mut pool, &script, false)
    {
        match evaluation(&mut pool, flat, &truth, kind, trial) {
            // Without replies nothing is known.
            Search::Found(_) if trial.stop.load(Ordering::Relaxed) => {
                return Err(ExamineError::Stopped);
            }
            Search::Found(found) => return Ok(*found),
            Search::FailsWithout { script: without, wrong } => {
                script = without;
                also = wrong;
                // Values of an invalid model were put in, so the answer may be another one.
                (truth, kind) = match kind {
                    FindingKind::WrongUnsat => (truth, kind),
                    FindingKind::WrongValue => (Truth::Open, kind),
                    _ => (Truth::Open, FindingKind::InvalidModel),
                };
            }
            Search::Nothing => {}
        }
    }
    let is_minimal = is_reduced && also.is_empty();
    let mut is_finished = true;
    let (mut pool, script, truth, kind) = if is_minimal {
        (pool, script, truth, kind)
    } else {
        let input = Input { pool, script, truth, keep: Keep::Kind(kind) };
        let reduced = reduce(input, settings, &mut |_| {})?;
        is_finished = !reduced.stopped;
        (reduced.pool, reduced.script, reduced.truth, reduced.class.unwrap_or(kind))
    };
    if is_about_values(kind)
        && let Search::Found(mut found) = evaluation(&mut pool, script.clone(), &truth, kind, trial)
        && !trial.stop.load(Ordering::Relaxed)
    {
        found.also.extend(also);
        return Ok(*found);
    }
    let cause = cause_of_minimal(&mut pool, &script, &truth, kind, trial);
    if trial.stop.load(Ordering::Relaxed) {
        return Err(ExamineError::Stopped);
    }
    let minimal = Minimal::new(pool, script, truth, kind, is_finished);
    Ok(Examined { cause, minimal, also })
}

/// The assertions of the core that the solver prints, with a model of them, if it answers `unsat` to them
/// alone, too.
fn satisfiable_core(
    pool: &mut TermPool,
    script: &Script,
    settings: &Settings<'_>,
) -> Option<(Script, Truth)> {
    let trial = &settings.trial;
    let reply = trial.ask_alone(pool, script, Some(Request::Core))?;
    let names = reply.core()?.to_vec();
    let last = script.queries().count().checked_sub(1)?;
    let core = core_script(pool, script, last, &names).ok()?;
    let truth = settings.provers.answers(pool, &[&core], trial).into_iter().next()?;
    let says = trial.ask_alone(pool, &core, None)?.verdict();
    let is_wrong = matches!(truth, Truth::Sat(_)) && says == Some(Verdict::Unsat);
    is_wrong.then_some((core, truth))
}

/// Whether the failure is a wrong verdict, a wrong model or a wrong value.
fn is_about_values(kind: FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::WrongUnsat
            | FindingKind::WrongSat
            | FindingKind::InvalidModel
            | FindingKind::WrongValue
    )
}

/// The outcome of the search for a fault of evaluation.
enum Search {
    Found(Box<Examined>),
    /// The formula fails even if the wrong applications of these operators are replaced by their values.
    FailsWithout {
        script: Script,
        wrong: Vec<Op>,
    },
    Nothing,
}

fn evaluation(
    pool: &mut TermPool,
    mut script: Script,
    truth: &Truth,
    kind: FindingKind,
    trial: &Trial<'_>,
) -> Search {
    let mut set_aside: Vec<Op> = Vec::new();
    for _ in 0..MOST_FAULTS {
        let Some(model) = failing_valuation(pool, &script, truth, kind, trial) else { break };
        let grounds = applications(pool, &script, &model);
        let facts: Vec<TermId> = grounds.iter().map(|one| one.fact).collect();
        let judged = wrong_facts(pool, &facts, trial);
        let wrong = judged.iter().zip(&grounds).filter(|(judged, _)| **judged == Some(true));
        let wrong: Vec<&Ground> = wrong.map(|(_, one)| one).collect();
        let mut operators: Vec<Op> = Vec::new();
        for one in &wrong {
            if !operators.contains(&one.application.op) {
                operators.push(one.application.op);
            }
        }
        if operators.is_empty() {
            break;
        }
        let fails_without = |pool: &mut TermPool, fixed: &[Op]| -> Option<Script> {
            let terms = wrong.iter().filter(|one| fixed.contains(&one.application.op));
            let terms: Vec<TermId> = terms.map(|one| one.term).collect();
            let script = with_values(pool, &script, &terms, &model)?;
            let fails = failing_valuation(pool, &script, truth, kind, trial).is_some();
            fails.then_some(script)
        };
        let is_alone = operators.len() == 1 && fails_without(pool, &operators).is_none();
        let responsible = match is_alone {
            true => operators.first().copied(),
            false => operators.iter().copied().find(|&op| fails_without(pool, &[op]).is_none()),
        };
        let without_all = match responsible {
            Some(_) => None,
            None => fails_without(pool, &operators),
        };
        if let Some(without) = without_all {
            set_aside.extend(operators);
            set_aside.sort_unstable();
            set_aside.dedup();
            script = without;
            continue;
        }
        // Several faults show independently: the first counts, and the others are named.
        let op = responsible.unwrap_or(operators[0]);
        let mut also = set_aside.clone();
        also.extend(operators.iter().copied().filter(|&other| other != op));
        let of_op = wrong.iter().filter(|one| one.application.op == op);
        if let Some(found) = smallest(pool, of_op.copied(), trial, also) {
            return Search::Found(Box::new(found));
        }
        break;
    }
    match set_aside.is_empty() {
        true => Search::Nothing,
        false => Search::FailsWithout { script, wrong: set_aside },
    }
}

/// The smallest application that is answered wrongly in a process of its own, too.
fn smallest<'a>(
    pool: &mut TermPool,
    wrong: impl Iterator<Item = &'a Ground>,
    trial: &Trial<'_>,
    also: Vec<Op>,
) -> Option<Examined> {
    let mut wrong: Vec<&Ground> = wrong.collect();
    wrong.sort_by_key(|one| one.application.text.len());
    for one in wrong {
        let Some((kind, script)) = confirmed(pool, one.fact, trial) else { continue };
        let truth = match kind {
            FindingKind::WrongUnsat => Truth::Sat(Model::new()),
            _ => Truth::Unsat(Evidence::Evaluated),
        };
        let minimal = Minimal::new(pool.clone(), script, truth, kind, false);
        let cause = Cause::Evaluation(one.application.clone());
        return Some(Examined { cause, minimal, also });
    }
    None
}

/// A valuation under which solver and referee differ, if the script fails: its witness for a wrong
/// `unsat`, else the invalid model that the solver prints.
fn failing_valuation(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    kind: FindingKind,
    trial: &Trial<'_>,
) -> Option<Model> {
    if kind == FindingKind::WrongUnsat {
        let Truth::Sat(witness) = truth else { return None };
        let reply = trial.ask_alone(pool, script, None)?;
        return (reply.verdict() == Some(Verdict::Unsat)).then(|| witness.clone());
    }
    if kind == FindingKind::WrongValue {
        return wrong_values(pool, script, trial);
    }
    let model = printed_model(pool, script, trial)?;
    // That the model is invalid is the failure; a valid one shows nothing.
    let mut evaluator = Evaluator::new(pool, &model);
    let is_invalid = last_query(script).into_iter().any(|one| evaluator.evaluate(one).is_false());
    is_invalid.then_some(model)
}

/// The script with these subterms replaced by their values under a model.
fn with_values(
    pool: &mut TermPool,
    script: &Script,
    terms: &[TermId],
    model: &Model,
) -> Option<Script> {
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &term in terms {
        let value = Evaluator::new(pool, model).evaluate(term).known().cloned()?;
        map.insert(term, value.to_term(pool).ok()?);
    }
    replaced(pool, script, &map)
}

/// The cause, as far as a minimal formula that is evaluated correctly shows it.
fn cause_of_minimal(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    kind: FindingKind,
    trial: &Trial<'_>,
) -> Cause {
    match (kind, truth) {
        (FindingKind::Crash, _) => {
            let reply = trial.ask_alone(pool, script, None).filter(is_crash);
            let message = reply.map_or_else(String::new, |reply| crash_signature(&reply));
            Cause::Crash { message, operators: operators(pool, script) }
        }
        (FindingKind::WrongSat | FindingKind::InvalidModel, _) => {
            match wrong_claim(pool, script, trial) {
                // Which operator of the regular expression it is cannot be told.
                Some((term, application)) if application.op == Op::StrInRe => {
                    let found = operators_of(pool, pool.children(term));
                    match found.is_empty() {
                        true => Cause::Claim(application),
                        false => Cause::Operators(found),
                    }
                }
                Some((_, application)) => Cause::Claim(application),
                None => Cause::Operators(operators_of_false(pool, script, trial)),
            }
        }
        (FindingKind::WrongUnsat, Truth::Sat(_)) => {
            let abstracted = abstracted(pool, script, trial);
            Cause::Operators(operators(pool, &abstracted))
        }
        _ => Cause::Operators(operators(pool, script)),
    }
}

/// The script with as many subterms as possible replaced by fresh constants, the largest first, as long as
/// the solver answers `unsat`. It stays satisfiable, since constants can have the values of the subterms.
fn abstracted(pool: &mut TermPool, script: &Script, trial: &Trial<'_>) -> Script {
    let mut now = script.clone();
    let mut terms = subterms(pool, script);
    terms.reverse();
    for (number, term) in terms.into_iter().enumerate() {
        if !PostOrder::new(pool, last_query(&now)).any(|one| one == term) {
            continue;
        }
        let sort = pool.sort(term);
        let constant = fresh(pool, number, sort).and_then(|name| pool.apply(name, &[]).ok());
        let Some(constant) = constant else { continue };
        let map: FxHashMap<TermId, TermId> = [(term, constant)].into_iter().collect();
        let Some(candidate) = replaced(pool, &now, &map) else { continue };
        let reply = trial.ask_alone(pool, &candidate, None);
        if reply.and_then(|reply| reply.verdict()) == Some(Verdict::Unsat) {
            now = candidate;
        }
    }
    now
}

/// The operators of the assertions that are false under the solver's model, or of all if there is none.
fn operators_of_false(pool: &mut TermPool, script: &Script, trial: &Trial<'_>) -> Vec<Op> {
    let all = last_query(script);
    let Some(model) = printed_model(pool, script, trial) else { return operators(pool, script) };
    let mut evaluator = Evaluator::new(pool, &model);
    let mut is_false = |one: &TermId| evaluator.evaluate(*one).is_false();
    let wrong: Vec<TermId> = all.iter().copied().filter(|one| is_false(one)).collect();
    let found = operators_of(pool, &wrong);
    if found.iter().any(|op| op.info().theory != Theory::Core && !is_common(*op)) {
        return found;
    }
    operators(pool, script)
}

/// The operators of the last query that say something: see the header.
fn operators(pool: &TermPool, script: &Script) -> Vec<Op> {
    operators_of(pool, &last_query(script))
}

fn operators_of(pool: &TermPool, terms: &[TermId]) -> Vec<Op> {
    let mut all: Vec<Op> = Vec::new();
    for term in PostOrder::new(pool, terms.iter().copied()) {
        if let Term::Op(op, [_, ..]) = pool.term(term)
            && pool.as_integer(term).is_none()
        {
            all.push(op);
        }
    }
    all.sort_unstable();
    all.dedup();
    // Of three lists, each longer than the one before, the first that is not empty.
    let is_common = |op: &Op| matches!(op, Op::StrLen | Op::StrConcat | Op::StrToRe | Op::StrInRe);
    let of_theory = |op: &Op| op.info().theory != Theory::Core;
    let is_telling = |op: &Op| of_theory(op) && op.info().theory != Theory::Ints && !is_common(op);
    for is_kept in [&is_telling as &dyn Fn(&Op) -> bool, &of_theory] {
        let kept: Vec<Op> = all.iter().copied().filter(|op| is_kept(op)).collect();
        if !kept.is_empty() {
            return kept;
        }
    }
    all
}

impl Minimal {
    fn new(
        pool: TermPool,
        script: Script,
        truth: Truth,
        kind: FindingKind,
        is_reduced: bool,
    ) -> Self {
        let nodes = nodes(&pool, &script);
        let assertions = last_query(&script);
        let texts: Vec<String> = assertions.iter().map(|&one| term_text(&pool, one)).collect();
        Self { pool, script, truth, kind, nodes, is_reduced, text: texts.join(" ") }
    }

    /// Removes what can still be removed; nothing if it does not fail again.
    pub fn reduce_further(&mut self, settings: &Settings<'_>) {
        if self.is_reduced {
            return;
        }
        let Self { pool, script, truth, kind, .. } = &*self;
        let (pool, script, truth) = (pool.clone(), script.clone(), truth.clone());
        let input = Input { pool, script, truth, keep: Keep::Kind(*kind) };
        if let Ok(found) = reduce(input, settings, &mut |_| {}) {
            let kind = found.class.unwrap_or(self.kind);
            *self = Self::new(found.pool, found.script, found.truth, kind, !found.stopped);
        }
    }

    /// What the solver says to it in a process of its own, and why that is wrong.
    pub fn shown(&mut self, trial: &Trial<'_>) -> Option<(String, Vec<String>)> {
        let request = match self.kind {
            FindingKind::InvalidModel | FindingKind::WrongSat => Some(Request::Model),
            FindingKind::InvalidCore => Some(Request::Core),
            _ => None,
        };
        let reply = trial.ask_alone(&mut self.pool, &self.script, request)?;
        let mut asked = AskedScript {
            pool: &mut self.pool,
            script: &self.script,
            planted_core: None,
            dialect: trial.solver.dialect,
        };
        let found = reproduced(self.kind, &reply, &mut asked)?;
        Some((found.said, found.reasons))
    }
}
