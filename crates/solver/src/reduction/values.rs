//! Values of functions, arrays and division by zero from a model of the reduced problem.

use std::sync::Arc;

use luthier_semantics::{ArrayValue, Evaluator, FunctionTable, Interpretation, Model, Value};
use luthier_terms::{Sort, TermId};

use super::{Reduction, Symbol, Table};
use crate::{Budget, Problem, UnknownReason};

impl Reduction {
    /// Extends a model of the reduced problem to one of the given problem. Constants without a value
    /// get a default.
    pub fn complete_within(&self, model: &mut Model, budget: &Budget) -> Result<(), UnknownReason> {
        let pool = &self.problem.pool;
        let applications = self.tables.iter().flat_map(|table| &table.applications);
        let mut terms: Vec<TermId> =
            applications.flat_map(|one| one.arguments.iter().copied().chain([one.value])).collect();
        terms.extend(self.tables.iter().filter_map(|table| table.default));
        let used = Problem { pool: Arc::clone(pool), assertions: terms };
        for function in used.declared() {
            let declaration = pool.function(function);
            if declaration.definition.is_none() && model.get(function).is_none() {
                model.insert_value(function, Value::default_of(declaration.result));
            }
        }
        let mut found = Vec::new();
        let mut evaluator = Evaluator::with_limits(pool, model, budget.evaluation_limits());
        for table in &self.tables {
            let Some(interpretation) = self.interpretation(table, &mut evaluator, budget)? else {
                // The referee says what is missing.
                continue;
            };
            found.push((table.symbol, interpretation));
        }
        for (symbol, interpretation) in found {
            match symbol {
                Symbol::Function(function) | Symbol::Array(function) => {
                    model.insert(function, interpretation);
                }
                Symbol::Division => model.division_by_zero = Some(interpretation),
                Symbol::Modulo => model.modulo_by_zero = Some(interpretation),
            }
        }
        Ok(())
    }

    /// `None` if the model does not decide some value, or gives equal arguments different values.
    fn interpretation(
        &self,
        table: &Table,
        evaluator: &mut Evaluator<'_>,
        budget: &Budget,
    ) -> Result<Option<Interpretation>, UnknownReason> {
        let pool = &self.problem.pool;
        let mut value_of = |term: TermId| evaluator.evaluate(term).known().cloned();
        let (parameters, result) = match table.symbol {
            Symbol::Function(function) => {
                let function = pool.function(function);
                (function.parameters.clone(), function.result)
            }
            Symbol::Array(function) => {
                let Sort::Array(index, element) = pool.function(function).result else {
                    return Ok(None);
                };
                (vec![index.into()], element.into())
            }
            Symbol::Division | Symbol::Modulo => (vec![Sort::Int], Sort::Int),
        };
        let default = match table.default {
            Some(term) => value_of(term),
            None => Some(Value::default_of(result)),
        };
        let Some(default) = default else { return Ok(None) };
        let mut function = FunctionTable::constant(parameters, default);
        for application in &table.applications {
            budget.check()?;
            let arguments = application.arguments.iter().map(|&term| value_of(term));
            let arguments = arguments.collect::<Option<Vec<_>>>();
            let (Some(arguments), Some(value)) = (arguments, value_of(application.value)) else {
                return Ok(None);
            };
            if !function.insert(arguments, value) {
                return Ok(None);
            }
        }
        Ok(match table.symbol {
            Symbol::Array(_) => array_of(&function).map(Value::Array).map(Interpretation::Value),
            _ => Some(Interpretation::Table(Arc::new(function))),
        })
    }
}

/// The array with the elements of a function of one argument.
fn array_of(function: &FunctionTable) -> Option<ArrayValue> {
    let index = function.parameters().first()?.as_basic()?;
    let constant = ArrayValue::constant(index, function.default_value().clone())?;
    function.rows().try_fold(constant, |array, (arguments, element)| {
        array.store(arguments.first()?.clone(), element.clone())
    })
}
