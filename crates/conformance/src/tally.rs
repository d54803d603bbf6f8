//! How often each outcome came out.

use crate::{Finding, Outcome};

/// A number for each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [usize; Outcome::ALL.len()],
}

impl Tally {
    /// Counts findings.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut tally = Self::default();
        for finding in findings {
            tally.counts[finding.outcome as usize] += 1;
        }
        tally
    }

    /// How often this outcome came out.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.counts[outcome as usize]
    }

    /// How many facts there are.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// A cell of a table: `312` if all are right, `310/312 W2` if two are wrong.
    pub fn cell(&self) -> String {
        let (right, total) = (self.count(Outcome::Right), self.total());
        if right == total {
            return right.to_string();
        }
        let mut cell = format!("{right}/{total}");
        // What is worst is said first.
        for outcome in Outcome::ALL.into_iter().skip(1).rev() {
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
        let tally = |outcomes: &[Outcome]| {
            let findings: Vec<Finding> = outcomes.iter().map(|one| Finding::plain(*one)).collect();
            Tally::of(&findings)
        };
        use Outcome::{Right, Unsupported, Wrong};
        assert_eq!(tally(&[Right, Right]).cell(), "2");
        assert_eq!(tally(&[Right, Unsupported, Wrong, Unsupported]).cell(), "1/4 W1 u2");
        assert_eq!(tally(&[]).cell(), "0");
        assert_eq!(tally(&Outcome::ALL).total(), Outcome::ALL.len());
    }

    #[test]
    fn outcomes_are_numbered_in_their_order() {
        for (position, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, position, "{outcome:?}");
        }
    }
}
