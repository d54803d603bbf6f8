//! Constructs to which releases of a dialect give another meaning than the standard, and the
//! equivalent text that is printed instead.
//!
//! The criterion: a difference is the printer's task if the releases of a dialect *defined* the
//! construct differently, or reject it by design, wherever it occurs. Then the text alone shows that
//! it is one of these cases, and an equivalent text is printed. A release that has the meaning of the
//! standard and gets some cases wrong has a bug. Bugs are not avoided, because a comparison of solvers
//! must show them. So a loop with crossed bounds is avoided for CVC4 1.6, which took it for a power,
//! but not for CVC4 1.8, which knows that it is empty and only misses it for starred languages.
//!
//! | construct | other meaning in | printed instead |
//! |---|---|---|
//! | a loop whose lower bound is above its upper one | Z3 to 4.8.7, CVC4 1.6: the power of the lower bound | the empty language |
//! | `re.diff` of three or more | Z3 4.8.9, CVC4 1.8: right-associative | pairs, as for all of [`is_written_in_pairs`] |
//! | `re.range` of two literals that is empty | CVC4: an error | the empty language |
//! | `str.replace` of the literal `""` | Z3 4.5.1: nothing is replaced | a concatenation |
//! | `str.to_int` of the literal `""` | Z3 4.5.1: 0 | -1 |
//! | `str.indexof` of the literal `""` in a literal | Z3 4.5.1: -1 at the end | the number |
//!
//! All were tried on Z3 4.5.1, 4.8.0, 4.8.5 and 4.8.7 to 4.8.11 and on CVC4 1.6 and 1.8; CVC4 1.7
//! is assumed to behave as 1.6. A dialect avoids what one of its releases reads differently. `2.0`
//! and `2.5` name no release, so they avoid what any release of their time reads differently.
//! The last three differences also concern strings that only a model makes empty; that is a note.
//!
//! [`is_written_in_pairs`]: crate::dialect::names::is_written_in_pairs

use luthier_terms::{BigInt, Op, TermId, TermPool};

use super::Note;
use super::terms::{Item, TermPrinter};
use crate::dialect::Dialect;
use crate::dialect::names::{Spelling, spelling};

/// The equivalent of a construct with another meaning in the dialect.
#[derive(Debug, PartialEq, Eq)]
enum Replacement {
    /// The language without words. An argument that has to be written is given.
    EmptyLanguage { of: Option<TermId> },
    /// One string and then another.
    Concatenation(TermId, TermId),
    /// A number.
    Number(BigInt),
}

impl TermPrinter<'_> {
    /// Prints the replacement of a construct to which the dialect gives another meaning; returns
    /// whether there was one.
    pub(super) fn print_replacement(
        &mut self,
        op: Op,
        indices: &[TermId],
        arguments: &[TermId],
        stack: &mut Vec<Item>,
    ) -> bool {
        if !may_differ(self.dialect, op) {
            return false;
        }
        let Some(replacement) = replacement(self.pool, op, indices, arguments) else {
            let depends = matches!(op, Op::StrReplace | Op::StrToInt | Op::StrIndexOf)
                && may_be_empty(self.pool, op, arguments);
            if depends && self.dialect == Dialect::Z3Oldest {
                self.note(Note::EmptyString(op));
            }
            return false;
        };
        self.note(Note::Rewritten(op));
        match replacement {
            Replacement::EmptyLanguage { of } => {
                let none = match spelling(self.dialect, Op::ReNone) {
                    Spelling::Name(name) => name,
                    _ => unreachable!("every dialect has a name for the empty language"),
                };
                match of.filter(|&argument| self.has_named_part(argument)) {
                    // The name must not get lost: other commands may use it.
                    Some(argument) => {
                        self.text("(re.inter ");
                        self.text(none);
                        stack.extend([Item::Text(")"), Item::Term(argument), Item::Text(" ")]);
                    }
                    None => self.text(none),
                }
            }
            Replacement::Concatenation(first, second) => {
                self.text("(str.++ ");
                stack.extend([Item::Text(")"), Item::Term(second)]);
                stack.extend([Item::Text(" "), Item::Term(first)]);
            }
            Replacement::Number(number) => self.number(&number),
        }
        true
    }
}

/// Whether the dialect gives another meaning to some applications of this operator.
pub(super) fn may_differ(dialect: Dialect, op: Op) -> bool {
    use Dialect::{Cvc4V16, Cvc4V17, Cvc4V18, Smt20, Smt25, Z3Legacy, Z3Oldest};
    let of_no_release = matches!(dialect, Smt20 | Smt25);
    match op {
        Op::ReLoop => of_no_release || matches!(dialect, Z3Oldest | Z3Legacy | Cvc4V16 | Cvc4V17),
        Op::ReRange => of_no_release || matches!(dialect, Cvc4V16 | Cvc4V17 | Cvc4V18),
        Op::StrReplace | Op::StrToInt | Op::StrIndexOf => of_no_release || dialect == Z3Oldest,
        _ => false,
    }
}

/// The standard meaning of an application, if it is one of those in the table above.
fn replacement(
    pool: &TermPool,
    op: Op,
    indices: &[TermId],
    arguments: &[TermId],
) -> Option<Replacement> {
    let is_empty = |term: TermId| pool.as_string(term).is_some_and(|text| text.is_empty());
    match (op, arguments) {
        (Op::ReLoop, &[language]) => {
            let &[low, high] = indices else { return None };
            let crossed = pool.as_integer(low)? > pool.as_integer(high)?;
            crossed.then_some(Replacement::EmptyLanguage { of: Some(language) })
        }
        (Op::ReRange, &[low, high]) => {
            let (low, high) = (pool.as_string(low)?, pool.as_string(high)?);
            let has_words = low.len() == 1 && high.len() == 1 && low <= high;
            (!has_words).then_some(Replacement::EmptyLanguage { of: None })
        }
        (Op::StrReplace, &[text, pattern, new]) if is_empty(pattern) => {
            Some(Replacement::Concatenation(new, text))
        }
        (Op::StrToInt, &[text]) if is_empty(text) => Some(Replacement::Number((-1).into())),
        (Op::StrIndexOf, &[text, pattern, start]) if is_empty(pattern) => {
            let (length, start) = (pool.as_string(text)?.len(), pool.as_integer(start)?);
            let inside = BigInt::from(0) <= start && start <= BigInt::from(length);
            Some(Replacement::Number(if inside { start } else { (-1).into() }))
        }
        _ => None,
    }
}

/// Whether the string on which the meaning depends is not a literal with characters in it.
fn may_be_empty(pool: &TermPool, op: Op, arguments: &[TermId]) -> bool {
    let position = usize::from(op != Op::StrToInt);
    arguments
        .get(position)
        .is_some_and(|&term| pool.as_string(term).is_none_or(|text| text.is_empty()))
}
