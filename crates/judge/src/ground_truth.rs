//! The ground truth of a query from all evidence, and the judgement on an answer.
//!
//! # The order of evidence: the first that exists decides
//!
//! 1. **planted**: the query was generated so that this is its answer.
//! 2. **model**: some solver printed a model that the referee accepts. It proves `sat`, whichever
//!    solver printed it and whatever its verdict was: `unknown` with a valid model is a proof too.
//! 3. **label**: a table of expected answers from outside says so, and no other table says the
//!    opposite. It comes before the status, because tables are how people correct wrong ones.
//! 4. **status**: the file says so, and its set is trusted.
//! 5. **agreement**: solvers of at least two families say so, and none says the opposite.
//!
//! There are two exceptions, in which there is no ground truth and every claim is disputed until a
//! person decides. A planted `unsat` and a valid model cannot both be right; then the generator or
//! the referee is at fault. And a label or status that solvers of two families contradict, without
//! any solver supporting it, decides nothing: published answers are sometimes wrong, and this is
//! how such errors are detected.
//!
//! Conflicts are listed whenever they exist, also where stronger evidence decides; [`judge_answer`]
//! says which answers are wrong.
//!
//! A `sat` whose own model is invalid is a refuted answer. It is no evidence: it counts neither for
//! nor against an agreement, causes no dispute, and has no vote. It is still a claim that can be
//! right or wrong, and its invalid model is a finding of its own.
//!
//! A vote is only displayed. It never makes an answer right or wrong.

use std::collections::{BTreeMap, BTreeSet};

use luthier_records::{Conflict, Evidence, GroundTruth, Judgement, ModelOutcome, Query, Verdict};

/// The verdict of one run on one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The family of the solver. Solvers of one family share their history, so that they count once.
    pub family: &'a str,
    /// The verdict.
    pub verdict: Verdict,
    /// The outcome of checking its model, if it printed one.
    pub model: Option<ModelOutcome>,
    /// Whether the verdict is a claim about the query. After an error in reading the script it is not,
    /// but its model still counts, since that was checked against the script itself.
    pub is_claim: bool,
}

/// The evidence from outside: labels, and whether statuses are trusted.
#[derive(Clone, Copy, Debug, Default)]
pub struct PriorEvidence<'a> {
    /// The verdicts of label tables.
    pub labels: &'a [Verdict],
    /// Whether the status of files of this set is evidence.
    pub trust_status: bool,
}

/// The ground truth of a query. `vote`: also give the verdict of most families if nothing decides.
pub fn ground_truth(
    query: &Query,
    expected: PriorEvidence<'_>,
    claims: &[Claim<'_>],
    vote: bool,
) -> GroundTruth {
    let trust_status = expected.trust_status;
    let planted = decided(query.planted);
    let status = decided(query.status);
    let labels = expected.labels;
    let has_model = claims.iter().any(|claim| claim.model.is_some_and(ModelOutcome::proves_sat));
    let conflicts = conflicts(planted, labels, status, has_model, claims);
    let verdict = if conflicts.contains(&Conflict::PlantedAgainstModel) {
        None
    } else if let Some(verdict) = planted {
        Some((verdict, Evidence::Planted))
    } else if has_model {
        Some((Verdict::Sat, Evidence::Model))
    } else if conflicts.contains(&Conflict::LabelAgainstAgreement) {
        None
    } else if let Some(verdict) = unanimous(labels) {
        Some((verdict, Evidence::Label))
    } else if conflicts.contains(&Conflict::StatusAgainstAgreement) && trust_status {
        None
    } else if let Some(verdict) = status.filter(|_| trust_status) {
        Some((verdict, Evidence::Status))
    } else {
        agreement(claims).map(|verdict| (verdict, Evidence::Agreement))
    };
    let may_vote = vote && verdict.is_none() && !conflicts.contains(&Conflict::PlantedAgainstModel);
    GroundTruth { verdict, conflicts, vote: may_vote.then(|| majority(claims)).flatten() }
}

/// The judgement on an answer to a query. `is_claim` is as in [`Claim`].
pub fn judge_answer(truth: &GroundTruth, verdict: Verdict, is_claim: bool) -> Judgement {
    if !is_claim || verdict == Verdict::Unknown {
        return Judgement::NoClaim;
    }
    let disputed = || truth.conflicts.iter().any(|conflict| conflict.leaves_open());
    match truth.verdict {
        Some((expected, evidence)) if expected == verdict => Judgement::Right(evidence),
        Some((_, evidence)) => Judgement::Wrong(evidence),
        None if disputed() => Judgement::Disputed,
        None => Judgement::Unjudged,
    }
}

/// All conflicts, the most serious first.
fn conflicts(
    planted: Option<Verdict>,
    labels: &[Verdict],
    status: Option<Verdict>,
    has_model: bool,
    claims: &[Claim<'_>],
) -> Vec<Conflict> {
    let label = unanimous(labels);
    let differ = |one: Option<Verdict>, other: Option<Verdict>| {
        one.zip(other).is_some_and(|(one, other)| one != other)
    };
    let exists = |conflict: &Conflict| match conflict {
        Conflict::PlantedAgainstModel => planted == Some(Verdict::Unsat) && has_model,
        Conflict::PlantedAgainstLabel => {
            labels.iter().any(|&label| differ(planted, decided(Some(label))))
        }
        Conflict::PlantedAgainstStatus => differ(planted, status),
        Conflict::LabelAgainstModel => labels.contains(&Verdict::Unsat) && has_model,
        Conflict::StatusAgainstModel => status == Some(Verdict::Unsat) && has_model,
        Conflict::LabelAgainstAgreement => differ(label, agreement(claims)),
        Conflict::StatusAgainstAgreement => differ(status, agreement(claims)),
        Conflict::Labels => {
            let contradictory = labels.contains(&Verdict::Sat) && labels.contains(&Verdict::Unsat);
            contradictory || differ(label, status)
        }
        Conflict::Solvers => contradict_each_other(claims),
    };
    Conflict::ALL.into_iter().filter(exists).collect()
}

fn contradict_each_other(claims: &[Claim<'_>]) -> bool {
    let says = |verdict| claims.iter().any(|claim| claim.is_evidence() && claim.verdict == verdict);
    says(Verdict::Sat) && says(Verdict::Unsat)
}

/// The verdict of at least two families, if no solver contradicts it.
fn agreement(claims: &[Claim<'_>]) -> Option<Verdict> {
    if contradict_each_other(claims) {
        return None;
    }
    [Verdict::Sat, Verdict::Unsat].into_iter().find(|&verdict| {
        let families: BTreeSet<&str> = claims
            .iter()
            .filter(|claim| claim.is_evidence() && claim.verdict == verdict)
            .map(|claim| claim.family)
            .collect();
        families.len() >= 2
    })
}

/// The verdict of most families. A family that contradicts itself has no vote.
fn majority(claims: &[Claim<'_>]) -> Option<Verdict> {
    let mut votes: BTreeMap<&str, BTreeSet<Verdict>> = BTreeMap::new();
    for claim in claims.iter().filter(|claim| claim.is_evidence()) {
        votes.entry(claim.family).or_default().insert(claim.verdict);
    }
    let count =
        |verdict| votes.values().filter(|said| said.len() == 1 && said.contains(&verdict)).count();
    match count(Verdict::Sat).cmp(&count(Verdict::Unsat)) {
        std::cmp::Ordering::Greater => Some(Verdict::Sat),
        std::cmp::Ordering::Less => Some(Verdict::Unsat),
        std::cmp::Ordering::Equal => None,
    }
}

impl Claim<'_> {
    /// Whether it counts as evidence for its verdict.
    fn is_evidence(&self) -> bool {
        let refuted = self.verdict == Verdict::Sat && self.model == Some(ModelOutcome::Invalid);
        self.is_claim && self.verdict != Verdict::Unknown && !refuted
    }
}

/// The common verdict of all labels that have one.
fn unanimous(labels: &[Verdict]) -> Option<Verdict> {
    let mut decided = labels.iter().filter(|&&label| label != Verdict::Unknown);
    let first = *decided.next()?;
    decided.all(|&label| label == first).then_some(first)
}

fn decided(verdict: Option<Verdict>) -> Option<Verdict> {
    verdict.filter(|&verdict| verdict != Verdict::Unknown)
}
