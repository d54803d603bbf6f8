//! Standings: solved, unique, PAR2, median and rank of each solver in a view, and of the virtual best.
//!
//! An entry is *scored* for a solver if its representative run is not a framework error;
//! *missing* if there is no run at all. The outcome of an entry is that of the representative run.
//!
//! * solved: the run answered, no answer is known to be wrong and no model invalid.
//! * unique: solved by this solver and by no other of the view. For the virtual best: solved by
//!   exactly one solver.
//! * PAR2: over scored entries, the penalised CPU time of the representative run, see
//!   [`ScoredRun::penalised`]. With several repetitions it differs from
//!   the PAR2 in [`Standing::score`], which is over all runs.
//! * median: of the CPU times of solved entries; of an even number the mean of the two in the middle.
//! * rank: by the mean of PAR2 over scored entries, compared as exact fractions; equal means share a
//!   rank (1, 1, 3). Missing entries are counted and not penalised, so a mean may be over fewer entries
//!   than another: such a solver is not `comparable`, which must be shown beside its rank. A solver
//!   without scored entries has no rank, nor has the virtual best.
//!
//! The virtual best solver has on each entry the best of the representative runs, see
//! [`best_of`].

use std::cmp::Ordering;
use std::time::Duration;

use luthier_records::{Class, CpuTime};

use super::rows::{add, ranks, representative_run};
use crate::{Score, ScoredRun, View, best_of};

/// A solver or the virtual best, as a row of the standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Competitor {
    /// A solver, as an index of the results.
    Solver(usize),
    /// The virtual best solver of the view.
    VirtualBest,
}

/// The standing of a solver or of the virtual best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The solver, or the virtual best.
    pub competitor: Competitor,
    /// Sums over all runs, every repetition.
    pub score: Score,
    /// Entries with a scored run.
    pub instances: u64,
    /// Entries without any run.
    pub missing: u64,
    /// Entries whose only runs are framework errors.
    pub failed: u64,
    /// Solved entries.
    pub solved: u64,
    /// Those of them that were answered `sat`.
    pub solved_sat: u64,
    /// Those of them that were answered `unsat`.
    pub solved_unsat: u64,
    /// Entries that no other solver solved.
    pub unique: u64,
    /// Entries with a wrong answer or an invalid model.
    pub refuted: u64,
    /// The sum of penalised times over scored entries.
    pub par2: CpuTime,
    /// The median time of solved entries.
    pub median: Option<CpuTime>,
    /// The place, from 1; see above.
    pub rank: Option<usize>,
    /// Whether every entry of the view is scored.
    pub comparable: bool,
}

impl Competitor {
    /// What it is called: the label of the solver, or `virtual best`.
    pub fn label(self, results: &crate::Results) -> &str {
        match self {
            Competitor::Solver(solver) => &results.solvers[solver].label,
            Competitor::VirtualBest => "virtual best",
        }
    }
}

impl Standing {
    /// What its figures mean, for headings of tables.
    pub const MEANINGS: [(&'static str, &'static str); 7] = [
        ("rank", "The place by the mean of PAR2; equal means share a rank."),
        ("solved", "Instances with an answer that is not wrong and has no invalid model."),
        ("unique", "Instances that this solver solved and no other one did."),
        (
            "PAR2 mean, s",
            "The mean CPU time in seconds; what is not solved counts twice its limit.",
        ),
        ("missing", "Instances that the solver was not run on."),
        ("runs", "All runs, every repetition."),
        ("CPU, s", "The CPU time of all runs, in seconds."),
    ];

    /// What the figure with this heading means; nothing for others.
    pub fn meaning(heading: &str) -> &'static str {
        let found = Self::MEANINGS.iter().find(|(name, _)| *name == heading);
        found.map_or("", |(_, meaning)| meaning)
    }

    /// PAR2 per scored entry, in seconds; `None` if there is none.
    pub fn par2_mean(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.par2.as_secs_f64() / self.instances as f64)
    }

    /// The share of scored entries that are solved, from 0 to 1.
    pub fn solved_share(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.solved as f64 / self.instances as f64)
    }
}

/// The standings of all solvers of the view, in its order, then that of the virtual best.
pub fn standings(view: &View<'_>) -> Vec<Standing> {
    let mut tallies = vec![Tally::default(); view.solvers.len()];
    let mut best = Tally::default();
    let mut runs = Vec::with_capacity(view.solvers.len());
    for entry in view.iter() {
        runs.clear();
        for (&solver, tally) in view.solvers.iter().zip(&mut tallies) {
            view.runs(entry, solver).for_each(|run| tally.score.add(&run.scored));
            runs.push(representative_run(view, entry, solver).map(|run| &run.scored));
        }
        let mut solvers = runs.iter().enumerate().filter(|(_, run)| solved(**run));
        let only = match (solvers.next(), solvers.next()) {
            (Some((only, _)), None) => Some(only),
            _ => None,
        };
        for (position, (run, tally)) in runs.iter().zip(&mut tallies).enumerate() {
            tally.add(*run, only == Some(position));
        }
        let run = best_of(runs.iter().flatten().copied());
        run.iter().for_each(|run| best.score.add(run));
        best.add(run.as_ref(), only.is_some() && solved(run.as_ref()));
    }
    let mut standings: Vec<Standing> = view
        .solvers
        .iter()
        .zip(tallies)
        .map(|(&solver, tally)| tally.finish(Competitor::Solver(solver), view.entries.len()))
        .collect();
    let ranks = ranks(&standings, by_mean);
    for (standing, rank) in standings.iter_mut().zip(ranks) {
        standing.rank = (standing.instances > 0).then_some(rank);
    }
    standings.push(best.finish(Competitor::VirtualBest, view.entries.len()));
    standings
}

/// The same standings by rank; those without one last. Who shares a rank stays in the order given.
pub fn by_rank(mut standings: Vec<Standing>) -> Vec<Standing> {
    let key = |standing: &Standing| {
        (standing.competitor == Competitor::VirtualBest, standing.rank.unwrap_or(usize::MAX))
    };
    standings.sort_by_key(key);
    standings
}

fn solved(run: Option<&ScoredRun>) -> bool {
    run.is_some_and(ScoredRun::is_solved)
}

/// Sums over entries so far.
#[derive(Clone, Debug, Default)]
struct Tally {
    score: Score,
    instances: u64,
    missing: u64,
    failed: u64,
    solved_sat: u64,
    solved_unsat: u64,
    unique: u64,
    refuted: u64,
    par2: CpuTime,
    times: Vec<Duration>,
}

impl Tally {
    fn add(&mut self, run: Option<&ScoredRun>, only_one: bool) {
        let Some(run) = run else {
            self.missing += 1;
            return;
        };
        if !run.is_scored() {
            self.failed += 1;
            return;
        }
        self.instances += 1;
        self.refuted += u64::from(run.is_refuted());
        self.unique += u64::from(only_one);
        add(&mut self.par2, run.penalised());
        if run.is_solved() {
            self.solved_sat += u64::from(run.class == Class::Sat);
            self.solved_unsat += u64::from(run.class == Class::Unsat);
            self.times.push(run.cpu.0);
        }
    }

    fn finish(mut self, competitor: Competitor, entries: usize) -> Standing {
        Standing {
            competitor,
            score: self.score,
            instances: self.instances,
            missing: self.missing,
            failed: self.failed,
            solved: self.solved_sat + self.solved_unsat,
            solved_sat: self.solved_sat,
            solved_unsat: self.solved_unsat,
            unique: self.unique,
            refuted: self.refuted,
            par2: self.par2,
            median: median(&mut self.times),
            rank: None,
            comparable: self.missing + self.failed == 0 && entries > 0,
        }
    }
}

fn median(times: &mut [Duration]) -> Option<CpuTime> {
    let middle = times.len() / 2;
    if times.is_empty() {
        return None;
    }
    let is_odd = times.len() % 2 == 1;
    let (before, upper, _) = times.select_nth_unstable(middle);
    let lower = if is_odd { *upper } else { before.iter().copied().max().unwrap_or(*upper) };
    // The two are close to each other, so half the gap is safe where half the sum may not be.
    Some(CpuTime(lower + upper.saturating_sub(lower) / 2))
}

/// Lower means first; solvers without scored entries last.
fn by_mean(left: &Standing, right: &Standing) -> Ordering {
    let without = |standing: &Standing| standing.instances == 0;
    let share = |sum: &Standing, other: &Standing| {
        sum.par2.0.as_nanos().saturating_mul(u128::from(other.instances))
    };
    without(left).cmp(&without(right)).then_with(|| share(left, right).cmp(&share(right, left)))
}
