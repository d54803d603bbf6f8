//! Asking again: a fresh process, one formula. What does not show there is no finding.

use luthier_ask::{Item, Mode, Reply, Request, Respondent, Separator, Solver, batch_script};
use luthier_judge::render_invalid;
use luthier_records::{Class, FindingKind, Text, Verdict};

use crate::batch::Bench;
use crate::question::Question;
use crate::suspect::{Checked, Suspicion, check, is_crash, wrong_core};
use crate::{Finding, Truth};

/// Of a case at most so many formulas are tried.
const TRIES: usize = 3;
/// What is said of a solver that was too slow.
const NO_ANSWER: &str = "no answer within the limit";

/// The finding behind a suspicion, shown by the smallest formula that does. `scopes` says that the
/// formulas stood between `push` and `pop`.
pub(crate) fn confirm(
    solver: &Solver,
    suspicion: &Suspicion,
    truth: &Truth,
    number: u64,
    questions: &mut [Question],
    scopes: bool,
    bench: &Bench<'_>,
) -> Option<Finding> {
    let class = suspicion.class;
    let mut other_text = None;
    if let Some(opposite) = suspicion.opposite {
        let question = &mut questions[opposite];
        let (copy, mode) = copy(solver, question, false, false)?;
        if ask(solver, copy, mode, bench).verdict() != Some(Verdict::Sat) {
            return None;
        }
        other_text = Some(question.formula.text.clone());
    }
    for incremental in [false, true] {
        if incremental && !(scopes && class.is_solver_error()) {
            break;
        }
        for &place in suspicion.questions.iter().take(TRIES) {
            let question = &mut questions[place];
            let cores = class == FindingKind::InvalidCore;
            let Some((copy, mode)) = copy(solver, question, cores, incremental) else { continue };
            let shown = match class {
                // It had its time in a process of its own already.
                FindingKind::Slow => {
                    Some(Confirmed { class, said: NO_ANSWER.to_owned(), reasons: Vec::new() })
                }
                _ => {
                    let reply = ask(solver, copy.clone(), mode, bench);
                    shows(class, &reply, question, solver)
                }
            };
            let Some(shown) = shown else { continue };
            let formula = &question.formula;
            return Some(Finding {
                class: shown.class,
                solver: solver.name.clone(),
                number,
                formula: formula.name.clone(),
                category: formula.category,
                operation: formula.operation,
                derivation: formula.derivation.clone(),
                truth: match Truth::planted(formula) {
                    // Its own witness is easier to check than that of a variant.
                    own @ Truth::Witness(_) => own,
                    _ => truth.clone(),
                },
                said: shown.said,
                reasons: shown.reasons,
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

/// What an answer shows.
struct Confirmed {
    class: FindingKind,
    said: String,
    reasons: Vec<String>,
}

/// Whether a reply shows what was suspected.
fn shows(
    class: FindingKind,
    reply: &Reply,
    question: &mut Question,
    solver: &Solver,
) -> Option<Confirmed> {
    let shown = |class, said: String, reasons| Some(Confirmed { class, said, reasons });
    let model = reply.model();
    match (class, reply.verdict()) {
        (FindingKind::WrongUnsat, Some(Verdict::Unsat)) => {
            let reason = "the referee finds every assertion true under the model above";
            shown(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::Contradiction, Some(Verdict::Unsat)) => {
            let reason = "it says sat to the other formula, which has the same answer";
            shown(class, "unsat".into(), vec![reason.into()])
        }
        (FindingKind::WrongSat, Some(Verdict::Sat)) => {
            let reasons = match model.map(|model| check(question, solver.dialect, model)) {
                Some(Checked::Invalid(outcome)) => render_invalid(&mut question.pool, &outcome),
                _ => Vec::new(),
            };
            shown(class, said_sat(model), reasons)
        }
        (FindingKind::InvalidModel, Some(Verdict::Sat)) => {
            match check(question, solver.dialect, model?) {
                Checked::Invalid(outcome) => {
                    let reasons = render_invalid(&mut question.pool, &outcome);
                    shown(class, said_sat(model), reasons)
                }
                _ => None,
            }
        }
        (FindingKind::PlantedAgainstModel, Some(Verdict::Sat)) => {
            let checked = check(question, solver.dialect, model?);
            matches!(checked, Checked::Valid).then(|| Confirmed {
                class,
                said: said_sat(model),
                reasons: vec!["the referee finds every assertion true under the model".into()],
            })
        }
        (FindingKind::InvalidCore, Some(Verdict::Unsat)) => {
            let names = reply.core()?;
            let reason = wrong_core(question, names)?;
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            shown(class, format!("unsat, core ({})", names.join(" ")), vec![reason])
        }
        (FindingKind::Incomplete, Some(Verdict::Unknown)) => {
            let reason = "there is nothing to solve: the formula has no constants";
            shown(class, "unknown".into(), vec![reason.into()])
        }
        (FindingKind::Crash, None) if is_crash(reply) => {
            let complaint = reply.complaint.as_ref().map(|line| format!(": {line}"));
            let said = format!("{}{}", reply.detail, complaint.unwrap_or_default());
            shown(class, one_line(&said), Vec::new())
        }
        (FindingKind::Slow | FindingKind::Incomplete, None)
            if matches!(reply.class, Class::Timeout | Class::Memout) =>
        {
            shown(FindingKind::Slow, NO_ANSWER.into(), Vec::new())
        }
        _ => None,
    }
}

/// Not too long, and without control characters.
fn one_line(text: &str) -> String {
    let clean = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(clean).take(240).collect()
}

/// What a solver gets to be asked about one formula, and how it is asked. `None`: its dialect
/// cannot express it.
fn copy(
    solver: &Solver,
    question: &mut Question,
    cores: bool,
    incremental: bool,
) -> Option<(Vec<u8>, Mode)> {
    let mode = Mode { models: true, cores, incremental, query_limit: None };
    let copy = if incremental {
        let piece = question.piece(solver, cores)?;
        let request = Some(if cores { Request::Core } else { Request::Model });
        let item = Item { piece, request };
        batch_script(&[&item], Separator::Scopes, &solver.quirks, &solver.lines(mode))
    } else {
        question.alone(solver, mode).ok()?
    };
    Some((copy, mode))
}

fn ask(solver: &Solver, copy: Vec<u8>, mode: Mode, bench: &Bench<'_>) -> Reply {
    bench.with(solver).ask_as_it_is(copy, mode, bench.timeout).0
}

fn said_sat(model: Option<&Text>) -> String {
    match model {
        Some(model) => format!("sat, model {model}"),
        None => "sat".to_owned(),
    }
}
