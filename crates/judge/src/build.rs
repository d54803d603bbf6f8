//! From what a solver printed to a model the referee can evaluate under.

use luthier_semantics::{Interpretation, Model};
use luthier_smtlib::ModelEntry;
use luthier_terms::TermId;

/// A model, and what the solver says about other terms.
#[derive(Debug, Default)]
pub struct BuiltModel {
    /// The meaning of constants and functions.
    pub model: Model,
    /// Terms with the value that the solver gives for them.
    pub claims: Vec<(TermId, TermId)>,
}

/// Turns the entries of a printed model into a model. What comes later counts.
pub fn build_model(entries: &[ModelEntry]) -> BuiltModel {
    let mut built = BuiltModel::default();
    for entry in entries {
        match entry {
            ModelEntry::Function { function, variables, body } => {
                let interpretation = meaning(variables, *body);
                built.model.insert(*function, interpretation);
            }
            ModelEntry::Value { term, value } => built.claims.push((*term, *value)),
            ModelEntry::DivisionByZero { variables, body } => {
                built.model.division_by_zero = Some(meaning(variables, *body));
            }
            ModelEntry::ModuloByZero { variables, body } => {
                built.model.modulo_by_zero = Some(meaning(variables, *body));
            }
        }
    }
    built
}

fn meaning(variables: &[TermId], body: TermId) -> Interpretation {
    Interpretation::Function { variables: variables.to_vec(), body }
}
