//! Counts of outcomes of a solver, and ranks by PAR2.

use std::time::Duration;

use luthier_records::Class;
use luthier_report::View;
use luthier_report::measures::{Competitor, by_rank, standings};
use schemars::JsonSchema;
use serde::Serialize;

use super::{BGROUP, SOLVER_IN_PATH, TRACK_IN_PATH, endpoint, milliseconds, run, time_text, view};
use crate::api::{ApiError, ApiRequest, Content, Endpoint, Reply, Source, find_solver, schema};

/// What a solver did.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderSummary")]
struct Wrapped {
    #[serde(rename = "Summary")]
    summary: Summary,
}

/// Counts of instances; each is in exactly one of them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderCounts")]
struct Summary {
    solver: String,
    timeouted: u64,
    satisfied: u64,
    #[serde(rename = "not satisfied")]
    not_satisfied: u64,
    /// A wrong answer or an invalid model.
    error: u64,
    #[serde(rename = "Unknown")]
    unknown: u64,
    /// CPU time in milliseconds.
    time: String,
    instances: u64,
}

/// A solver with its score.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ZaligvinderRank")]
struct Rank {
    solver: String,
    /// PAR2 in milliseconds: lower is better. Every run counts with its own limit.
    points: f64,
}

/// What a solver did on the entries of a view: each is in exactly one of the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub timeouted: u64,
    pub satisfied: u64,
    pub not_satisfied: u64,
    pub error: u64,
    pub unknown: u64,
    pub instances: u64,
    pub time: Duration,
}

impl Tally {
    /// Counts.
    pub fn of(view: &View<'_>, solver: usize) -> Self {
        let mut tally = Self::default();
        for entry in view.iter() {
            let Some(run) = run(entry, solver) else { continue };
            let scored = &run.scored;
            tally.instances += 1;
            tally.time = tally.time.saturating_add(scored.cpu.0);
            *match scored.class {
                _ if scored.is_refuted() => &mut tally.error,
                Class::Sat => &mut tally.satisfied,
                Class::Unsat => &mut tally.not_satisfied,
                Class::Timeout => &mut tally.timeouted,
                _ => &mut tally.unknown,
            } += 1;
        }
        tally
    }
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint(
            "/summary/{solver}",
            "zaligvinder_summary",
            "What a solver did on all instances",
            Content::Json(schema::<Wrapped>),
            summary,
        )
        .with(&[SOLVER_IN_PATH, BGROUP])
        .from(Source::Costly),
        endpoint(
            "/summary/{solver}/{track}",
            "zaligvinder_summary_of_track",
            "What a solver did on the instances of a track, or of a set",
            Content::Json(schema::<Wrapped>),
            summary,
        )
        .with(&[SOLVER_IN_PATH, TRACK_IN_PATH, BGROUP])
        .from(Source::Costly),
        endpoint(
            "/ranks/{track}",
            "zaligvinder_ranks",
            "The solvers by PAR2 on a track or a set, the best first",
            Content::Json(schema::<Vec<Rank>>),
            ranks,
        )
        .with(&[TRACK_IN_PATH, BGROUP])
        .from(Source::Costly)
        .with_description(
            "Ranks are by the mean over scored instances, so missing runs are no advantage.",
        ),
    ]
}

fn summary(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let results = request.results();
    let solver = find_solver(results, request.values.text("solver").unwrap_or_default())?;
    let tally = Tally::of(&view(request)?, solver);
    Reply::json(&Wrapped {
        summary: Summary {
            solver: results.solvers[solver].label.clone(),
            timeouted: tally.timeouted,
            satisfied: tally.satisfied,
            not_satisfied: tally.not_satisfied,
            error: tally.error,
            unknown: tally.unknown,
            time: time_text(tally.time),
            instances: tally.instances,
        },
    })
}

fn ranks(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = view(request)?;
    let rows =
        by_rank(standings(&view)).into_iter().filter_map(|standing| match standing.competitor {
            Competitor::Solver(solver) if standing.rank.is_some() => Some(Rank {
                solver: view.results.solvers[solver].label.clone(),
                points: (milliseconds(standing.par2.0) * 100.0).round() / 100.0,
            }),
            _ => None,
        });
    Reply::json(&rows.collect::<Vec<_>>())
}
