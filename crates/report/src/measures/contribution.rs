//! Marginal contributions: what the virtual best solver of a view would lose without each solver.
//!
//! The virtual best has on each entry the best of the representative runs of all solvers, see
//! [`best_of`](crate::best_of). An entry counts if the virtual best has a scored run there. The
//! *marginal contribution* of a solver is, over these entries:
//!
//! * solved: how many entries the virtual best solves, and the virtual best of the others does not;
//! * PAR2: the PAR2 of the virtual best of the others minus that of the virtual best. Where the others
//!   have no scored run, they pay twice the limit of the run that is taken away.
//!
//! On an entry where no solver is alone at the top nothing is lost, so a solver that is a copy of
//! another contributes nothing. PAR2 may differ between unsolved runs if their limits differ; then
//! taking away the run with the smaller limit costs something, too.

use luthier_records::CpuTime;

use super::rows::{add, for_each_row, scored};
use crate::score::virtual_best_key;
use crate::{ScoredRun, View};

/// The virtual best of a view, and what each solver contributes to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// Entries with a scored run.
    pub instances: u64,
    /// Entries that the virtual best solves.
    pub solved: u64,
    /// The PAR2 of the virtual best, as a sum.
    pub par2: CpuTime,
    /// One for each solver of the view, in its order.
    pub solvers: Vec<Contribution>,
}

/// What a solver contributes to the virtual best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// The solver, as an index of the results.
    pub solver: usize,
    /// On how many entries it is the virtual best: of equal runs that of the solver that comes first.
    pub best_on: u64,
    /// How many solved entries would be lost without it.
    pub solved: u64,
    /// By how many seconds PAR2 would be higher without it. It may be below zero: an unjudged answer
    /// that is faster than a right one does not count as long as the right one is there.
    pub par2: f64,
}

/// The contributions of all solvers of the view.
pub fn contributions(view: &View<'_>) -> Contributions {
    let empty = |&solver: &usize| Contribution { solver, best_on: 0, solved: 0, par2: 0.0 };
    let mut all = Contributions {
        instances: 0,
        solved: 0,
        par2: CpuTime::default(),
        solvers: view.solvers.iter().map(empty).collect(),
    };
    // Whole nanoseconds, so that the order of entries changes nothing.
    let mut lost = vec![0_i128; view.solvers.len()];
    for_each_row(view, |_, _, runs| {
        let best = |without: Option<usize>| {
            let runs = runs.iter().enumerate();
            runs.filter(|(position, _)| Some(*position) != without)
                .filter_map(|(position, run)| Some((position, &scored(*run)?.scored)))
                .min_by_key(|(_, run)| virtual_best_key(run))
        };
        let Some((position, run)) = best(None) else { return };
        all.instances += 1;
        all.solved += u64::from(run.is_solved());
        add(&mut all.par2, run.penalised());
        let contribution = &mut all.solvers[position];
        contribution.best_on += u64::from(run.is_solved());
        // For all others the best stays the same.
        let next = best(Some(position)).map(|(_, run)| run);
        let others_solve = next.is_some_and(ScoredRun::is_solved);
        contribution.solved += u64::from(run.is_solved() && !others_solve);
        let unsolved = CpuTime(run.cpu_limit.0.saturating_mul(2));
        let cost = next.map_or(unsolved, ScoredRun::penalised);
        lost[position] += nanoseconds(cost) - nanoseconds(run.penalised());
    });
    for (contribution, lost) in all.solvers.iter_mut().zip(lost) {
        contribution.par2 = lost as f64 / 1e9;
    }
    all
}

fn nanoseconds(time: CpuTime) -> i128 {
    i128::try_from(time.0.as_nanos()).unwrap_or(i128::MAX / 2)
}
