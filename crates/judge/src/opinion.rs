//! A second opinion on a model: the query with the values of the model put in, for a solver.
//!
//! `sat` confirms the model, `unsat` refutes it. This is how ZaligVinder checks models. Here the
//! referee judges; the opinion of solvers is recorded beside it, and where they differ somebody
//! has found a fault: in the referee or in a solver.
//!
//! Constants get one assertion each, `(= x value)`. Functions are defined instead of declared, and
//! so are regular languages, between which few solvers know equality.
//! What the model does not say stays open, so `sat` confirms that some completion will do.

use std::collections::{BTreeMap, BTreeSet};

use luthier_semantics::Limits;
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Command, CommandKind, Dialect, ModelEntry, Script, read_model_within};
use luthier_terms::{BuildError, FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};

use crate::NoSuchQuery;
use crate::model::model_limits;
use crate::query::{QueryParts, made};

/// Why no solver can be asked about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOpinion {
    /// The script has fewer queries.
    NoSuchQuery(NoSuchQuery),
    /// The model cannot be written as a part of a script, for this reason.
    Reason(String),
}

/// The meaning of a function in a model.
type Meaning = (Vec<TermId>, TermId);

/// What a model says, sorted by how it is put into a script.
#[derive(Default)]
struct Values {
    /// What the script declares.
    declared: BTreeSet<FunctionId>,
    /// Constants of the script.
    constants: BTreeMap<FunctionId, TermId>,
    /// Functions and languages of the script, and helpers that the solver made up.
    functions: BTreeMap<FunctionId, Meaning>,
    /// Other terms with their values.
    terms: Vec<(TermId, TermId)>,
}

/// A script that asks whether a model satisfies a query, counted from 0. `model` is the text as
/// a solver printed it, `dialect` how that solver writes literals.
///
/// The script is meant to be printed: where a function is now defined, assertions still hold
/// applications of the declared one, which are written the same.
pub fn script_with_model(
    pool: &mut TermPool,
    script: &Script,
    query: usize,
    model: &[u8],
    dialect: Dialect,
) -> Result<Script, NoOpinion> {
    let mut parts = QueryParts::of(pool, script, query).map_err(NoOpinion::NoSuchQuery)?;
    // Read against what is in scope at the query: later declarations may reuse names.
    // Names of assertions belong to it, since solvers print values for them too.
    let mut commands = parts.declarations.clone();
    commands.extend(parts.assertions());
    let values = read_values(pool, &Script { commands }, model, dialect)?;
    let definitions = define_in_order(pool, &values)?;
    parts.declarations.retain(|command| match &command.kind {
        CommandKind::Declare { function, .. } => !values.functions.contains_key(function),
        _ => true,
    });
    parts.declarations.splice(0..0, definitions);
    let mut equations = Vec::new();
    for (&function, &value) in &values.constants {
        let constant = pool.apply(function, &[]).map_err(cannot_build)?;
        equations.push(pool.op(Op::Eq, &[constant, value]).map_err(cannot_build)?);
    }
    for &(term, value) in &values.terms {
        equations.push(pool.op(Op::Eq, &[term, value]).map_err(cannot_build)?);
    }
    Ok(parts.script(|_| true, &equations))
}

fn read_values(
    pool: &mut TermPool,
    scope: &Script,
    model: &[u8],
    dialect: Dialect,
) -> Result<Values, NoOpinion> {
    let limits = model_limits(&Limits::default());
    let reading = read_model_within(pool, scope, model, dialect, &limits);
    if let Some(limit) = &reading.exceeded {
        return refuse(format!("the model has {limit}"));
    }
    if let Some(error) = reading.errors().next() {
        let rendered = error.render("model", &Locator::new(model));
        let first = rendered.lines().next().unwrap_or_default();
        return refuse(format!("the model could not be read: {first}"));
    }
    if !reading.found {
        return refuse("there is no model in the text".to_owned());
    }
    let declared = scope.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Declare { function, .. } => Some(*function),
        _ => None,
    });
    let mut values = Values { declared: declared.collect(), ..Values::default() };
    for entry in reading.entries {
        match entry {
            // What the script defines has its meaning.
            ModelEntry::Function { function, .. }
                if pool.function(function).definition.is_some() => {}
            ModelEntry::Function { function, variables, body } => {
                let language = pool.function(function).result == Sort::RegLan;
                let is_declared = values.declared.contains(&function);
                if variables.is_empty() && is_declared && !language {
                    values.constants.insert(function, body);
                } else {
                    values.functions.insert(function, (variables, body));
                }
            }
            ModelEntry::Value { term, value } => values.terms.push((term, value)),
            ModelEntry::DivisionByZero { .. } | ModelEntry::ModuloByZero { .. } => {
                return refuse(
                    "the model says what dividing by zero gives, which no script can".to_owned(),
                );
            }
        }
    }
    Ok(values)
}

/// Definitions of the functions of the script, and of those helpers that some value uses. Each
/// comes after those that its body uses.
fn define_in_order(pool: &mut TermPool, values: &Values) -> Result<Vec<Command>, NoOpinion> {
    let functions = &values.functions;
    let mut roots: BTreeSet<FunctionId> = values.declared.clone();
    roots.extend(used_functions(pool, values.constants.values().copied()));
    roots.extend(used_functions(pool, values.terms.iter().map(|&(_, value)| value)));
    roots.retain(|root| functions.contains_key(root));
    let mut definitions = Vec::new();
    // Whether a function is finished; those not in it have not been seen.
    let mut states: BTreeMap<FunctionId, bool> = BTreeMap::new();
    for root in roots {
        let mut stack = vec![root];
        while let Some(&function) = stack.last() {
            let Some((variables, body)) = functions.get(&function) else {
                let name = pool.function_name(function);
                return refuse(format!("a function of the model depends on `{name}`"));
            };
            match states.get(&function) {
                Some(true) => {
                    stack.pop();
                }
                // All that it uses has been seen to.
                Some(false) => {
                    let name = pool.function(function).name;
                    let defined = pool.define(name, variables.clone(), *body);
                    let function = defined.map_err(cannot_build)?;
                    definitions.push(made(CommandKind::Define { function, constant: false }));
                    if let Some(function) = stack.pop() {
                        states.insert(function, true);
                    }
                }
                None => {
                    states.insert(function, false);
                    for used in used_functions(pool, [*body]) {
                        match states.get(&used) {
                            Some(true) => {}
                            Some(false) => {
                                let name = pool.function_name(used);
                                return refuse(format!("`{name}` is defined by itself"));
                            }
                            None => stack.push(used),
                        }
                    }
                }
            }
        }
    }
    Ok(definitions)
}

fn used_functions(
    pool: &TermPool,
    terms: impl IntoIterator<Item = TermId>,
) -> BTreeSet<FunctionId> {
    let functions = PostOrder::new(pool, terms).filter_map(|term| match pool.term(term) {
        Term::Apply(function, _) => Some(function),
        _ => None,
    });
    functions.collect()
}

fn refuse<T>(reason: String) -> Result<T, NoOpinion> {
    Err(NoOpinion::Reason(reason))
}

fn cannot_build(error: BuildError) -> NoOpinion {
    NoOpinion::Reason(error.to_string())
}

impl std::fmt::Display for NoOpinion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchQuery(NoSuchQuery { queries }) => {
                write!(formatter, "the script has {queries} queries, not as many as asked for")
            }
            Self::Reason(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for NoOpinion {}
