//! An SMT-LIB session: a script executed command by command (The SMT-LIB Standard 2.7,
//! chapter 4).
//!
//! The session keeps the assertion stack, decides queries with the portfolio, keeps the last
//! answer, and returns a [`Reply`] to each command. All work runs under a [`Watch`], so that every
//! command is answered within its limits of time and memory. It does not print and does not install
//! signal handlers: the program around it does both.

mod cores;
mod information;
mod known;
mod options;
mod query;
mod text;
mod values;
mod watch;

use std::sync::Arc;
use std::time::{Duration, Instant};

use luthier_semantics::Model;
use luthier_smtlib::{Assertion, AssertionStack, CommandKind, SimpleCommand, print_symbol};
use luthier_terms::{FunctionId, SymbolId, TermId, TermPool};

use crate::{Portfolio, UnknownReason};
use known::Known;
use options::Options;
pub use query::QueryReport;
pub use text::{Input, TextSession};
pub use values::NoValues;
pub use watch::{NoSignals, Outcome, Signals, Stop, Watch, WatchLimits};

/// The state of the execution of a script.
pub struct Session {
    pool: Arc<TermPool>,
    portfolio: Portfolio,
    watch: Watch,
    assertions: AssertionStack<Assertion>,
    declared: AssertionStack<FunctionId>,
    options: Options,
    /// The seed before `:random-seed` was set.
    initial_seed: u64,
    /// A command that cannot be read does not end the session.
    continues: bool,
    /// When the first query must be answered, if its time has begun already.
    first_deadline: Option<Instant>,
    /// The answer to the last query, unless a later command has invalidated it.
    last: Option<LastAnswer>,
    queries: usize,
    /// What earlier queries have shown.
    known: Known,
}

/// The answer to a query.
struct LastAnswer {
    answer: QueryAnswer,
    /// The assumptions of `check-sat-assuming`.
    assumptions: Vec<TermId>,
    /// How long it took.
    time: Duration,
    statistics: Statistics,
}

/// What is known about how an answer was found.
struct Statistics {
    rule_applications: u64,
    assertions_left: usize,
    engines: Vec<(&'static str, Duration)>,
}

/// The verdict of a query.
enum QueryAnswer {
    Sat(Arc<Model>),
    Unsat,
    Unknown(UnknownReason),
}

/// The reply to a command.
pub enum Reply {
    /// Nothing: the command only changes the state.
    Silent,
    /// The same, if the client wants to be told (`:print-success`).
    Success,
    /// A query was decided.
    CheckSat(Box<QueryReport>),
    /// Complete lines.
    Text(Vec<u8>),
    /// The command has no answer; the script goes on.
    Error(String),
    /// The command is not supported.
    Unsupported,
    /// A limit or a signal has stopped the command.
    Stopped(Stop),
    /// The script has ended.
    Exit,
}

impl Session {
    /// A session about terms of a pool.
    pub fn new(pool: TermPool, portfolio: Portfolio, watch: Watch) -> Self {
        let first_deadline = watch.first_deadline();
        Self {
            pool: Arc::new(pool),
            watch,
            assertions: AssertionStack::new(),
            declared: AssertionStack::new(),
            options: Options::default(),
            initial_seed: portfolio.seed,
            continues: false,
            first_deadline,
            last: None,
            queries: 0,
            known: Known::default(),
            portfolio,
        }
    }

    /// The limits of the engines.
    pub fn limits(&self) -> &crate::Limits {
        &self.portfolio.limits
    }

    /// The limits and the worker.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Executes a command. An error is a bug of the solver.
    pub fn execute(&mut self, command: &CommandKind) -> Result<Reply, UnknownReason> {
        match command {
            CommandKind::Declare { function, .. } => self.declared.add(*function),
            CommandKind::Assert(assertion) => {
                self.assertions.add(*assertion);
                self.last = None;
            }
            CommandKind::Push(count) => {
                self.assertions.push(*count);
                self.declared.push(*count);
                self.last = None;
            }
            CommandKind::Pop(count) => {
                self.assertions.pop(*count);
                match self.options.global_declarations {
                    true => self.declared.pop_levels_only(*count),
                    false => self.declared.pop(*count),
                }
                self.last = None;
            }
            CommandKind::Reset => {
                self.assertions.clear();
                self.declared.clear();
                let reply = self.done();
                self.options = Options::default();
                self.watch.limit_time(None);
                self.portfolio.seed = self.initial_seed;
                self.known.clear();
                self.last = None;
                return Ok(reply);
            }
            CommandKind::ResetAssertions => {
                self.assertions.clear();
                match self.options.global_declarations {
                    true => self.declared.pop_all_levels_only(),
                    false => self.declared.pop_all(),
                }
                self.last = None;
            }
            CommandKind::CheckSat => return Ok(self.check(&[])),
            CommandKind::CheckSatAssuming(assumptions) => return Ok(self.check(assumptions)),
            CommandKind::GetValue(terms) => return self.values(terms),
            CommandKind::GetInfo(keyword) => {
                return Ok(self.info(&self.pool.symbols().display(*keyword)));
            }
            CommandKind::GetOption(keyword) => {
                return Ok(self.option(&self.pool.symbols().display(*keyword)));
            }
            CommandKind::Simplify(term) => return self.simplified(*term),
            CommandKind::Echo(text) => {
                let quoted = String::from_utf8_lossy(text).replace('"', "\"\"");
                return Ok(Reply::line(&format!("\"{quoted}\"")));
            }
            CommandKind::Simple(simple) => return self.simple(*simple),
            CommandKind::SetOption(option) => return Ok(self.set_option(option)),
            CommandKind::SetLogic(_)
            | CommandKind::SetInfo(_)
            | CommandKind::Define { .. }
            | CommandKind::DefineRecursive(_)
            | CommandKind::DefineSort(..) => {}
        }
        Ok(self.done())
    }

    fn simple(&self, command: SimpleCommand) -> Result<Reply, UnknownReason> {
        match command {
            SimpleCommand::GetModel => self.model_text(),
            SimpleCommand::GetUnsatCore if self.is_unsat() => match self.core() {
                Ok(names) => {
                    let names = names.into_iter().map(|name| self.symbol(name));
                    Ok(Reply::line(&format!("({})", names.collect::<Vec<_>>().join(" "))))
                }
                Err(stop) => Ok(Reply::Stopped(stop)),
            },
            SimpleCommand::GetUnsatAssumptions if self.is_unsat() => {
                match self.assumptions_core() {
                    Ok(core) => self.terms_text(core, " "),
                    Err(stop) => Ok(Reply::Stopped(stop)),
                }
            }
            SimpleCommand::GetUnsatCore | SimpleCommand::GetUnsatAssumptions => {
                Ok(Reply::Error("the last answer is not unsat".to_owned()))
            }
            SimpleCommand::GetAssertions => {
                let terms = self.assertions.items().iter().map(|one| one.term).collect();
                self.terms_text(terms, "\n ")
            }
            SimpleCommand::GetAssignment => self.assignment(),
            SimpleCommand::GetProof => Ok(Reply::Unsupported),
            SimpleCommand::Exit => Ok(Reply::Exit),
        }
    }

    fn is_unsat(&self) -> bool {
        self.last.as_ref().is_some_and(|last| matches!(last.answer, QueryAnswer::Unsat))
    }

    /// The names of an unsatisfiable core of the named assertions, if the last answer is `unsat`;
    /// else none.
    pub(crate) fn core_names(&self) -> Result<Vec<String>, Stop> {
        if !self.is_unsat() {
            return Ok(Vec::new());
        }
        let name = |name| self.pool.symbols().display(name).into_owned();
        Ok(self.core()?.into_iter().map(name).collect())
    }

    /// An unsatisfiable part of the assumptions, if the last answer is `unsat`; else nothing.
    pub(crate) fn core_of_assumptions(&self) -> Result<Vec<TermId>, Stop> {
        if self.is_unsat() { self.assumptions_core() } else { Ok(Vec::new()) }
    }

    /// Why the last answer is `unknown`, if it is.
    pub(crate) fn unknown_reason(&self) -> Option<&UnknownReason> {
        match &self.last.as_ref()?.answer {
            QueryAnswer::Unknown(reason) => Some(reason),
            _ => None,
        }
    }

    pub(crate) fn model(&self) -> Option<Arc<Model>> {
        match &self.last.as_ref()?.answer {
            QueryAnswer::Sat(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    /// A name as SMT-LIB writes it.
    fn symbol(&self, name: SymbolId) -> String {
        String::from_utf8_lossy(&print_symbol(self.pool.symbols().bytes_of(name))).into_owned()
    }
}

impl Reply {
    fn line(text: &str) -> Self {
        Self::Text(format!("{text}\n").into_bytes())
    }
}
