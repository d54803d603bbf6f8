//! A script, command by command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use luthier_semantics::{Evaluator, Interpretation, Model, Value};
use luthier_smtlib::{Assertion, CommandKind, Script, SimpleCommand};
use luthier_solver::{Budget, Cancel, Portfolio, Problem, Solution, Verdict, Why};
use luthier_terms::{FunctionId, Sort, SymbolId, TermId, TermPool};
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::refused;
use super::statistics::print_statistics;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::term_text;

/// How often the limits are looked at.
const INTERVAL: Duration = Duration::from_millis(20);

/// What each question may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
}

/// The state of running a script.
pub struct Session<'a> {
    pub(super) pool: TermPool,
    script: &'a Script,
    /// The text of the script.
    source: &'a [u8],
    portfolio: Portfolio,
    pub(super) limits: Limits,
    pub(super) assertions: Vec<Assertion>,
    declared: Vec<FunctionId>,
    /// How many assertions and declarations there were at each `push`.
    levels: Vec<(usize, usize)>,
    /// The last answer, and what it was about.
    pub(super) last: Option<Last>,
    interrupted: Arc<AtomicBool>,
    queries: usize,
}

/// An answer and what it was about.
pub(super) struct Last {
    pub(super) solution: Solution,
    /// What `check-sat-assuming` assumed.
    pub(super) assumptions: Vec<TermId>,
    /// How long it took.
    pub(super) time: Duration,
}

/// The JSON of `luthier solve`, one for each check-sat.
#[derive(Serialize)]
struct Record {
    version: u32,
    query: usize,
    verdict: &'static str,
    /// Why the answer is unknown, or how unsat was shown.
    reason: Option<String>,
    /// The values of constants, as SMT-LIB writes them.
    model: Option<serde_json::Map<String, serde_json::Value>>,
    engines: Vec<EngineRecord>,
}

#[derive(Serialize)]
struct EngineRecord {
    engine: &'static str,
    said: String,
    seconds: f64,
}

impl<'a> Session<'a> {
    pub fn new(
        pool: TermPool,
        script: &'a Script,
        source: &'a [u8],
        portfolio: Portfolio,
        limits: Limits,
    ) -> Self {
        Self {
            pool,
            script,
            source,
            portfolio,
            limits,
            assertions: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
            last: None,
            interrupted: Arc::default(),
            queries: 0,
        }
    }

    /// Runs all commands.
    pub fn run(mut self, stats: bool, output: &mut Output) -> Result<Ending, CliError> {
        for signal in [SIGINT, SIGTERM] {
            // Without a handler the signal ends the process, which is an answer of its own.
            let _ = signal_hook::flag::register(signal, self.interrupted.clone());
        }
        for command in &self.script.commands {
            match &command.kind {
                CommandKind::Declare { function, .. } => self.declared.push(*function),
                CommandKind::Assert(assertion) => {
                    self.assertions.push(*assertion);
                    self.last = None;
                }
                CommandKind::Push(count) => {
                    let here = (self.assertions.len(), self.declared.len());
                    self.levels.extend(std::iter::repeat_n(here, *count as usize));
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
                CommandKind::CheckSat => self.check(&[], stats, output)?,
                CommandKind::CheckSatAssuming(assumptions) => {
                    self.check(assumptions, stats, output)?;
                }
                // JSON has the model in the record of the query.
                _ if output.json => {}
                CommandKind::GetValue(terms) => self.print_values(terms, output)?,
                CommandKind::GetInfo(keyword) => self.print_info(*keyword, output)?,
                CommandKind::GetOption(_) => output.line("unsupported")?,
                CommandKind::Echo(text) => {
                    let quoted = String::from_utf8_lossy(text).replace('"', "\"\"");
                    output.line(format_args!("\"{quoted}\""))?;
                }
                CommandKind::Simple(SimpleCommand::Exit) => break,
                CommandKind::Simple(simple) => self.simple(*simple, output)?,
                CommandKind::SetLogic(_)
                | CommandKind::SetInfo(_)
                | CommandKind::SetOption(_)
                | CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::DefineSort(..) => {}
            }
        }
        Ok(Ending::Fine)
    }

    fn pop(&mut self, count: u32) {
        for _ in 0..count {
            let Some((assertions, declared)) = self.levels.pop() else { break };
            self.assertions.truncate(assertions);
            self.declared.truncate(declared);
        }
        self.last = None;
    }

    fn check(
        &mut self,
        assumptions: &[TermId],
        stats: bool,
        output: &mut Output,
    ) -> Result<(), CliError> {
        self.queries += 1;
        let terms = self.assertions.iter().map(|assertion| assertion.term);
        let assertions = terms.chain(assumptions.iter().copied()).collect();
        let problem = Problem { pool: self.pool.clone(), assertions };
        let start = Instant::now();
        let solution = self.solve(&problem, self.limits);
        if !solution.mistakes.is_empty() {
            let kept = match refused::keep(self.source, &solution.mistakes) {
                Ok(path) => format!("the script is kept in {}", path.display()),
                Err(error) => format!("the script could not be kept: {error}"),
            };
            output.warn(&format!(
                "a model was refused by the referee, which is a fault of luthier; please report \
                 it: {}; {kept}",
                solution.mistakes.join("; ")
            ));
        }
        if let Verdict::Unknown(Why::NoBackend) = solution.verdict {
            output.warn(
                "there is no arithmetic solver, so only easy scripts can be decided; \
                 luthier solvers install z3@5.4.0 gets one",
            );
        }
        if let Verdict::Unknown(Why::Failed(what)) = &solution.verdict {
            output.warn(&format!("an engine failed: {what}"));
        }
        if stats {
            print_statistics(&solution, output);
        }
        let verdict = match &solution.verdict {
            Verdict::Sat(_) => "sat",
            Verdict::Unsat(_) => "unsat",
            Verdict::Unknown(_) => "unknown",
        };
        if output.json {
            let record = self.record(&solution, verdict)?;
            output.json_line(&record)?;
        } else {
            output.line(verdict)?;
        }
        let (assumptions, time) = (assumptions.to_vec(), start.elapsed());
        self.last = Some(Last { solution, assumptions, time });
        output.flush()
    }

    /// Solves under the limits, which a thread of its own watches.
    pub(super) fn solve(&self, problem: &Problem, limits: Limits) -> Solution {
        let Limits { timeout, memory } = limits;
        let cancel = Cancel::new();
        let mut budget = Budget::until_cancelled(cancel.clone());
        if let Some(timeout) = timeout {
            budget = budget.at_most(timeout);
        }
        let done = AtomicBool::new(false);
        let full = AtomicBool::new(false);
        let mut solution = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let over = memory.is_some_and(|most| resident().is_some_and(|now| now > most));
                    full.fetch_or(over, Ordering::Relaxed);
                    if over || self.interrupted.load(Ordering::Relaxed) {
                        cancel.cancel();
                    }
                    std::thread::park_timeout(INTERVAL);
                }
            });
            let solution = self.portfolio.solve(problem, &budget);
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            solution
        });
        if let Verdict::Unknown(Why::Cancelled) = solution.verdict
            && full.load(Ordering::Relaxed)
        {
            solution.verdict = Verdict::Unknown(Why::Memory);
        }
        solution
    }

    fn simple(&mut self, command: SimpleCommand, output: &mut Output) -> Result<(), CliError> {
        match command {
            SimpleCommand::GetModel => self.print_model(output),
            SimpleCommand::GetUnsatCore if self.is_unsat() => {
                let names = self.core().into_iter().map(|name| self.symbol(name));
                output.line(format_args!("({})", names.collect::<Vec<_>>().join(" ")))
            }
            SimpleCommand::GetUnsatAssumptions if self.is_unsat() => {
                let core = self.assumptions_core().into_iter();
                let assumed = core.map(|term| term_text(&self.pool, term));
                output.line(format_args!("({})", assumed.collect::<Vec<_>>().join(" ")))
            }
            SimpleCommand::GetUnsatCore | SimpleCommand::GetUnsatAssumptions => {
                error("the last answer is not unsat", output)
            }
            SimpleCommand::GetAssertions => {
                let terms = self.assertions.iter().map(|one| term_text(&self.pool, one.term));
                let terms: Vec<_> = terms.collect();
                output.line(format_args!("({})", terms.join("\n ")))
            }
            SimpleCommand::GetAssignment | SimpleCommand::GetProof | SimpleCommand::Exit => {
                output.line("unsupported")
            }
        }
    }

    fn is_unsat(&self) -> bool {
        self.last.as_ref().is_some_and(|last| matches!(last.solution.verdict, Verdict::Unsat(_)))
    }

    fn model(&self) -> Option<&Model> {
        match &self.last.as_ref()?.solution.verdict {
            Verdict::Sat(model) => Some(model),
            _ => None,
        }
    }

    fn print_model(&mut self, output: &mut Output) -> Result<(), CliError> {
        let Some(model) = self.model() else {
            return error("there is no model: the last answer is not sat", output);
        };
        let model = model.clone();
        output.line("(")?;
        for function in self.declared.clone() {
            let declaration = self.pool.function(function);
            let (name, result) = (declaration.name, declaration.result);
            let parameters = declaration.parameters.clone();
            let value = value_of(&model, function, result);
            let value = value.to_term(&mut self.pool).map_err(bug)?;
            let parameters: Vec<String> = parameters
                .iter()
                .enumerate()
                .map(|(number, sort)| format!("(x!{number} {sort})"))
                .collect();
            output.line(format_args!(
                "  (define-fun {} ({}) {result} {})",
                self.symbol(name),
                parameters.join(" "),
                term_text(&self.pool, value)
            ))?;
        }
        output.line(")")
    }

    fn print_values(&mut self, terms: &[TermId], output: &mut Output) -> Result<(), CliError> {
        let Some(model) = self.model() else {
            return error("there is no model: the last answer is not sat", output);
        };
        let mut model = model.clone();
        for &function in &self.declared {
            if model.get(function).is_none() {
                let result = self.pool.function(function).result;
                model.insert_value(function, Value::default_of(result));
            }
        }
        let mut evaluator = Evaluator::new(&self.pool, &model);
        let values: Vec<Option<Value>> =
            terms.iter().map(|&term| evaluator.evaluate(term).known().cloned()).collect();
        let mut pairs = Vec::new();
        for (&term, value) in terms.iter().zip(values) {
            let Some(value) = value else {
                return error("a term has no value that can be told", output);
            };
            let value = value.to_term(&mut self.pool).map_err(bug)?;
            let (term, value) = (term_text(&self.pool, term), term_text(&self.pool, value));
            pairs.push(format!("({term} {value})"));
        }
        output.line(format_args!("({})", pairs.join("\n ")))
    }

    fn print_info(&self, keyword: SymbolId, output: &mut Output) -> Result<(), CliError> {
        let keyword = self.pool.symbols().display(keyword).into_owned();
        let version = env!("CARGO_PKG_VERSION");
        let verdict = self.last.as_ref().map(|last| &last.solution.verdict);
        let value = match (keyword.as_str(), verdict) {
            (":name", _) => "\"Luthier\"".to_owned(),
            (":version", _) => format!("\"{version}\""),
            (":authors", _) => "\"the authors of Luthier\"".to_owned(),
            (":error-behavior", _) => "immediate-exit".to_owned(),
            (":assertion-stack-levels", _) => self.levels.len().to_string(),
            (":reason-unknown", Some(Verdict::Unknown(why))) => {
                format!("\"{}\"", why.to_string().replace('"', "\"\""))
            }
            (":reason-unknown", _) => return error("the last answer is not unknown", output),
            _ => return output.line("unsupported"),
        };
        output.line(format_args!("({keyword} {value})"))
    }

    fn symbol(&self, name: SymbolId) -> String {
        self.pool.symbols().display(name).into_owned()
    }

    fn record(&mut self, solution: &Solution, verdict: &'static str) -> Result<Record, CliError> {
        let model = match &solution.verdict {
            Verdict::Sat(model) => Some(model.clone()),
            _ => None,
        };
        let model = match model {
            None => None,
            Some(model) => {
                let mut values = serde_json::Map::new();
                for function in self.declared.clone() {
                    let declaration = self.pool.function(function);
                    let (name, result) = (declaration.name, declaration.result);
                    let value = value_of(&model, function, result);
                    let value = value.to_term(&mut self.pool).map_err(bug)?;
                    let text = term_text(&self.pool, value);
                    values.insert(self.symbol(name), text.into());
                }
                Some(values)
            }
        };
        let reason = match &solution.verdict {
            Verdict::Sat(_) => None,
            Verdict::Unsat(proof) => Some(format!("{}: {}", proof.engine, proof.argument)),
            Verdict::Unknown(why) => Some(why.to_string()),
        };
        let engines = solution.engines.iter().map(|one| EngineRecord {
            engine: one.engine,
            said: one.said.clone(),
            seconds: one.time.as_secs_f64(),
        });
        let engines = engines.collect();
        Ok(Record { version: VERSION, query: self.queries, verdict, reason, model, engines })
    }
}

/// The value of a constant; any will do for one that the model does not mention.
fn value_of(model: &Model, function: FunctionId, result: Sort) -> Value {
    match model.get(function) {
        Some(Interpretation::Value(value)) => value.clone(),
        _ => Value::default_of(result),
    }
}

fn error(message: &str, output: &mut Output) -> Result<(), CliError> {
    output.line(format_args!("(error \"{message}\")"))
}

fn bug(error: luthier_terms::BuildError) -> CliError {
    CliError::Bug { message: error.to_string() }
}

/// The memory that this process uses, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
