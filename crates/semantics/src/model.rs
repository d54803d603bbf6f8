//! Models: what a script leaves open, filled in.

use std::collections::BTreeMap;

use luthier_terms::{FunctionId, TermId};

use crate::Value;

/// What a function means in a model.
#[derive(Clone, Debug)]
pub enum Interpretation {
    /// This value, whatever the arguments are.
    Value(Value),
    /// The value of `body` when the variables stand for the arguments.
    Function {
        /// One variable term for each parameter.
        variables: Vec<TermId>,
        /// A term of the same pool, over these variables.
        body: TermId,
    },
}

/// Interpretations of declared functions and of what the theory of integers leaves open.
///
/// A model may be partial; what it does not say makes an evaluation undecided. What it says about
/// functions that the script defines is not used.
#[derive(Clone, Debug, Default)]
pub struct Model {
    interpretations: BTreeMap<FunctionId, Interpretation>,
    /// `(div m 0)` as a function of `m`, or of `m` and 0.
    pub division_by_zero: Option<Interpretation>,
    /// `(mod m 0)` as a function of `m`, or of `m` and 0.
    pub modulo_by_zero: Option<Interpretation>,
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what a function means; gives back what was said before.
    pub fn insert(
        &mut self,
        function: FunctionId,
        interpretation: Interpretation,
    ) -> Option<Interpretation> {
        self.interpretations.insert(function, interpretation)
    }

    /// Says which value a constant has.
    pub fn insert_value(&mut self, function: FunctionId, value: Value) -> Option<Interpretation> {
        self.insert(function, Interpretation::Value(value))
    }

    /// Forgets what a function means; gives back what was said.
    pub fn remove(&mut self, function: FunctionId) -> Option<Interpretation> {
        self.interpretations.remove(&function)
    }

    /// What a function means, if the model says it.
    pub fn get(&self, function: FunctionId) -> Option<&Interpretation> {
        self.interpretations.get(&function)
    }

    /// All interpreted functions in the order in which the pool made them.
    pub fn iter(&self) -> impl Iterator<Item = (FunctionId, &Interpretation)> {
        self.interpretations.iter().map(|(&function, interpretation)| (function, interpretation))
    }

    /// Takes over everything that another model says.
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
