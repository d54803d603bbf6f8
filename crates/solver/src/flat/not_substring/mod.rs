//! Not-substring: how it is said that a needle does not occur in a haystack.
//!
//! There are three forms. All of them say the same of words in their domains: for every shift at
//! which the needle fits, one of its letters differs from the one there. They differ in who lists
//! the shifts: the arithmetic solver (`paper`), we beforehand (`covering`), or the candidates
//! (`lazy`).

mod covering;
mod paper;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use luthier_terms::TermId;

use super::define::{Said, Wrong};
use super::encode::{Encoder, Part};
use crate::UnknownReason;

/// A form of the not-substring constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NotSubstring {
    /// One formula with a universal quantifier over the shift, as section 5 of the paper has it.
    Paper,
    /// A finite list of shifts such that a needle that occurs also occurs at one of them.
    Covering,
    /// Only shifts at which the needle stood in a candidate.
    #[default]
    Lazy,
}

impl NotSubstring {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Covering, Self::Lazy];

    /// Its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Covering => "covering",
            Self::Lazy => "lazy",
        }
    }
}

impl fmt::Display for NotSubstring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for NotSubstring {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|form| form.name() == text)
            .ok_or_else(|| format!("there is no form {text:?} of not-substring"))
    }
}

impl Encoder {
    /// `str.contains` is claimed to be false, but the needle occurs in the candidate.
    pub(super) fn not_contained(
        &mut self,
        wrong: &Wrong<'_>,
        children: &[TermId],
    ) -> Result<Said, UnknownReason> {
        if self.form == NotSubstring::Lazy {
            return self.not_at(wrong, children);
        }
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        let value = self.formula(wrong.term);
        let mut result = Ok(());
        let said = self.once(wrong.term, Part::Negative, |this, _| {
            let condition = this.reader.arena.not(value);
            result = match this.form {
                NotSubstring::Paper => this.reader.nowhere_quantified(condition, &needle, &hay),
                _ => this.reader.nowhere_covered(condition, &needle, &hay),
            };
        })?;
        result.map(|()| said)
    }
}
