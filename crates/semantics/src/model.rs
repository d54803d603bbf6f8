//! Models: interpretations of declared functions, and of division by zero.

use std::collections::BTreeMap;
use std::sync::Arc;

use luthier_terms::{FunctionId, TermId};

use crate::{FunctionTable, Value};

/// The interpretation of a function in a model.
#[derive(Clone, Debug)]
pub enum Interpretation {
    /// A constant function (or the value of a constant).
    Value(Value),
    /// The value of `body` with the arguments for the variables.
    Function {
        /// One variable term for each parameter.
        variables: Vec<TermId>,
        /// A term of the same pool, over these variables.
        body: TermId,
    },
    /// A function by a table.
    Table(Arc<FunctionTable>),
}

/// Interpretations of declared functions and of division by zero.
///
/// A model may be partial; a missing interpretation makes an evaluation undecided. Interpretations
/// of functions that the script defines are ignored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    interpretations: BTreeMap<FunctionId, Interpretation>,
    /// `(div m 0)` as a function of `m`, or of `m` and 0.
    pub division_by_zero: Option<Interpretation>,
    /// `(mod m 0)` as a function of `m`, or of `m` and 0.
    pub modulo_by_zero: Option<Interpretation>,
}

impl Model {
    /// An empty model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the interpretation of a function; returns the previous one.
    pub fn insert(
        &mut self,
        function: FunctionId,
        interpretation: Interpretation,
    ) -> Option<Interpretation> {
        self.interpretations.insert(function, interpretation)
    }

    /// Sets the value of a constant.
    pub fn insert_value(&mut self, function: FunctionId, value: Value) -> Option<Interpretation> {
        self.insert(function, Interpretation::Value(value))
    }

    /// Removes the interpretation of a function and returns it.
    pub fn remove(&mut self, function: FunctionId) -> Option<Interpretation> {
        self.interpretations.remove(&function)
    }

    /// The interpretation of a function, if there is one.
    pub fn get(&self, function: FunctionId) -> Option<&Interpretation> {
        self.interpretations.get(&function)
    }

    /// All interpreted functions in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FunctionId, &Interpretation)> {
        self.interpretations.iter().map(|(&function, interpretation)| (function, interpretation))
    }

    /// Adds all interpretations of another model.
    pub fn extend(&mut self, other: Self) {
        self.interpretations.extend(other.interpretations);
        self.division_by_zero = other.division_by_zero.or(self.division_by_zero.take());
        self.modulo_by_zero = other.modulo_by_zero.or(self.modulo_by_zero.take());
    }

    /// How many functions are interpreted.
    pub fn len(&self) -> usize {
        self.interpretations.len()
    }

    /// Whether no function is interpreted.
    pub fn is_empty(&self) -> bool {
        self.interpretations.is_empty()
    }
}
