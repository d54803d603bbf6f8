//! Facts for contextual rewriting: constant values of terms, memberships, and linear forms that are
//! at least zero.
//!
//! Each fact has a source, the number of the assertion that implies it. While an assertion is
//! rewritten, its own facts are excluded, so an assertion is never used to prove itself.

use luthier_terms::TermId;
use rustc_hash::FxHashMap;

use super::linear::Linear;

/// The facts of all assertions.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Terms with their constant values.
    values: FxHashMap<TermId, Vec<(usize, TermId)>>,
    /// Forms that are at least zero.
    forms: Vec<(usize, Linear)>,
    by_term: FxHashMap<TermId, Vec<usize>>,
    /// The facts of each source: terms with values or languages, and forms.
    by_source: FxHashMap<usize, (Vec<TermId>, Vec<usize>)>,
    /// Strings with regular languages that contain them.
    memberships: FxHashMap<TermId, Vec<(usize, TermId)>>,
    /// The assertion whose facts are excluded.
    pub excluded: Option<usize>,
}

impl Facts {
    /// Adds a constant value of a term.
    pub fn add_value(&mut self, source: usize, term: TermId, value: TermId) {
        self.values.entry(term).or_default().push((source, value));
        self.by_source.entry(source).or_default().0.push(term);
    }

    /// Adds a form that is at least zero.
    pub fn add_form(&mut self, source: usize, form: Linear) {
        let index = self.forms.len();
        for &term in form.terms.keys() {
            self.by_term.entry(term).or_default().push(index);
        }
        self.forms.push((source, form));
        self.by_source.entry(source).or_default().1.push(index);
    }

    /// Adds a membership.
    pub fn add_membership(&mut self, source: usize, text: TermId, language: TermId) {
        self.memberships.entry(text).or_default().push((source, language));
        self.by_source.entry(source).or_default().0.push(text);
    }

    /// The languages of a string by other assertions.
    pub fn memberships(&self, text: TermId) -> impl Iterator<Item = TermId> {
        let known = self.memberships.get(&text).into_iter().flatten();
        known.filter(|(source, _)| Some(*source) != self.excluded).map(|&(_, language)| language)
    }

    /// Removes all facts of a source.
    pub fn remove(&mut self, source: usize) {
        let (terms, forms) = self.by_source.remove(&source).unwrap_or_default();
        for term in terms {
            for facts in [&mut self.values, &mut self.memberships] {
                if let Some(facts) = facts.get_mut(&term) {
                    facts.retain(|(other, _)| *other != source);
                }
            }
        }
        for index in forms {
            // A trivial form in its place; indices of the others must not change.
            self.forms[index].1 = Linear::default();
        }
    }

    /// The constant value of a term by another assertion.
    pub fn value(&self, term: TermId) -> Option<TermId> {
        let values = self.values.get(&term)?;
        values.iter().find(|(source, _)| Some(*source) != self.excluded).map(|&(_, value)| value)
    }

    /// The forms with a term that are at least zero.
    pub fn forms(&self, term: TermId) -> impl Iterator<Item = &Linear> {
        self.by_term
            .get(&term)
            .into_iter()
            .flatten()
            .map(|&index| &self.forms[index])
            .filter(|(source, _)| Some(*source) != self.excluded)
            .map(|(_, form)| form)
    }
}
