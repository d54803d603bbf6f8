//! The result of `luthier cluster`, as it is printed and written as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use luthier_triage::annotated;
use luthier_triage::bisect::Mark;
use luthier_triage::cluster::{Cluster, Member, Minimal};
use serde::Serialize;

use super::input::Failures;
use super::known::KnownClusters;
use crate::error::CliError;
use crate::json::VERSION;

/// The JSON of `luthier cluster`.
#[derive(Serialize)]
pub struct Report {
    version: u32,
    input: String,
    #[serde(skip)]
    pub noun: &'static str,
    /// Failing formulas or runs.
    pub failures: u64,
    pub clusters: Vec<ClusterRecord>,
    /// Failures that are in no cluster, with the reason.
    pub unexamined: Vec<Unexamined>,
    /// Findings of kinds that are not clustered.
    pub left_out: BTreeMap<&'static str, u64>,
    pub seconds: f64,
}

/// A failure that is in no cluster.
#[derive(Serialize)]
pub struct Unexamined {
    pub file: String,
    pub reason: String,
}

/// A cluster.
#[derive(Serialize)]
pub struct ClusterRecord {
    #[serde(skip)]
    pub cluster: Cluster,
    pub number: usize,
    pub signature: String,
    pub known: bool,
    /// Of a known cluster.
    pub name: Option<String>,
    pub first_seen: Option<String>,
    pub note: Option<String>,
    pub class: &'static str,
    pub solvers: Vec<String>,
    pub operators: Vec<&'static str>,
    pub corner: String,
    /// How many failures, and where they are.
    pub members: u64,
    pub files: Vec<MemberRecord>,
    pub why: Vec<String>,
    /// What installed releases do with the formulas; `null` if a release cannot tell.
    pub releases: Vec<ReleaseRecord>,
    pub smallest: Option<Smallest>,
}

/// A member of a cluster.
#[derive(Serialize)]
pub struct MemberRecord {
    pub file: String,
    pub solver: String,
    pub class: &'static str,
    pub runs: u64,
    /// The assertions of its own minimal formula.
    pub minimal: String,
    /// Further operators that the solver evaluates wrongly in the formula.
    pub also: Vec<&'static str>,
}

#[derive(Serialize)]
pub struct ReleaseRecord {
    pub version: String,
    pub fails: Option<bool>,
}

/// The smallest formula of a cluster.
#[derive(Serialize)]
pub struct Smallest {
    pub file: Option<String>,
    pub class: &'static str,
    pub nodes: u64,
    pub truth: &'static str,
    pub says: String,
    /// The assertions, on one line.
    pub formula: String,
    pub text: String,
}

impl Report {
    /// `places` are the places of the members among the failures.
    pub fn new(
        input: &Failures,
        places: &[usize],
        members: &[Member],
        clusters: Vec<Cluster>,
        unexamined: Vec<Unexamined>,
        known: &KnownClusters,
    ) -> Self {
        let of_member = |place: usize| {
            let failure = &input.failures[places[place]];
            let examined = &members[place].examined;
            MemberRecord {
                file: failure.name.clone(),
                solver: failure.solver.clone(),
                class: failure.kind.name(),
                runs: failure.runs,
                minimal: examined.minimal.text.clone(),
                also: examined.also.iter().map(|op| op.name()).collect(),
            }
        };
        let record = |(number, cluster): (usize, Cluster)| {
            let files: Vec<MemberRecord> =
                cluster.members.iter().map(|&place| of_member(place)).collect();
            let mut solvers: Vec<String> = files.iter().map(|one| one.solver.clone()).collect();
            solvers.sort_unstable();
            solvers.dedup();
            let found = known.find(&cluster.signature);
            ClusterRecord {
                number: number + 1,
                signature: cluster.signature.clone(),
                known: found.is_some(),
                name: found.map(|one| one.name.clone()),
                first_seen: found.map(|one| one.first_seen.clone()),
                note: found.map(|one| one.note.clone()),
                class: cluster.kind.name(),
                solvers,
                operators: cluster.operators.iter().map(|op| op.name()).collect(),
                corner: cluster.corner.clone(),
                members: files.iter().map(|one| one.runs).sum(),
                files,
                why: cluster.why.clone(),
                releases: cluster.releases.iter().map(ReleaseRecord::of).collect(),
                smallest: None,
                cluster,
            }
        };
        Self {
            version: VERSION,
            input: input.path.display().to_string(),
            noun: input.noun,
            failures: input.failures.iter().map(|one| one.runs).sum(),
            clusters: clusters.into_iter().enumerate().map(record).collect(),
            unexamined,
            left_out: input.left_out.clone(),
            seconds: 0.0,
        }
    }
}

impl ReleaseRecord {
    fn of((version, mark): &(String, Mark)) -> Self {
        let fails = match mark {
            Mark::Bad => Some(true),
            Mark::Good => Some(false),
            Mark::Neither => None,
        };
        Self { version: version.clone(), fails }
    }
}

impl ClusterRecord {
    /// Sets the smallest formula, and writes it to a folder.
    pub fn set_smallest(
        &mut self,
        number: usize,
        mut smallest: Smallest,
        folder: Option<&Path>,
    ) -> Result<(), CliError> {
        if let Some(folder) = folder {
            let operator = self.operators.first().copied().unwrap_or("formula");
            let plain =
                |one: char| if one.is_ascii_alphanumeric() || one == '.' { one } else { '_' };
            let operator: String = operator.chars().map(plain).collect();
            let path = folder.join(format!("{number:02}-{}-{operator}.smt2", smallest.class));
            let members = self.members;
            let text = format!(
                "; cluster {number}: {}\n; members: {members}\n{}",
                self.signature, smallest.text
            );
            std::fs::write(&path, text)
                .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?;
            smallest.file = Some(path.display().to_string());
        }
        self.smallest = Some(smallest);
        Ok(())
    }
}

impl Smallest {
    /// The file of a minimal formula, with what the solver says and why that is wrong.
    pub fn new(
        minimal: &mut Minimal,
        solver: &str,
        (says, reasons): (String, Vec<String>),
    ) -> Self {
        let class = minimal.kind.name();
        let mut comments = vec![format!("{class}: {solver}"), format!("says: {says}")];
        comments.push(format!("truth: {}: {}", minimal.truth.name(), minimal.truth.describe()));
        if !reasons.is_empty() {
            comments.push("reason:".to_owned());
            comments.extend(reasons.iter().map(|reason| format!("  {reason}")));
        }
        let file = annotated(&mut minimal.pool, &minimal.script, &minimal.truth, &comments);
        Self {
            file: None,
            class,
            nodes: minimal.nodes,
            truth: minimal.truth.name(),
            says,
            formula: minimal.text.clone(),
            text: file.text,
        }
    }
}
