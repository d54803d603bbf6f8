//! What a model says twice: the same is a remark, something else a contradiction.

use luthier_terms::{SymbolId, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::print::{PrintOptions, print_term};
use crate::reader::Reader;
use crate::source::Span;

/// What the answers since the last verdict say.
#[derive(Default)]
pub(super) struct Said {
    /// Parameters and value by name.
    names: FxHashMap<SymbolId, (Vec<TermId>, TermId)>,
    /// Values of other terms.
    terms: FxHashMap<TermId, TermId>,
}

impl Said {
    /// What follows is another model.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.terms.clear();
    }
}

/// A value is shown by this many characters at most.
const MAX_SHOWN: usize = 80;

impl Reader<'_, '_> {
    /// Notes what a model says about a name. Says whether it is new.
    pub(super) fn note_name(
        &mut self,
        said: &mut Said,
        name: SymbolId,
        (variables, value): (&[TermId], TermId),
        span: Span,
    ) -> bool {
        let Some((before, first)) = said.names.get(&name) else {
            said.names.insert(name, (variables.to_vec(), value));
            return true;
        };
        let same = before == variables && *first == value;
        let (first, name) = (*first, self.pool.symbols().display(name).into_owned());
        self.repeated(&name, (first, value), same, span);
        false
    }

    /// Notes which value a model gives to a term. Says whether it is new.
    pub(super) fn note_value(
        &mut self,
        said: &mut Said,
        term: TermId,
        value: TermId,
        span: Span,
    ) -> bool {
        let Some(&first) = said.terms.get(&term) else {
            said.terms.insert(term, value);
            return true;
        };
        let name = shown(self.pool, term);
        self.repeated(&name, (first, value), first == value, span);
        false
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
