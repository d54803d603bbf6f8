//! What looks wrong about the replies to the formulas of one case, which all have the same answer.
//!
//! The answer is the planted one, or `sat` if the referee accepts a model that any solver found
//! for any of the formulas; otherwise it is open. Models that say too little or that the referee
//! cannot judge are no proof and no fault.

use luthier_ask::{Reply, Solver};
use luthier_judge::{CheckOptions, Outcome, check_model, examine_core, judging_limits};
use luthier_records::{Class, CoreOutcome, FindingKind, Text, Verdict};
use luthier_semantics::Limits;
use luthier_smtlib::Dialect;

use crate::Truth;
use crate::question::Question;

/// What checking one model may cost. Formulas are small; a model that needs more is left alone.
const STEPS: u64 = 2_000_000;

/// Something that a solver seems to have done wrong in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suspicion {
    /// The place of the solver.
    pub solver: usize,
    pub class: FindingKind,
    /// The places of the formulas that show it, smallest first.
    pub questions: Vec<usize>,
    /// For a contradiction: the smallest formula to which the opposite was said.
    pub opposite: Option<usize>,
}

/// What the referee says about a model.
pub(crate) enum Checked {
    Valid,
    Invalid(Outcome),
    /// It says too little, or cannot be judged.
    Neither,
}

/// Checks a model as a solver printed it.
pub(crate) fn check(question: &mut Question, dialect: Dialect, model: &Text) -> Checked {
    let options = CheckOptions {
        dialect: Some(dialect),
        limits: Limits { steps: STEPS, ..judging_limits() },
        ..CheckOptions::default()
    };
    let checked = check_model(&mut question.pool, &question.script, model.as_bytes(), &options);
    match checked.map(|check| check.outcome) {
        Ok(Outcome::Valid | Outcome::Incomplete { default_completion: Some(true), .. }) => {
            Checked::Valid
        }
        Ok(outcome @ Outcome::Invalid { .. }) => Checked::Invalid(outcome),
        _ => Checked::Neither,
    }
}

/// Why a core is none, if it is.
pub(crate) fn wrong_core(question: &Question, names: &[Text]) -> Option<String> {
    let planted: Option<Vec<Text>> = question
        .planted_core()
        .map(|core| core.iter().map(|name| Text::from(name.as_str())).collect());
    let found =
        examine_core(&question.pool, &question.script, 0, names, planted.as_deref()).ok()?;
    (found.outcome == CoreOutcome::Invalid).then(|| found.detail.unwrap_or_default())
}

/// The right answer to a case, and who seems to be wrong. `replies` has the replies of one solver
/// to all formulas in each place.
pub(crate) fn judge(
    questions: &mut [Question],
    solvers: &[Solver],
    replies: &[&[Option<Reply>]],
) -> (Truth, Vec<Suspicion>) {
    let mut truth = questions.first().map_or(Truth::Open, |one| Truth::planted(&one.formula));
    let mut marks: Vec<Vec<Mark>> = Vec::new();
    for (solver, replies) in solvers.iter().zip(replies) {
        let mut row = Vec::new();
        for (question, reply) in questions.iter_mut().zip(*replies) {
            row.push(
                reply.as_ref().map_or(Mark::Nothing, |one| mark(question, solver.dialect, one)),
            );
        }
        marks.push(row);
    }
    let proof = places(&marks).find(|&(solver, place)| marks[solver][place] == Mark::ValidSat);
    if let Some((solver, place)) = proof {
        match truth {
            Truth::Witness(_) => {}
            Truth::Planted(_) => {
                let class = FindingKind::PlantedAgainstModel;
                let dispute = Suspicion { solver, class, questions: vec![place], opposite: None };
                return (truth, vec![dispute]);
            }
            Truth::Open | Truth::Model { .. } => {
                let reply = replies[solver][place].as_ref();
                truth = model_truth(&solvers[solver], &questions[place], reply);
            }
        }
    }
    let sizes: Vec<usize> = questions.iter().map(|one| one.formula.text.len()).collect();
    let mut suspicions = Vec::new();
    for (solver, row) in marks.iter().enumerate() {
        let marked = |wanted: &dyn Fn(&Mark) -> bool| {
            let mut places: Vec<usize> = (0..row.len()).filter(|&one| wanted(&row[one])).collect();
            places.sort_by_key(|&place| (sizes[place], place));
            places
        };
        let mut suspect = |class, questions: Vec<usize>, opposite| {
            if !questions.is_empty() {
                suspicions.push(Suspicion { solver, class, questions, opposite });
            }
        };
        let unsat = marked(&|one| matches!(one, Mark::Unsat | Mark::UnsatWrongCore));
        let sat = marked(&|one| matches!(one, Mark::Sat | Mark::InvalidSat));
        match truth.answer() {
            "sat" => suspect(FindingKind::WrongUnsat, unsat, None),
            "unsat" => suspect(FindingKind::WrongSat, sat, None),
            _ => {
                let plain_sat = marked(&|one| *one == Mark::Sat);
                if let Some(&opposite) = plain_sat.first() {
                    suspect(FindingKind::Contradiction, unsat, Some(opposite));
                }
            }
        }
        if truth.answer() != "unsat" {
            let invalid = marked(&|one| *one == Mark::InvalidSat);
            suspect(FindingKind::InvalidModel, invalid, None);
        } else {
            let invalid = marked(&|one| *one == Mark::UnsatWrongCore);
            suspect(FindingKind::InvalidCore, invalid, None);
        }
        suspect(FindingKind::Crash, marked(&|one| *one == Mark::Crash), None);
        suspect(FindingKind::Incomplete, marked(&|one| *one == Mark::GroundUnknown), None);
        suspect(FindingKind::Slow, marked(&|one| *one == Mark::Slow), None);
    }
    (truth, suspicions)
}

/// A reply by what can be said about it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Sat,
    ValidSat,
    InvalidSat,
    Unsat,
    UnsatWrongCore,
    GroundUnknown,
    Crash,
    Slow,
    Nothing,
}

fn mark(question: &mut Question, dialect: Dialect, reply: &Reply) -> Mark {
    match (reply.class, reply.verdict()) {
        (_, Some(Verdict::Sat)) => match reply.model().map(|one| check(question, dialect, one)) {
            Some(Checked::Valid) => Mark::ValidSat,
            Some(Checked::Invalid(_)) => Mark::InvalidSat,
            Some(Checked::Neither) | None => Mark::Sat,
        },
        (_, Some(Verdict::Unsat)) => {
            match reply.core().and_then(|names| wrong_core(question, names)) {
                Some(_) => Mark::UnsatWrongCore,
                None => Mark::Unsat,
            }
        }
        (_, Some(Verdict::Unknown)) if question.is_ground => Mark::GroundUnknown,
        (Class::Timeout | Class::Memout, _) => Mark::Slow,
        _ if is_crash(reply) => Mark::Crash,
        _ => Mark::Nothing,
    }
}

/// Whether the process came to an abnormal end, or the solver reports a fault of its own.
pub(crate) fn is_crash(reply: &Reply) -> bool {
    matches!(reply.class, Class::Crash | Class::Malformed) || reply.is_internal_error()
}

fn places(marks: &[Vec<Mark>]) -> impl Iterator<Item = (usize, usize)> {
    let rows = marks.iter().enumerate();
    rows.flat_map(|(solver, row)| (0..row.len()).map(move |place| (solver, place)))
}

fn model_truth(solver: &Solver, question: &Question, reply: Option<&Reply>) -> Truth {
    let model = reply.and_then(Reply::model).map(ToString::to_string).unwrap_or_default();
    Truth::Model { solver: solver.name.clone(), formula: question.formula.name.clone(), model }
}
