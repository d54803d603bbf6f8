//! An SMT-LIB session: a script executed command by command (The SMT-LIB Standard 2.7,
//! chapter 4).
//!
//! The session keeps the assertion stack, decides queries with the portfolio, keeps the last
//! answer, and returns a [`Reply`] to each command. All work runs under a [`Watch`], so that every
//! command is answered within its limits of time and memory. It does not print and does not install
//! signal handlers: the program around it does both.

mod cores;
mod query;
mod values;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use luthier_semantics::Model;
use luthier_smtlib::{Assertion, AssertionStack, CommandKind, SimpleCommand, print_symbol};
use luthier_terms::{FunctionId, SymbolId, TermId, TermPool};

use crate::{Portfolio, UnknownReason};
pub use query::QueryReport;
pub use values::NoValues;
pub use watch::{NoSignals, Outcome, Signals, Stop, Watch, WatchLimits};

/// The state of the execution of a script.
pub struct Session<'a> {
    pool: Arc<TermPool>,
    portfolio: Portfolio,
    watch: &'a Watch,
    assertions: AssertionStack<Assertion>,
    declared: AssertionStack<FunctionId>,
    /// Declarations outlive their levels (`:global-declarations`).
    global: bool,
    /// The answer to the last query, unless a later command has invalidated it.
    last: Option<LastAnswer>,
    queries: usize,
}

/// The answer to a query.
struct LastAnswer {
    answer: QueryAnswer,
    /// The assumptions of `check-sat-assuming`.
    assumptions: Vec<TermId>,
    /// How long it took.
    time: Duration,
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

impl<'a> Session<'a> {
    /// A session about terms of a pool.
    pub fn new(pool: TermPool, portfolio: Portfolio, watch: &'a Watch) -> Self {
        Self {
            pool: Arc::new(pool),
            portfolio,
            watch,
            assertions: AssertionStack::new(),
            declared: AssertionStack::new(),
            global: false,
            last: None,
            queries: 0,
        }
    }

    /// The limits of the engines.
    pub fn limits(&self) -> &crate::Limits {
        &self.portfolio.limits
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
                match self.global {
                    true => self.declared.pop_levels_only(*count),
                    false => self.declared.pop(*count),
                }
                self.last = None;
            }
            CommandKind::Reset => {
                self.assertions.clear();
                self.declared.clear();
                self.global = false;
                self.last = None;
            }
            CommandKind::ResetAssertions => {
                self.assertions.clear();
                match self.global {
                    true => self.declared.pop_all_levels_only(),
                    false => self.declared.pop_all(),
                }
                self.last = None;
            }
            CommandKind::CheckSat => return Ok(self.check(&[])),
            CommandKind::CheckSatAssuming(assumptions) => return Ok(self.check(assumptions)),
            CommandKind::GetValue(terms) => return self.values(terms),
            CommandKind::GetInfo(keyword) => return Ok(self.info(*keyword)),
            CommandKind::GetOption(_) => return Ok(Reply::Unsupported),
            CommandKind::Echo(text) => {
                let quoted = String::from_utf8_lossy(text).replace('"', "\"\"");
                return Ok(Reply::line(&format!("\"{quoted}\"")));
            }
            CommandKind::Simple(simple) => return self.simple(*simple),
            CommandKind::SetOption(option)
                if self.pool.symbols().bytes_of(option.keyword) == b":global-declarations" =>
            {
                self.global = option.value.is_true();
            }
            CommandKind::SetLogic(_)
            | CommandKind::SetInfo(_)
            | CommandKind::SetOption(_)
            | CommandKind::Define { .. }
            | CommandKind::DefineRecursive(_)
            | CommandKind::DefineSort(..) => {}
        }
        Ok(Reply::Silent)
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
            SimpleCommand::GetAssignment | SimpleCommand::GetProof => Ok(Reply::Unsupported),
            SimpleCommand::Exit => Ok(Reply::Exit),
        }
    }

    fn is_unsat(&self) -> bool {
        self.last.as_ref().is_some_and(|last| matches!(last.answer, QueryAnswer::Unsat))
    }

    fn model(&self) -> Option<Arc<Model>> {
        match &self.last.as_ref()?.answer {
            QueryAnswer::Sat(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    fn info(&self, keyword: SymbolId) -> Reply {
        let keyword = self.pool.symbols().display(keyword).into_owned();
        let version = env!("CARGO_PKG_VERSION");
        let answer = self.last.as_ref().map(|last| &last.answer);
        let value = match (keyword.as_str(), answer) {
            (":name", _) => "\"Luthier\"".to_owned(),
            (":version", _) => format!("\"{version}\""),
            (":authors", _) => "\"the authors of Luthier\"".to_owned(),
            (":error-behavior", _) => "immediate-exit".to_owned(),
            (":assertion-stack-levels", _) => self.assertions.depth().to_string(),
            (":reason-unknown", Some(QueryAnswer::Unknown(reason))) => {
                format!("\"{}\"", reason.to_string().replace('"', "\"\""))
            }
            (":reason-unknown", _) => {
                return Reply::Error("the last answer is not unknown".to_owned());
            }
            _ => return Reply::Unsupported,
        };
        Reply::line(&format!("({keyword} {value})"))
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
