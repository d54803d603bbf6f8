//! From what a solver printed to a model the referee can evaluate under.

use luthier_semantics::{Interpretation, Model, Value};
use luthier_smtlib::ModelEntry;
use luthier_terms::{FunctionId, Op, Term, TermId, TermPool, Variable};

/// A model, and what the solver says about other terms.
#[derive(Debug, Default)]
pub struct BuiltModel {
    /// The meaning of constants and functions.
    pub model: Model,
    /// Terms with the value that the solver gives for them.
    pub claims: Vec<(TermId, TermId)>,
}

/// Turns the entries of a printed model into a model. A text with several verdicts may give a name
/// several values; then the last one counts.
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

/// The default meaning of a function that a model leaves open: the values that the solver gives
/// for it at single points, and the default of its sort elsewhere. `None`: the pool is full.
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
    Some(meaning(&variables, body))
}

fn meaning(variables: &[TermId], body: TermId) -> Interpretation {
    Interpretation::Function { variables: variables.to_vec(), body }
}
