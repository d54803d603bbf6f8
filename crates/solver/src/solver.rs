//! The solver for programs: a script or a conjunction in one call, or a session with levels, models
//! and cores as values.
//!
//! Everything here is a session ([`crate::session`]) with a typed surface: the same commands, the
//! same limits, and every `sat` checked by the referee.

use std::sync::Arc;

use luthier_semantics::Model;
use luthier_smtlib::{Assertion, CommandKind, ReadOptions};
use luthier_terms::{TermId, TermPool};

use crate::arithmetic::Backend;
use crate::session::{
    Input, NoSignals, NoValues, Reply, Session, Stop, TextSession, Watch, WatchLimits,
};
use crate::{Portfolio, UnknownReason};

/// What a solver works with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The engines, and the arithmetic solver that they use.
    pub portfolio: Portfolio,
    /// The limits of each command.
    pub limits: WatchLimits,
    /// How text is read.
    pub reading: ReadOptions,
}

impl Settings {
    /// No limits, and the arithmetic solver from the search path. Without one, only what rewriting
    /// and search decide is decided.
    pub fn find() -> Self {
        let portfolio = Portfolio { backend: Backend::on_search_path(), ..Portfolio::default() };
        Self { portfolio, ..Self::default() }
    }

    /// No limits, and this arithmetic solver.
    pub fn with_arithmetic(backend: Backend) -> Self {
        let portfolio = Portfolio { backend: Some(backend), ..Portfolio::default() };
        Self { portfolio, ..Self::default() }
    }

    fn watch(&self) -> Watch {
        Watch::new(self.limits, Box::new(NoSignals))
    }
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It has a model, which the referee has checked.
    Sat(Values),
    /// It has none.
    Unsat,
    /// Neither was found.
    Unknown(UnknownReason),
}

/// A model.
#[derive(Clone, Debug)]
pub struct Values {
    model: Arc<Model>,
    named: Vec<(String, String)>,
}

impl Values {
    /// The value of a declared constant, as SMT-LIB writes it: `"a"` with its quotation marks.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.named.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names of all declared constants with their values, in the order of their declarations.
    pub fn named(&self) -> &[(String, String)] {
        &self.named
    }

    /// The model itself, for an evaluation of terms.
    pub fn model(&self) -> &Model {
        &self.model
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A command cannot be read.
    #[error("{0}")]
    Text(String),
    /// A command has no answer, or is not supported.
    #[error("{0}")]
    Command(String),
    /// A limit has stopped a command that is no query.
    #[error("no answer within the limits: {0}")]
    Stopped(UnknownReason),
    /// A bug of the solver.
    #[error("a fault of the solver: {0}")]
    Fault(UnknownReason),
}

/// Answers all queries of a script.
///
/// ```
/// use luthier_solver::{Answer, Settings, solve_text};
///
/// let script = r#"(declare-const x String) (assert (str.prefixof "ab" x)) (check-sat)"#;
/// assert!(matches!(solve_text(script, &Settings::find())?[..], [Answer::Sat(_)]));
/// # Ok::<(), luthier_solver::SolverError>(())
/// ```
pub fn solve_text(script: &str, settings: &Settings) -> Result<Vec<Answer>, SolverError> {
    let mut solver = Solver::new(settings.clone());
    let mut answers = Vec::new();
    solver.execute_all(script, |solver, reply| {
        match reply {
            Reply::CheckSat(_) => answers.push(solver.last_answer()?),
            reply => refuse(reply)?,
        }
        Ok(())
    })?;
    match solver.session.last_input() {
        Some(Input::Error(error)) => Err(SolverError::Text(error.to_string())),
        _ => Ok(answers),
    }
}

/// Answers whether formulas of a pool have a common model. The model is one of the constants and
/// functions by their ids; `Values::named` is empty.
pub fn solve_terms(
    pool: TermPool,
    assertions: &[TermId],
    settings: &Settings,
) -> Result<Answer, SolverError> {
    let mut session = Session::new(pool, settings.portfolio.clone(), settings.watch());
    for &term in assertions {
        let assertion = Assertion { term, name: None, uses_let: false };
        session.execute(&CommandKind::Assert(assertion)).map_err(SolverError::Fault)?;
    }
    session.execute(&CommandKind::CheckSat).map_err(SolverError::Fault)?;
    answer_of(&session)
}

/// A session: assertions in levels, and queries about them.
pub struct Solver {
    session: TextSession,
}

impl Solver {
    /// A session without assertions.
    pub fn new(settings: Settings) -> Self {
        let watch = settings.watch();
        Self { session: TextSession::new(settings.portfolio, watch, settings.reading) }
    }

    /// Executes commands; the lines that they print, without answers of queries that are
    /// `success`. The first error ends it, and the commands behind it are not executed.
    pub fn run(&mut self, commands: &str) -> Result<String, SolverError> {
        let mut lines = String::new();
        self.execute_all(commands, |_, reply| {
            match reply {
                Reply::CheckSat(report) => {
                    lines.push_str(report.verdict);
                    lines.push('\n');
                }
                Reply::Text(text) => lines.push_str(&String::from_utf8_lossy(&text)),
                reply => refuse(reply)?,
            }
            Ok(())
        })?;
        Ok(lines)
    }

    /// Reads a formula or another term over the names that are declared.
    pub fn formula(&mut self, text: &str) -> Result<TermId, SolverError> {
        self.session.feed(format!("(simplify {text}\n)").as_bytes());
        let mut found = None;
        while let Some(input) = self.session.next_input() {
            match input {
                Input::Command(CommandKind::Simplify(term)) if found.is_none() => {
                    found = Some(term);
                }
                Input::Error(error) => return Err(self.refused(error.to_string())),
                Input::Stopped(stop) => return Err(stopped(stop)),
                Input::Command(_) => {
                    return Err(self.refused("expected one term, found commands".to_owned()));
                }
            }
        }
        found.ok_or_else(|| self.refused("the term is not complete".to_owned()))
    }

    /// The pool in which terms are built. Its terms stay valid as long as the solver.
    pub fn pool(&mut self) -> &mut TermPool {
        self.session.pool_mut()
    }

    /// Asserts a formula of the pool.
    pub fn assert(&mut self, formula: TermId) {
        let assertion = Assertion { term: formula, name: None, uses_let: false };
        self.change(&CommandKind::Assert(assertion));
    }

    /// Begins a level.
    pub fn push(&mut self) {
        // Through the reader, for which declarations end with their level.
        let _fine = self.run("(push 1)");
    }

    /// Ends a level with its assertions and declarations; does nothing if there is none.
    pub fn pop(&mut self) {
        let _fine = self.run("(pop 1)");
    }

    /// Whether all assertions have a common model.
    pub fn check(&mut self) -> Result<Answer, SolverError> {
        self.check_assuming(&[])
    }

    /// Whether they have one in which these formulas are true, too.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Result<Answer, SolverError> {
        let command = CommandKind::CheckSatAssuming(assumptions.to_vec());
        self.session.execute(&command).map_err(SolverError::Fault)?;
        self.last_answer()
    }

    /// The names of an unsatisfiable core of the assertions with a name, after `unsat`.
    pub fn core(&self) -> Result<Vec<String>, SolverError> {
        self.session.session().core_names().map_err(stopped)
    }

    /// An unsatisfiable part of the assumptions of the last query, after `unsat`.
    pub fn core_of_assumptions(&self) -> Result<Vec<TermId>, SolverError> {
        self.session.session().core_of_assumptions().map_err(stopped)
    }

    fn last_answer(&self) -> Result<Answer, SolverError> {
        answer_of(self.session.session())
    }

    /// An error about a text, of which the rest is dropped.
    fn refused(&mut self, message: String) -> SolverError {
        self.session.drop_input();
        SolverError::Text(message)
    }

    /// A command that only changes the state cannot fail.
    fn change(&mut self, command: &CommandKind) {
        let _fine = self.session.execute(command);
    }

    fn execute_all(
        &mut self,
        commands: &str,
        mut each: impl FnMut(&Self, Reply) -> Result<(), SolverError>,
    ) -> Result<(), SolverError> {
        self.session.feed(commands.as_bytes());
        while let Some(input) = self.session.next_input() {
            let reply = match input {
                Input::Command(command) => {
                    self.session.execute(&command).map_err(SolverError::Fault)?
                }
                Input::Error(error) => return Err(self.refused(error.to_string())),
                Input::Stopped(stop) => return Err(stopped(stop)),
            };
            if matches!(reply, Reply::Exit) {
                self.session.drop_input();
                return Ok(());
            }
            if let Err(error) = each(self, reply) {
                self.session.drop_input();
                return Err(error);
            }
        }
        Ok(())
    }
}

/// The error that a reply is, if it is one.
fn refuse(reply: Reply) -> Result<(), SolverError> {
    match reply {
        Reply::Error(message) => Err(SolverError::Command(message)),
        Reply::Unsupported => Err(SolverError::Command("unsupported".to_owned())),
        Reply::Stopped(stop) => Err(stopped(stop)),
        Reply::Silent | Reply::Success | Reply::Text(_) | Reply::CheckSat(_) | Reply::Exit => {
            Ok(())
        }
    }
}

fn stopped(stop: Stop) -> SolverError {
    SolverError::Stopped(stop.reason())
}

/// The answer to the last query of a session.
fn answer_of(session: &Session) -> Result<Answer, SolverError> {
    if let Some(reason) = session.unknown_reason() {
        return Ok(Answer::Unknown(reason.clone()));
    }
    match (session.model(), session.model_values()) {
        (Some(model), Some(Ok(named))) => Ok(Answer::Sat(Values { model, named })),
        (_, Some(Err(NoValues::Stopped(stop)))) => Err(stopped(stop)),
        (_, Some(Err(NoValues::Fault(reason)))) => Err(SolverError::Fault(reason)),
        _ => Ok(Answer::Unsat),
    }
}
