//! Z3 as an arithmetic solver, over a pipe.
//!
//! Commands are collected and sent with the next request. Assumptions that are not literals get
//! proxies `p → formula`, as `check-sat-assuming` needs literals. Each check has the time of its
//! budget as `:timeout`; a solver that overruns it is killed after a grace period. After an error
//! in the protocol the process is ended, and all further calls fail.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::arena::{Arena, Id, Node, Sort};
use super::print::Printer;
use super::process::Process;
use super::reply::{self, ReplyBuffer};
use super::scripted::{ReplyScript, Scripted};
use super::solver::{Answer, ArithmeticSolver, Value};
use crate::{Budget, Cancel, UnknownReason};

/// How long a solver may take to reply after its time limit before it is killed.
const GRACE: Duration = Duration::from_millis(150);
/// The time for requests other than checks, even after the time of the check.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// Definitions outlive scopes, so that a term is printed once.
const PREAMBLE: &str = "(set-option :print-success false)\n\
    (set-option :global-declarations true)\n\
    (set-option :produce-unsat-cores true)\n";

/// The name of the executable.
const PROGRAM: &str = if cfg!(windows) { "z3.exe" } else { "z3" };

/// The arithmetic solver to start.
#[derive(Clone, Debug)]
pub enum Backend {
    /// Z3, as a process.
    Z3 {
        /// The executable.
        program: PathBuf,
        /// Additional arguments, for instance `-memory:2000`.
        arguments: Vec<String>,
    },
    /// Replies from a script, for tests.
    Script(ReplyScript),
}

impl Backend {
    /// Z3 without further arguments.
    pub fn z3(program: impl Into<PathBuf>) -> Self {
        Self::Z3 { program: program.into(), arguments: Vec::new() }
    }

    /// The program `z3` of the search path, if there is one.
    pub fn on_search_path() -> Option<Self> {
        let folders = std::env::var_os("PATH")?;
        let programs = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
        let mut programs = programs.map(|folder| folder.join(PROGRAM));
        programs.find(|program| program.is_file()).map(Self::z3)
    }

    /// The same with one more argument; a script needs none.
    pub fn with_argument(&self, argument: &str) -> Self {
        let mut backend = self.clone();
        if let Self::Z3 { arguments, .. } = &mut backend {
            arguments.push(argument.to_owned());
        }
        backend
    }

    /// Starts a solver.
    pub fn start(&self) -> Result<Box<dyn ArithmeticSolver>, UnknownReason> {
        match self {
            Self::Z3 { program, arguments } => Ok(Box::new(Z3::start(program, arguments)?)),
            Self::Script(script) => Ok(Box::new(Scripted(script.clone()))),
        }
    }
}

/// A running Z3. It is killed when it is dropped.
pub struct Z3 {
    process: Process,
    printer: Printer,
    reply: ReplyBuffer,
    /// The commands that are sent with the next request.
    pending: String,
    /// The number of bytes sent.
    sent: usize,
    /// The peak memory of the child when it was ended.
    peak_at_end: Option<u64>,
    /// By scope: the proxy literals of assumptions.
    proxies: Vec<FxHashMap<Id, String>>,
    proxy_count: usize,
    timeout: Option<u128>,
    has_model: bool,
    /// The budget of the last check, which also applies to requests about its model.
    budget: Budget,
    ended: Option<UnknownReason>,
}

impl Z3 {
    /// Starts the executable.
    pub fn start(program: &Path, arguments: &[String]) -> Result<Self, UnknownReason> {
        let mut command = Command::new(program);
        command.args(["-in", "-smt2"]).args(arguments);
        Ok(Self {
            process: Process::start(&mut command)?,
            printer: Printer::default(),
            reply: ReplyBuffer::default(),
            pending: PREAMBLE.to_owned(),
            sent: 0,
            peak_at_end: None,
            proxies: vec![FxHashMap::default()],
            proxy_count: 0,
            timeout: None,
            has_model: false,
            budget: Budget::until_cancelled(Cancel::new()),
            ended: None,
        })
    }

    /// Its process id.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The number of bytes of text sent so far.
    pub fn bytes_sent(&self) -> usize {
        self.sent
    }

    /// Its peak memory so far, in bytes; `None` where `/proc` does not have it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.peak_at_end.or_else(|| self.peak_now())
    }

    fn peak_now(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process_id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024)
    }

    fn alive(&self) -> Result<(), UnknownReason> {
        match &self.ended {
            Some(reason) => {
                Err(UnknownReason::Failed(format!("the arithmetic solver has ended: {reason}")))
            }
            None => Ok(()),
        }
    }

    /// Ends the child after an error that leaves it in an unknown state.
    fn end(&mut self, reason: UnknownReason) -> UnknownReason {
        self.peak_at_end = self.peak_now();
        self.process.kill();
        self.ended = Some(reason.clone());
        reason
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        self.sent += text.len();
        self.process.send(text);
    }

    fn read(&mut self, budget: &Budget, grace: Duration) -> Result<String, UnknownReason> {
        let mut over: Option<std::time::Instant> = None;
        loop {
            let line = self.process.line(|| match budget.check() {
                Err(UnknownReason::Timeout) => {
                    let since = over.get_or_insert_with(std::time::Instant::now);
                    if since.elapsed() < grace { Ok(()) } else { Err(UnknownReason::Timeout) }
                }
                other => other,
            });
            let line = line.map_err(|reason| self.end(reason))?;
            if let Some(reply) = self.reply.add(&line) {
                return match reply::failure(&reply) {
                    Some(reason) => Err(self.end(reason)),
                    None => Ok(reply),
                };
            }
        }
    }

    /// The budget of a request about the last check: the rest of its time, or a minimum.
    fn budget_after_check(&self) -> Budget {
        let unlimited = self.budget.without_deadline();
        match self.budget.left() {
            Some(left) => unlimited.at_most(left.max(QUERY_TIMEOUT)),
            None => unlimited,
        }
    }

    /// Reads the reply to a request about the last check.
    fn read_after_check(&mut self) -> Result<String, UnknownReason> {
        let budget = self.budget_after_check();
        self.read(&budget, Duration::ZERO)
    }

    fn unexpected(&mut self, reply: &str) -> UnknownReason {
        let shown: String = reply.chars().take(200).collect();
        self.end(UnknownReason::Failed(format!("arithmetic solver: unexpected reply {shown:?}")))
    }

    /// The text of the literal for an assumption: itself if it is a literal, or a proxy.
    fn literal(&mut self, arena: &Arena, assumption: Id) -> Result<String, UnknownReason> {
        let atom = match arena.node(assumption) {
            Node::Not(inner) => inner,
            _ => assumption,
        };
        if matches!(arena.node(atom), Node::Apply(_, [])) {
            self.printer.define(arena, &[atom], &mut self.pending)?;
            let mut text = String::new();
            self.printer.reference(arena, assumption, &mut text);
            return Ok(text);
        }
        if let Some(known) = self.proxies.iter().find_map(|scope| scope.get(&assumption)) {
            return Ok(known.clone());
        }
        let proxy = format!("p{}", self.proxy_count);
        self.proxy_count += 1;
        self.printer.define(arena, &[assumption], &mut self.pending)?;
        let _ = write!(self.pending, "(declare-fun {proxy} () Bool)\n(assert (=> {proxy} ");
        self.printer.reference(arena, assumption, &mut self.pending);
        self.pending.push_str("))\n");
        if let Some(scope) = self.proxies.last_mut() {
            scope.insert(assumption, proxy.clone());
        }
        Ok(proxy)
    }

    fn limit_time(&mut self, budget: &Budget) {
        // At least one millisecond: zero would mean no limit. No limit is the largest number.
        let wanted = budget.left().map(|left| left.as_millis().clamp(1, 4_000_000_000));
        if wanted != self.timeout {
            let millis = wanted.unwrap_or(4_294_967_295);
            let _ = writeln!(self.pending, "(set-option :timeout {millis})");
            self.timeout = wanted;
        }
    }

    fn core(&mut self, assumed: &[(String, Id)]) -> Result<Vec<Id>, UnknownReason> {
        if assumed.is_empty() {
            return Ok(Vec::new());
        }
        self.pending.push_str("(get-unsat-core)\n");
        self.flush();
        let reply = self.read_after_check()?;
        let Some(names) = reply::literals(&reply) else { return Err(self.unexpected(&reply)) };
        let mut core = Vec::new();
        for name in names {
            match assumed.iter().find(|(literal, _)| *literal == name) {
                Some(&(_, id)) => core.push(id),
                None => return Err(self.unexpected(&reply)),
            }
        }
        core.sort_unstable();
        core.dedup();
        Ok(core)
    }
}

impl ArithmeticSolver for Z3 {
    fn assert(&mut self, arena: &Arena, formula: Id) -> Result<(), UnknownReason> {
        self.alive()?;
        self.has_model = false;
        self.printer.define(arena, &[formula], &mut self.pending)?;
        self.pending.push_str("(assert ");
        self.printer.reference(arena, formula, &mut self.pending);
        self.pending.push_str(")\n");
        Ok(())
    }

    fn push(&mut self) -> Result<(), UnknownReason> {
        self.alive()?;
        self.has_model = false;
        self.pending.push_str("(push 1)\n");
        self.proxies.push(FxHashMap::default());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), UnknownReason> {
        self.alive()?;
        if self.proxies.len() < 2 {
            return Err(UnknownReason::Failed("there is no scope to close".to_owned()));
        }
        self.has_model = false;
        self.pending.push_str("(pop 1)\n");
        self.proxies.pop();
        Ok(())
    }

    fn check(
        &mut self,
        arena: &Arena,
        assumptions: &[Id],
        budget: &Budget,
    ) -> Result<Answer, UnknownReason> {
        self.alive()?;
        budget.check()?;
        self.budget = budget.clone();
        self.has_model = false;
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match arena.node(assumption) {
                Node::Bool(true) => {}
                Node::Bool(false) => return Ok(Answer::Unsat(vec![assumption])),
                _ => assumed.push((self.literal(arena, assumption)?, assumption)),
            }
        }
        self.limit_time(budget);
        if assumed.is_empty() {
            self.pending.push_str("(check-sat)\n");
        } else {
            self.pending.push_str("(check-sat-assuming (");
            for (literal, _) in &assumed {
                self.pending.push_str(literal);
                self.pending.push(' ');
            }
            self.pending.push_str("))\n");
        }
        self.flush();
        match self.read(budget, GRACE)?.as_str() {
            "sat" => {
                self.has_model = true;
                Ok(Answer::Sat)
            }
            "unsat" => Ok(Answer::Unsat(self.core(&assumed)?)),
            "unknown" => {
                self.pending.push_str("(get-info :reason-unknown)\n");
                self.flush();
                let reason = reply::reason(&self.read_after_check()?);
                if matches!(reason.as_str(), "timeout" | "canceled") {
                    return Err(UnknownReason::Timeout);
                }
                if reason.contains("memout") || reason.contains("memory") {
                    return Err(UnknownReason::Memory);
                }
                Ok(Answer::Unknown(reason))
            }
            other => {
                let other = other.to_owned();
                Err(self.unexpected(&other))
            }
        }
    }

    fn values(&mut self, arena: &Arena, terms: &[Id]) -> Result<Vec<Value>, UnknownReason> {
        self.alive()?;
        if !self.has_model {
            return Err(UnknownReason::Failed("there is no model".to_owned()));
        }
        self.printer.define(arena, terms, &mut self.pending)?;
        for &term in terms {
            self.pending.push_str("(eval ");
            self.printer.reference(arena, term, &mut self.pending);
            self.pending.push_str(" :completion true)\n");
        }
        self.flush();
        let budget = self.budget_after_check();
        let mut values = Vec::with_capacity(terms.len());
        for &term in terms {
            let reply = self.read(&budget, Duration::ZERO)?;
            let fits = |value: &Value| {
                matches!(
                    (value, arena.sort_of(term)),
                    (Value::Bool(_), Sort::Bool)
                        | (Value::Int(_), Sort::Int)
                        | (Value::Uninterpreted(_), Sort::Uninterpreted(_))
                )
            };
            match reply::value(&reply).filter(fits) {
                Some(value) => values.push(value),
                None => return Err(self.unexpected(&reply)),
            }
        }
        Ok(values)
    }
}
