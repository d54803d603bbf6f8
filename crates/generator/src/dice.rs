//! The pseudo-random number generator: SplitMix64 (Steele, Lea, Flood: *Fast splittable
//! pseudorandom number generators*, OOPSLA 2014). It is the only source of randomness, so that seed
//! and number determine a formula.

/// A generator of random numbers: SplitMix64.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// An independent generator for each stream of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        // One after the other: if the two were mixed alike, seed 1 with stream 2 would be seed 2
        // with stream 1.
        let start = Self(seed).roll();
        Self(Self(start ^ stream).roll())
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from zero, below the bound; zero if the bound is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.roll()) * bound as u128) >> 64) as usize
    }

    /// A number between the two, inclusive; the lower one if the range is empty.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = usize::try_from(high.saturating_sub(low)).map_or(1, |width| width + 1);
        low + self.below(count) as i64
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// An independent generator; how much it is used does not affect this one.
    pub fn fork(&mut self) -> Self {
        Self::new(self.roll(), 0)
    }

    /// One of the choices; there must be at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_same_seed_and_stream_give_the_same_numbers_and_others_give_others() {
        let throws = |seed, stream| {
            let mut dice = Dice::new(seed, stream);
            (0..20).map(|_| dice.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, 2), throws(1, 2));
        assert_ne!(throws(1, 2), throws(1, 3));
        assert_ne!(throws(1, 2), throws(2, 2));
        // The two must not be interchangeable, or streams of neighbouring seeds would coincide.
        assert_ne!(throws(1, 2), throws(2, 1));
    }

    #[test]
    fn all_numbers_of_a_range_come_up_and_no_others() {
        let mut dice = Dice::new(7, 0);
        let mut seen = [false; 5];
        for _ in 0..200 {
            let number = dice.between(-2, 2);
            seen[usize::try_from(number + 2).unwrap()] = true;
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(dice.between(3, 1), 3);
        assert_eq!(dice.below(0), 0);
    }
}
