//! Three encodings of not-substring, `¬contains(hay, needle)`.
//!
//! All of them express, for words in their domains, that at every shift at which the needle fits
//! some letter differs. They differ in how the shifts are enumerated: by a universal quantifier
//! (`paper`), by a finite list computed beforehand (`covering`), or lazily, by the shifts at which
//! the needle occurs in a candidate (`lazy`, the default). Source: Solving Not-Substring Constraint
//! with Flat Abstraction (APLAS 2021), section 5, for `paper`; the other two are ours.
//! Measurements: `docs/flat.md`.

mod covering;
mod paper;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use luthier_terms::TermId;

use super::define::{Progress, WrongValue};
use super::encode::{DefinitionPart, Encoder};
use crate::UnknownReason;

/// An encoding of the not-substring constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NotSubstring {
    /// One formula with a universal quantifier over the shift, as section 5 of the paper has it.
    Paper,
    /// A finite list of shifts that contains the first occurrence, wherever it is.
    Covering,
    /// Only shifts at which the needle occurred in a candidate.
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
    /// Asserts not-substring: `str.contains` is assigned false, but the needle occurs in the
    /// candidate.
    pub(super) fn not_contained(
        &mut self,
        wrong: &WrongValue<'_>,
        children: &[TermId],
    ) -> Result<Progress, UnknownReason> {
        if self.form == NotSubstring::Lazy {
            return self.exclude_found_shift(wrong, children);
        }
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        let value = self.formula(wrong.term);
        let mut result = Ok(());
        let asserted = self.assert_once(wrong.term, DefinitionPart::Negative, |this, _| {
            let condition = this.words.arena.not(value);
            result = match this.form {
                NotSubstring::Paper => {
                    this.words.not_substring_quantified(condition, &needle, &hay)
                }
                _ => this.words.not_substring_covering(condition, &needle, &hay),
            };
        })?;
        result.map(|()| asserted)
    }
}
