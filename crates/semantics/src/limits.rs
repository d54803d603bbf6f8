//! How much an evaluation may cost.

/// Bounds on an evaluation. Going over one makes the result undecided, never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of one call of `evaluate`: ten for each time that the value of a term is asked for,
    /// and one for each character of a result and for each part of a regular expression that is
    /// built or looked at. A step takes some ten nanoseconds.
    pub steps: u64,
    /// How many calls of recursive functions, and of functions from the model, may be open.
    pub recursion: usize,
    /// The longest string, in code points.
    pub string_length: usize,
    /// The largest integer, in bits.
    pub integer_bits: u64,
    /// Steps of one membership test or replacement; they also count as steps of the evaluation.
    pub regex_steps: u64,
    /// Cells (about eight bytes each) for the regular expressions of one matcher. Caches are
    /// dropped when they are full, so only a single state that is larger goes over the limit.
    pub regex_cells: usize,
    /// Steps of one comparison of two regular languages.
    pub comparison_steps: u64,
    /// How many steps an explanation has at most.
    pub explanation_steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 500_000_000,
            recursion: 100_000,
            string_length: 1 << 26,
            integer_bits: 1 << 22,
            regex_steps: 500_000_000,
            regex_cells: 1 << 23,
            comparison_steps: 20_000_000,
            explanation_steps: 200,
        }
    }
}

/// What is left of a number of steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
}

/// A budget does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

impl Budget {
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    pub(crate) fn left(self) -> u64 {
        self.left
    }

    /// Spends some steps. After it failed, nothing is left.
    pub(crate) fn charge(&mut self, steps: usize) -> Result<(), Exhausted> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Exhausted)
            }
        }
    }
}
