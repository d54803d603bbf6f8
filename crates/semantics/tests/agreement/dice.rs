//! The only source of chance, always the same for the same seed, and what it chooses from.

/// Characters at the edges: of ASCII, of bytes, of planes and of the alphabet, and those that
/// literals must escape.
pub const NASTY: [u32; 14] =
    [0x61, 0x62, 0x30, 0x31, 0x39, 0x22, 0x5C, 0, 0xFF, 0x100, 0xD800, 0xFFFF, 0x10000, 0x2FFFF];

/// Codes at the edges of what `str.from_code` and digits are about.
pub const CODES: [i64; 10] =
    [0x2F, 0x30, 0x39, 0x3A, 0x61, 0xFF, 0xD800, 0x2FFFE, 0x2FFFF, 0x30000];

/// A generator of random numbers: SplitMix64.
pub struct Dice(u64);

impl Dice {
    /// Dice of their own for each stream of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut dice = Self(seed);
        let start = dice.roll();
        Self(start ^ Self(stream).roll())
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from zero, below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.roll()) * bound as u128) >> 64) as usize
    }

    /// A number between the two, which may be either.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// Whether something happens that has this chance.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
