//! Calls of defined functions and of functions that the model interprets.
//!
//! Results are cached by function and arguments. A call that is open with the same arguments does
//! not terminate, so its value is undecided.

use std::sync::Arc;

use luthier_terms::{BigInt, FunctionId, Sort, TermId};
use rustc_hash::FxHashMap;

use super::Evaluator;
use super::frames::{Frame, Kind, Slot};
use super::outcome::{Outcome, undecided};
use crate::limits::Exhausted;
use crate::value::Key;
use crate::{FunctionTable, Interpretation, Reason, Reasons, Value};

/// The key of a call in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallKey {
    function: FunctionId,
    arguments: Vec<ArgumentKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ArgumentKey {
    Known(Key),
    Undecided(Reasons),
}

/// The cached results of calls, and the open calls.
#[derive(Default)]
pub(super) struct CallCache {
    /// `None`: the call is open.
    results: FxHashMap<CallKey, Option<Outcome>>,
    /// The number of open calls that may be part of an infinite recursion.
    open: usize,
    /// The bytes of the arguments in the cache.
    bytes: usize,
}

/// The number of cached results at which the cache is cleared.
const MAX_CACHED_CALLS: usize = 1 << 20;

/// The bytes of their arguments at which the cache is cleared.
const MAX_CACHED_BYTES: usize = 1 << 26;

/// Calls with larger arguments are not cached, so an infinite recursion of them is found only by
/// the limit.
const MAX_KEY_BYTES: usize = 1 << 16;

impl CallCache {
    /// Discards all open calls.
    pub(super) fn unwind(&mut self) {
        self.results.retain(|_, result| result.is_some());
        self.open = 0;
    }
}

/// An open call.
pub(super) struct OpenCall {
    /// The key of its result in the cache.
    key: Option<CallKey>,
    /// Whether it counts for the recursion limit.
    counts: bool,
    /// Whether its result is the value of the term of its frame.
    pub(super) is_value_of_term: bool,
}

/// The definition that an application refers to.
enum Callee {
    Known(Outcome),
    Table(Arc<FunctionTable>),
    Body { variables: Vec<TermId>, body: TermId, counts: bool },
}

impl<'a> Evaluator<'a> {
    /// Applies a function to its arguments: finishes the frame, or opens a call whose result will
    /// be the result of the frame.
    pub(super) fn apply_function(
        &mut self,
        frame: Frame<'a>,
        function: FunctionId,
    ) -> Result<(), Exhausted> {
        let arguments = self.outcomes.split_off(frame.slot.base);
        let (variables, body, counts) = match self.meaning(function) {
            Callee::Known(outcome) => {
                self.finish(frame.slot, outcome);
                return Ok(());
            }
            Callee::Table(table) => {
                let size: usize =
                    arguments.iter().filter_map(Outcome::value).map(Value::size).sum();
                self.budget.charge(size / 64)?;
                let outcome = looked_up(&table, &arguments);
                self.finish(frame.slot, outcome);
                return Ok(());
            }
            Callee::Body { variables, body, counts } => (variables, body, counts),
        };
        let size: usize = arguments.iter().filter_map(Outcome::value).map(Value::size).sum();
        self.budget.charge(size.min(MAX_KEY_BYTES) / 64)?;
        let key = if size <= MAX_KEY_BYTES { call_key(function, &arguments) } else { None };
        match key.as_ref().and_then(|key| self.calls.results.get(key)) {
            Some(Some(outcome)) => {
                let outcome = outcome.clone();
                self.finish(frame.slot, outcome);
                return Ok(());
            }
            // The same call is open: unfolding the definition does not terminate.
            Some(None) => {
                self.finish(frame.slot, Outcome::because(Reason::RecursionLimit(function)));
                return Ok(());
            }
            None => {}
        }
        if counts && self.calls.open >= self.limits.recursion {
            self.finish(frame.slot, Outcome::because(Reason::RecursionLimit(function)));
            return Ok(());
        }
        if let Some(key) = &key {
            self.calls.bytes += size;
            if self.calls.results.len() > MAX_CACHED_CALLS || self.calls.bytes > MAX_CACHED_BYTES {
                self.calls.results.retain(|_, result| result.is_none());
                self.calls.bytes = 0;
            }
            self.calls.results.insert(key.clone(), None);
        }
        let bindings = variables.into_iter().zip(arguments).collect();
        let call = OpenCall { key, counts, is_value_of_term: true };
        self.open_call(frame.slot, bindings, body, call)
    }

    /// The model's interpretation of division by zero; `None` if there is none that fits. If it is
    /// a function, a call is opened, and its result will be pushed on the outcomes.
    pub(super) fn apply_by_zero(
        &mut self,
        interpretation: &'a Interpretation,
        frame: Frame<'a>,
        dividend: Outcome,
    ) -> Result<DivisionByZeroResult<'a>, Exhausted> {
        match interpretation {
            Interpretation::Value(value) if value.sort() == Sort::Int => {
                Ok(DivisionByZeroResult::Known(frame, Outcome::known(value.clone())))
            }
            Interpretation::Function { variables, body }
                if self.pool.sort(*body) == Sort::Int
                    && (1..=2).contains(&variables.len())
                    && variables.iter().all(|&variable| self.pool.sort(variable) == Sort::Int)
                    && self.calls.open < self.limits.recursion =>
            {
                // A second parameter is the divisor, as Z3 has it.
                let arguments = [dividend, Outcome::known(BigInt::ZERO)];
                let bindings = variables.iter().copied().zip(arguments).collect();
                let slot = frame.slot;
                self.frames.push(frame);
                let call = OpenCall { key: None, counts: true, is_value_of_term: false };
                self.open_call(slot, bindings, *body, call)?;
                Ok(DivisionByZeroResult::Called)
            }
            Interpretation::Table(table) if table.result() == Sort::Int => {
                let zero = Outcome::known(BigInt::ZERO);
                let count = table.parameters().len();
                let arguments: Vec<Outcome> = [dividend, zero].into_iter().take(count).collect();
                Ok(DivisionByZeroResult::Known(frame, looked_up(table, &arguments)))
            }
            _ => Ok(DivisionByZeroResult::Unusable(frame)),
        }
    }

    /// Opens a call: a frame waits for the value of `body`.
    fn open_call(
        &mut self,
        slot: Slot,
        bindings: Vec<(TermId, Outcome)>,
        body: TermId,
        call: OpenCall,
    ) -> Result<(), Exhausted> {
        self.calls.open += usize::from(call.counts);
        self.scopes.analyse(self.pool, body);
        let inside = self.environments.push(None, bindings);
        self.frames.push(Frame::new(slot, vec![], Kind::Call(Box::new(call))));
        self.request(body, inside)
    }

    /// Closes a call whose result is known by now.
    pub(super) fn close_call(&mut self, call: OpenCall, outcome: &Outcome) {
        self.environments.pop();
        self.calls.open -= usize::from(call.counts);
        if let Some(key) = call.key {
            self.calls.results.insert(key, Some(outcome.clone()));
        }
    }

    fn meaning(&mut self, id: FunctionId) -> Callee {
        let pool = self.pool;
        let function = pool.function(id);
        if let Some(definition) = &function.definition {
            return match definition.body() {
                Some(body) => Callee::Body {
                    variables: definition.variables().to_vec(),
                    body,
                    counts: definition.is_recursive(),
                },
                None => Callee::Known(Outcome::because(Reason::MissingValue(id))),
            };
        }
        let Some(interpretation) = self.model.get(id) else {
            return Callee::Known(Outcome::because(Reason::MissingValue(id)));
        };
        let fits = *self.fitting.entry(id).or_insert_with(|| match interpretation {
            Interpretation::Value(value) => value.sort() == function.result,
            Interpretation::Table(table) => {
                table.result() == function.result && table.parameters() == function.parameters
            }
            Interpretation::Function { variables, body } => {
                pool.sort(*body) == function.result
                    && variables.len() == function.parameters.len()
                    && variables
                        .iter()
                        .zip(&function.parameters)
                        .all(|(&variable, &sort)| pool.sort(variable) == sort)
            }
        });
        match interpretation {
            _ if !fits => Callee::Known(Outcome::because(Reason::UnfitInterpretation(id))),
            Interpretation::Value(value) => Callee::Known(Outcome::known(value.clone())),
            Interpretation::Table(table) => Callee::Table(Arc::clone(table)),
            Interpretation::Function { variables, body } => {
                Callee::Body { variables: variables.clone(), body: *body, counts: true }
            }
        }
    }
}

/// The result of a division by zero.
pub(super) enum DivisionByZeroResult<'a> {
    /// A value.
    Known(Frame<'a>, Outcome),
    /// The frame was pushed back; it will find the result on the outcomes.
    Called,
    /// The interpretation is not a function from integers to integers.
    Unusable(Frame<'a>),
}

/// The value of a table; undecided if an argument is, unless the table has only one value.
fn looked_up(table: &FunctionTable, arguments: &[Outcome]) -> Outcome {
    let known: Option<Vec<&Value>> = arguments.iter().map(Outcome::value).collect();
    match known.and_then(|known| table.value(known)) {
        Some(value) => Outcome::known(value.clone()),
        None if table.rows().next().is_none() => Outcome::known(table.default_value().clone()),
        None => undecided(arguments),
    }
}

fn call_key(function: FunctionId, arguments: &[Outcome]) -> Option<CallKey> {
    let arguments = arguments.iter().map(|argument| match argument {
        Outcome::Known(known) => known.value.key().map(ArgumentKey::Known),
        Outcome::Undecided(reasons) => Some(ArgumentKey::Undecided(reasons.clone())),
    });
    Some(CallKey { function, arguments: arguments.collect::<Option<_>>()? })
}
