//! Asking again: a fresh process, one formula. What does not show there is no finding.

use luthier_judge::{Outcome, render_explanation, render_value};
use luthier_records::{Text, Verdict};
use luthier_terms::TermPool;

use crate::batch::{Bench, Reply, reply_alone};
use crate::question::Question;
use crate::suspect::{Checked, Suspicion, check, wrong_core};
use crate::target::Asking;
use crate::{Finding, FindingClass, Target, Truth};

/// Of a case at most so many formulas are tried.
const TRIES: usize = 3;

/// The finding behind a suspicion, shown by the smallest formula that does. `scopes` says that the
/// formulas stood between `push` and `pop`.
pub(crate) fn confirm(
    target: &Target,
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
        let (copy, asking) = copy(target, question, false, false)?;
        let reply = ask(target, copy, asking, bench);
        if !matches!(reply, Reply::Said { verdict: Verdict::Sat, .. }) {
            return None;
        }
        other_text = Some(question.formula.text.clone());
    }
    for incremental in [false, true] {
        if incremental && !(scopes && class.is_wrong()) {
            break;
        }
        for &place in suspicion.questions.iter().take(TRIES) {
            let question = &mut questions[place];
            let cores = class == FindingClass::InvalidCore;
            let Some((copy, asking)) = copy(target, question, cores, incremental) else {
                continue;
            };
            // It had its time in a process of its own already.
            let reply = match class {
                FindingClass::Slow => Reply::Slow,
                _ => ask(target, copy.clone(), asking, bench),
            };
            let Some(shown) = shows(class, &reply, question, target) else { continue };
            let formula = &question.formula;
            return Some(Finding {
                class: shown.class,
                solver: target.name.clone(),
                number,
                formula: formula.name.clone(),
                category: formula.category,
                operation: formula.operation,
                derivation: formula.derivation.clone(),
                truth: match Truth::planted(formula) {
                    // Its own witness is easier to check than that of a twin.
                    own @ Truth::Witness(_) => own,
                    _ => truth.clone(),
                },
                said: shown.said,
                reasons: shown.reasons,
                incremental_only: incremental,
                text: formula.text.clone(),
                other_text,
                copy,
                dialect: target.dialect.name(),
                command: target.command_line("{file}", asking),
            });
        }
    }
    None
}

/// What an answer shows.
struct Shown {
    class: FindingClass,
    said: String,
    reasons: Vec<String>,
}

/// Whether a reply shows what was suspected.
fn shows(
    class: FindingClass,
    reply: &Reply,
    question: &mut Question,
    target: &Target,
) -> Option<Shown> {
    let shown = |class, said: String, reasons| Some(Shown { class, said, reasons });
    match (class, reply) {
        (FindingClass::WrongUnsat, Reply::Said { verdict: Verdict::Unsat, .. }) => {
            let reason = "the referee finds every assertion true under the model above";
            shown(class, "unsat".into(), vec![reason.into()])
        }
        (FindingClass::Contradiction, Reply::Said { verdict: Verdict::Unsat, .. }) => {
            let reason = "it says sat to the other formula, which has the same answer";
            shown(class, "unsat".into(), vec![reason.into()])
        }
        (FindingClass::WrongSat, Reply::Said { verdict: Verdict::Sat, model, .. }) => {
            let checked = model.as_ref().map(|model| check(question, target.dialect, model));
            let reasons = match checked {
                Some(Checked::Invalid(outcome)) => refutation(&mut question.pool, &outcome),
                _ => Vec::new(),
            };
            shown(class, said_sat(model.as_ref()), reasons)
        }
        (FindingClass::InvalidModel, Reply::Said { verdict: Verdict::Sat, model, .. }) => {
            match check(question, target.dialect, model.as_ref()?) {
                Checked::Invalid(outcome) => {
                    let reasons = refutation(&mut question.pool, &outcome);
                    shown(class, said_sat(model.as_ref()), reasons)
                }
                _ => None,
            }
        }
        (FindingClass::Disputed, Reply::Said { verdict: Verdict::Sat, model, .. }) => {
            let checked = check(question, target.dialect, model.as_ref()?);
            matches!(checked, Checked::Valid).then(|| Shown {
                class,
                said: said_sat(model.as_ref()),
                reasons: vec!["the referee finds every assertion true under the model".into()],
            })
        }
        (FindingClass::InvalidCore, Reply::Said { verdict: Verdict::Unsat, core, .. }) => {
            let names = core.as_ref()?;
            let reason = wrong_core(question, names)?;
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            shown(class, format!("unsat, core ({})", names.join(" ")), vec![reason])
        }
        (FindingClass::Incomplete, Reply::Said { verdict: Verdict::Unknown, .. }) => {
            let reason = "there is nothing to solve: the formula has no constants";
            shown(class, "unknown".into(), vec![reason.into()])
        }
        (FindingClass::Crash, Reply::Crashed(message)) => shown(class, message.clone(), Vec::new()),
        (FindingClass::Slow | FindingClass::Incomplete, Reply::Slow) => {
            shown(FindingClass::Slow, "no answer within the limit".into(), Vec::new())
        }
        _ => None,
    }
}

/// What a solver gets to be asked about one formula, and how it is asked. `None`: its dialect has
/// no words for it.
fn copy(
    target: &Target,
    question: &mut Question,
    cores: bool,
    incremental: bool,
) -> Option<(Vec<u8>, Asking)> {
    let asking = Asking { cores, incremental, query_limit: None };
    let lines = target.script_lines(asking);
    let copy = if incremental {
        scoped(&lines, question, target, cores)?
    } else {
        question.alone(target.dialect, cores, &lines)?
    };
    Some((copy, asking))
}

fn ask(target: &Target, copy: Vec<u8>, asking: Asking, bench: &Bench<'_>) -> Reply {
    reply_alone(&target.run(copy, asking, bench.timeout, bench.folder))
}

/// The formula between `push` and `pop`.
fn scoped(lines: &[String], question: &Question, target: &Target, cores: bool) -> Option<Vec<u8>> {
    let piece = question.piece(target.dialect, cores)?;
    let mut script = Vec::new();
    for line in lines {
        script.extend_from_slice(line.as_bytes());
        script.push(b'\n');
    }
    script.extend_from_slice(format!("(set-logic {})\n(push 1)\n", piece.logic).as_bytes());
    for declaration in &piece.declarations {
        script.extend_from_slice(&declaration.line);
    }
    script.extend_from_slice(&piece.body);
    script.extend_from_slice(if cores { b"(get-unsat-core)\n" } else { b"(get-model)\n" });
    script.extend_from_slice(format!("(pop {})\n", piece.scopes.to_close()).as_bytes());
    Some(script)
}

fn said_sat(model: Option<&Text>) -> String {
    match model {
        Some(model) => format!("sat, model {model}"),
        None => "sat".to_owned(),
    }
}

/// Which assertions a model makes false, and which parts of them are to blame.
fn refutation(pool: &mut TermPool, outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    let Outcome::Invalid { failing, wrong_values } = outcome else { return lines };
    for one in failing {
        let mut which = match one.number {
            Some(number) => format!("assertion {number}"),
            None => "an assumption".to_owned(),
        };
        if let Some(name) = one.name {
            which.push_str(&format!(" `{}`", pool.symbols().display(name)));
        }
        lines.push(format!("{which} is false:"));
        let steps = render_explanation(pool, &one.explanation);
        lines.extend(steps.into_iter().map(|step| format!("  {step}")));
    }
    for one in wrong_values {
        let actual = render_value(pool, &one.actual);
        lines.push(format!("a term has the value {actual}, not the one that the solver gives"));
    }
    lines
}
