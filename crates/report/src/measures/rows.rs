//! Iteration that all measures share: every entry with the representative run of each solver.

use luthier_records::CpuTime;

use crate::{Entry, RunInfo, View};

/// The run of a solver that stands for an entry, as [`View::run`] has it. Most entries have one run
/// of each solver; for those there is nothing to choose.
pub(crate) fn representative_run<'a>(
    view: &View<'a>,
    entry: &'a Entry,
    solver: usize,
) -> Option<&'a RunInfo> {
    match entry.judged.runs_of(solver) {
        [] => None,
        [run] => view.campaign.is_none_or(|one| run.campaign == one).then_some(run),
        _ => view.run(entry, solver),
    }
}

/// Calls `visit` with the index of each entry of the view, the entry, and for each solver of the
/// view, in its order, the representative run.
pub(crate) fn for_each_row<'a>(
    view: &View<'a>,
    mut visit: impl FnMut(usize, &'a Entry, &[Option<&'a RunInfo>]),
) {
    let mut runs = Vec::with_capacity(view.solvers.len());
    for &index in &view.entries {
        let entry = &view.results.entries[index];
        runs.clear();
        runs.extend(view.solvers.iter().map(|&solver| representative_run(view, entry, solver)));
        visit(index, entry, &runs);
    }
}

/// The run, unless it is a framework error.
pub(crate) fn scored(run: Option<&RunInfo>) -> Option<&RunInfo> {
    run.filter(|run| run.scored.is_scored())
}

/// Whether there is a run, and it solved the entry.
pub(crate) fn is_solved(run: Option<&RunInfo>) -> bool {
    run.is_some_and(|run| run.scored.is_solved())
}

/// A sum of times that stays at the largest instead of ending the program.
pub(crate) fn add(sum: &mut CpuTime, more: CpuTime) {
    sum.0 = sum.0.saturating_add(more.0);
}

/// Ranks from 1 by `compare`: who is not better nor worse than another shares the rank with it, and
/// the next rank is as much higher (1, 1, 3).
pub(crate) fn ranks<T>(items: &[T], compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&left, &right| compare(&items[left], &items[right]));
    let mut ranks = vec![0; items.len()];
    for (position, &item) in order.iter().enumerate() {
        let tied = position
            .checked_sub(1)
            .map(|before| order[before])
            .filter(|&before| compare(&items[before], &items[item]).is_eq());
        ranks[item] = tied.map_or(position + 1, |before| ranks[before]);
    }
    ranks
}
