//! The trait of an incremental arithmetic solver: scopes, assumptions with unsat cores, and values.

use luthier_semantics::{Model, Value as ModelValue};
use luthier_terms::FunctionId;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::arena::{Arena, Id};
use crate::{Budget, UnknownReason};

/// Decides formulas of one arena, incrementally.
///
/// All calls must be given the same arena, which may grow between them.
pub trait ArithmeticSolver: Send {
    /// Asserts a formula in the current scope.
    fn assert(&mut self, arena: &Arena, formula: Id) -> Result<(), UnknownReason>;

    /// Opens a scope.
    fn push(&mut self) -> Result<(), UnknownReason>;

    /// Closes the innermost scope and removes its assertions.
    fn pop(&mut self) -> Result<(), UnknownReason>;

    /// Whether all assertions and assumptions are satisfiable together.
    ///
    /// Assumptions are arbitrary formulas for this call only. `Err(UnknownReason::Timeout)` leaves
    /// the solver usable if it could be interrupted in time; otherwise, and after every other error,
    /// it has ended and all calls fail.
    fn check(
        &mut self,
        arena: &Arena,
        assumptions: &[Id],
        budget: &Budget,
    ) -> Result<Answer, UnknownReason>;

    /// The values of terms in the model of the last check, which must have been [`Answer::Sat`]
    /// with no assertion since.
    fn values(&mut self, arena: &Arena, terms: &[Id]) -> Result<Vec<Value>, UnknownReason>;
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none; these assumptions are a core, together with the assertions.
    Unsat(Vec<Id>),
    /// The solver has no answer, with its reason.
    Unknown(String),
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// An element of an uninterpreted sort: equal numbers for equal elements.
    Uninterpreted(u32),
}

impl Value {
    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// The value as one of a model; `None` for an element of an uninterpreted sort.
    pub fn to_model(&self) -> Option<ModelValue> {
        match self {
            Self::Bool(value) => Some(ModelValue::Bool(*value)),
            Self::Int(number) => Some(ModelValue::Int(number.clone())),
            Self::Uninterpreted(_) => None,
        }
    }

    /// The number, if it is one that fits.
    pub fn as_usize(&self) -> Option<usize> {
        self.as_int().and_then(BigInt::to_usize)
    }

    /// The number, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Self::Int(number) => Some(number),
            _ => None,
        }
    }
}

/// The model of some constants, such as those of a problem that are not strings.
pub(crate) fn model_of(constants: &[(FunctionId, Id)], values: &[Value]) -> Model {
    let mut model = Model::new();
    for (&(function, _), value) in constants.iter().zip(values) {
        if let Some(value) = value.to_model() {
            model.insert_value(function, value);
        }
    }
    model
}
