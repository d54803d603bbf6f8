//! Calls of defined and interpreted functions.

use luthier_terms::{BigInt, FunctionId, Sort, TermId};
use rustc_hash::FxHashMap;

use super::Evaluator;
use super::frames::{Frame, Kind, Slot};
use super::outcome::Outcome;
use crate::limits::Exhausted;
use crate::value::Key;
use crate::{Interpretation, Reason, Reasons, Value};

/// What a function was called with, as far as that can be found in a table.
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

/// The results of calls, and which calls are open.
#[derive(Default)]
pub(super) struct CallMemory {
    /// `None`: the call is open.
    results: FxHashMap<CallKey, Option<Outcome>>,
    /// How many calls are open that may be part of an endless recursion.
    open: usize,
    /// How many bytes the arguments in the table have.
    bytes: usize,
}

/// How many results are remembered before all of them are forgotten.
const REMEMBERED: usize = 1 << 20;

/// How many bytes their arguments may have.
const REMEMBERED_BYTES: usize = 1 << 26;

/// Calls with larger arguments are not remembered, so that an endless recursion of them is only
/// found by the limit.
const LARGEST: usize = 1 << 16;

impl CallMemory {
    /// Gives up all open calls.
    pub(super) fn unwind(&mut self) {
        self.results.retain(|_, result| result.is_some());
        self.open = 0;
    }
}

/// A call that is open.
pub(super) struct OpenCall {
    /// Where its result is to be remembered.
    key: Option<CallKey>,
    /// Whether it counts for the limit of the recursion.
    counts: bool,
    /// Whether its result is the value of the term of its frame.
    pub(super) is_value_of_term: bool,
}

/// What is to be done for an application.
enum Meaning {
    Known(Outcome),
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
            Meaning::Known(outcome) => {
                self.finish(frame.slot, outcome);
                return Ok(());
            }
            Meaning::Body { variables, body, counts } => (variables, body, counts),
        };
        let size: usize = arguments.iter().filter_map(Outcome::value).map(Value::size).sum();
        self.budget.charge(size.min(LARGEST) / 64)?;
        let key = if size <= LARGEST { call_key(function, &arguments) } else { None };
        match key.as_ref().and_then(|key| self.calls.results.get(key)) {
            Some(Some(outcome)) => {
                let outcome = outcome.clone();
                self.finish(frame.slot, outcome);
                return Ok(());
            }
            // The same call is open: unfolding the definition never comes to an end.
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
            if self.calls.results.len() > REMEMBERED || self.calls.bytes > REMEMBERED_BYTES {
                self.calls.results.retain(|_, result| result.is_none());
                self.calls.bytes = 0;
            }
            self.calls.results.insert(key.clone(), None);
        }
        let bindings = variables.into_iter().zip(arguments).collect();
        let call = OpenCall { key, counts, is_value_of_term: true };
        self.open_call(frame.slot, bindings, body, call)
    }

    /// What the model says about dividing by zero; `None` if it says nothing that can be used.
    /// If it says a function, a call is opened, and its result will lie on the outcomes.
    pub(super) fn apply_by_zero(
        &mut self,
        interpretation: &'a Interpretation,
        frame: Frame<'a>,
        dividend: Outcome,
    ) -> Result<ByZero<'a>, Exhausted> {
        match interpretation {
            Interpretation::Value(value) if value.sort() == Sort::Int => {
                Ok(ByZero::Known(frame, Outcome::known(value.clone())))
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
                Ok(ByZero::Called)
            }
            _ => Ok(ByZero::Unusable(frame)),
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

    fn meaning(&mut self, id: FunctionId) -> Meaning {
        let pool = self.pool;
        let function = pool.function(id);
        if let Some(definition) = &function.definition {
            return match definition.body() {
                Some(body) => Meaning::Body {
                    variables: definition.variables().to_vec(),
                    body,
                    counts: definition.is_recursive(),
                },
                None => Meaning::Known(Outcome::because(Reason::MissingValue(id))),
            };
        }
        let Some(interpretation) = self.model.get(id) else {
            return Meaning::Known(Outcome::because(Reason::MissingValue(id)));
        };
        let fits = *self.fitting.entry(id).or_insert_with(|| match interpretation {
            Interpretation::Value(value) => value.sort() == function.result,
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
            _ if !fits => Meaning::Known(Outcome::because(Reason::UnfitInterpretation(id))),
            Interpretation::Value(value) => Meaning::Known(Outcome::known(value.clone())),
            Interpretation::Function { variables, body } => {
                Meaning::Body { variables: variables.clone(), body: *body, counts: true }
            }
        }
    }
}

/// What a division by zero gives.
pub(super) enum ByZero<'a> {
    /// This.
    Known(Frame<'a>, Outcome),
    /// The frame was put back; it will find the result on the outcomes.
    Called,
    /// The model says something that is no function from integers to integers.
    Unusable(Frame<'a>),
}

fn call_key(function: FunctionId, arguments: &[Outcome]) -> Option<CallKey> {
    let arguments = arguments.iter().map(|argument| match argument {
        Outcome::Known(known) => known.value.key().map(ArgumentKey::Known),
        Outcome::Undecided(reasons) => Some(ArgumentKey::Undecided(reasons.clone())),
    });
    Some(CallKey { function, arguments: arguments.collect::<Option<_>>()? })
}
