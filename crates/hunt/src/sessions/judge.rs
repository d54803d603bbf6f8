//! Replies to the queries of a session, compared with the facts about them.
//!
//! Models and values are checked by the referee against the query that they answer. A core, or the
//! assumptions of `get-unsat-assumptions`, must name what the query has, and must not be a set that is known
//! to be satisfiable. Two verdicts of one solver contradict each other if it says `unsat` to a set
//! and `sat` to a superset, and nothing is known about either.

use std::collections::BTreeSet;

use luthier_ask::{QueryReply, SessionEnd, SessionReply, Solver};
use luthier_judge::render_invalid;
use luthier_records::{FindingKind, Text, Verdict};
use luthier_runner::answer::list_parts;
use luthier_smtlib::annotations::without_bars;
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::TermId;

use super::facts::Facts;
use super::{ParsedSession, SessionQuery, SolverSession};
use crate::CaseTruth;
use crate::reproduce::{Checked, Reproduced, check_query, said_sat};
use crate::values::ValueRequest;

/// A probable error of a solver in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionSuspicion {
    pub solver: usize,
    pub class: FindingKind,
    /// The query that shows it.
    pub query: usize,
    /// For a contradiction: the query with the opposite verdict.
    pub opposite: Option<usize>,
}

/// What each solver replied; `None` for one that was not asked or not reached.
pub(crate) type Rows<'a> = Vec<Option<(&'a SolverSession, &'a SessionReply)>>;

/// The facts about a session, and the suspicions: at most one of each kind for a solver.
pub(crate) fn judge(
    session: &mut ParsedSession,
    solvers: &[Solver],
    rows: &Rows<'_>,
) -> (Facts, Vec<SessionSuspicion>) {
    let mut facts = Facts::planted(session);
    let mut suspicions: Vec<SessionSuspicion> = Vec::new();
    for (solver, row) in rows.iter().enumerate() {
        let Some((asked, reply)) = row else { continue };
        for (number, query) in reply.queries.iter().enumerate() {
            let shown =
                proof(session, number, query, asked.values[number].as_ref(), &solvers[solver]);
            let Some(model) = shown else { continue };
            if facts.is_planted_unsat(&session.queries[number].set) {
                let class = FindingKind::PlantedAgainstModel;
                let dispute = SessionSuspicion { solver, class, query: number, opposite: None };
                return (facts, vec![dispute]);
            }
            let (name, formula) = (solvers[solver].name.clone(), session.formula.name.clone());
            let formula = format!("{formula}, query {}", number + 1);
            let truth = CaseTruth::Model { solver: name, formula, model: model.to_string() };
            facts.add_model(session.queries[number].set.clone(), truth);
        }
    }
    for (solver, row) in rows.iter().enumerate() {
        let Some((asked, reply)) = row else { continue };
        let mut suspect = |class, query, opposite| {
            if !suspicions.iter().any(|one| one.solver == solver && one.class == class) {
                suspicions.push(SessionSuspicion { solver, class, query, opposite });
            }
        };
        for (number, query) in reply.queries.iter().enumerate() {
            let values = asked.values[number].as_ref();
            for error in errors(session, number, query, values, &facts, solvers[solver].dialect) {
                suspect(error.class, number, None);
            }
        }
        if let Some((unsat, sat)) = contradiction(session, &reply.queries, &facts) {
            suspect(FindingKind::Contradiction, unsat, Some(sat));
        }
        if matches!(&reply.end, SessionEnd::Lost(ending) if ending.is_crash()) {
            let last = reply.queries.len().min(session.queries.len() - 1);
            suspect(FindingKind::Crash, last, None);
        }
    }
    (facts, suspicions)
}

/// The model or the values of a reply, if the referee accepts them for the query.
pub(super) fn proof(
    session: &mut ParsedSession,
    number: usize,
    reply: &QueryReply,
    values: Option<&ValueRequest>,
    solver: &Solver,
) -> Option<Text> {
    if reply.answer.verdict != Verdict::Sat {
        return None;
    }
    let claims = values.and_then(|request| request.claims(&reply.answer));
    let texts = reply.answer.model.clone().into_iter().chain(claims);
    let (pool, script) = (&mut session.pool, &session.script);
    texts.into_iter().find(|text| {
        matches!(check_query(pool, script, Some(number), solver.dialect, text), Checked::Valid)
    })
}

/// The errors that the reply to one query shows.
pub(super) fn errors(
    session: &mut ParsedSession,
    number: usize,
    reply: &QueryReply,
    values: Option<&ValueRequest>,
    facts: &Facts,
    dialect: Dialect,
) -> Vec<Reproduced> {
    let truth = facts.truth(&session.queries[number].set);
    let model = reply.answer.model.as_ref();
    let mut errors = Vec::new();
    let mut add = |class, said, reasons| errors.push(Reproduced { class, said, reasons });
    match (reply.answer.verdict, truth.answer()) {
        (Verdict::Unsat, "sat") => {
            let reason = "the assertions and assumptions of the query have a model";
            add(FindingKind::WrongUnsat, "unsat".to_owned(), vec![reason.to_owned()]);
        }
        (Verdict::Unsat, _) => {
            if let Some((said, reason)) = invalid_core(session, number, reply, facts, dialect) {
                add(FindingKind::InvalidCore, said, vec![reason]);
            }
        }
        (Verdict::Sat, "unsat") => {
            let reason = "the assertions of the query include a set that is unsatisfiable";
            add(FindingKind::WrongSat, said_sat(model), vec![reason.to_owned()]);
        }
        (Verdict::Sat, _) => {
            let (pool, script) = (&mut session.pool, &session.script);
            let checked = model.map(|text| check_query(pool, script, Some(number), dialect, text));
            if let Some(Checked::Invalid(outcome)) = checked {
                add(FindingKind::InvalidModel, said_sat(model), render_invalid(pool, &outcome));
            } else if let Some(claims) = values.and_then(|request| request.claims(&reply.answer))
                && let Checked::Invalid(outcome) =
                    check_query(pool, script, Some(number), dialect, &claims)
            {
                let said = format!("sat, values {claims}");
                add(FindingKind::WrongValue, said, render_invalid(pool, &outcome));
            }
        }
        (Verdict::Unknown, _) => {}
    }
    errors
}

/// Why the core or the assumptions after an `unsat` are invalid: what was said, and the reason.
fn invalid_core(
    session: &ParsedSession,
    number: usize,
    reply: &QueryReply,
    facts: &Facts,
    dialect: Dialect,
) -> Option<(String, String)> {
    let SessionQuery { query, requests_assumptions, .. } = &session.queries[number];
    let (set, said) = if *requests_assumptions {
        let list = reply.lists.last()?;
        let said = format!("unsat, assumptions {list}");
        let mut set: BTreeSet<TermId> =
            query.assertions.iter().map(|active| active.assertion.term).collect();
        let is_name = |part: &[u8]| {
            let names = query.assertions.iter().filter_map(|active| active.assertion.name);
            names
                .into_iter()
                .any(|name| session.pool.symbols().bytes_of(name) == without_bars(part))
        };
        for part in list_parts(list.as_bytes()) {
            // Z3 assumes named assertions internally and lists them, too; they are asserted anyway.
            if is_name(part) {
                continue;
            }
            let printed = |term: &TermId| {
                let printed = print_term(&session.pool, *term, &PrintOptions::new(dialect)).ok();
                printed.is_some_and(|printed| words(&printed.bytes) == words(part))
            };
            match query.assumptions.iter().find(|term| printed(term)) {
                Some(term) => set.insert(*term),
                None => {
                    let part = String::from_utf8_lossy(part).into_owned();
                    return Some((said, format!("it names what is not assumed: {part}")));
                }
            };
        }
        (set, said)
    } else {
        let names = reply.answer.core.as_ref()?;
        let said: Vec<String> = names.iter().map(ToString::to_string).collect();
        let said = format!("unsat, core ({})", said.join(" "));
        // Assertions without a name and the assumptions belong to every core.
        let unnamed = query.assertions.iter().filter(|active| active.assertion.name.is_none());
        let mut set: BTreeSet<TermId> = unnamed.map(|active| active.assertion.term).collect();
        set.extend(&query.assumptions);
        for name in names {
            let wanted = without_bars(name.as_bytes());
            let named = query.assertions.iter().find(|active| {
                active
                    .assertion
                    .name
                    .is_some_and(|name| session.pool.symbols().bytes_of(name) == wanted)
            });
            match named {
                Some(active) => set.insert(active.assertion.term),
                None => return Some((said, format!("it names what is not asserted: {name}"))),
            };
        }
        (set, said)
    };
    let is_sat = facts.truth(&set).answer() == "sat";
    is_sat.then(|| (said, "what it names is satisfiable together with what is asserted".to_owned()))
}

/// The words of a term, whatever the white space between them.
fn words(text: &[u8]) -> Vec<&[u8]> {
    match text.first() {
        Some(b'(') => list_parts(text),
        _ => vec![text],
    }
}

/// Two open queries, a set that the solver calls `unsat` and a superset that it calls `sat`.
pub(super) fn contradiction(
    session: &ParsedSession,
    replies: &[QueryReply],
    facts: &Facts,
) -> Option<(usize, usize)> {
    let open = |number: usize, verdict: Verdict| {
        let is_so = replies[number].answer.verdict == verdict;
        is_so && facts.truth(&session.queries[number].set) == CaseTruth::Open
    };
    let unsat = (0..replies.len()).filter(|&one| open(one, Verdict::Unsat));
    unsat.into_iter().find_map(|one| {
        let sat = (0..replies.len()).find(|&other| {
            open(other, Verdict::Sat)
                && session.queries[one].set.is_subset(&session.queries[other].set)
        });
        sat.map(|sat| (one, sat))
    })
}
