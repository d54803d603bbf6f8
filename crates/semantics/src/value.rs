//! Values of all sorts: Booleans, unbounded integers, strings, regular languages, arrays.

use luthier_terms::{BasicSort, BigInt, BuildError, Op, SmtString, Sort, TermId, TermPool};
use num_bigint::Sign;

use crate::{ArrayValue, Language};

/// A value of any sort.
///
/// `==` compares languages structurally, not by their words (see [`Language`]); the evaluator never
/// uses `==` where the equality of languages matters.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A string.
    String(SmtString),
    /// A regular language.
    RegLan(Language),
    /// An array.
    Array(ArrayValue),
}

impl Value {
    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::String(_) => Sort::String,
            Self::RegLan(_) => Sort::RegLan,
            Self::Array(array) => Sort::Array(array.index_sort(), array.element_sort()),
        }
    }

    /// The default value of a sort: `false`, `0`, `""`, the empty language, or the constant array
    /// of the default element.
    pub fn default_of(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Self::Bool(false),
            Sort::Int => Self::Int(BigInt::ZERO),
            Sort::String => Self::String(SmtString::empty()),
            Sort::RegLan => Self::RegLan(Language::none()),
            Sort::Array(index, element) => {
                let element = Self::default_of(element.into());
                Self::Array(ArrayValue::constant(index, element).expect("the element is basic"))
            }
        }
    }

    /// A ground term that has this value under every model.
    pub fn to_term(&self, pool: &mut TermPool) -> Result<TermId, BuildError> {
        match self {
            Self::Bool(value) => pool.bool(*value),
            Self::Int(number) if number.sign() == Sign::Minus => {
                let positive = pool.integer(-number)?;
                pool.op(Op::Neg, &[positive])
            }
            Self::Int(number) => pool.integer(number.clone()),
            Self::String(text) => pool.string(text.clone()),
            Self::RegLan(language) => language.to_term(pool),
            Self::Array(array) => array.to_term(pool),
        }
    }

    /// The sort, if it is not an array.
    pub(crate) fn basic_sort(&self) -> Option<BasicSort> {
        self.sort().as_basic()
    }

    /// The bytes of its characters or digits; those of languages and arrays are shared.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Bool(_) | Self::RegLan(_) | Self::Array(_) => 0,
            Self::Int(number) => usize::try_from(number.bits() / 8).unwrap_or(usize::MAX),
            Self::String(text) => text.len().saturating_mul(4),
        }
    }

    /// The value as a hash key; `None` for languages and arrays, whose equality is not structural.
    pub(crate) fn key(&self) -> Option<Key> {
        match self {
            Self::Bool(value) => Some(Key::Bool(*value)),
            Self::Int(number) => Some(Key::Int(number.clone())),
            Self::String(text) => Some(Key::String(text.clone())),
            Self::RegLan(_) | Self::Array(_) => None,
        }
    }
}

/// A value with structural equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Bool(bool),
    Int(BigInt),
    String(SmtString),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<BigInt> for Value {
    fn from(number: BigInt) -> Self {
        Self::Int(number)
    }
}

impl From<SmtString> for Value {
    fn from(text: SmtString) -> Self {
        Self::String(text)
    }
}

impl From<Language> for Value {
    fn from(language: Language) -> Self {
        Self::RegLan(language)
    }
}

impl From<ArrayValue> for Value {
    fn from(array: ArrayValue) -> Self {
        Self::Array(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_have_their_sorts_and_become_terms_of_their_sorts() {
        let mut pool = TermPool::new();
        let mut sorts = vec![Sort::Bool, Sort::Int, Sort::String, Sort::RegLan];
        for index in BasicSort::ALL {
            sorts.extend(BasicSort::ALL.map(|element| Sort::Array(index, element)));
        }
        for sort in sorts {
            let value = Value::default_of(sort);
            assert_eq!(value.sort(), sort);
            let term = value.to_term(&mut pool).unwrap();
            assert_eq!(pool.sort(term), sort);
        }
    }

    #[test]
    fn a_negative_integer_becomes_a_negated_numeral() {
        let mut pool = TermPool::new();
        let term = Value::Int((-5).into()).to_term(&mut pool).unwrap();
        let five = pool.integer(5).unwrap();
        assert_eq!(term, pool.op(Op::Neg, &[five]).unwrap());
    }
}
