//! The errors of checked term construction.

use crate::{Op, Sort};

/// The reason why a term is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The number of arguments does not fit the operator.
    #[error("`{}` takes {expected}, found {found}", op.name())]
    Arity {
        /// The operator.
        op: Op,
        /// What it takes, in words.
        expected: &'static str,
        /// How many arguments were given.
        found: usize,
    },
    /// An argument has the wrong sort.
    #[error("argument {} of `{}` must be of sort {expected}, found {found}", position + 1, op.name())]
    Sort {
        /// The operator.
        op: Op,
        /// Which argument, from zero.
        position: usize,
        /// The sort it needs.
        expected: Sort,
        /// The sort it has.
        found: Sort,
    },
    /// An argument should have been an array.
    #[error("argument 1 of `{}` must be an array, found {found}", op.name())]
    NotAnArray {
        /// The operator.
        op: Op,
        /// The sort it has.
        found: Sort,
    },
    /// An index of an indexed operator is not a non-negative numeral.
    #[error("the indices of `{}` must be numerals", op.name())]
    Index {
        /// The operator.
        op: Op,
    },
    /// A user function is applied to the wrong number of arguments.
    #[error("`{name}` takes {expected} argument{}, found {found}", if *expected == 1 { "" } else { "s" })]
    FunctionArity {
        /// The function's name.
        name: String,
        /// How many it takes.
        expected: usize,
        /// How many it got.
        found: usize,
    },
    /// A user function is applied to an argument of the wrong sort.
    #[error("argument {} of `{name}` must be of sort {expected}, found {found}", position + 1)]
    FunctionSort {
        /// The function's name.
        name: String,
        /// Which argument, from zero.
        position: usize,
        /// The sort it needs.
        expected: Sort,
        /// The sort it has.
        found: Sort,
    },
    /// A term of another sort than `Bool` where a formula is required.
    #[error("a formula must be of sort Bool, found {found}")]
    NotAFormula {
        /// The sort found.
        found: Sort,
    },
    /// A quantifier binds something that is not a variable, or nothing.
    #[error("a quantifier must bind one or more distinct variables")]
    Binding,
    /// More than 2^32 entries of one kind.
    #[error("the pool is full: more than 2^32 {what}")]
    PoolFull {
        /// The kind.
        what: &'static str,
    },
}
