//! Second opinions on a model: the query with the values of the model added, for a solver.
//!
//! `sat` confirms the model, `unsat` refutes it. This is how ZaligVinder checks models (Kulczynski
//! et al. 2021). Here the referee decides; the verdicts of solvers are recorded beside it, and a
//! difference is a fault of the referee or of a solver.
//!
//! A constant gets an assertion `(= x value)`. Functions are defined instead of declared, and so
//! are regular languages, whose equality few solvers support. What the model does not define stays
//! unconstrained, so `sat` confirms that some completion satisfies the query.

use std::collections::{BTreeMap, BTreeSet};

use luthier_semantics::Limits;
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Command, CommandKind, Dialect, ModelEntry, Script, read_model_within};
use luthier_terms::{BuildError, FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};

use crate::NoSuchQuery;
use crate::model::model_limits;
use crate::query::{QueryParts, command_without_source};

/// Why there is no script for a second opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSecondOpinion {
    /// The script has fewer queries.
    NoSuchQuery(NoSuchQuery),
    /// The model cannot be expressed in a script, for this reason.
    Reason(String),
}

/// The interpretation of a function in a model: variables and body.
type FunctionBody = (Vec<TermId>, TermId);

/// The values of a model, by how they are expressed in a script.
#[derive(Default)]
struct Values {
    /// The functions that the script declares.
    declared: BTreeSet<FunctionId>,
    /// Constants of the script.
    constants: BTreeMap<FunctionId, TermId>,
    /// Functions and languages of the script, and auxiliary functions of the solver.
    functions: BTreeMap<FunctionId, FunctionBody>,
    /// Other terms with their values.
    terms: Vec<(TermId, TermId)>,
}

/// A script that asks whether a model satisfies a query, counted from 0. `model` is the text as
/// a solver printed it, `dialect` how that solver writes literals.
///
/// The script is meant to be printed: where a function is now defined, assertions still apply the
/// declared one, which has the same name.
pub fn script_with_model(
    pool: &mut TermPool,
    script: &Script,
    query: usize,
    model: &[u8],
    dialect: Dialect,
) -> Result<Script, NoSecondOpinion> {
    let mut parts = QueryParts::of(pool, script, query).map_err(NoSecondOpinion::NoSuchQuery)?;
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
) -> Result<Values, NoSecondOpinion> {
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
            // Functions that the script defines keep their definition.
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

/// Definitions of the functions of the script and of the auxiliary functions that they use, in
/// topological order. Cyclic definitions are refused.
fn define_in_order(pool: &mut TermPool, values: &Values) -> Result<Vec<Command>, NoSecondOpinion> {
    let functions = &values.functions;
    let mut roots: BTreeSet<FunctionId> = values.declared.clone();
    roots.extend(used_functions(pool, values.constants.values().copied()));
    roots.extend(used_functions(pool, values.terms.iter().map(|&(_, value)| value)));
    roots.retain(|root| functions.contains_key(root));
    let mut definitions = Vec::new();
    // Whether a function is finished; those not in the map have not been visited.
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
                // All functions that it uses are defined.
                Some(false) => {
                    let name = pool.function(function).name;
                    let defined = pool.define(name, variables.clone(), *body);
                    let function = defined.map_err(cannot_build)?;
                    definitions.push(command_without_source(CommandKind::Define {
                        function,
                        constant: false,
                    }));
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

fn refuse<T>(reason: String) -> Result<T, NoSecondOpinion> {
    Err(NoSecondOpinion::Reason(reason))
}

fn cannot_build(error: BuildError) -> NoSecondOpinion {
    NoSecondOpinion::Reason(error.to_string())
}

impl std::fmt::Display for NoSecondOpinion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchQuery(NoSuchQuery { queries }) => {
                write!(formatter, "the script has {queries} queries, not as many as asked for")
            }
            Self::Reason(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for NoSecondOpinion {}
