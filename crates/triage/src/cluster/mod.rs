//! Clusters: failures that are likely to have the same root cause.
//!
//! ```text
//! failure ──examine──▶ cause and minimal formula ──profile of the operator──▶ signature ──group──▶ clusters
//! ```
//!
//! Two failures are in one cluster if their signatures are equal. A signature consists of the family of the
//! solver and
//!
//! | cause ([`Cause`]) | signature |
//! |---|---|
//! | evaluation | the operator, and the region of its corner cases in which the solver is wrong ([`Region`]) |
//! | claim, operators | unsound `sat`, unsound `unsat` or core, and the operators |
//! | session | unsound `sat`, unsound `unsat` or core, only in sessions, and the operators |
//! | crash | how the process ends and its message; if that says nothing about the place, the operators, too |
//!
//! The kind of finding is no part of the first: one wrong rewrite rule shows as a wrong `unsat`, a wrong `sat`
//! and an invalid model, depending on the formula around it. Wrong `sat` and invalid model are the same in the
//! second: the model is wrong, and whether the formula has another one is an accident. If the solver
//! evaluates an operator wrongly for all arguments, claims about that operator are in the same cluster.
//!
//! The minimal formulas of one cluster may be put to several releases of the family: if one fails where the
//! other is answered correctly, the failures have different causes, and the cluster is split.
//!
//! Limits. Two bugs in one operator are one cluster if they are not faults of evaluation, or in
//! adjacent corner cases, unless releases tell them apart. One bug that shows in several operators (a shared
//! helper function) is several clusters. A failure whose cause is not located has the operators of its minimal
//! formula, which may be more than those at fault. A formula that shows two faults counts for one of them,
//! the one without which it does not fail if there is one; the other is named (`also`).

mod application;
mod claim;
mod describe;
mod examine;
mod profile;

use std::collections::BTreeMap;

use luthier_records::FindingKind;
use luthier_terms::Op;

use crate::bisect::Mark;
pub use application::Application;
pub use examine::{Cause, ExamineError, Examined, Failure, Minimal, examine};
pub use profile::{Profile, Region, profile};

/// An examined failure.
pub struct Member {
    /// The family of the solver.
    pub family: String,
    /// The configuration that fails.
    pub solver: String,
    /// How the original formula fails.
    pub kind: FindingKind,
    /// What was found out.
    pub examined: Examined,
    /// What releases do with the minimal formula, if they were asked: always the same ones, in one order.
    pub releases: Vec<(String, Mark)>,
}

/// Failures that are likely to have the same cause.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// What its members have in common; the same in other hunts.
    pub signature: String,
    /// The worst kind of its members.
    pub kind: FindingKind,
    /// The operators at fault.
    pub operators: Vec<Op>,
    /// The corner case, or what is known instead.
    pub corner: String,
    /// The members, as indices; the one with the smallest formula first.
    pub members: Vec<usize>,
    /// Why they are thought to be the same.
    pub why: Vec<String>,
    /// What releases do with minimal formulas of this cluster.
    pub releases: Vec<(String, Mark)>,
}

/// Profiles of operators by configuration.
pub type Profiles = BTreeMap<(String, Op), Profile>;

/// The applications of each operator that each configuration evaluates wrongly.
pub fn wrong_applications(members: &[Member]) -> BTreeMap<(String, Op), Vec<&Application>> {
    let mut found: BTreeMap<(String, Op), Vec<&Application>> = BTreeMap::new();
    for member in members {
        if let Cause::Evaluation(application) = &member.examined.cause {
            let list = found.entry((member.solver.clone(), application.op)).or_default();
            if !list.iter().any(|one| one.text == application.text) {
                list.push(application);
            }
        }
    }
    // The order of failures in a hunt may depend on time.
    for list in found.values_mut() {
        list.sort_by(|a, b| (a.text.len(), &a.text).cmp(&(b.text.len(), &b.text)));
    }
    found
}

/// Groups failures; the cluster with the worst kind and most members first.
pub fn group(members: &[Member], profiles: &Profiles) -> Vec<Cluster> {
    let mut by_signature: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, member) in members.iter().enumerate() {
        by_signature.entry(signature(member, profiles)).or_default().push(place);
    }
    let mut clusters = Vec::new();
    for (signature, mut places) in by_signature {
        places.sort_by_key(|&place| {
            let minimal = &members[place].examined.minimal;
            (minimal.nodes, minimal.text.len(), minimal.text.clone(), place)
        });
        let parts = by_releases(members, places);
        let is_split = parts.len() > 1;
        for (number, part) in parts.into_iter().enumerate() {
            let signature = match number {
                0 => signature.clone(),
                _ => format!("{signature} ({})", fails_in(&part.releases)),
            };
            clusters.push(cluster(members, profiles, signature, part, is_split));
        }
    }
    clusters.sort_by(|a, b| {
        let key = |one: &Cluster| (one.kind, std::cmp::Reverse(one.members.len()));
        (key(a), &a.signature).cmp(&(key(b), &b.signature))
    });
    clusters
}

/// Members of one signature that releases do not tell apart.
struct Part {
    members: Vec<usize>,
    releases: Vec<(String, Mark)>,
}

fn by_releases(members: &[Member], places: Vec<usize>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for place in places {
        let own = &members[place].releases;
        let fitting = parts.iter_mut().find(|part| {
            !part.releases.iter().zip(own).any(|((_, one), (_, other))| {
                matches!((one, other), (Mark::Bad, Mark::Good) | (Mark::Good, Mark::Bad))
            })
        });
        match fitting {
            Some(part) => {
                for ((_, one), (_, other)) in part.releases.iter_mut().zip(own) {
                    if *one == Mark::Neither {
                        *one = *other;
                    }
                }
                part.members.push(place);
            }
            None => parts.push(Part { members: vec![place], releases: own.clone() }),
        }
    }
    parts
}

fn fails_in(releases: &[(String, Mark)]) -> String {
    let failing = releases.iter().filter(|(_, mark)| *mark == Mark::Bad);
    let names: Vec<&str> = failing.map(|(name, _)| name.as_str()).collect();
    format!("fails in {}", names.join(", "))
}

/// What a failure has in common with others of the same cause.
fn signature(member: &Member, profiles: &Profiles) -> String {
    let family = &member.family;
    match &member.examined.cause {
        Cause::Evaluation(application) => {
            let region = region(member, application, profiles);
            let corner = region.map_or_else(|| "other arguments".to_owned(), Region::describe);
            format!("{family}: evaluation of {}: {corner}", application.op.name())
        }
        Cause::Claim(application) if is_always_wrong(member, application.op, profiles) => {
            let name = application.op.name();
            format!("{family}: evaluation of {name}: all arguments")
        }
        Cause::Claim(application) => {
            format!("{family}: {}: {}", direction(member), application.op.name())
        }
        Cause::Operators(operators) => match operators[..] {
            [op] if is_always_wrong(member, op, profiles) => {
                format!("{family}: evaluation of {}: all arguments", op.name())
            }
            _ => format!("{family}: {}: {}", direction(member), names(operators)),
        },
        Cause::Session(operators) => {
            format!("{family}: only in sessions: {}: {}", direction(member), names(operators))
        }
        Cause::Crash { message, operators } => match has_message(message) {
            true => format!("{family}: crash: {message}"),
            false => format!("{family}: crash: {message}: {}", names(operators)),
        },
    }
}

fn region<'a>(
    member: &Member,
    application: &Application,
    profiles: &'a Profiles,
) -> Option<&'a Region> {
    let profile = profiles.get(&(member.solver.clone(), application.op))?;
    profile.region_of(application)
}

/// Whether the solver evaluates an operator wrongly whatever the arguments are.
fn is_always_wrong(member: &Member, op: Op, profiles: &Profiles) -> bool {
    let profile = profiles.get(&(member.solver.clone(), op));
    profile.is_some_and(|one| one.regions.iter().any(Region::is_everything))
}

/// Which way the solver is unsound.
fn direction(member: &Member) -> &'static str {
    match member.examined.minimal.kind {
        FindingKind::WrongSat | FindingKind::InvalidModel => "unsound sat",
        FindingKind::WrongUnsat => "unsound unsat",
        other => other.name(),
    }
}

/// Whether a crash's message says where it happens. That memory was accessed wrongly does not, nor does a
/// remark on the script.
fn has_message(message: &str) -> bool {
    let (_, text) = message.split_once(')').unwrap_or(("", message));
    let text = text.trim();
    let is_about_memory = text.to_lowercase().contains("segfault") || message.contains("SIGSEGV");
    !text.is_empty() && !text.starts_with(';') && !is_about_memory
}

fn names(operators: &[Op]) -> String {
    let names: Vec<&str> = operators.iter().map(|op| op.name()).collect();
    names.join(", ")
}

fn cluster(
    members: &[Member],
    profiles: &Profiles,
    signature: String,
    part: Part,
    is_split: bool,
) -> Cluster {
    let Part { members: places, releases } = part;
    let here: Vec<&Member> = places.iter().map(|&place| &members[place]).collect();
    let kind = here.iter().map(|member| member.kind).min();
    let (operators, corner) = describe::what(&here, profiles);
    let why = describe::why(&here, profiles, is_split);
    let kind = kind.unwrap_or(FindingKind::Crash);
    Cluster { signature, kind, operators, corner, members: places, why, releases }
}
