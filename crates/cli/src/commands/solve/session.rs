//! A script, command by command.

use std::sync::Arc;
use std::time::Duration;

use luthier_semantics::Model;
use luthier_smtlib::{Assertion, CommandKind, Script, SimpleCommand, print_symbol};
use luthier_solver::{Portfolio, Why};
use luthier_terms::{FunctionId, SymbolId, TermId, TermPool};

use super::watch::{Stop, Watch};
use crate::error::CliError;
use crate::output::{self, Output};

/// A script of more commands may print more than a pipe takes.
const MANY: usize = 100;

/// So may a text of more bytes.
pub(super) const LONG: usize = 256;

/// The state of running a script.
pub struct Session<'a> {
    pub(super) pool: Arc<TermPool>,
    /// The text of the script.
    pub(super) source: &'a [u8],
    pub(super) portfolio: Portfolio,
    pub(super) watch: &'a Watch,
    pub(super) stats: bool,
    pub(super) assertions: Vec<Assertion>,
    pub(super) declared: Vec<FunctionId>,
    levels: Vec<Level>,
    /// The last answer, and what it was about.
    pub(super) last: Option<Last>,
    pub(super) queries: usize,
}

/// What there was at a `push`.
struct Level {
    assertions: usize,
    declared: usize,
}

/// An answer and what it was about.
pub(super) struct Last {
    pub(super) answer: Answer,
    /// What `check-sat-assuming` assumed.
    pub(super) assumptions: Vec<TermId>,
    /// How long it took.
    pub(super) time: Duration,
}

/// What is known since the last query.
pub(super) enum Answer {
    Sat(Arc<Model>),
    Unsat,
    Unknown(Why),
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The script goes on.
    More,
    /// The script has said `exit`.
    Exit,
}

impl<'a> Session<'a> {
    pub fn new(
        pool: TermPool,
        source: &'a [u8],
        portfolio: Portfolio,
        watch: &'a Watch,
        stats: bool,
    ) -> Self {
        Self {
            pool: Arc::new(pool),
            source,
            portfolio,
            watch,
            stats,
            assertions: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
            last: None,
            queries: 0,
        }
    }

    /// Runs all commands that end before a place.
    pub fn run(
        &mut self,
        script: &Script,
        end: u32,
        output: &mut Output,
    ) -> Result<Progress, CliError> {
        // A short script prints little; what it is asked for is looked at when it is printed.
        if script.commands.len() > MANY {
            self.watch.guard();
        }
        for command in script.commands.iter().take_while(|command| command.span.end <= end) {
            if self.run_one(&command.kind, output)? == Progress::Exit {
                return Ok(Progress::Exit);
            }
            if let Some(signal) = self.watch.signal() {
                end_on_signal(signal, output)?;
            }
        }
        Ok(Progress::More)
    }

    fn run_one(
        &mut self,
        command: &CommandKind,
        output: &mut Output,
    ) -> Result<Progress, CliError> {
        match command {
            CommandKind::Declare { function, .. } => self.declared.push(*function),
            CommandKind::Assert(assertion) => {
                self.assertions.push(*assertion);
                self.last = None;
            }
            CommandKind::Push(count) => {
                let (assertions, declared) = (self.assertions.len(), self.declared.len());
                self.levels.extend((0..*count).map(|_| Level { assertions, declared }));
                self.last = None;
            }
            CommandKind::Pop(count) => self.pop(*count),
            CommandKind::Reset => {
                self.declared.clear();
                self.pop(u32::MAX);
                self.assertions.clear();
            }
            CommandKind::ResetAssertions => {
                self.pop(u32::MAX);
                self.assertions.clear();
            }
            CommandKind::CheckSat => self.check(&[], output)?,
            CommandKind::CheckSatAssuming(assumptions) => self.check(assumptions, output)?,
            CommandKind::Simple(SimpleCommand::Exit) => return Ok(Progress::Exit),
            // JSON has the model in the record of the query.
            _ if output.json => {}
            CommandKind::GetValue(terms) => self.print_values(terms, output)?,
            CommandKind::GetInfo(keyword) => self.print_info(*keyword, output)?,
            CommandKind::GetOption(_) => output.line("unsupported")?,
            CommandKind::Echo(text) => {
                let quoted = String::from_utf8_lossy(text).replace('"', "\"\"");
                if quoted.len() > LONG {
                    self.watch.guard();
                }
                output.line(format_args!("\"{quoted}\""))?;
            }
            CommandKind::Simple(simple) => self.simple(*simple, output)?,
            CommandKind::SetLogic(_)
            | CommandKind::SetInfo(_)
            | CommandKind::SetOption(_)
            | CommandKind::Define { .. }
            | CommandKind::DefineRecursive(_)
            | CommandKind::DefineSort(..) => {}
        }
        Ok(Progress::More)
    }

    fn pop(&mut self, count: u32) {
        for _ in 0..count {
            let Some(Level { assertions, declared }) = self.levels.pop() else { break };
            self.assertions.truncate(assertions);
            self.declared.truncate(declared);
        }
        self.last = None;
    }

    fn simple(&mut self, command: SimpleCommand, output: &mut Output) -> Result<(), CliError> {
        match command {
            SimpleCommand::GetModel => self.print_model(output),
            SimpleCommand::GetUnsatCore if self.is_unsat() => {
                let names = self.core(output)?.into_iter().map(|name| self.symbol(name));
                output.line(format_args!("({})", names.collect::<Vec<_>>().join(" ")))
            }
            SimpleCommand::GetUnsatAssumptions if self.is_unsat() => {
                let core = self.assumptions_core(output)?;
                self.print_terms(core, " ", output)
            }
            SimpleCommand::GetUnsatCore | SimpleCommand::GetUnsatAssumptions => {
                error("the last answer is not unsat", output)
            }
            SimpleCommand::GetAssertions => {
                let terms = self.assertions.iter().map(|one| one.term).collect();
                self.print_terms(terms, "\n ", output)
            }
            SimpleCommand::GetAssignment | SimpleCommand::GetProof | SimpleCommand::Exit => {
                output.line("unsupported")
            }
        }
    }

    fn is_unsat(&self) -> bool {
        self.last.as_ref().is_some_and(|last| matches!(last.answer, Answer::Unsat))
    }

    pub(super) fn model(&self) -> Option<Arc<Model>> {
        match &self.last.as_ref()?.answer {
            Answer::Sat(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    fn print_info(&self, keyword: SymbolId, output: &mut Output) -> Result<(), CliError> {
        let keyword = self.pool.symbols().display(keyword).into_owned();
        let version = env!("CARGO_PKG_VERSION");
        let answer = self.last.as_ref().map(|last| &last.answer);
        let value = match (keyword.as_str(), answer) {
            (":name", _) => "\"Luthier\"".to_owned(),
            (":version", _) => format!("\"{version}\""),
            (":authors", _) => "\"the authors of Luthier\"".to_owned(),
            (":error-behavior", _) => "immediate-exit".to_owned(),
            (":assertion-stack-levels", _) => self.levels.len().to_string(),
            (":reason-unknown", Some(Answer::Unknown(why))) => {
                format!("\"{}\"", why.to_string().replace('"', "\"\""))
            }
            (":reason-unknown", _) => return error("the last answer is not unknown", output),
            _ => return output.line("unsupported"),
        };
        output.line(format_args!("({keyword} {value})"))
    }

    /// A name as SMT-LIB writes it.
    fn symbol(&self, name: SymbolId) -> String {
        String::from_utf8_lossy(&print_symbol(self.pool.symbols().bytes_of(name))).into_owned()
    }

    /// Answers a command that a limit has stopped; a signal ends the program.
    pub(super) fn stopped(&self, stop: Stop, output: &mut Output) -> Result<(), CliError> {
        match stop {
            Stop::Signal(signal) => end_on_signal(signal, output),
            _ => error(&format!("no answer within the limits: {}", stop.why()), output),
        }
    }
}

/// Writes what is still to be written and ends the program.
pub(super) fn end_on_signal(signal: i32, output: &mut Output) -> Result<(), CliError> {
    output.flush()?;
    output::end_by_signal(signal)
}

pub(super) fn error(message: &str, output: &mut Output) -> Result<(), CliError> {
    output.line(format_args!("(error \"{}\")", message.replace('"', "\"\"")))
}
