//! What is printed about an answer: models, values, terms. The text is made under the limits, on a
//! thread that can be abandoned, and printed when it is complete.

use std::sync::Arc;

use luthier_semantics::{Evaluator, Interpretation, Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_symbol, print_term};
use luthier_solver::{Budget, Cancel};
use luthier_terms::{FunctionId, Sort, TermId, TermPool};

use super::session::{LONG, Session, error};
use crate::error::CliError;
use crate::output::Output;

/// The text of an answer, or why there is none.
type Text = Result<Vec<u8>, Untold>;

enum Untold {
    /// The command has no answer.
    Error(&'static str),
    Bug(String),
}

impl Session<'_> {
    pub(super) fn print_model(&self, output: &mut Output) -> Result<(), CliError> {
        let Some(model) = self.model() else {
            return error("there is no model: the last answer is not sat", output);
        };
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.clone());
        self.print(output, move |_| {
            let mut text = b"(\n".to_vec();
            for function in declared {
                let declaration = pool.function(function);
                let name = print_symbol(pool.symbols().bytes_of(declaration.name));
                let parameters = declaration.parameters.iter().enumerate();
                let parameters = parameters.map(|(number, sort)| format!("(x!{number} {sort})"));
                let parameters = parameters.collect::<Vec<_>>().join(" ");
                let result = declaration.result;
                let value = value_of(&model, function, result);
                text.extend_from_slice(b"  (define-fun ");
                text.extend_from_slice(&name);
                text.extend_from_slice(format!(" ({parameters}) {result} ").as_bytes());
                text.extend_from_slice(&value_text(&value).map_err(bug)?);
                text.extend_from_slice(b")\n");
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    pub(super) fn print_values(
        &self,
        terms: &[TermId],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let Some(model) = self.model() else {
            return error("there is no model: the last answer is not sat", output);
        };
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.clone());
        let terms = terms.to_vec();
        self.print(output, move |budget| {
            let mut model = Model::clone(&model);
            for function in declared {
                if model.get(function).is_none() {
                    model.insert_value(function, Value::default_of(pool.function(function).result));
                }
            }
            let mut evaluator = Evaluator::with_limits(&pool, &model, budget.evaluation_limits());
            let mut text = b"(".to_vec();
            for (number, term) in terms.into_iter().enumerate() {
                let evaluation = evaluator.evaluate(term);
                let Some(value) = evaluation.known() else {
                    return Err(Untold::Error("a term has no value that can be told"));
                };
                text.extend_from_slice(if number == 0 { b"(" } else { b"\n (" });
                text.extend_from_slice(&term_bytes(&pool, term).map_err(bug)?);
                text.push(b' ');
                text.extend_from_slice(&value_text(value).map_err(bug)?);
                text.push(b')');
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    pub(super) fn print_terms(
        &self,
        terms: Vec<TermId>,
        separator: &'static str,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let pool = Arc::clone(&self.pool);
        self.print(output, move |_| {
            let mut text = b"(".to_vec();
            for (number, term) in terms.into_iter().enumerate() {
                if number > 0 {
                    text.extend_from_slice(separator.as_bytes());
                }
                text.extend_from_slice(&term_bytes(&pool, term).map_err(bug)?);
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    /// Makes a text under the limits and prints it.
    fn print(
        &self,
        output: &mut Output,
        make: impl FnOnce(&Budget) -> Text + Send + 'static,
    ) -> Result<(), CliError> {
        let cancel = Cancel::new();
        let mut budget = Budget::until_cancelled(cancel.clone());
        if let Some(timeout) = self.watch.limits.timeout {
            budget = budget.at_most(timeout);
        }
        let outcome = self.watch.run(self.watch.deadline(), &cancel, move || make(&budget));
        match (outcome.result, outcome.stop) {
            (Some(Ok(text)), _) => {
                if text.len() > LONG {
                    self.watch.guard();
                }
                output.bytes(&text)
            }
            (Some(Err(Untold::Error(message))), None) => error(message, output),
            (Some(Err(Untold::Bug(message))), _) => Err(CliError::Bug { message }),
            (_, Some(stop)) => self.stopped(stop, output),
            (None, None) => Ok(()),
        }
    }
}

fn bug(error: CliError) -> Untold {
    Untold::Bug(error.to_string())
}

/// The value of a constant; any will do for one that the model does not mention.
pub(super) fn value_of(model: &Model, function: FunctionId, result: Sort) -> Value {
    match model.get(function) {
        Some(Interpretation::Value(value)) => value.clone(),
        _ => Value::default_of(result),
    }
}

/// A value as SMT-LIB writes it. It has no names, so a pool of its own does.
pub(super) fn value_text(value: &Value) -> Result<Vec<u8>, CliError> {
    let mut pool = TermPool::new();
    let term = value.to_term(&mut pool);
    let term = term.map_err(|error| CliError::Bug { message: error.to_string() })?;
    term_bytes(&pool, term)
}

/// A term in SMT-LIB 2.7, on one line.
fn term_bytes(pool: &TermPool, term: TermId) -> Result<Vec<u8>, CliError> {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(mut printed) => {
            printed.bytes.truncate(printed.bytes.trim_ascii_end().len());
            Ok(printed.bytes)
        }
        Err(error) => Ok(format!("({error})").into_bytes()),
    }
}
