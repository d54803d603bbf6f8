//! Confidence intervals by bootstrap, for solved entries and the mean of PAR2, of a solver or of the
//! difference between two.
//!
//! Two questions, two ways to resample:
//!
//! * [`Resampling::Repetitions`]: *would it look the same if the same entries were run once more?* From
//!   each entry one of its scored repetitions is drawn. The estimate is the mean over repetitions. For a
//!   difference both solvers are drawn on their own.
//! * [`Resampling::Instances`]: *would it look the same on other entries of this kind?* As many entries as
//!   there are are drawn with replacement, each with its representative run. The estimate is what the
//!   view has. For a difference both solvers are drawn on the same entries.
//!
//! Entries without a scored run do not count; for a difference both solvers need one. A difference is
//! the figure of the first minus that of the second.
//!
//! The interval is from percentiles: with 95 % the 2.5 % and the 97.5 % quantile of the figures of all
//! resamples, with linear interpolation between neighbours. The same seed gives the same interval.
//!
//! # Many entries
//!
//! Up to 2,000 entries are resampled one by one. With more ([`Method::Grouped`]), solved entries are drawn
//! by groups of equal outcome, which is the same distribution: binomial numbers by the share of
//! repetitions that solved an entry, or multinomial numbers of entries that the first, both or only the
//! second solved. The mean of PAR2 is then normal with its exact mean and variance ([`Method::Normal`]),
//! as the central limit theorem has it: the sum of the variances of entries, or the variance over entries,
//! divided as needed. Nothing is drawn for it.

use super::random::Random;
use super::rows::{representative_run, scored};
use crate::{Entry, ScoredRun, View};

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How often.
    pub resamples: usize,
    /// Where the random numbers begin.
    pub seed: u64,
    /// How much of the distribution the interval holds, between 0 and 1.
    pub level: f64,
}

/// What is resampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resampling {
    /// The repetitions of each entry.
    Repetitions,
    /// The entries.
    Instances,
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By drawing one by one.
    Drawn,
    /// By drawing numbers of entries of equal outcome.
    Grouped,
    /// By the normal distribution with exact moments.
    Normal,
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The figure.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How the ends were found.
    pub method: Method,
}

/// The intervals of a solver, or of a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervals {
    /// How many entries count.
    pub instances: usize,
    /// Solved entries.
    pub solved: Interval,
    /// The mean of PAR2 over the entries that count, in seconds.
    pub par2_mean: Interval,
}

/// More entries than these are not drawn one by one.
const MAX_DRAWN_ENTRIES: usize = 2000;

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 1000, seed: 1, level: 0.95 }
    }
}

impl Bootstrap {
    /// The intervals of a solver. `None` if no entry counts, or if repetitions should be resampled and no
    /// entry has more than one.
    pub fn of_solver(
        &self,
        view: &View<'_>,
        solver: usize,
        resampling: Resampling,
    ) -> Option<Intervals> {
        self.of(view, &[(solver, 1.0)], resampling)
    }

    /// The intervals of what the first solver has more than the second.
    pub fn of_difference(
        &self,
        view: &View<'_>,
        first: usize,
        second: usize,
        resampling: Resampling,
    ) -> Option<Intervals> {
        self.of(view, &[(first, 1.0), (second, -1.0)], resampling)
    }

    fn of(
        &self,
        view: &View<'_>,
        solvers: &[(usize, f64)],
        resampling: Resampling,
    ) -> Option<Intervals> {
        let mut sample = Sample::default();
        for entry in view.iter() {
            match resampling {
                Resampling::Repetitions => sample.add_repetitions(view, entry, solvers),
                Resampling::Instances => sample.add_instance(view, entry, solvers),
            }
        }
        let count = sample.instances;
        let is_constant = sample.cells.iter().all(|cell| cell.len() == 1);
        if count == 0 || (resampling == Resampling::Repetitions && is_constant) {
            return None;
        }
        let mut random = Random::new(self.seed);
        let mut intervals = match resampling {
            Resampling::Repetitions if count <= MAX_DRAWN_ENTRIES => {
                self.drawn(&sample.mean(), || {
                    let mut sum = Outcome::default();
                    sample.cells.iter().for_each(|cell| sum.add(cell[random.below(cell.len())]));
                    sum
                })
            }
            Resampling::Instances if count <= MAX_DRAWN_ENTRIES => {
                self.drawn(&sample.mean(), || {
                    let mut sum = Outcome::default();
                    (0..count).for_each(|_| sum.add(sample.cells[random.below(count)][0]));
                    sum
                })
            }
            Resampling::Repetitions => self.repetitions_at_once(&sample, &mut random),
            Resampling::Instances => self.instances_at_once(&sample, &mut random),
        };
        let per_entry = 1.0 / count as f64;
        let mean = &mut intervals.1;
        for end in [&mut mean.estimate, &mut mean.low, &mut mean.high] {
            *end *= per_entry;
        }
        Some(Intervals { instances: count, solved: intervals.0, par2_mean: intervals.1 })
    }

    /// Intervals of both sums, from as many sums as asked for.
    fn drawn(&self, estimate: &Outcome, mut draw: impl FnMut() -> Outcome) -> (Interval, Interval) {
        let sums: Vec<Outcome> = (0..self.resamples.max(1)).map(|_| draw()).collect();
        let of = |estimate: f64, figure: fn(&Outcome) -> f64| {
            self.percentiles(estimate, sums.iter().map(figure).collect(), Method::Drawn)
        };
        (of(estimate.solved, |sum| sum.solved), of(estimate.par2, |sum| sum.par2))
    }

    fn repetitions_at_once(&self, sample: &Sample, random: &mut Random) -> (Interval, Interval) {
        // By sign, how many repetitions there are, and how many of them solved the entry.
        let mut groups: std::collections::BTreeMap<(bool, usize, usize), u64> = Default::default();
        let (mut constant, mut variance) = (0.0, 0.0);
        for cell in &sample.cells {
            let solved = cell.iter().filter(|one| one.solved != 0.0).count();
            if solved == 0 || solved == cell.len() {
                constant += cell[0].solved;
            } else {
                let is_less = cell.iter().any(|one| one.solved < 0.0);
                *groups.entry((is_less, cell.len(), solved)).or_default() += 1;
            }
            variance += moments(cell.iter().map(|one| one.par2)).1;
        }
        let draw = |_| {
            let mut sum = constant;
            for (&(is_less, repetitions, solved), &count) in &groups {
                let drawn = random.binomial(count, solved as f64 / repetitions as f64) as f64;
                sum += if is_less { -drawn } else { drawn };
            }
            sum
        };
        let sums = (0..self.resamples.max(1)).map(draw).collect();
        let mean = sample.mean();
        (self.percentiles(mean.solved, sums, Method::Grouped), self.normal(mean.par2, variance))
    }

    fn instances_at_once(&self, sample: &Sample, random: &mut Random) -> (Interval, Interval) {
        let count = sample.cells.len() as u64;
        let outcomes = || sample.cells.iter().map(|cell| cell[0]);
        let more = outcomes().filter(|one| one.solved > 0.0).count() as f64;
        let less = outcomes().filter(|one| one.solved < 0.0).count() as f64;
        let draw = |_| {
            let drawn = random.binomial(count, more / count as f64);
            // The others are still to be shared out among those that are not `more`.
            let rest = count as f64 - more;
            let share = if rest > 0.0 { less / rest } else { 0.0 };
            drawn as f64 - random.binomial(count - drawn, share) as f64
        };
        let sums = (0..self.resamples.max(1)).map(draw).collect();
        let mean = sample.mean();
        let (_, variance) = moments(outcomes().map(|one| one.par2));
        let solved = self.percentiles(mean.solved, sums, Method::Grouped);
        (solved, self.normal(mean.par2, variance * count as f64))
    }

    fn percentiles(&self, estimate: f64, mut figures: Vec<f64>, method: Method) -> Interval {
        figures.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level.clamp(0.0, 1.0)) / 2.0;
        let (low, high) = (quantile(&figures, tail), quantile(&figures, 1.0 - tail));
        Interval { estimate, low, high, method }
    }

    fn normal(&self, estimate: f64, variance: f64) -> Interval {
        let reach = normal_quantile((1.0 + self.level.clamp(0.0, 1.0)) / 2.0) * variance.sqrt();
        Interval { estimate, low: estimate - reach, high: estimate + reach, method: Method::Normal }
    }
}

/// What a run adds to the figures, with its sign.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    solved: f64,
    par2: f64,
}

/// What is drawn from.
#[derive(Debug, Default)]
struct Sample {
    instances: usize,
    /// Of repetitions: for each entry and solver all outcomes. Of instances: for each entry one.
    cells: Vec<Vec<Outcome>>,
}

impl Outcome {
    fn of(run: &ScoredRun, sign: f64) -> Self {
        let solved = if run.is_solved() { sign } else { 0.0 };
        Self { solved, par2: sign * run.penalised().as_secs_f64() }
    }

    fn add(&mut self, other: Outcome) {
        self.solved += other.solved;
        self.par2 += other.par2;
    }
}

impl Sample {
    fn add_repetitions<'a>(&mut self, view: &View<'a>, entry: &'a Entry, solvers: &[(usize, f64)]) {
        let cell = |&(solver, sign): &(usize, f64)| -> Vec<Outcome> {
            let runs = view.runs(entry, solver).map(|run| &run.scored);
            runs.filter(|run| run.is_scored()).map(|run| Outcome::of(run, sign)).collect()
        };
        let cells: Vec<Vec<Outcome>> = solvers.iter().map(cell).collect();
        if cells.iter().all(|cell| !cell.is_empty()) {
            self.instances += 1;
            self.cells.extend(cells);
        }
    }

    fn add_instance<'a>(&mut self, view: &View<'a>, entry: &'a Entry, solvers: &[(usize, f64)]) {
        let mut sum = Outcome::default();
        for &(solver, sign) in solvers {
            let Some(run) = scored(representative_run(view, entry, solver)) else { return };
            sum.add(Outcome::of(&run.scored, sign));
        }
        self.instances += 1;
        self.cells.push(vec![sum]);
    }

    /// The sums of the means of all cells.
    fn mean(&self) -> Outcome {
        let mut sum = Outcome::default();
        for cell in &self.cells {
            let (solved, par2) =
                (cell.iter().map(|one| one.solved), cell.iter().map(|one| one.par2));
            sum.add(Outcome { solved: moments(solved).0, par2: moments(par2).0 });
        }
        sum
    }
}

/// The mean and the variance (of the whole, not of a sample: a bootstrap draws from just these).
fn moments(figures: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = figures.clone().count().max(1) as f64;
    let mean = figures.clone().sum::<f64>() / count;
    let variance = figures.map(|figure| (figure - mean).powi(2)).sum::<f64>() / count;
    (mean, variance)
}

/// A quantile of sorted figures, with linear interpolation.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let below = sorted.get(place.floor() as usize).copied().unwrap_or_default();
    let above = sorted.get(place.ceil() as usize).copied().unwrap_or(below);
    below + (above - below) * place.fract()
}

/// The quantile of the standard normal distribution, for shares above one half. Found by halving, with
/// the integral of the density by Simpson's rule: slow, short, and as exact as a reader can see.
fn normal_quantile(share: f64) -> f64 {
    let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let integral = |end: f64| {
        let width = end / 200.0;
        let sum: f64 = (0..100)
            .map(|step| f64::from(step) * 2.0 * width)
            .map(|x| density(x) + 4.0 * density(x + width) + density(x + 2.0 * width))
            .sum();
        0.5 + sum * width / 3.0
    };
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if integral(middle) < share { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    #[test]
    fn quantiles_of_the_normal_distribution_are_those_of_the_tables() {
        for (share, expected) in [(0.975, 1.959_964), (0.95, 1.644_854), (0.995, 2.575_829)] {
            assert!((normal_quantile(share) - expected).abs() < 1e-6);
        }
    }
}
