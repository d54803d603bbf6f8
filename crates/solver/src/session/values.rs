//! Replies about the last answer: models, values and terms as text.
//!
//! The text is built under the limits on a thread that can be abandoned, and returned when it is
//! complete.

use std::sync::Arc;

use luthier_semantics::{Evaluator, Interpretation, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_symbol, print_term};
use luthier_terms::{BuildError, FunctionId, Sort, TermId, TermPool, Variable};

use super::{Reply, Session, Stop};
use crate::{Budget, Cancel, UnknownReason};

/// The text of a reply, or the reason why there is none.
pub(super) type Text = Result<Vec<u8>, TextError>;

/// Why there are no values of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValues {
    /// A limit or a signal has stopped the command.
    Stopped(Stop),
    /// A bug of the solver.
    Fault(UnknownReason),
}

pub(super) enum TextError {
    /// The command has no answer.
    Error(&'static str),
    /// A term could not be built; a bug of the solver.
    Fault(BuildError),
}

impl From<BuildError> for TextError {
    fn from(error: BuildError) -> Self {
        Self::Fault(error)
    }
}

/// Names of constants and their values, as text.
pub type NamedValues = Vec<(String, String)>;

impl Session {
    pub(super) fn model_text(&self) -> Result<Reply, UnknownReason> {
        let Some(model) = self.model() else { return Ok(no_model()) };
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.items().to_vec());
        self.render(move |_| {
            let mut text = b"(\n".to_vec();
            for function in declared {
                let declaration = pool.function(function);
                let name = print_symbol(pool.symbols().bytes_of(declaration.name));
                let parameters = declaration.parameters.iter().enumerate();
                let parameters = parameters.map(|(number, sort)| format!("(x!{number} {sort})"));
                let parameters = parameters.collect::<Vec<_>>().join(" ");
                let result = declaration.result;
                let value = interpretation_text(model.get(function), result)?;
                text.extend_from_slice(b"  (define-fun ");
                text.extend_from_slice(&name);
                text.extend_from_slice(format!(" ({parameters}) {result} ").as_bytes());
                text.extend_from_slice(&value);
                text.extend_from_slice(b")\n");
            }
            for (name, chosen) in
                [("div0", &model.division_by_zero), ("mod0", &model.modulo_by_zero)]
            {
                // As Z3 calls division by zero.
                if let Some(chosen) = chosen {
                    text.extend_from_slice(
                        format!("  (define-fun {name} ((x!0 Int)) Int ").as_bytes(),
                    );
                    text.extend_from_slice(&interpretation_text(Some(chosen), Sort::Int)?);
                    text.extend_from_slice(b")\n");
                }
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    pub(super) fn values(&self, terms: &[TermId]) -> Result<Reply, UnknownReason> {
        let Some(model) = self.model() else { return Ok(no_model()) };
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.items().to_vec());
        let terms = terms.to_vec();
        self.render(move |budget| {
            let model = with_defaults(&pool, &model, &declared);
            let mut evaluator = Evaluator::with_limits(&pool, &model, budget.evaluation_limits());
            let mut text = b"(".to_vec();
            for (number, term) in terms.into_iter().enumerate() {
                let evaluation = evaluator.evaluate(term);
                let Some(value) = evaluation.known() else {
                    return Err(TextError::Error("the value of a term is undecided"));
                };
                text.extend_from_slice(if number == 0 { b"(" } else { b"\n (" });
                text.extend_from_slice(&term_text(&pool, term));
                text.push(b' ');
                text.extend_from_slice(&value_text(value)?);
                text.push(b')');
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    pub(super) fn terms_text(
        &self,
        terms: Vec<TermId>,
        separator: &'static str,
    ) -> Result<Reply, UnknownReason> {
        let pool = Arc::clone(&self.pool);
        self.render(move |_| {
            let mut text = b"(".to_vec();
            for (number, term) in terms.into_iter().enumerate() {
                if number > 0 {
                    text.extend_from_slice(separator.as_bytes());
                }
                text.extend_from_slice(&term_text(&pool, term));
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    /// The values of all constants, by their plain names, as SMT-LIB writes them; `None` if the
    /// last answer is not `sat`.
    pub fn model_values(&self) -> Option<Result<NamedValues, NoValues>> {
        let model = self.model()?;
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.items().to_vec());
        let outcome = self.watch.run(self.watch.deadline(), &Cancel::new(), move || {
            let mut values = Vec::with_capacity(declared.len());
            for function in declared {
                let declaration = pool.function(function);
                let value = interpretation_text(model.get(function), declaration.result);
                let text = String::from_utf8_lossy(&value.map_err(fault)?).into_owned();
                values.push((pool.symbols().display(declaration.name).into_owned(), text));
            }
            Ok(values)
        });
        Some(match (outcome.result, outcome.stop) {
            (Some(values), _) => values.map_err(NoValues::Fault),
            (None, stop) => Err(NoValues::Stopped(stop.unwrap_or(Stop::Memory))),
        })
    }

    /// Builds a text under the limits.
    pub(super) fn render(
        &self,
        render: impl FnOnce(&Budget) -> Text + Send + 'static,
    ) -> Result<Reply, UnknownReason> {
        let cancel = Cancel::new();
        let mut budget = Budget::until_cancelled(cancel.clone());
        if let Some(timeout) = self.watch.limits().timeout {
            budget = budget.at_most(timeout);
        }
        let outcome = self.watch.run(self.watch.deadline(), &cancel, move || render(&budget));
        match (outcome.result, outcome.stop) {
            (Some(Ok(text)), _) => Ok(Reply::Text(text)),
            (Some(Err(TextError::Error(message))), None) => Ok(Reply::Error(message.to_owned())),
            (Some(Err(TextError::Fault(error))), _) => Err(fault(error)),
            (_, Some(stop)) => Ok(Reply::Stopped(stop)),
            (None, None) => Ok(Reply::Stopped(Stop::Panic)),
        }
    }
}

pub(super) fn no_model() -> Reply {
    Reply::Error("there is no model: the last answer is not sat".to_owned())
}

fn fault(error: BuildError) -> UnknownReason {
    UnknownReason::Failed(error.to_string())
}

/// The model with a value for every constant.
pub(super) fn with_defaults(pool: &TermPool, model: &Model, declared: &[FunctionId]) -> Model {
    let mut model = model.clone();
    for &function in declared {
        if model.get(function).is_none() {
            model.insert_value(function, Value::default_of(pool.function(function).result));
        }
    }
    model
}

/// The value of a constant, or the body of a function over `x!0`, `x!1` and so on; the default of
/// the sort if the model does not constrain it. It has no names of the script, so it is made in a
/// pool of its own.
fn interpretation_text(
    chosen: Option<&Interpretation>,
    result: Sort,
) -> Result<Vec<u8>, BuildError> {
    match chosen {
        Some(Interpretation::Value(value)) => value_text(value),
        Some(Interpretation::Table(table)) => {
            let mut pool = TermPool::new();
            let mut variables = Vec::with_capacity(table.parameters().len());
            for (number, &sort) in table.parameters().iter().enumerate() {
                let name = pool.symbols_mut().intern(format!("x!{number}").as_bytes())?;
                variables.push(pool.variable(Variable { name, sort, depth: 0 })?);
            }
            let body = table.to_term(&mut pool, &variables)?;
            Ok(term_text(&pool, body))
        }
        // Engines make no models with terms.
        Some(Interpretation::Function { .. }) | None => value_text(&Value::default_of(result)),
    }
}

/// A value as SMT-LIB writes it. It has no names, so a pool of its own does.
fn value_text(value: &Value) -> Result<Vec<u8>, BuildError> {
    let mut pool = TermPool::new();
    let term = value.to_term(&mut pool)?;
    Ok(term_text(&pool, term))
}

/// A term in SMT-LIB 2.7, on one line.
pub(super) fn term_text(pool: &TermPool, term: TermId) -> Vec<u8> {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(mut printed) => {
            printed.bytes.truncate(printed.bytes.trim_ascii_end().len());
            printed.bytes
        }
        Err(error) => format!("({error})").into_bytes(),
    }
}
