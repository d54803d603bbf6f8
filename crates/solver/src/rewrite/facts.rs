//! Facts that hold around a term: values of terms and linear forms that are never negative.
//!
//! Each fact has a source, the number of the assertion that says it. While an assertion is
//! rewritten its own facts are left out, so an assertion never makes itself true.

use luthier_terms::TermId;
use rustc_hash::FxHashMap;

use super::linear::Linear;

/// What other assertions say.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Terms with their constant values.
    values: FxHashMap<TermId, Vec<(usize, TermId)>>,
    /// Forms that are at least zero.
    forms: Vec<(usize, Linear)>,
    by_term: FxHashMap<TermId, Vec<usize>>,
    /// What each source has said something about: terms with values or languages, and forms.
    by_source: FxHashMap<usize, (Vec<TermId>, Vec<usize>)>,
    /// Strings with languages that they are in.
    memberships: FxHashMap<TermId, Vec<(usize, TermId)>>,
    /// The assertion whose facts are left out.
    pub excluded: Option<usize>,
}

impl Facts {
    /// Says that a term has a constant value.
    pub fn add_value(&mut self, source: usize, term: TermId, value: TermId) {
        self.values.entry(term).or_default().push((source, value));
        self.by_source.entry(source).or_default().0.push(term);
    }

    /// Says that a form is at least zero.
    pub fn add_form(&mut self, source: usize, form: Linear) {
        let index = self.forms.len();
        for &term in form.terms.keys() {
            self.by_term.entry(term).or_default().push(index);
        }
        self.forms.push((source, form));
        self.by_source.entry(source).or_default().1.push(index);
    }

    /// Says that a string is in a language.
    pub fn add_membership(&mut self, source: usize, text: TermId, language: TermId) {
        self.memberships.entry(text).or_default().push((source, language));
        self.by_source.entry(source).or_default().0.push(text);
    }

    /// The languages in which a string is, as other assertions say.
    pub fn memberships(&self, text: TermId) -> impl Iterator<Item = TermId> {
        let known = self.memberships.get(&text).into_iter().flatten();
        known.filter(|(source, _)| Some(*source) != self.excluded).map(|&(_, language)| language)
    }

    /// Forgets everything from a source.
    pub fn remove(&mut self, source: usize) {
        let (terms, forms) = self.by_source.remove(&source).unwrap_or_default();
        for term in terms {
            for said in [&mut self.values, &mut self.memberships] {
                if let Some(said) = said.get_mut(&term) {
                    said.retain(|(other, _)| *other != source);
                }
            }
        }
        for index in forms {
            // A form that says nothing; positions of the others must stay.
            self.forms[index].1 = Linear::default();
        }
    }

    /// The constant value of a term, if another assertion says it.
    pub fn value(&self, term: TermId) -> Option<TermId> {
        let values = self.values.get(&term)?;
        values.iter().find(|(source, _)| Some(*source) != self.excluded).map(|&(_, value)| value)
    }

    /// The forms that mention a term and are at least zero.
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
