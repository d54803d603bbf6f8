//! The two rankings of SMT-COMP over divisions (rules of 2023 and 2024, "Competition-Wide
//! Recognitions"), with the sets of a view as divisions.
//!
//! # Biggest lead
//!
//! In a set, let 1 be the winner and 2 the next solver by the score of [`CompetitionKind`]. The lead is
//! (n1 + 1) / (n2 + 1); leads that are equal are distinguished by (t2 + 1) / (t1 + 1), where t is the wall
//! time in seconds for the parallel score and the CPU time for the sequential one. The set with the
//! biggest lead comes first. A lead can be below 1: the next solver may have solved more and be second
//! because of an error. A view of a single solver has no leads.
//!
//! # Largest contribution
//!
//! In a set, only solvers without errors count; sets with at most two of them are left out. For such a
//! set of solvers S the virtual best solves n(S) entries, in the time c(S), w(S): on each entry the
//! smallest time of those who solved it, the limit if none did. The ranks of a solver s are
//!
//! * correctness: 1 - n(S - s) / n(S), or 0 if no entry is solved,
//! * CPU time: 1 - c(S) / c(S - s), and the same for wall time,
//!
//! each times the share that the set has in all pairs of solver and entry of the sets that count. The
//! highest correctness comes first, then the highest time rank. The limit is the
//! largest that a solver of the view has; the rules have one limit for all. Disputed entries do not count.

use std::cmp::Ordering;
use std::time::Duration;

use super::competition::{
    CompetitionKind, competition_of_all_and_sets, competition_per_set, is_disputed,
};
use super::rows::{for_each_row, scored};
use crate::View;

/// By how much the winner of a set leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// The set, as an index of the results; `None` for all entries of the view together.
    pub set: Option<usize>,
    /// The winner, as an index of the results.
    pub winner: usize,
    /// Who comes next.
    pub second: usize,
    /// Whether both have the same score, and the order of the view decides.
    pub is_tie: bool,
    /// (n1 + 1) / (n2 + 1).
    pub correctness: f64,
    /// (t2 + 1) / (t1 + 1).
    pub time: f64,
}

/// What a solver contributes to the virtual best of a set, normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetContribution {
    /// The set, as an index of the results.
    pub set: usize,
    /// The solver, as an index of the results.
    pub solver: usize,
    /// The correctness rank.
    pub correctness: f64,
    /// The rank by CPU time.
    pub cpu: f64,
    /// The rank by wall time.
    pub wall: f64,
}

/// The leads in the sets of the view by a kind of score, the biggest first, and over all entries.
pub fn leads(view: &View<'_>, kind: CompetitionKind) -> (Vec<Lead>, Option<Lead>) {
    let lead = |set: Option<usize>, scores: &super::Competition| {
        let scores = scores.table(kind).by_rank();
        let [first, second, ..] = scores.as_slice() else { return None };
        let seconds = |score: &super::CompetitionScore| match kind {
            CompetitionKind::Sequential => score.cpu.as_secs_f64(),
            _ => score.wall.as_secs_f64(),
        };
        Some(Lead {
            set,
            winner: first.solver,
            second: second.solver,
            is_tie: first.rank == second.rank,
            correctness: (first.solved + 1) as f64 / (second.solved + 1) as f64,
            time: (seconds(second) + 1.0) / (seconds(first) + 1.0),
        })
    };
    let (whole, sets) = competition_of_all_and_sets(view);
    let mut leads: Vec<Lead> =
        sets.iter().filter_map(|(set, scores)| lead(Some(*set), scores)).collect();
    leads.sort_by(|left, right| {
        let by_count = right.correctness.total_cmp(&left.correctness);
        by_count.then_with(|| right.time.total_cmp(&left.time))
    });
    (leads, lead(None, &whole))
}

/// The contributions of solvers in the sets of the view, the largest first: by correctness, then by
/// CPU time for the sequential score and by wall time for any other kind.
pub fn largest_contributions(view: &View<'_>, kind: CompetitionKind) -> Vec<SetContribution> {
    let mut sums: Vec<Option<VirtualBest>> = vec![None; view.results.sets.len()];
    for (set, scores) in competition_per_set(view) {
        let parallel = scores.table(CompetitionKind::Parallel);
        let sound: Vec<bool> = parallel.scores.iter().map(|score| score.errors == 0).collect();
        if sound.iter().filter(|sound| **sound).count() > 2 {
            sums[set] = Some(VirtualBest::new(sound));
        }
    }
    let solvers = view.solvers.iter().map(|&solver| &view.results.solvers[solver].configuration);
    let cpu_limit = solvers.clone().map(|solver| solver.limits.cpu.0).max().unwrap_or_default();
    let wall_limit = solvers.map(|solver| solver.limits.wall.0).max().unwrap_or_default();
    for_each_row(view, |_, entry, runs| {
        let Some(sums) = &mut sums[view.results.set_of(entry)] else { return };
        let runs = runs.iter().map(|run| scored(*run).map(|run| &run.scored));
        if is_disputed(runs.clone()) {
            return;
        }
        let solved = runs
            .enumerate()
            .filter_map(|(position, run)| Some((position, run.filter(|run| run.is_solved())?)));
        sums.entries += 1;
        sums.cpu.add(
            solved.clone().map(|(position, run)| (position, run.cpu.0)),
            &sums.sound,
            cpu_limit,
        );
        sums.wall.add(
            solved.clone().map(|(position, run)| (position, run.wall.0)),
            &sums.sound,
            wall_limit,
        );
        let mut sound = solved.filter(|(position, _)| sums.sound[*position]);
        match (sound.next(), sound.next()) {
            (Some((only, _)), None) => {
                sums.solved += 1;
                sums.solved_only_by[only] += 1;
            }
            (Some(_), Some(_)) => sums.solved += 1,
            (None, _) => {}
        }
    });
    let pairs: u64 = sums.iter().flatten().map(VirtualBest::pairs).sum();
    let mut contributions = Vec::new();
    for (set, sums) in sums.iter().enumerate() {
        let Some(sums) = sums else { continue };
        let weight = if pairs == 0 { 0.0 } else { sums.pairs() as f64 / pairs as f64 };
        for (position, &solver) in view.solvers.iter().enumerate() {
            if sums.sound[position] {
                let solved = sums.solved.max(1) as f64;
                contributions.push(SetContribution {
                    set,
                    solver,
                    correctness: sums.solved_only_by[position] as f64 / solved * weight,
                    cpu: sums.cpu.rank(position) * weight,
                    wall: sums.wall.rank(position) * weight,
                });
            }
        }
    }
    let time = |one: &SetContribution| match kind {
        CompetitionKind::Sequential => one.cpu,
        _ => one.wall,
    };
    contributions.sort_by(|left, right| -> Ordering {
        let by_count = right.correctness.total_cmp(&left.correctness);
        by_count.then_with(|| time(right).total_cmp(&time(left)))
    });
    contributions
}

/// Sums for the virtual best of the sound solvers in a set, with all and without each.
#[derive(Clone)]
struct VirtualBest {
    sound: Vec<bool>,
    entries: u64,
    solved: u64,
    solved_only_by: Vec<u64>,
    cpu: Times,
    wall: Times,
}

/// The time of the virtual best, and how much more it is without each solver.
#[derive(Clone, Default)]
struct Times {
    all: Duration,
    more_without: Vec<Duration>,
}

impl VirtualBest {
    fn new(sound: Vec<bool>) -> Self {
        let times = Times { all: Duration::ZERO, more_without: vec![Duration::ZERO; sound.len()] };
        let solved_only_by = vec![0; sound.len()];
        Self { sound, entries: 0, solved: 0, solved_only_by, cpu: times.clone(), wall: times }
    }

    /// Pairs of solver and entry.
    fn pairs(&self) -> u64 {
        self.entries * self.sound.iter().filter(|sound| **sound).count() as u64
    }
}

impl Times {
    fn add(
        &mut self,
        solved: impl Iterator<Item = (usize, Duration)>,
        sound: &[bool],
        limit: Duration,
    ) {
        let (mut first, mut second): (Option<(usize, Duration)>, Option<Duration>) = (None, None);
        for (position, time) in solved.filter(|(position, _)| sound[*position]) {
            if first.is_none_or(|(_, best)| time < best) {
                second = first.map(|(_, best)| best);
                first = Some((position, time));
            } else if second.is_none_or(|next| time < next) {
                second = Some(time);
            }
        }
        let best = first.map_or(limit, |(_, time)| time);
        self.all = self.all.saturating_add(best);
        if let Some((position, time)) = first {
            let more = second.unwrap_or(limit).saturating_sub(time);
            self.more_without[position] = self.more_without[position].saturating_add(more);
        }
    }

    /// 1 - t(S) / t(S - s).
    fn rank(&self, position: usize) -> f64 {
        let without = self.all.saturating_add(self.more_without[position]);
        if without.is_zero() { 0.0 } else { 1.0 - self.all.as_secs_f64() / without.as_secs_f64() }
    }
}
