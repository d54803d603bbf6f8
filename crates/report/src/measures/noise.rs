//! The noise band: how much the times of two runs of the same thing may differ without significance.
//!
//! A time is *beyond noise* above another if it is more than `ratio` times as long and more than
//! `floor` longer: both must hold, so the larger tolerance applies.
//!
//! * By default the ratio is 1.3 and the floor 50 ms.
//! * If a view has repetitions, the ratio is estimated from them: of any two consecutive repetitions of a
//!   solver on an entry that both solved it, both in at least 200 ms (below that the floor decides
//!   anyway), the ratio of the longer to the shorter CPU time; the 95 % quantile of these ratios (the
//!   smallest that at least 95 % do not exceed), but at least 1.05 and at most 10. It takes 20 such
//!   pairs; with fewer the default stays. A quantile is robust against outliers.

use std::time::Duration;

use luthier_records::CpuTime;

use crate::View;

/// How much times may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseBand {
    /// How many times as long.
    pub ratio: f64,
    /// How much longer.
    pub floor: Duration,
    /// Where it comes from.
    pub source: NoiseSource,
}

/// Where a noise band comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseSource {
    /// Nothing was measured.
    Default,
    /// Whoever asks decided it.
    Given,
    /// From this many pairs of repetitions.
    Repetitions {
        /// How many pairs.
        pairs: usize,
    },
}

const QUANTILE: f64 = 0.95;
const MIN_PAIRS: usize = 20;
const MIN_TIME: Duration = Duration::from_millis(200);
const MIN_RATIO: f64 = 1.05;
const MAX_RATIO: f64 = 10.0;

impl Default for NoiseBand {
    fn default() -> Self {
        Self { ratio: 1.3, floor: Duration::from_millis(50), source: NoiseSource::Default }
    }
}

impl NoiseBand {
    /// The band of a view, from its repetitions if there are enough.
    pub fn of(view: &View<'_>) -> Self {
        let mut ratios = Vec::new();
        for entry in view.iter() {
            for &solver in &view.solvers {
                // Looked at first, since it is so for nearly all.
                if entry.judged.runs_of(solver).len() < 2 {
                    continue;
                }
                let solved = view.runs(entry, solver).filter(|run| run.scored.is_solved());
                let times = solved.map(|run| run.scored.cpu.0);
                let mut before: Option<Duration> = None;
                for time in times {
                    if let Some(before) = before.replace(time)
                        && before.min(time) >= MIN_TIME
                    {
                        let ratio = before.max(time).as_secs_f64() / before.min(time).as_secs_f64();
                        ratios.push(ratio);
                    }
                }
            }
        }
        Self::of_ratios(&mut ratios)
    }

    /// Whether the time after is longer than that before, beyond noise.
    pub fn is_slower(&self, before: CpuTime, after: CpuTime) -> bool {
        after.0 > before.0.saturating_add(self.floor)
            && after.as_secs_f64() > before.as_secs_f64() * self.ratio
    }

    /// Whether the time after is shorter than that before, beyond noise.
    pub fn is_faster(&self, before: CpuTime, after: CpuTime) -> bool {
        self.is_slower(after, before)
    }

    fn of_ratios(ratios: &mut [f64]) -> Self {
        let pairs = ratios.len();
        if pairs < MIN_PAIRS {
            return Self::default();
        }
        let place = ((pairs as f64 * QUANTILE).ceil() as usize).clamp(1, pairs) - 1;
        let (_, ratio, _) = ratios.select_nth_unstable_by(place, f64::total_cmp);
        Self {
            ratio: ratio.clamp(MIN_RATIO, MAX_RATIO),
            source: NoiseSource::Repetitions { pairs },
            ..Self::default()
        }
    }
}
