//! The corner cases of all operators.

use luthier_semantics::Value;
use luthier_terms::{Op, Theory};

use super::{integers, languages, logic, strings};

/// The only corner case below a quantifier: values are not known there.
pub const ANY: &str = "any";

/// The corner case of every operator that takes any number of arguments.
pub(super) const MANY: &str = "three or more arguments";

/// The corner cases of an operator. One use may meet several.
pub fn corners(op: Op) -> &'static [&'static str] {
    match op.info().theory {
        Theory::Core => logic::corners(op),
        Theory::Ints => integers::corners(op),
        Theory::Strings if languages::has(op) => languages::corners(op),
        Theory::Strings => strings::corners(op),
        Theory::Arrays => &[],
    }
}

/// One use of an operator: the values of its arguments, indices first, and its own if it is known.
pub(super) struct Use<'a> {
    pub op: Op,
    pub arguments: &'a [Value],
    pub result: Option<&'a Value>,
}

/// The corner cases that a use meets.
pub(super) fn met(usage: &Use<'_>) -> Vec<&'static str> {
    let mut met = Vec::new();
    if usage.op.fold().is_some() && usage.arguments.len() > 2 {
        met.push(MANY);
    }
    match usage.op.info().theory {
        Theory::Core => logic::met(usage, &mut met),
        Theory::Ints => integers::met(usage, &mut met),
        Theory::Strings if languages::has(usage.op) => languages::met(usage, &mut met),
        Theory::Strings => strings::met(usage, &mut met),
        Theory::Arrays => {}
    }
    met
}
