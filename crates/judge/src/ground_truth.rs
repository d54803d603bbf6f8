//! What all evidence together says about a query, and so about an answer to it.
//!
//! # The order of evidence, the first that there is decides
//!
//! 1. **planted**: the query was made so that this is its answer.
//! 2. **model**: somebody printed a model that the referee accepts. It proves `sat`, whoever
//!    printed it and whatever verdict stood beside it: `unknown` with a valid model is proof too.
//! 3. **label**: a table of expected answers from outside says so, and no other table says the
//!    opposite. It comes before the status, because tables are how people correct wrong ones.
//! 4. **status**: the file says so, and its set is trusted.
//! 5. **agreement**: solvers of at least two families say so, and nobody says the opposite.
//!
//! There are two exceptions, in which there is no ground truth and every claim is disputed until a
//! person has looked. A planted `unsat` and a valid model cannot both be right; then the generator
//! or the referee is at fault. And a label or status against which solvers of two families agree,
//! with nobody on its side, decides nothing: published answers are sometimes wrong, and that is how
//! it shows.
//!
//! Conflicts are listed whenever they exist, also where something stronger decides; who is wrong
//! is for [`judge_answer`] to say.
//!
//! A `sat` whose own model is invalid is a refuted answer. It is no evidence: it counts neither for
//! nor against an agreement, makes no dispute, and has no vote. It still is a claim that can be
//! right or wrong, and its model is a finding of its own.
//!
//! A vote is only shown. It never makes an answer right or wrong.

use std::collections::{BTreeMap, BTreeSet};

use luthier_records::{Conflict, Evidence, GroundTruth, Judgement, ModelOutcome, Query, Verdict};

/// What one run says about one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The family of the solver. Solvers of one family share their history, so that they have
    /// one voice.
    pub family: &'a str,
    /// What it said.
    pub verdict: Verdict,
    /// What the referee found about its model, if it printed one.
    pub model: Option<ModelOutcome>,
    /// Whether it claims the verdict. After an error in reading the script it claims nothing,
    /// but its model still counts, since that was checked against the script itself.
    pub is_claim: bool,
}

/// What is expected of a query before anybody has answered it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'a> {
    /// What tables from outside say.
    pub labels: &'a [Verdict],
    /// Whether the status of files of this set is evidence.
    pub trust_status: bool,
}

/// The ground truth of a query. `vote`: say what most families think if nothing decides.
pub fn ground_truth(
    query: &Query,
    expected: Expected<'_>,
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

/// All conflicts, in the order in which a person should look at them.
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

/// The verdict that at least two families give, if nobody contradicts.
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
    /// Whether it speaks for its verdict.
    fn is_evidence(&self) -> bool {
        let refuted = self.verdict == Verdict::Sat && self.model == Some(ModelOutcome::Invalid);
        self.is_claim && self.verdict != Verdict::Unknown && !refuted
    }
}

/// The verdict of all labels, if they have one.
fn unanimous(labels: &[Verdict]) -> Option<Verdict> {
    let mut decided = labels.iter().filter(|&&label| label != Verdict::Unknown);
    let first = *decided.next()?;
    decided.all(|&label| label == first).then_some(first)
}

fn decided(verdict: Option<Verdict>) -> Option<Verdict> {
    verdict.filter(|&verdict| verdict != Verdict::Unknown)
}
