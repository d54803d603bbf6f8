//! By which factor the times of many entries shifted, with a confidence interval.
//!
//! The statistic is the median of the ratios (time after divided by time before). Its interval is that
//! of the sign test: of `n` sorted ratios the `k`-th and the `k`-th from the end, where `k` is the largest
//! number with `P(Binomial(n, 1/2) < k) ≤ 0.5 %`. So it holds the median of the distribution with at
//! least 99 %, whatever the distribution is: no outlier moves it, and nothing is drawn. (Conover,
//! "Practical Nonparametric Statistics", section on quantiles.)
//!
//! ```text
//! 0.9 1.1 1.2 1.2 1.3 1.3 1.4 9.0      n = 8, k = 1: median 1.25, interval from 0.90 to 9.00
//! ```
//!
//! Fewer than eight ratios have no such interval. Limits: the test takes entries as independent. A load
//! on the machine slows down all runs together, so a small shift is significant and means nothing:
//! whoever decides needs a smallest effect besides, see [`Thresholds`](super::Thresholds).

/// By how much times shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// How many ratios there are.
    pub entries: usize,
    /// The median ratio; of an even number the geometric mean of the two in the middle.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Half of what the interval may miss.
const TAIL: f64 = 0.005;
/// With more entries the binomial distribution is approximated by the normal one.
const MAX_EXACT: usize = 1000;
/// The 99.5 % quantile of the standard normal distribution.
const QUANTILE: f64 = 2.575_829_303_548_900_4;

impl Shift {
    /// The shift of these ratios, which are positive; `None` if they are too few.
    pub fn of(mut ratios: Vec<f64>) -> Option<Self> {
        let entries = ratios.len();
        let rank = rank(entries);
        if rank == 0 {
            return None;
        }
        ratios.sort_unstable_by(f64::total_cmp);
        let middle = entries / 2;
        let median = match entries % 2 {
            0 => (ratios[middle - 1] * ratios[middle]).sqrt(),
            _ => ratios[middle],
        };
        Some(Self { entries, median, low: ratios[rank - 1], high: ratios[entries - rank] })
    }

    /// Whether times are longer by more than this factor, certainly.
    pub fn is_above(&self, factor: f64) -> bool {
        self.low > factor
    }

    /// Whether times are shorter by more than this factor, certainly.
    pub fn is_below(&self, factor: f64) -> bool {
        self.high * factor < 1.0
    }
}

/// The largest k with P(Binomial(n, 1/2) < k) ≤ [`TAIL`]; 0 if there is none.
fn rank(entries: usize) -> usize {
    let count = entries as f64;
    if entries > MAX_EXACT {
        return ((count - QUANTILE * count.sqrt()) / 2.0 + 0.5).floor().max(0.0) as usize;
    }
    let (mut probability, mut sum) = (0.5_f64.powf(count), 0.0);
    for k in 0..entries {
        sum += probability;
        if sum > TAIL {
            return k;
        }
        probability *= (count - k as f64) / (k as f64 + 1.0);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::{Shift, rank};

    #[test]
    fn ranks_are_those_of_published_tables() {
        // The two-sided sign test with 1 %: critical values, plus one.
        let published = [(7, 0), (8, 1), (11, 1), (12, 2), (20, 4), (25, 6), (50, 16), (100, 37)];
        for (entries, expected) in published {
            assert_eq!(rank(entries), expected, "{entries}");
        }
        // The approximation continues where the exact computation ends.
        let exact = rank(1000);
        assert!((exact..=exact + 1).contains(&rank(1001)), "{exact} {}", rank(1001));
        assert!(rank(100_000) > 49_000);
    }

    #[test]
    fn an_interval_is_of_sorted_ratios() {
        let ratios = vec![9.0, 1.1, 1.2, 1.4, 0.9, 1.3, 1.2, 1.3];
        let shift = Shift::of(ratios).unwrap();
        assert_eq!((shift.entries, shift.low, shift.high), (8, 0.9, 9.0));
        assert!((shift.median - (1.2_f64 * 1.3).sqrt()).abs() < 1e-12);
        assert!(!shift.is_above(1.0) && !shift.is_below(1.0));
        assert_eq!(Shift::of(vec![2.0; 7]), None);
        let twice = Shift::of(vec![2.0; 8]).unwrap();
        assert!(twice.is_above(1.9) && !twice.is_above(2.0));
        let half = Shift::of(vec![0.5; 9]).unwrap();
        assert!(half.is_below(1.9) && !half.is_below(2.0));
    }
}
