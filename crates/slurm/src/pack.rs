//! Packing: which runs a task makes.
//!
//! A job costs the scheduler about as much as a short run takes, and clusters limit how many a user may
//! have; so a task makes many runs. How long these take is not known, but it is bounded: `n` runs with
//! the CPU limit `l`, `j` at a time, take about `n · l / j` at most. `n` is the largest number for which
//! this is the target. Tasks of a round differ by at most one run, and keep the order of the
//! experiment, so that runs on the same instance stand together.
//!
//! Limits: runs that are much shorter than their limit make tasks that are much shorter than the
//! target; they cost what a task costs (docs/slurm.md has the arithmetic).

use std::ops::Range;
use std::time::Duration;

use crate::options::RUN_OVERHEAD;

/// How many runs go into one task.
pub(crate) fn runs_per_task(cpu_limit: Duration, target: Duration, jobs: usize) -> usize {
    let one = cpu_limit.saturating_add(RUN_OVERHEAD).as_secs_f64();
    let fitting = target.as_secs_f64() / one * jobs as f64;
    // Saturates, and is at least one for each that runs at a time.
    (fitting as usize).max(jobs).max(1)
}

/// How many tasks there are for so many runs.
pub(crate) fn tasks(runs: usize, per_task: usize) -> usize {
    runs.div_ceil(per_task.max(1))
}

/// The runs of a task, by position.
pub(crate) fn range(task: usize, tasks: usize, runs: usize) -> Range<usize> {
    let start = |task: usize| {
        let position = task as u128 * runs as u128 / tasks.max(1) as u128;
        usize::try_from(position).unwrap_or(usize::MAX)
    };
    start(task)..start(task + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_as_long_as_the_target_at_most() {
        let (second, hour) = (Duration::from_secs(1), Duration::from_secs(3600));
        assert_eq!(runs_per_task(10 * second, hour, 1), 358);
        assert_eq!(runs_per_task(10 * second, hour, 4), 1432);
        assert_eq!(runs_per_task(2 * hour, hour, 1), 1, "a run cannot be divided");
        assert_eq!(runs_per_task(2 * hour, hour, 8), 8, "none of eight is idle");
        assert_eq!(runs_per_task(Duration::MAX, hour, 1), 1);
    }

    #[test]
    fn every_run_is_in_exactly_one_task_and_tasks_are_even() {
        for (runs, per_task) in [(0, 7), (1, 7), (7, 7), (8, 7), (2000, 33), (99_999, 1000)] {
            let tasks = tasks(runs, per_task);
            let ranges: Vec<Range<usize>> =
                (0..tasks).map(|task| range(task, tasks, runs)).collect();
            let all: Vec<usize> = ranges.iter().cloned().flatten().collect();
            assert_eq!(all, (0..runs).collect::<Vec<_>>());
            let sizes: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
            if let (Some(least), Some(most)) = (sizes.iter().min(), sizes.iter().max()) {
                assert!(most - least <= 1 && *most <= per_task, "{sizes:?}");
            }
        }
    }
}
