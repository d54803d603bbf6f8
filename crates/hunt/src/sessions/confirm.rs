//! Confirmation of what a session seems to show: first its query alone as a plain script, then the session
//! up to that query, each in a fresh process without the limits of a batch. [`session_failure`] is the same
//! check for a session that was kept as a file.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_ask::{
    QueryReply, ScriptRunner as _, SessionEnd, SessionReply, Solver, ask_session_alone,
};
use luthier_generator::{Category, Formula};
use luthier_judge::query_script;
use luthier_records::FindingKind;
use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::{CommandKind, Dialect, PrintOptions, Script, print_script};

use super::facts::Facts;
use super::judge::{SessionSuspicion, contradiction, errors, judge, proof};
use super::{ParsedSession, SolverSession, mode};
use crate::batch::HuntEnvironment;
use crate::confirm::Ways;
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::{Reproduced, said_sat};
use crate::suspicion::Suspicion;
use crate::{CaseTruth, Finding};

/// The finding behind a suspicion.
pub(crate) fn confirm(
    solver: &Solver,
    suspicion: &SessionSuspicion,
    facts: &Facts,
    number: u64,
    session: &mut ParsedSession,
    environment: &HuntEnvironment<'_>,
) -> Option<Finding> {
    let truth = match suspicion.class {
        FindingKind::Crash => CaseTruth::Open,
        _ => facts.truth(&session.queries[suspicion.query].set),
    };
    let plain = plain(solver, suspicion, &truth, number, session, environment);
    plain.or_else(|| in_session(solver, suspicion, facts, truth, number, session, environment))
}

/// The query as a plain script, if that shows the same error.
fn plain(
    solver: &Solver,
    suspicion: &SessionSuspicion,
    truth: &CaseTruth,
    number: u64,
    session: &ParsedSession,
    environment: &HuntEnvironment<'_>,
) -> Option<Finding> {
    // A core is about names and a contradiction about two queries.
    if matches!(suspicion.class, FindingKind::InvalidCore | FindingKind::Contradiction) {
        return None;
    }
    let mut script = query_script(&session.pool, &session.script, suspicion.query).ok()?;
    script.commands.retain(|command| !matches!(command.kind, CommandKind::SetOption(_)));
    let text = text(session, &script)?;
    let head = match truth {
        CaseTruth::Witness(witness) => Annotation::Witness.text_line(witness),
        _ => String::new(),
    };
    let expected = match truth.answer() {
        "unknown" => String::new(),
        answer => Annotation::Expected.word_line(answer),
    };
    let formula = Formula {
        name: format!("{}-{}", session.formula.name, suspicion.query + 1),
        derivation: format!("query {} of {}", suspicion.query + 1, session.formula.derivation),
        expected: luthier_generator::Expected::Open,
        text: format!("{expected}{head}{text}"),
        ..session.formula.clone()
    };
    let mut parsed = [ParsedFormula::read(formula).ok()?];
    let single = Suspicion {
        solver: suspicion.solver,
        class: suspicion.class,
        formulas: vec![0],
        opposite: None,
        opponent: None,
    };
    let ways = Ways { scopes: false, query: None };
    crate::confirm::confirm((solver, None), &single, truth, number, &mut parsed, ways, environment)
}

/// The session up to the query, or up to both queries of a contradiction.
fn in_session(
    solver: &Solver,
    suspicion: &SessionSuspicion,
    facts: &Facts,
    truth: CaseTruth,
    number: u64,
    session: &mut ParsedSession,
    environment: &HuntEnvironment<'_>,
) -> Option<Finding> {
    let count = suspicion.query.max(suspicion.opposite.unwrap_or(0)) + 1;
    let asked = session.for_solver(solver, count)?;
    let mode = mode(asked.cores, None);
    let mut runner = environment.runner(solver);
    let preamble = runner.preamble(mode);
    let script = asked.script.text(&preamble, true);
    let limit = environment.timeout.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
    let reply = ask_session_alone(&mut runner, &asked.script, script, mode, limit);
    let shown = shown(suspicion, facts, session, &asked, &reply, solver)?;
    let text = text(session, &session.cut(count))?;
    let formula = &session.formula;
    Some(Finding {
        class: shown.class,
        solver: solver.name.clone(),
        number,
        formula: formula.name.clone(),
        category: formula.category,
        operation: formula.operation,
        derivation: formula.derivation.clone(),
        truth,
        said: format!("query {}: {}", suspicion.query + 1, shown.said),
        reasons: shown.reasons,
        incremental_only: true,
        query: None,
        text,
        other_text: None,
        copy: asked.script.text(&preamble, false),
        dialect: solver.dialect.name(),
        command: solver.command_line("{file}", mode),
        option_sets: solver.option_sets.clone(),
        expert_options: solver.has_expert_options(),
    })
}

/// A session that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFailure {
    /// The query that shows it, from 0.
    pub query: usize,
    /// What the solver says to it.
    pub said: String,
    /// Why that is wrong, line by line.
    pub reasons: Vec<String>,
}

/// The failure of this kind that a session in standard SMT-LIB shows in a process of its own. Its ground truth
/// is what it states about its queries (`:luthier-expected`), and models that the referee accepts.
pub fn session_failure(
    solver: &Solver,
    text: &str,
    class: FindingKind,
    timeout: Duration,
    folder: &Path,
    stop: &AtomicBool,
) -> Option<SessionFailure> {
    let formula = Formula {
        name: "session".to_owned(),
        category: Category::Random,
        operation: "",
        expected: luthier_generator::Expected::Open,
        derivation: String::new(),
        text: text.to_owned(),
    };
    let mut session = ParsedSession::read(formula)?;
    let count = session.queries.len();
    let asked = session.for_solver(solver, count)?;
    let query_limit = timeout;
    let environment = HuntEnvironment { folder, timeout, query_limit, process_size: 1, stop };
    let mode = mode(asked.cores, None);
    let mut runner = environment.runner(solver);
    let script = asked.script.text(&runner.preamble(mode), true);
    let limit = timeout.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
    let reply = ask_session_alone(&mut runner, &asked.script, script, mode, limit);
    let solvers = std::slice::from_ref(solver);
    let (facts, suspicions) = judge(&mut session, solvers, &vec![Some((&asked, &reply))]);
    let suspicion = suspicions.into_iter().find(|one| one.class == class)?;
    let shown = shown(&suspicion, &facts, &mut session, &asked, &reply, solver)?;
    Some(SessionFailure { query: suspicion.query, said: shown.said, reasons: shown.reasons })
}

/// The error of the suspicion, if the reply shows it.
fn shown(
    suspicion: &SessionSuspicion,
    facts: &Facts,
    session: &mut ParsedSession,
    asked: &SolverSession,
    reply: &SessionReply,
    solver: &Solver,
) -> Option<Reproduced> {
    let class = suspicion.class;
    let query: Option<&QueryReply> = reply.queries.get(suspicion.query);
    match class {
        FindingKind::Crash => match &reply.end {
            SessionEnd::Lost(ending) if ending.is_crash() => {
                Some(Reproduced { class, said: ending.to_string(), reasons: Vec::new() })
            }
            _ => None,
        },
        FindingKind::Contradiction => {
            let (unsat, sat) = contradiction(session, &reply.queries, facts)?;
            let is_same = unsat == suspicion.query && Some(sat) == suspicion.opposite;
            let reason = format!(
                "the solver answers sat to query {}, which has all assertions of this one and more",
                sat + 1
            );
            is_same.then(|| Reproduced { class, said: "unsat".to_owned(), reasons: vec![reason] })
        }
        FindingKind::PlantedAgainstModel => {
            let values = asked.values.get(suspicion.query)?.as_ref();
            let model = proof(session, suspicion.query, query?, values, solver)?;
            let reason =
                "the referee evaluates every assertion of the query to true under the model";
            Some(Reproduced { class, said: said_sat(Some(&model)), reasons: vec![reason.into()] })
        }
        _ => {
            let values = asked.values.get(suspicion.query)?.as_ref();
            let found = errors(session, suspicion.query, query?, values, facts, solver.dialect);
            found.into_iter().find(|error| error.class == class)
        }
    }
}

/// A script over the terms of a session as text.
fn text(session: &ParsedSession, script: &Script) -> Option<String> {
    let printed = print_script(&session.pool, script, &PrintOptions::new(Dialect::Smt26)).ok()?;
    String::from_utf8(printed.bytes).ok()
}
