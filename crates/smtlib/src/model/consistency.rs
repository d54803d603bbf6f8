//! Consistency of a model: repeated values must agree. Equal repetitions are a warning, different
//! values an error.
//!
//! Within one reply a name or a term has one value, so any two definitions that are not the same
//! term contradict each other. Between replies only literals are compared: solvers print one
//! function as an `ite` for `get-model` and as an array for `get-value`, and one array in several
//! ways. That a later reply repeats an earlier one is usual. Helper functions belong to their reply.

use luthier_terms::{SymbolId, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use super::arrays::is_value;
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::print::{PrintOptions, print_term};
use crate::reader::Reader;
use crate::source::Span;

/// The values in the replies since the last verdict.
#[derive(Default)]
pub(super) struct SeenValues {
    /// Parameters and value by name, and in which reply.
    names: FxHashMap<SymbolId, (Vec<TermId>, TermId, usize)>,
    /// Values of other terms, and in which reply.
    terms: FxHashMap<TermId, (TermId, usize)>,
    /// How many replies have begun.
    replies: usize,
}

impl SeenValues {
    /// What follows is another model.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.terms.clear();
    }

    /// What follows is another reply.
    pub(super) fn begin_reply(&mut self) {
        self.replies += 1;
    }
}

/// A value is shown by this many characters at most.
const MAX_SHOWN: usize = 80;

impl Reader<'_, '_> {
    /// Records the value of a name. Returns whether it is the first one in its reply.
    pub(super) fn note_name(
        &mut self,
        seen: &mut SeenValues,
        name: SymbolId,
        (variables, value): (&[TermId], TermId),
        span: Span,
    ) -> bool {
        let now = (variables.to_vec(), value, seen.replies);
        let Some((before, first, reply)) = seen.names.insert(name, now) else { return true };
        let is_same_reply = reply == seen.replies;
        let same = before == variables && first == value;
        let is_ours = self.declared_function(name).is_some();
        if is_same_reply || (is_ours && are_different_literals(self.pool, first, value)) {
            let name = self.pool.symbols().display(name).into_owned();
            self.repeated(&name, (first, value), same, span);
        }
        !is_same_reply
    }

    /// Records the value of a term. Returns whether it is the first one in its reply.
    pub(super) fn note_value(
        &mut self,
        seen: &mut SeenValues,
        term: TermId,
        value: TermId,
        span: Span,
    ) -> bool {
        let now = (value, seen.replies);
        let Some((first, reply)) = seen.terms.insert(term, now) else { return true };
        let is_same_reply = reply == seen.replies;
        if is_same_reply || are_different_literals(self.pool, first, value) {
            let name = shown(self.pool, term);
            self.repeated(&name, (first, value), first == value, span);
        }
        !is_same_reply
    }

    fn repeated(&mut self, name: &str, (first, second): (TermId, TermId), same: bool, span: Span) {
        let [first, second] = [first, second].map(|value| shown(self.pool, value));
        if same {
            let message = format!("the model gives `{name}` the value {first} twice");
            self.collector.warning(Code::RepeatedValue, span, message, None);
        } else {
            let message =
                format!("the model gives `{name}` two different values, {first} and {second}");
            self.collector.error(Code::Contradiction, span, message, None);
        }
    }
}

/// Whether two values are certainly different.
fn are_different_literals(pool: &TermPool, first: TermId, second: TermId) -> bool {
    match (pool.as_integer(first), pool.as_integer(second)) {
        (Some(first), Some(second)) => first != second,
        _ => first != second && is_value(pool, first) && is_value(pool, second),
    }
}

/// A term as people read it, cut if it is long.
fn shown(pool: &TermPool, term: TermId) -> String {
    // The digits of huge numbers are not worth the time to write them.
    if let Term::Integer(number) = pool.term(term)
        && number.bits() > 1 << 12
    {
        return format!("(an integer of {} bits)", number.bits());
    }
    let text = match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => error.to_string(),
    };
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
