//! How fast each solver is asked: the limit of its queries and the number of formulas in a process, both
//! learnt from the batches before.
//!
//! Most queries are decided within a millisecond or never, so that a part of the limit `--query-timeout`
//! often decides nearly as much for less CPU time. A solver is asked with the limit and with halves,
//! quarters and eighths of it; for each the pace keeps how many queries were decided and what they cost. The
//! limit that decides most in a second of CPU is used, of those that decide at least [`KEPT`] percent of
//! the share that the best one does. One batch in [`EXPLORED`] uses another limit in turn, the full one
//! included, so that what changes is noticed and slow formulas are still asked.
//!
//! Sound: a limit only decides whether there is an answer; findings are confirmed without it. It makes
//! the queries that are decided depend on the machine, so both are fixed where a hunt must be repeatable.
//!
//! Limits: what is compared are different formulas; counts are halved from time to time, so that a
//! limit is judged by what was asked lately.

use std::time::Duration;

/// The number of limits, each half of the one before.
const LIMITS: u32 = 4;

/// The share of what the best limit decides that another one must decide, in percent.
const KEPT: f64 = 90.0;

/// One batch in this many tries the limits in turn.
const EXPLORED: u64 = 8;

/// A smaller limit must decide more for the same time by this factor.
const GAIN: f64 = 1.05;

/// Counts are halved when a limit has been used for so many queries.
const ENOUGH: f64 = 4000.0;

/// No limit is shorter: solvers take whole milliseconds, and starting a query takes part of one.
const SHORTEST: Duration = Duration::from_millis(4);

/// The formulas of the first process of a hunt.
const FIRST_SIZE: usize = 64;

/// A process has at most so many formulas: some solvers become slower with each.
const LARGEST_SIZE: usize = 512;

/// What was learnt about one solver.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    arms: Vec<Arm>,
    batches: u64,
    size: usize,
    adaptive: bool,
}

/// What one limit decided.
#[derive(Clone, Debug, Default)]
struct Arm {
    limit: Duration,
    asked: f64,
    decided: f64,
    cpu: f64,
}

impl Arm {
    fn share(&self) -> f64 {
        self.decided / self.asked.max(1.0)
    }

    fn decided_per_second(&self) -> f64 {
        self.decided / self.cpu.max(1e-6)
    }
}

impl Pace {
    /// A pace with this limit, or shorter ones if it is `adaptive`; the size is fixed, too, if it is not.
    pub fn new(limit: Duration, adaptive: bool) -> Self {
        let halves = (0..LIMITS).map(|halvings| limit / 2_u32.pow(halvings));
        let limits = halves
            .enumerate()
            .filter(|(place, one)| *place == 0 || adaptive && *one >= SHORTEST)
            .map(|(_, limit)| Arm { limit, ..Arm::default() });
        let size = if adaptive { FIRST_SIZE } else { LARGEST_SIZE };
        Self { arms: limits.collect(), batches: 0, size, adaptive }
    }

    /// The limit of the next batch.
    pub fn next_limit(&mut self) -> Duration {
        let turn = self.batches;
        self.batches += 1;
        // Each once, then the best one, and sometimes another.
        let count = self.arms.len() as u64;
        let explored = match turn {
            _ if turn < count => Some(turn),
            _ if turn.is_multiple_of(EXPLORED) => Some(turn / EXPLORED % count),
            _ => None,
        };
        let place = explored.and_then(|place| usize::try_from(place).ok());
        place.map_or_else(|| self.best_limit(), |place| self.arms[place].limit)
    }

    /// The limit that is best so far.
    pub fn best_limit(&self) -> Duration {
        let share = self.arms.iter().map(Arm::share).fold(0.0, f64::max);
        let mut best = &self.arms[0];
        for arm in &self.arms[1..] {
            let is_enough = arm.asked > 0.0 && arm.share() * 100.0 >= share * KEPT;
            if is_enough && arm.decided_per_second() > best.decided_per_second() * GAIN {
                best = arm;
            }
        }
        best.limit
    }

    /// Takes the result of a batch into account.
    pub fn learn(&mut self, limit: Duration, asked: u64, decided: u64, cpu: Duration) {
        let Some(arm) = self.arms.iter_mut().find(|arm| arm.limit == limit) else { return };
        arm.asked += asked as f64;
        arm.decided += decided as f64;
        arm.cpu += cpu.as_secs_f64();
        if arm.asked > ENOUGH {
            (arm.asked, arm.decided, arm.cpu) = (arm.asked / 2.0, arm.decided / 2.0, arm.cpu / 2.0);
        }
    }

    /// How many formulas the next process gets at most.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Takes into account how many the processes of a batch should have had.
    pub fn learn_size(&mut self, size: usize) {
        if self.adaptive {
            self.size = size.clamp(1, LARGEST_SIZE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Asks batches of a solver that decides `share` of 100 queries under a limit, of which each
    /// undecided one takes the whole limit.
    fn hunt(pace: &mut Pace, batches: usize, share: fn(u64) -> u64) -> Vec<u64> {
        let mut used = Vec::new();
        for _ in 0..batches {
            let limit = pace.next_limit();
            let limit_ms = u64::try_from(limit.as_millis()).unwrap();
            used.push(limit_ms);
            let decided = share(limit_ms);
            pace.learn(limit, 100, decided, milliseconds(100 + (100 - decided) * limit_ms));
        }
        used
    }

    #[test]
    fn a_part_of_the_limit_is_used_where_it_decides_as_much() {
        let mut pace = Pace::new(milliseconds(48), true);
        let used = hunt(&mut pace, 80, |limit| if limit >= 12 { 80 } else { 40 });
        assert_eq!(used[..4], [48, 24, 12, 6], "each once");
        assert_eq!(pace.best_limit(), milliseconds(12), "6 ms would lose half of the answers");
        let others = used[4..].iter().filter(|limit| **limit != 12).count();
        assert!((4..12).contains(&others), "{used:?}");
        assert!(used[4..].contains(&48), "the full limit is still used: {used:?}");
    }

    #[test]
    fn what_changes_is_learnt_again() {
        let mut pace = Pace::new(milliseconds(48), true);
        hunt(&mut pace, 40, |_| 80);
        assert_eq!(pace.best_limit(), milliseconds(6));
        hunt(&mut pace, 400, |limit| if limit >= 24 { 90 } else { 20 });
        assert_eq!(pace.best_limit(), milliseconds(24));
    }

    #[test]
    fn a_solver_that_decides_everything_keeps_the_full_limit() {
        let mut pace = Pace::new(milliseconds(50), true);
        hunt(&mut pace, 40, |_| 100);
        assert_eq!(pace.best_limit(), milliseconds(50));
    }

    #[test]
    fn a_fixed_limit_stays() {
        let mut pace = Pace::new(milliseconds(50), false);
        assert!(hunt(&mut pace, 40, |_| 10).iter().all(|limit| *limit == 50));
        // Limits that solvers cannot keep are not tried.
        let mut short = Pace::new(milliseconds(10), true);
        let used = hunt(&mut short, 40, |_| 10);
        assert!(used.iter().all(|limit| [10, 5].contains(limit)), "{used:?}");
    }

    #[test]
    fn the_size_of_processes_is_bounded() {
        let mut pace = Pace::new(milliseconds(50), true);
        assert_eq!(pace.size(), 64);
        pace.learn_size(usize::MAX);
        assert_eq!(pace.size(), 512);
        pace.learn_size(0);
        assert_eq!(pace.size(), 1);
        let mut fixed = Pace::new(milliseconds(50), false);
        fixed.learn_size(1);
        assert_eq!(fixed.size(), 512);
    }
}
