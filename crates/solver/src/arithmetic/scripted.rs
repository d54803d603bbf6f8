//! An arithmetic solver that answers from a script, for tests without a process.
//!
//! The script is a list of replies, one for each request (a check, or values of terms) in the order
//! in which they come, whichever engine makes them and however often it starts a solver. A request
//! that does not fit the next reply fails, and so does one after the last reply.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::arena::{Arena, Id};
use super::solver::{Answer, ArithmeticSolver, Value};
use crate::{Budget, UnknownReason};

/// One reply of a script.
#[derive(Clone, Debug)]
pub enum ScriptedReply {
    /// To a check: there is a model.
    Sat,
    /// To a check: there is none, because of the assumptions with these numbers.
    Unsat(Vec<usize>),
    /// To a check: unknown.
    Unknown(String),
    /// To a check: the solver fails.
    Fails(UnknownReason),
    /// To a request for the values of as many terms.
    Values(Vec<Value>),
}

/// The replies that are left.
#[derive(Clone, Debug, Default)]
pub struct ReplyScript(Arc<Mutex<VecDeque<ScriptedReply>>>);

impl ReplyScript {
    /// These replies, in order.
    pub fn new(replies: impl IntoIterator<Item = ScriptedReply>) -> Self {
        Self(Arc::new(Mutex::new(replies.into_iter().collect())))
    }

    /// The number of replies that are left.
    pub fn left(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn next(&self, request: &str) -> Result<ScriptedReply, UnknownReason> {
        let mut replies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let over = || UnknownReason::Failed(format!("the script has no reply to {request}"));
        replies.pop_front().ok_or_else(over)
    }
}

/// A solver that answers from a script.
pub(super) struct Scripted(pub ReplyScript);

impl ArithmeticSolver for Scripted {
    fn assert(&mut self, _: &Arena, _: Id) -> Result<(), UnknownReason> {
        Ok(())
    }

    fn push(&mut self) -> Result<(), UnknownReason> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), UnknownReason> {
        Ok(())
    }

    fn check(
        &mut self,
        _: &Arena,
        assumptions: &[Id],
        budget: &Budget,
    ) -> Result<Answer, UnknownReason> {
        budget.check()?;
        match self.0.next("a check")? {
            ScriptedReply::Sat => Ok(Answer::Sat),
            ScriptedReply::Unsat(core) => {
                let core: Option<Vec<Id>> =
                    core.into_iter().map(|number| assumptions.get(number).copied()).collect();
                let count = assumptions.len();
                let missing =
                    || UnknownReason::Failed(format!("a check has {count} assumptions only"));
                core.map(Answer::Unsat).ok_or_else(missing)
            }
            ScriptedReply::Unknown(reason) => Ok(Answer::Unknown(reason)),
            ScriptedReply::Fails(reason) => Err(reason),
            ScriptedReply::Values(_) => {
                Err(UnknownReason::Failed("a check, but values are next".to_owned()))
            }
        }
    }

    fn values(&mut self, _: &Arena, terms: &[Id]) -> Result<Vec<Value>, UnknownReason> {
        match self.0.next("a request for values")? {
            ScriptedReply::Values(values) if values.len() == terms.len() => Ok(values),
            reply => {
                Err(UnknownReason::Failed(format!("{} values, but {reply:?} is next", terms.len())))
            }
        }
    }
}
