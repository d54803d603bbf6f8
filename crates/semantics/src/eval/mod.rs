//! Iterative evaluation of terms under a model, in Kleene's strong three-valued logic.
//!
//! A machine with two stacks: frames (a term and how far its evaluation has come) and outcomes
//! (values for the frame that requested them). Values are cached for each term in the environment
//! that binds its variables, so a shared term is evaluated once. `Undecided` means one of several
//! values, unknown which; a known value never depends on which one it is.

mod apply;
mod call;
mod compare;
mod cost;
mod divide;
mod environment;
mod frames;
mod outcome;
mod ranges;
mod scopes;

use std::cell::Cell;
use std::rc::Rc;

use luthier_terms::{TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::limits::{Budget, Deadline, Limits};
use crate::regexes::Regexes;
use crate::{Evaluation, Model, Reason, Reasons};
use call::CallCache;
use environment::Environments;
use frames::Frame;
use outcome::Outcome;
use scopes::Scopes;

/// Evaluates terms of a pool under a model.
///
/// One evaluator should be used for all terms of a script, because it caches values.
pub struct Evaluator<'a> {
    pool: &'a TermPool,
    model: &'a Model,
    limits: Limits,
    scopes: Scopes,
    environments: Environments,
    calls: CallCache,
    /// Interpretations whose sorts were compared with the declaration, and whether they fit.
    fitting: FxHashMap<luthier_terms::FunctionId, bool>,
    regexes: Regexes,
    frames: Vec<Frame<'a>>,
    outcomes: Vec<Outcome>,
    budget: Budget,
    deadline: Deadline,
    /// The bytes of the large values that are in use.
    memory: Rc<Cell<usize>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with the default limits.
    pub fn new(pool: &'a TermPool, model: &'a Model) -> Self {
        Self::with_limits(pool, model, Limits::default())
    }

    /// An evaluator with other limits. Its processor time is counted from now on.
    pub fn with_limits(pool: &'a TermPool, model: &'a Model, limits: Limits) -> Self {
        Self::until(pool, model, limits, Deadline::after(limits.cpu_time))
    }

    /// An evaluator with other limits and a deadline that it shares with others.
    pub fn until(pool: &'a TermPool, model: &'a Model, limits: Limits, deadline: Deadline) -> Self {
        Self {
            pool,
            model,
            limits,
            scopes: Scopes::default(),
            environments: Environments::new(),
            calls: CallCache::default(),
            fitting: FxHashMap::default(),
            regexes: Regexes::new(&limits),
            frames: Vec::new(),
            outcomes: Vec::new(),
            budget: Budget::until(limits.steps, deadline),
            deadline,
            memory: Rc::default(),
        }
    }

    /// The pool of the terms.
    pub fn pool(&self) -> &'a TermPool {
        self.pool
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The value of a term, or the reasons why it is undecided.
    pub fn evaluate(&mut self, term: TermId) -> Evaluation {
        self.budget = Budget::until(self.limits.steps, self.deadline);
        match self.run(term) {
            Ok(outcome) => outcome.into_evaluation(),
            Err(_) => {
                // Finished values stay in the cache, the rest is discarded.
                self.frames.clear();
                self.outcomes.clear();
                self.environments.unwind();
                self.calls.unwind();
                let late = self.deadline.has_passed();
                let reason = if late { Reason::TimeLimit } else { Reason::StepLimit };
                Evaluation::Undecided(Reasons::one(reason))
            }
        }
    }
}
