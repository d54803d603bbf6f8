//! The findings of a database as records: what [`measures::findings`](luthier_report::measures::findings)
//! lists, with what the database has about each.

use luthier_records::{Evidence, FindingKind, Verdict};
use luthier_report::Results;
use luthier_report::measures::Finding;
use luthier_results::{label_sources, read_detail};
use luthier_store::{Store, StoreError};
use serde::{Serialize, Serializer};

/// Something that a person should look at.
#[derive(Clone, Debug, Serialize)]
pub struct FindingRecord {
    /// What it is.
    #[serde(serialize_with = "name_of_kind")]
    pub kind: FindingKind,
    pub set: String,
    pub instance: String,
    /// Which `check-sat` of the instance, from 1.
    pub query: usize,
    /// The configuration; `null` for a conflict that is about nobody in particular.
    pub solver: Option<String>,
    /// The number of the first run in the database that shows it.
    pub run: Option<i64>,
    /// How many runs of the configuration show it.
    pub runs: u64,
    /// What the solver said.
    pub said: Option<&'static str>,
    /// What is believed, and why.
    pub believed: Option<&'static str>,
    #[serde(serialize_with = "name_of_evidence")]
    pub evidence: Option<Evidence>,
    /// The tables whose labels are the evidence, or are refuted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label_sources: Vec<String>,
    /// More about it.
    pub detail: Option<String>,
    /// For a dispute: the configurations that say `sat`, and those that say `unsat`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sat_by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsat_by: Vec<String>,
    /// What most families say, if somebody asked for it. That is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<&'static str>,
    /// The configuration, as an index of the results.
    #[serde(skip)]
    pub configuration: Option<usize>,
}

impl FindingRecord {
    /// The record of a finding, with what the store has about it.
    pub fn read(store: &Store, results: &Results, finding: &Finding) -> Result<Self, StoreError> {
        let entry = &results.entries[finding.entry];
        let truth = entry.judged.truths.get(finding.query);
        let believed = truth.and_then(|truth| truth.verdict);
        let label = |solver: usize| results.solvers[solver].label.clone();
        let [sat_by, unsat_by] =
            finding.sides(results).map(|side| side.into_iter().map(label).collect::<Vec<String>>());
        let is_dispute = !sat_by.is_empty() || !unsat_by.is_empty();
        let detail = match is_dispute {
            true => {
                let (sat, unsat) = (sat_by.join(", "), unsat_by.join(", "));
                Some(format!("sat: {sat}; unsat: {unsat}"))
            }
            false => read_detail(store, finding)?,
        };
        let vote = truth.and_then(|truth| truth.vote).filter(|_| is_dispute);
        Ok(Self {
            kind: finding.kind,
            set: results.sets[results.set_of(entry)].name.clone(),
            instance: entry.name.to_string(),
            query: finding.query + 1,
            solver: finding.solver.map(label),
            run: finding.run,
            runs: finding.runs,
            said: finding.said.map(Verdict::name),
            believed: believed.map(|(verdict, _)| verdict.name()),
            evidence: believed.map(|(_, evidence)| evidence),
            label_sources: label_sources(store, results, finding)?,
            detail,
            sat_by,
            unsat_by,
            vote: vote.map(Verdict::name),
            configuration: finding.solver,
        })
    }
}

fn name_of_kind<S: Serializer>(kind: &FindingKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn name_of_evidence<S: Serializer>(
    evidence: &Option<Evidence>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    evidence.map(Evidence::name).serialize(serializer)
}
