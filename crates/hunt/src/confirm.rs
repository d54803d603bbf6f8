//! Confirmation of suspicions: one formula in a fresh process of its own.
//!
//! A suspicion from a batch becomes a [`Finding`] only if the same kind of error occurs again
//! without the other formulas. The smallest formulas of the case are tried first, at most three. If
//! the error needs incremental mode, it is tried once more between `push` and `pop` and marked as
//! such. A contradiction is confirmed only if both formulas give the same verdicts again.
//!
//! Slow formulas are not run again: they have used their time limit in a process of their own
//! already.

use luthier_ask::{
    BatchItem, ProcessMode, Reply, Request, ScriptRunner, Separator, Solver, batch_script,
};
use luthier_judge::render_invalid;
use luthier_records::{Class, FindingKind, Text, Verdict};

use crate::batch::HuntEnvironment;
use crate::parsed_formula::ParsedFormula;
use crate::suspicion::{Checked, Suspicion, check, invalid_core_reason, is_crash};
use crate::{CaseTruth, Finding};

/// How many formulas of a case are tried.
const TRIES: usize = 3;
/// The description of a timeout.
const NO_ANSWER: &str = "no answer within the limit";

/// The finding behind a suspicion, with the smallest formula that reproduces it. `scopes`: the formulas
/// of the batch were separated by `push` and `pop`.
pub(crate) fn confirm(
    solver: &Solver,
    suspicion: &Suspicion,
    truth: &CaseTruth,
    number: u64,
    formulas: &mut [ParsedFormula],
    scopes: bool,
    environment: &HuntEnvironment<'_>,
) -> Option<Finding> {
    let class = suspicion.class;
    let mut other_text = None;
    if let Some(opposite) = suspicion.opposite {
        let parsed = &mut formulas[opposite];
        let (copy, mode) = copy(solver, parsed, false, false)?;
        if ask(solver, copy, mode, environment).verdict() != Some(Verdict::Sat) {
            return None;
        }
        other_text = Some(parsed.formula.text.clone());
    }
    for incremental in [false, true] {
        if incremental && !(scopes && class.is_solver_error()) {
            break;
        }
        for &index in suspicion.formulas.iter().take(TRIES) {
            let parsed = &mut formulas[index];
            let cores = class == FindingKind::InvalidCore;
            let Some((copy, mode)) = copy(solver, parsed, cores, incremental) else { continue };
            let confirmed = match class {
                // It reached the time limit in a process of its own already.
                FindingKind::Slow => {
                    Some(Confirmed { class, said: NO_ANSWER.to_owned(), reasons: Vec::new() })
                }
                _ => {
                    let reply = ask(solver, copy.clone(), mode, environment);
                    confirmed(class, &reply, parsed, solver)
                }
            };
            let Some(confirmed) = confirmed else { continue };
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
                text: formula.text.clone(),
                other_text,
                copy,
                dialect: solver.dialect.name(),
                command: solver.command_line("{file}", mode),
            });
        }
    }
    None
}

/// A suspicion that a reply confirms.
struct Confirmed {
    class: FindingKind,
    said: String,
    reasons: Vec<String>,
}

/// The suspicion of this class, if the reply confirms it.
fn confirmed(
    class: FindingKind,
    reply: &Reply,
    parsed: &mut ParsedFormula,
    solver: &Solver,
) -> Option<Confirmed> {
    let confirmed = |class, said: String, reasons| Some(Confirmed { class, said, reasons });
    let model = reply.model();
    match (class, reply.verdict()) {
        (FindingKind::WrongUnsat, Some(Verdict::Unsat)) => {
            let reason = "the referee evaluates every assertion to true under the model above";
            confirmed(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::Contradiction, Some(Verdict::Unsat)) => {
            let reason = "the solver answers sat to the other formula, which is equisatisfiable";
            confirmed(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::WrongSat, Some(Verdict::Sat)) => {
            let reasons = match model.map(|model| check(parsed, solver.dialect, model)) {
                Some(Checked::Invalid(outcome)) => render_invalid(&mut parsed.pool, &outcome),
                _ => Vec::new(),
            };
            confirmed(class, said_sat(model), reasons)
        }
        (FindingKind::InvalidModel, Some(Verdict::Sat)) => {
            match check(parsed, solver.dialect, model?) {
                Checked::Invalid(outcome) => {
                    let reasons = render_invalid(&mut parsed.pool, &outcome);
                    confirmed(class, said_sat(model), reasons)
                }
                _ => None,
            }
        }
        (FindingKind::PlantedAgainstModel, Some(Verdict::Sat)) => {
            let checked = check(parsed, solver.dialect, model?);
            matches!(checked, Checked::Valid).then(|| Confirmed {
                class,
                said: said_sat(model),
                reasons: vec![
                    "the referee evaluates every assertion to true under the model".into(),
                ],
            })
        }
        (FindingKind::InvalidCore, Some(Verdict::Unsat)) => {
            let names = reply.core()?;
            let reason = invalid_core_reason(parsed, names)?;
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            confirmed(class, format!("unsat, core ({})", names.join(" ")), vec![reason])
        }
        (FindingKind::Incomplete, Some(Verdict::Unknown)) => {
            let reason = "there is nothing to solve: the formula has no constants";
            confirmed(class, "unknown".into(), vec![reason.into()])
        }
        (FindingKind::Crash, None) if is_crash(reply) => {
            let stderr_line = reply.stderr_line.as_ref().map(|line| format!(": {line}"));
            let said = format!("{}{}", reply.detail, stderr_line.unwrap_or_default());
            confirmed(class, one_line(&said), Vec::new())
        }
        (FindingKind::Slow | FindingKind::Incomplete, None)
            if matches!(reply.class, Class::Timeout | Class::Memout) =>
        {
            confirmed(FindingKind::Slow, NO_ANSWER.into(), Vec::new())
        }
        _ => None,
    }
}

/// Not too long, and without control characters.
fn one_line(text: &str) -> String {
    let clean = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(clean).take(240).collect()
}

/// The script for one formula and the mode of its process; `None` if the solver's dialect cannot
/// express it.
fn copy(
    solver: &Solver,
    parsed: &mut ParsedFormula,
    cores: bool,
    incremental: bool,
) -> Option<(Vec<u8>, ProcessMode)> {
    let mode = ProcessMode { models: true, cores, incremental, query_limit: None };
    let copy = if incremental {
        let formula = parsed.batch_formula(solver, cores)?;
        let request = Some(if cores { Request::Core } else { Request::Model });
        let item = BatchItem { formula, request };
        batch_script(&[&item], Separator::Scopes, &solver.quirks, &solver.preamble(mode))
    } else {
        parsed.script_alone(solver, mode).ok()?
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

fn said_sat(model: Option<&Text>) -> String {
    match model {
        Some(model) => format!("sat, model {model}"),
        None => "sat".to_owned(),
    }
}
