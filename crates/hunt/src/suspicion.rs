//! Suspicions: replies to the equisatisfiable formulas of one case that contradict an oracle.
//!
//! The ground truth of a case is the planted answer, or `sat` if the referee accepts a model that
//! any solver found for any of its formulas; otherwise there is none. A verdict against the ground
//! truth is a wrong verdict; without ground truth, `sat` and `unsat` of the same solver for two
//! formulas of the case are a contradiction. Models and cores are checked by themselves. A model
//! that is incomplete even with default values, or that the referee cannot decide, neither proves
//! nor refutes anything.
//!
//! A model that the referee accepts for a formula planted as `unsat` is reported as a fault of
//! ours, and nothing else of that case.

use luthier_ask::{Reply, Solver};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, examine_core, judging_limits};
use luthier_records::{Class, CoreOutcome, FindingKind, Text, Verdict};
use luthier_semantics::Limits;
use luthier_smtlib::Dialect;

use crate::CaseTruth;
use crate::parsed_formula::ParsedFormula;

/// The evaluation steps for one model. Formulas are small; a model that needs more stays undecided.
const STEPS: u64 = 2_000_000;

/// A probable error of a solver in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suspicion {
    /// The index of the solver.
    pub solver: usize,
    pub class: FindingKind,
    /// The indices of the formulas with the error, smallest formula first.
    pub formulas: Vec<usize>,
    /// For a contradiction: the smallest formula with the opposite verdict.
    pub opposite: Option<usize>,
}

/// The result of checking a model.
pub(crate) enum Checked {
    Valid,
    Invalid(CheckOutcome),
    /// The model is incomplete, or the referee cannot decide.
    Undecided,
}

/// Checks a model as a solver printed it. An incomplete model that default values complete is valid.
pub(crate) fn check(parsed: &mut ParsedFormula, dialect: Dialect, model: &Text) -> Checked {
    let options = CheckOptions {
        dialect: Some(dialect),
        limits: Limits { steps: STEPS, ..judging_limits() },
        ..CheckOptions::default()
    };
    let checked = check_model(&mut parsed.pool, &parsed.script, model.as_bytes(), &options);
    match checked.map(|check| check.outcome) {
        Ok(
            CheckOutcome::Valid | CheckOutcome::Incomplete { default_completion: Some(true), .. },
        ) => Checked::Valid,
        Ok(outcome @ CheckOutcome::Invalid { .. }) => Checked::Invalid(outcome),
        _ => Checked::Undecided,
    }
}

/// Why a core is invalid; `None` if nothing speaks against it.
pub(crate) fn invalid_core_reason(parsed: &ParsedFormula, names: &[Text]) -> Option<String> {
    let planted: Option<Vec<Text>> = parsed
        .planted_core()
        .map(|core| core.iter().map(|name| Text::from(name.as_str())).collect());
    let found = examine_core(&parsed.pool, &parsed.script, 0, names, planted.as_deref()).ok()?;
    (found.outcome == CoreOutcome::Invalid).then(|| found.detail.unwrap_or_default())
}

/// The ground truth of a case, and the suspicions. `replies` has for each solver its replies to all
/// formulas.
pub(crate) fn judge_case(
    formulas: &mut [ParsedFormula],
    solvers: &[Solver],
    replies: &[&[Option<Reply>]],
) -> (CaseTruth, Vec<Suspicion>) {
    let mut truth =
        formulas.first().map_or(CaseTruth::Open, |one| CaseTruth::planted(&one.formula));
    let mut assessments: Vec<Vec<ReplyAssessment>> = Vec::new();
    for (solver, replies) in solvers.iter().zip(replies) {
        let mut row = Vec::new();
        for (parsed, reply) in formulas.iter_mut().zip(*replies) {
            row.push(
                reply
                    .as_ref()
                    .map_or(ReplyAssessment::Nothing, |one| assess(parsed, solver.dialect, one)),
            );
        }
        assessments.push(row);
    }
    let proof = positions(&assessments)
        .find(|&(solver, position)| assessments[solver][position] == ReplyAssessment::ValidSat);
    if let Some((solver, position)) = proof {
        match truth {
            CaseTruth::Witness(_) => {}
            CaseTruth::Planted(_) => {
                let class = FindingKind::PlantedAgainstModel;
                let dispute = Suspicion { solver, class, formulas: vec![position], opposite: None };
                return (truth, vec![dispute]);
            }
            CaseTruth::Open | CaseTruth::Model { .. } => {
                let reply = replies[solver][position].as_ref();
                truth = truth_by_model(&solvers[solver], &formulas[position], reply);
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
        let mut suspect = |class, formulas: Vec<usize>, opposite| {
            if !formulas.is_empty() {
                suspicions.push(Suspicion { solver, class, formulas, opposite });
            }
        };
        let unsat = assessed(&|one| {
            matches!(one, ReplyAssessment::Unsat | ReplyAssessment::UnsatInvalidCore)
        });
        let sat =
            assessed(&|one| matches!(one, ReplyAssessment::Sat | ReplyAssessment::InvalidSat));
        match truth.answer() {
            "sat" => suspect(FindingKind::WrongUnsat, unsat, None),
            "unsat" => suspect(FindingKind::WrongSat, sat, None),
            _ => {
                let plain_sat = assessed(&|one| *one == ReplyAssessment::Sat);
                if let Some(&opposite) = plain_sat.first() {
                    suspect(FindingKind::Contradiction, unsat, Some(opposite));
                }
            }
        }
        if truth.answer() != "unsat" {
            let invalid = assessed(&|one| *one == ReplyAssessment::InvalidSat);
            suspect(FindingKind::InvalidModel, invalid, None);
        } else {
            let invalid = assessed(&|one| *one == ReplyAssessment::UnsatInvalidCore);
            suspect(FindingKind::InvalidCore, invalid, None);
        }
        suspect(FindingKind::Crash, assessed(&|one| *one == ReplyAssessment::Crash), None);
        suspect(
            FindingKind::Incomplete,
            assessed(&|one| *one == ReplyAssessment::GroundUnknown),
            None,
        );
        suspect(FindingKind::Slow, assessed(&|one| *one == ReplyAssessment::Slow), None);
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
        (_, Some(Verdict::Sat)) => match reply.model().map(|one| check(parsed, dialect, one)) {
            Some(Checked::Valid) => ReplyAssessment::ValidSat,
            Some(Checked::Invalid(_)) => ReplyAssessment::InvalidSat,
            Some(Checked::Undecided) | None => ReplyAssessment::Sat,
        },
        (_, Some(Verdict::Unsat)) => {
            match reply.core().and_then(|names| invalid_core_reason(parsed, names)) {
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

/// Whether the process exited abnormally, or the solver reports an internal error.
pub(crate) fn is_crash(reply: &Reply) -> bool {
    matches!(reply.class, Class::Crash | Class::Malformed) || reply.is_internal_error()
}

fn positions(assessments: &[Vec<ReplyAssessment>]) -> impl Iterator<Item = (usize, usize)> {
    let rows = assessments.iter().enumerate();
    rows.flat_map(|(solver, row)| (0..row.len()).map(move |position| (solver, position)))
}

fn truth_by_model(solver: &Solver, parsed: &ParsedFormula, reply: Option<&Reply>) -> CaseTruth {
    let model = reply.and_then(Reply::model).map(ToString::to_string).unwrap_or_default();
    CaseTruth::Model { solver: solver.name.clone(), formula: parsed.formula.name.clone(), model }
}
