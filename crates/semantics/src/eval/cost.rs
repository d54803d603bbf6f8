//! Checks of the cost of operators against the limits, before the work is done.

use luthier_terms::TermId;

use super::Evaluator;
use super::outcome::{MemoryReservation, Outcome};
use crate::limits::{Budget, Exhausted};
use crate::regexes::Regexes;
use crate::{Reason, Value};

/// The reason why an operator has no value.
pub(super) enum Stop {
    /// The result is beyond a limit, for this reason.
    Undecided(Reason),
    /// The evaluation has used up its steps or its time.
    Exhausted,
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Self {
        Self::Exhausted
    }
}

/// Smaller values are not counted: there are at most as many as terms.
const MIN_COUNTED_BYTES: usize = 4096;

impl Evaluator<'_> {
    /// The outcome of an operator that was applied to values.
    pub(super) fn outcome_of(
        &mut self,
        term: TermId,
        applied: Result<Value, Stop>,
    ) -> Result<Outcome, Exhausted> {
        match applied {
            Ok(value) if value.size() < MIN_COUNTED_BYTES => Ok(Outcome::known(value)),
            Ok(value) => {
                match MemoryReservation::new(&self.memory, value.size(), self.limits.memory) {
                    Some(held) => Ok(Outcome::held(value, held)),
                    None => Ok(Outcome::because(Reason::MemoryLimit(term))),
                }
            }
            Err(Stop::Undecided(reason)) => Ok(Outcome::because(reason)),
            Err(Stop::Exhausted) => Err(Exhausted),
        }
    }

    /// Checks the length of a string.
    pub(super) fn allow_length(&mut self, term: TermId, length: usize) -> Result<(), Stop> {
        if length > self.limits.string_length {
            return Err(Stop::Undecided(Reason::SizeLimit(term)));
        }
        self.allow_bytes(term, length.saturating_mul(4))?;
        Ok(self.budget.charge(length)?)
    }

    /// Checks the size of an integer for conversion to or from decimal.
    pub(super) fn allow_decimal(&mut self, term: TermId, bits: u64) -> Result<(), Stop> {
        self.allow_bits(term, bits)?;
        let words = words(bits);
        Ok(self.budget.charge(product_cost(words, words))?)
    }

    /// Checks the size of a product.
    pub(super) fn allow_product(
        &mut self,
        term: TermId,
        left: u64,
        right: u64,
    ) -> Result<(), Stop> {
        self.allow_bits(term, left.saturating_add(right))?;
        Ok(self.budget.charge(product_cost(words(left) + 1, words(right) + 1))?)
    }

    /// Checks the size of a sum.
    pub(super) fn allow_sum(&mut self, term: TermId, left: u64, right: u64) -> Result<(), Stop> {
        let bits = left.max(right) + 1;
        self.allow_bits(term, bits)?;
        Ok(self.budget.charge(words(bits) / 8)?)
    }

    /// Checks the cost of a division, which is quadratic.
    pub(super) fn allow_division(&mut self, dividend: u64, divisor: u64) -> Result<(), Stop> {
        let cost = (words(dividend) + 1).saturating_mul(words(divisor) + 1) / 8;
        Ok(self.budget.charge(cost)?)
    }

    /// Runs an operation on regular expressions within its limit.
    pub(super) fn matching<T>(
        &mut self,
        term: TermId,
        run: impl FnOnce(&mut Regexes, &mut Budget) -> Result<T, Exhausted>,
    ) -> Result<T, Stop> {
        let steps = self.limits.regex_steps.min(self.budget.left());
        let mut budget = self.budget.part(steps);
        let answer = run(&mut self.regexes, &mut budget);
        self.budget.charge_part(steps, &budget)?;
        answer.map_err(|_| Stop::Undecided(Reason::RegexLimit(term)))
    }

    fn allow_bits(&mut self, term: TermId, bits: u64) -> Result<(), Stop> {
        if bits > self.limits.integer_bits {
            return Err(Stop::Undecided(Reason::SizeLimit(term)));
        }
        self.allow_bytes(term, words(bits).saturating_mul(8))
    }

    /// Checks that a value of this size fits beside those in use.
    fn allow_bytes(&self, term: TermId, bytes: usize) -> Result<(), Stop> {
        let held = self.memory.get().saturating_add(bytes);
        if bytes >= MIN_COUNTED_BYTES && held as u64 > self.limits.memory {
            return Err(Stop::Undecided(Reason::MemoryLimit(term)));
        }
        Ok(())
    }
}

fn words(bits: u64) -> usize {
    usize::try_from(bits / 64).unwrap_or(usize::MAX)
}

/// Steps of a product of integers with so many words: quadratic for short ones, and about
/// n·√n for long ones, which `num-bigint` multiplies by the method of Toom and Cook. Reading or
/// writing digits takes some products of the size of the number.
fn product_cost(left: usize, right: usize) -> usize {
    let (short, long) = (left.min(right), left.max(right));
    if short <= 64 { short.saturating_mul(long) / 8 } else { long.saturating_mul(short.isqrt()) }
}
