//! Counts of outcomes, and their cell in a table.

use crate::{FactOutcome, FactResult};

/// The number of facts with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [usize; FactOutcome::ALL.len()],
}

impl Tally {
    /// Counts the outcomes of results.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a FactResult>) -> Self {
        let mut tally = Self::default();
        for result in results {
            tally.counts[result.outcome as usize] += 1;
        }
        tally
    }

    /// The number of facts with this outcome.
    pub fn count(&self, outcome: FactOutcome) -> usize {
        self.counts[outcome as usize]
    }

    /// The number of all facts.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// A cell of a table: `312` if all are right, `310/312 W2` if two are wrong.
    pub fn cell(&self) -> String {
        let (right, total) = (self.count(FactOutcome::Right), self.total());
        if right == total {
            return right.to_string();
        }
        let mut cell = format!("{right}/{total}");
        // The worst first.
        for outcome in FactOutcome::ALL.into_iter().skip(1).rev() {
            match self.count(outcome) {
                0 => {}
                count => cell.push_str(&format!(" {}{count}", outcome.letter())),
            }
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_is_not_right_and_the_worst_of_it_first() {
        let tally = |outcomes: &[FactOutcome]| {
            let results: Vec<FactResult> =
                outcomes.iter().map(|one| FactResult::plain(*one)).collect();
            Tally::of(&results)
        };
        use FactOutcome::{Right, Unsupported, Wrong};
        assert_eq!(tally(&[Right, Right]).cell(), "2");
        assert_eq!(tally(&[Right, Unsupported, Wrong, Unsupported]).cell(), "1/4 W1 u2");
        assert_eq!(tally(&[]).cell(), "0");
        assert_eq!(tally(&FactOutcome::ALL).total(), FactOutcome::ALL.len());
    }

    #[test]
    fn outcomes_are_numbered_in_their_order() {
        for (position, outcome) in FactOutcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, position, "{outcome:?}");
        }
    }
}
