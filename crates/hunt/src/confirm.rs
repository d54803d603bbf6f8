//! Confirmation of suspicions: one formula in a fresh process of its own.
//!
//! A suspicion from a batch becomes a [`Finding`] only if the same kind of error occurs again
//! without the other formulas. The smallest formulas of the case are tried first, at most three. If
//! the error needs incremental mode, it is tried once more between `push` and `pop` and marked as
//! such; likewise with the command that the batch had in the place of `check-sat`. A contradiction or a dispute is confirmed only if both formulas give the same verdicts again.
//!
//! Slow formulas are not run again: they have used their time limit in a process of their own
//! already.

use luthier_ask::{
    BatchItem, ProcessMode, Reply, Request, ScriptRunner, Separator, Solver, batch_script,
    script_with_query,
};
use luthier_records::{FindingKind, Verdict};

use crate::batch::HuntEnvironment;
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::{NO_ANSWER, Reproduced, reproduced, reproduced_by_values};
use crate::suspicion::Suspicion;
use crate::values::{ValueRequest, with_values};
use crate::{CaseTruth, Finding};

/// How many formulas of a case are tried.
const TRIES: usize = 3;

/// How the formulas of the batch were asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<'a> {
    /// They were separated by `push` and `pop`.
    pub scopes: bool,
    /// This command stood in the place of `check-sat`.
    pub query: Option<&'a str>,
}

/// The finding behind a suspicion, with the smallest formula that reproduces it. `opponent` is the other
/// solver of a dispute.
pub(crate) fn confirm(
    (solver, opponent): (&Solver, Option<&Solver>),
    suspicion: &Suspicion,
    truth: &CaseTruth,
    number: u64,
    formulas: &mut [ParsedFormula],
    ways: Ways<'_>,
    environment: &HuntEnvironment<'_>,
) -> Option<Finding> {
    let class = suspicion.class;
    let mut other_text = None;
    if let Some(opposite) = suspicion.opposite {
        let parsed = &mut formulas[opposite];
        let other = opponent.unwrap_or(solver);
        let (copy, mode) = copy(other, parsed, false, (false, None), None)?;
        if ask(other, copy, mode, environment).verdict() != Some(Verdict::Sat) {
            return None;
        }
        other_text = Some(parsed.formula.text.clone());
    }
    let scopes = ways.scopes && class.is_solver_error();
    let queries = [Some(None), ways.query.map(Some)].into_iter().flatten();
    let all = queries.flat_map(|query| [(false, query), (true, query)]);
    for (incremental, query) in all.filter(|(incremental, _)| scopes || !incremental) {
        for &index in suspicion.formulas.iter().take(TRIES) {
            let parsed = &mut formulas[index];
            let cores = class == FindingKind::InvalidCore;
            let by_values =
                matches!(class, FindingKind::WrongValue | FindingKind::PlantedAgainstModel);
            let values = if by_values { parsed.value_request(solver) } else { None };
            let request = values.as_ref();
            let Some((copy, mode)) = copy(solver, parsed, cores, (incremental, query), request)
            else {
                continue;
            };
            let confirmed = match class {
                // It reached the time limit in a process of its own already.
                FindingKind::Slow => {
                    Some(Reproduced { class, said: NO_ANSWER.to_owned(), reasons: Vec::new() })
                }
                _ => {
                    let reply = ask(solver, copy.clone(), mode, environment);
                    let asked = &mut parsed.asked(solver.dialect);
                    let claims = || values.as_ref()?.claims(reply.answer.as_ref()?);
                    let without_values = match class {
                        FindingKind::WrongValue => None,
                        _ => reproduced(class, &reply, asked),
                    };
                    without_values.or_else(|| {
                        reply.verdict().filter(|verdict| *verdict == Verdict::Sat)?;
                        reproduced_by_values(class, &claims()?, asked)
                    })
                }
            };
            let Some(mut confirmed) = confirmed else { continue };
            if let Some(opponent) = opponent {
                confirmed.reasons.push(format!("{} answers sat", opponent.name));
            }
            let formula = &parsed.formula;
            return Some(Finding {
                class: confirmed.class,
                solver: solver.name.clone(),
                number,
                formula: formula.name.clone(),
                category: formula.category,
                operation: formula.operation,
                derivation: formula.derivation.clone(),
                truth: match CaseTruth::planted(formula) {
                    // The formula's own witness is easier to check than that of a variant.
                    own @ CaseTruth::Witness(_) => own,
                    _ => truth.clone(),
                },
                said: confirmed.said,
                reasons: confirmed.reasons,
                incremental_only: incremental,
                query: query.map(str::to_owned),
                text: if incremental { in_scope(&formula.text) } else { formula.text.clone() },
                other_text,
                copy,
                dialect: solver.dialect.name(),
                command: solver.command_line("{file}", mode),
                option_sets: solver.option_sets.clone(),
                expert_options: solver.has_expert_options(),
            });
        }
    }
    None
}

/// The text with everything from the first declaration or assertion on between `push` and `pop`, so that
/// the file by itself shows what shows only there.
fn in_scope(text: &str) -> String {
    let is_inside =
        |line: &str| ["(declare", "(define", "(assert"].iter().any(|one| line.starts_with(one));
    let mut scoped = String::with_capacity(text.len() + 20);
    let mut is_open = false;
    for line in text.lines() {
        if !is_open && is_inside(line) {
            is_open = true;
            scoped.push_str("(push 1)\n");
        }
        scoped.push_str(line);
        scoped.push('\n');
    }
    if is_open {
        scoped.push_str("(pop 1)\n");
    }
    scoped
}

/// The script for one formula and the mode of its process; `None` if the solver's dialect cannot
/// express it.
fn copy(
    solver: &Solver,
    parsed: &mut ParsedFormula,
    cores: bool,
    (incremental, query): (bool, Option<&str>),
    values: Option<&ValueRequest>,
) -> Option<(Vec<u8>, ProcessMode)> {
    let mode = ProcessMode { models: true, cores, incremental, query_limit: None };
    let values = values.map(|request| request.command.clone()).unwrap_or_default();
    let copy = if incremental {
        let formula = parsed.batch_formula(solver, cores)?;
        let request = Some(if cores { Request::Core } else { Request::Model });
        let item = BatchItem { formula, request, values };
        batch_script(&[&item], Separator::Scopes, &solver.quirks, &solver.preamble(mode))
    } else {
        with_values(parsed.script_alone(solver, mode).ok()?, &values)
    };
    let copy = match query {
        Some(command) => script_with_query(&copy, command)?,
        None => copy,
    };
    Some((copy, mode))
}

fn ask(
    solver: &Solver,
    copy: Vec<u8>,
    mode: ProcessMode,
    environment: &HuntEnvironment<'_>,
) -> Reply {
    environment.runner(solver).ask_verbatim(copy, mode, environment.timeout).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_in_a_scope_only_is_written_with_the_scope() {
        let text =
            "; x\n(set-logic QF_S)\n(declare-const x String)\n(assert (= x x))\n(check-sat)\n";
        let scoped = "; x\n(set-logic QF_S)\n(push 1)\n(declare-const x String)\n(assert (= x x))\n(check-sat)\n(pop 1)\n";
        assert_eq!(in_scope(text), scoped);
        assert_eq!(in_scope("(check-sat)\n"), "(check-sat)\n");
    }
}
