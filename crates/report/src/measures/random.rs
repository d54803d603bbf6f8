//! A pseudo-random number generator for bootstraps and random results: the same seed gives the same
//! figures on every machine and in every version.
//!
//! It is SplitMix64 (Steele, Lea, Flood 2014): a counter with an odd step, mixed by two multiplications.

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below `bound`; 0 if there is nothing to choose. The bias of the multiplication is below
    /// `bound` / 2^64, far below what a bootstrap can show.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// From 0 to below 1, in steps of 2^-53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number of the standard normal distribution (Box and Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// How many of `trials` succeed if each does with this probability.
    ///
    /// As long as at most 2,000 are expected on the rarer side, by the gaps between successes, which are
    /// geometric: exact. Beyond, by the normal approximation, which is off by less than the width of a
    /// line in a chart.
    pub(crate) fn binomial(&mut self, trials: u64, probability: f64) -> u64 {
        if probability > 0.5 {
            return trials - self.binomial_of_rare(trials, 1.0 - probability);
        }
        self.binomial_of_rare(trials, probability)
    }

    fn binomial_of_rare(&mut self, trials: u64, probability: f64) -> u64 {
        if probability <= 0.0 {
            return 0;
        }
        let expected = trials as f64 * probability;
        if expected > 2000.0 {
            let spread = (expected * (1.0 - probability)).sqrt();
            let drawn = (expected + spread * self.normal()).round();
            return drawn.clamp(0.0, trials as f64) as u64;
        }
        let log_failure = (-probability).ln_1p();
        let (mut successes, mut place) = (0, 0.0);
        loop {
            place += ((1.0 - self.unit()).ln() / log_failure).floor() + 1.0;
            if place > trials as f64 {
                return successes;
            }
            successes += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_sequence_never_changes() {
        // The first numbers of SplitMix64 from the seed 1234567, as published with the algorithm.
        let mut random = Random::new(1_234_567);
        let expected: [u64; 3] =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], expected);
    }

    #[test]
    fn drawn_numbers_have_the_moments_that_they_should() {
        let mut random = Random::new(1);
        // Rare, common, so many that they are approximated, and certain.
        for (trials, probability) in [(40, 0.1), (40, 0.9), (100_000, 0.4), (10, 0.0), (10, 1.0)] {
            let draws: Vec<f64> =
                (0..4000).map(|_| random.binomial(trials, probability) as f64).collect();
            let mean = draws.iter().sum::<f64>() / 4000.0;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 4000.0;
            let (expected, spread) =
                (trials as f64 * probability, trials as f64 * probability * (1.0 - probability));
            // Five standard errors of the mean; the variance within a fifth.
            assert!((mean - expected).abs() <= 5.0 * (spread / 4000.0).sqrt(), "{mean} {expected}");
            assert!((variance - spread).abs() <= 0.2 * spread, "{variance} {spread}");
            assert!(draws.iter().all(|draw| *draw >= 0.0 && *draw <= trials as f64));
        }
        assert!((0..1000).all(|_| random.below(3) < 3));
        assert_eq!(random.below(0), 0);
    }
}
