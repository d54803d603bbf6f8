//! Suspicions: replies to the equisatisfiable formulas of one case that contradict an oracle.
//!
//! The ground truth of a case is the planted answer, or `sat` if the referee accepts a model that
//! any solver found for any of its formulas, or what `agreement.rs` has established; otherwise there is
//! none. A verdict against the ground
//! truth is a wrong verdict; without ground truth, `sat` and `unsat` of the same solver for two
//! formulas of the case are a contradiction, and of two solvers a dispute. Models, values and cores
//! are checked by themselves. A model that is incomplete even with default values, or that the referee
//! cannot decide, neither proves nor refutes anything.
//!
//! A model that the referee accepts for a formula planted as `unsat` is reported as a fault of
//! ours, and nothing else of that case.

use luthier_ask::{Reply, Solver};
use luthier_records::{Class, FindingKind, Text, Verdict};
use luthier_smtlib::Dialect;

use crate::CaseTruth;
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::{Checked, check, invalid_core_reason, is_crash};
use crate::values::ValueRequest;

/// A probable error of a solver in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suspicion {
    /// The index of the solver.
    pub solver: usize,
    pub class: FindingKind,
    /// The indices of the formulas with the error, smallest formula first.
    pub formulas: Vec<usize>,
    /// For a contradiction or a dispute: the smallest formula with the opposite verdict.
    pub opposite: Option<usize>,
    /// For a dispute: the solver with the opposite verdict.
    pub opponent: Option<usize>,
}

/// What a solver replied to the formulas of a case, and the values that were requested.
#[derive(Clone, Copy)]
pub(crate) struct CaseReplies<'a> {
    pub replies: &'a [Option<Reply>],
    pub values: &'a [Option<ValueRequest>],
}

/// The ground truth of a case, and the suspicions. `replies` has for each solver its replies to all
/// formulas.
pub(crate) fn judge_case(
    formulas: &mut [ParsedFormula],
    solvers: &[Solver],
    replies: &[CaseReplies<'_>],
    established: Option<CaseTruth>,
) -> (CaseTruth, Vec<Suspicion>) {
    let mut truth =
        formulas.first().map_or(CaseTruth::Open, |one| CaseTruth::planted(&one.formula));
    if truth == CaseTruth::Open {
        truth = established.unwrap_or(CaseTruth::Open);
    }
    let mut assessments: Vec<Vec<ReplyAssessment>> = Vec::new();
    let mut wrong_values: Vec<Vec<usize>> = Vec::new();
    for (solver, replies) in solvers.iter().zip(replies) {
        let (mut row, mut wrong) = (Vec::new(), Vec::new());
        for (position, parsed) in formulas.iter_mut().enumerate() {
            let Some(reply) = &replies.replies[position] else {
                row.push(ReplyAssessment::Nothing);
                continue;
            };
            let mut assessment = assess(parsed, solver.dialect, reply);
            let claims = values(reply, replies.values[position].as_ref());
            match claims.map(|claims| check(&mut parsed.asked(solver.dialect), &claims)) {
                // An invalid model is reported as such and not a second time.
                Some(Checked::Invalid(_)) if assessment != ReplyAssessment::InvalidSat => {
                    wrong.push(position);
                }
                Some(Checked::Valid) if assessment == ReplyAssessment::Sat => {
                    assessment = ReplyAssessment::ValidSat;
                }
                _ => {}
            }
            row.push(assessment);
        }
        assessments.push(row);
        wrong_values.push(wrong);
    }
    let proof = positions(&assessments)
        .find(|&(solver, position)| assessments[solver][position] == ReplyAssessment::ValidSat);
    if let Some((solver, position)) = proof {
        match truth {
            CaseTruth::Witness(_) | CaseTruth::LacksCore(_) => {}
            CaseTruth::Planted(_) | CaseTruth::Proven(_) => {
                let class = FindingKind::PlantedAgainstModel;
                let formulas = vec![position];
                let (opposite, opponent) = (None, None);
                let dispute = Suspicion { solver, class, formulas, opposite, opponent };
                return (truth, vec![dispute]);
            }
            CaseTruth::Open | CaseTruth::Model { .. } | CaseTruth::Searched(_) => {
                let CaseReplies { replies, values } = replies[solver];
                let evidence = (replies[position].as_ref(), values[position].as_ref());
                truth = truth_by_model(&solvers[solver], &mut formulas[position], evidence);
            }
        }
    }
    let sizes: Vec<usize> = formulas.iter().map(|one| one.formula.text.len()).collect();
    let mut suspicions = Vec::new();
    for (solver, row) in assessments.iter().enumerate() {
        let assessed = |matches: &dyn Fn(&ReplyAssessment) -> bool| {
            let mut positions: Vec<usize> =
                (0..row.len()).filter(|&one| matches(&row[one])).collect();
            positions.sort_by_key(|&position| (sizes[position], position));
            positions
        };
        let suspect = |suspicions: &mut Vec<Suspicion>, class, formulas: Vec<usize>, opposite| {
            if !formulas.is_empty() {
                suspicions.push(Suspicion { solver, class, formulas, opposite, opponent: None });
            }
        };
        let unsat = assessed(&|one| {
            matches!(one, ReplyAssessment::Unsat | ReplyAssessment::UnsatInvalidCore)
        });
        let sat =
            assessed(&|one| matches!(one, ReplyAssessment::Sat | ReplyAssessment::InvalidSat));
        match truth.answer() {
            "sat" => suspect(&mut suspicions, FindingKind::WrongUnsat, unsat, None),
            "unsat" => suspect(&mut suspicions, FindingKind::WrongSat, sat, None),
            _ => {
                let plain_sat = assessed(&|one| *one == ReplyAssessment::Sat);
                if let Some(&opposite) = plain_sat.first() {
                    suspect(&mut suspicions, FindingKind::Contradiction, unsat, Some(opposite));
                } else if !unsat.is_empty()
                    && let Some((opponent, position)) = positions(&assessments)
                        .find(|&(one, at)| assessments[one][at] == ReplyAssessment::Sat)
                {
                    suspicions.push(Suspicion {
                        solver,
                        class: FindingKind::Disputed,
                        formulas: unsat,
                        opposite: Some(position),
                        opponent: Some(opponent),
                    });
                }
            }
        }
        if truth.answer() != "unsat" {
            let invalid = assessed(&|one| *one == ReplyAssessment::InvalidSat);
            suspect(&mut suspicions, FindingKind::InvalidModel, invalid, None);
            let mut wrong = wrong_values[solver].clone();
            wrong.sort_by_key(|&position| (sizes[position], position));
            suspect(&mut suspicions, FindingKind::WrongValue, wrong, None);
        } else {
            let invalid = assessed(&|one| *one == ReplyAssessment::UnsatInvalidCore);
            suspect(&mut suspicions, FindingKind::InvalidCore, invalid, None);
        }
        suspect(
            &mut suspicions,
            FindingKind::Crash,
            assessed(&|one| *one == ReplyAssessment::Crash),
            None,
        );
        suspect(
            &mut suspicions,
            FindingKind::Incomplete,
            assessed(&|one| *one == ReplyAssessment::GroundUnknown),
            None,
        );
        suspect(
            &mut suspicions,
            FindingKind::Slow,
            assessed(&|one| *one == ReplyAssessment::Slow),
            None,
        );
    }
    (truth, suspicions)
}

/// A reply, assessed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyAssessment {
    Sat,
    ValidSat,
    InvalidSat,
    Unsat,
    UnsatInvalidCore,
    GroundUnknown,
    Crash,
    Slow,
    Nothing,
}

fn assess(parsed: &mut ParsedFormula, dialect: Dialect, reply: &Reply) -> ReplyAssessment {
    match (reply.class, reply.verdict()) {
        (_, Some(Verdict::Sat)) => {
            match reply.model().map(|one| check(&mut parsed.asked(dialect), one)) {
                Some(Checked::Valid) => ReplyAssessment::ValidSat,
                Some(Checked::Invalid(_)) => ReplyAssessment::InvalidSat,
                Some(Checked::Undecided) | None => ReplyAssessment::Sat,
            }
        }
        (_, Some(Verdict::Unsat)) => {
            match reply.core().and_then(|names| invalid_core_reason(&parsed.asked(dialect), names))
            {
                Some(_) => ReplyAssessment::UnsatInvalidCore,
                None => ReplyAssessment::Unsat,
            }
        }
        (_, Some(Verdict::Unknown)) if parsed.is_ground => ReplyAssessment::GroundUnknown,
        (Class::Timeout | Class::Memout, _) => ReplyAssessment::Slow,
        _ if is_crash(reply) => ReplyAssessment::Crash,
        _ => ReplyAssessment::Nothing,
    }
}

fn positions(assessments: &[Vec<ReplyAssessment>]) -> impl Iterator<Item = (usize, usize)> {
    let rows = assessments.iter().enumerate();
    rows.flat_map(|(solver, row)| (0..row.len()).map(move |position| (solver, position)))
}

/// The values of a `sat`, as a text that can be checked as a model.
fn values(reply: &Reply, request: Option<&ValueRequest>) -> Option<Text> {
    let answer = reply.answer.as_ref().filter(|answer| answer.verdict == Verdict::Sat)?;
    request?.claims(answer)
}

/// The truth that a model shows, or values where the model itself does not.
fn truth_by_model(
    solver: &Solver,
    parsed: &mut ParsedFormula,
    (reply, request): (Option<&Reply>, Option<&ValueRequest>),
) -> CaseTruth {
    let model = reply.and_then(Reply::model).cloned();
    let is_valid =
        |model: &Text| matches!(check(&mut parsed.asked(solver.dialect), model), Checked::Valid);
    let model = match model.filter(is_valid) {
        Some(model) => Some(model),
        None => reply.and_then(|reply| values(reply, request)),
    };
    let model = model.map(|model| model.to_string()).unwrap_or_default();
    CaseTruth::Model { solver: solver.name.clone(), formula: parsed.formula.name.clone(), model }
}
