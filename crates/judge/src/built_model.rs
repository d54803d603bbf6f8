//! From the entries of a printed model to a model that the referee evaluates under.
//!
//! Definitions become interpretations of the constants and functions. Values of other terms, as
//! `get-value` prints them, are no part of the model but claims about it, which are checked against
//! it. A function that the model leaves undefined can be completed: the claimed values at single
//! points, the default of its sort elsewhere.

use luthier_semantics::{Interpretation, Model, Value};
use luthier_smtlib::ModelEntry;
use luthier_terms::{FunctionId, Op, Term, TermId, TermPool, Variable};

/// A model, and the values that the solver claims for other terms.
#[derive(Debug, Default)]
pub struct BuiltModel {
    /// The interpretations of constants and functions.
    pub model: Model,
    /// Terms with their claimed values.
    pub claims: Vec<(TermId, TermId)>,
}

/// Builds a model from the entries of a printed one. If a name has several values, as in a text with
/// several verdicts, the last one counts.
pub fn build_model(entries: &[ModelEntry]) -> BuiltModel {
    let mut built = BuiltModel::default();
    for entry in entries {
        match entry {
            ModelEntry::Function { function, variables, body } => {
                let interpretation = function_interpretation(variables, *body);
                built.model.insert(*function, interpretation);
            }
            ModelEntry::Value { term, value } => built.claims.push((*term, *value)),
            ModelEntry::DivisionByZero { variables, body } => {
                built.model.division_by_zero = Some(function_interpretation(variables, *body));
            }
            ModelEntry::ModuloByZero { variables, body } => {
                built.model.modulo_by_zero = Some(function_interpretation(variables, *body));
            }
        }
    }
    built
}

/// The default interpretation of a function that a model does not define: the claimed values at single
/// points, and the default of its sort elsewhere. `None` if the pool is full.
pub(crate) fn default_interpretation(
    pool: &mut TermPool,
    function: FunctionId,
    claims: &[(TermId, TermId)],
) -> Option<Interpretation> {
    let declared = pool.function(function);
    let (name, result) = (declared.name, declared.result);
    let sorts = declared.parameters.clone();
    let mut variables = Vec::new();
    for (depth, sort) in (0..).zip(sorts) {
        variables.push(pool.variable(Variable { name, sort, depth }).ok()?);
    }
    let mut body = Value::default_of(result).to_term(pool).ok()?;
    for &(term, value) in claims {
        let Term::Apply(applied, arguments) = pool.term(term) else { continue };
        if applied != function {
            continue;
        }
        let arguments = arguments.to_vec();
        let mut point = pool.bool(true).ok()?;
        for (&variable, &argument) in variables.iter().zip(&arguments) {
            let here = pool.op(Op::Eq, &[variable, argument]).ok()?;
            point = pool.op(Op::And, &[point, here]).ok()?;
        }
        body = pool.op(Op::Ite, &[point, value, body]).ok()?;
    }
    Some(function_interpretation(&variables, body))
}

fn function_interpretation(variables: &[TermId], body: TermId) -> Interpretation {
    Interpretation::Function { variables: variables.to_vec(), body }
}
