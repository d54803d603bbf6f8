//! What an arithmetic solver offers.

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
    /// Says that a formula holds, until the enclosing `push` is taken back.
    fn assert(&mut self, arena: &Arena, formula: Id) -> Result<(), UnknownReason>;

    /// Opens a scope.
    fn push(&mut self) -> Result<(), UnknownReason>;

    /// Closes the innermost scope and forgets what was asserted in it.
    fn pop(&mut self) -> Result<(), UnknownReason>;

    /// Whether all assertions and assumptions can hold together.
    ///
    /// Assumptions are any formulas; they count for this call only. `Err(UnknownReason::Timeout)` leaves the
    /// solver usable if it could be interrupted in time; otherwise, and after every other error,
    /// it has ended and all calls fail.
    fn check(
        &mut self,
        arena: &Arena,
        assumptions: &[Id],
        budget: &Budget,
    ) -> Result<Answer, UnknownReason>;

    /// The values of terms in the model of the last check, which must have said [`Answer::Sat`]
    /// with nothing asserted since.
    fn values(&mut self, arena: &Arena, terms: &[Id]) -> Result<Vec<Value>, UnknownReason>;
}

/// What a check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none, because of these assumptions (and the assertions).
    Unsat(Vec<Id>),
    /// The solver gives up, and says why.
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

    /// The value of a constant of the problem; an element of an uninterpreted sort is none.
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

/// The model that gives constants, such as those of a problem that are no strings, these values.
pub(crate) fn model_of(constants: &[(FunctionId, Id)], values: &[Value]) -> Model {
    let mut model = Model::new();
    for (&(function, _), value) in constants.iter().zip(values) {
        if let Some(value) = value.to_model() {
            model.insert_value(function, value);
        }
    }
    model
}
