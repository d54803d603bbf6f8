//! The session oracle: scripts of several queries over one assertion stack.
//!
//! ```text
//! formula ──generator::sessions──▶ session ──ask──▶ a reply to each query
//!     replies ──judge──▶ suspicions ──confirm──▶ findings
//! ```
//!
//! A query is the set of its assertions and assumptions. What is known of one set bounds the others: a
//! model of a set is one of each subset, and a superset of an unsatisfiable set is unsatisfiable
//! (`facts.rs`). Verdicts, models, values, cores and `get-unsat-assumptions` are compared with
//! these facts (`judge.rs`). A suspicion is a finding only if the session shows it again alone in
//! a fresh process; if the query alone shows it as a plain script, the finding is that smaller script
//! (`confirm.rs`). The replies of a process count up to its first error ([`luthier_ask::SessionEnd`]).

mod confirm;
mod facts;
mod judge;

use std::collections::BTreeSet;
use std::time::Duration;

use luthier_ask::{
    BatchOptions, ProcessMode, SessionEnd, SessionReply, SessionScript, Solver, Transcript,
    ask_sessions,
};
use luthier_generator::{Dice, Formula, sessions};
use luthier_judge::expectations;
use luthier_records::{Text, Verdict};
use luthier_smtlib::{
    Command, CommandKind, Dialect, Mode, Note, PrintOptions, Query, ReadOptions, Script,
    SimpleCommand, print_script, read_script,
};
use luthier_terms::{TermId, TermPool};

use crate::batch::HuntEnvironment;
use crate::values::ValueRequest;

pub(crate) use confirm::confirm;
pub use confirm::{SessionFailure, session_failure};
pub(crate) use judge::judge;

/// CPU time that each query adds to the limit of a process, which pays for the reset, too.
const QUERY_LIMIT: Duration = Duration::from_millis(10);
/// The CPU time of a process: this many query limits, plus the amount for each query.
const PROCESS_LIMIT: u32 = 10;
/// Sessions in a process. A query that ignores its limit costs the limit of the whole process.
const SESSIONS: usize = 16;
/// The mark between queries in a printed session.
const CUT: &str = "luthier cut";

/// A session, read once.
pub(crate) struct ParsedSession {
    pub formula: Formula,
    pub pool: TermPool,
    pub script: Script,
    pub queries: Vec<SessionQuery>,
}

/// A query of a session.
pub(crate) struct SessionQuery {
    /// Its assertions and assumptions.
    pub set: BTreeSet<TermId>,
    pub query: Query,
    pub planted: Option<Verdict>,
    pub witness: Option<Text>,
    /// The terms of the `get-value` after it.
    values: Option<Vec<TermId>>,
    /// It is followed by `get-unsat-assumptions`.
    pub requests_assumptions: bool,
}

/// A session as one solver gets it.
pub(crate) struct SolverSession {
    pub script: SessionScript,
    /// For each query the request for values.
    pub values: Vec<Option<ValueRequest>>,
    /// Cores are requested.
    pub cores: bool,
}

impl ParsedSession {
    /// A session over a formula; `None` if the formula has none.
    pub fn of_formula(formula: &Formula) -> Option<Self> {
        // Different formulas have different sessions, whatever the suite numbers them.
        let seed = formula.text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self::read(sessions::session(formula, Dice::new(seed, 0))?)
    }

    /// Reads a script of several queries.
    pub fn read(formula: Formula) -> Option<Self> {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Generous };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        if reading.errors().next().is_some() {
            return None;
        }
        let script = reading.script;
        let stated = expectations(&pool, &script);
        let mut queries = Vec::new();
        for (number, query) in script.queries().enumerate() {
            let asserted = query.assertions.iter().map(|active| active.assertion.term);
            let set = asserted.chain(query.assumptions.iter().copied()).collect();
            let planted = stated.queries.get(number).and_then(|query| query.planted);
            let witness = stated.witnesses.get(number).cloned().flatten();
            let (values, requests_assumptions) = (None, false);
            queries.push(SessionQuery {
                set,
                query,
                planted,
                witness,
                values,
                requests_assumptions,
            });
        }
        let mut last = None;
        for command in &script.commands {
            match &command.kind {
                CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                    last = Some(last.map_or(0, |number: usize| number + 1));
                }
                CommandKind::GetValue(terms) => {
                    queries.get_mut(last?)?.values = Some(terms.clone());
                }
                CommandKind::Simple(SimpleCommand::GetUnsatAssumptions) => {
                    queries.get_mut(last?)?.requests_assumptions = true;
                }
                _ => {}
            }
        }
        Some(Self { formula, pool, script, queries })
    }

    /// The session for a solver, its first queries only; `None` if its commands or its dialect cannot
    /// express it, or give it another meaning.
    pub fn for_solver(&self, solver: &Solver, queries: usize) -> Option<SolverSession> {
        let dialect = solver.dialect;
        if !solver.quirks.scopes {
            return None;
        }
        let mut commands = Vec::new();
        let mut seen = 0;
        let mut cores = false;
        for command in self.cut(queries).commands {
            match &command.kind {
                CommandKind::SetInfo(_) => continue,
                CommandKind::Simple(SimpleCommand::GetUnsatCore) => cores = true,
                CommandKind::Simple(SimpleCommand::GetUnsatAssumptions) => cores = true,
                CommandKind::Declare { .. }
                | CommandKind::Assert(_)
                | CommandKind::Push(_)
                | CommandKind::Pop(_)
                    if seen == 0 =>
                {
                    seen = 1;
                    commands.push(echo());
                }
                _ => {}
            }
            // What is between two queries belongs to the second one; requests to the first.
            let is_request =
                matches!(command.kind, CommandKind::GetValue(_) | CommandKind::Simple(_));
            let after_query = commands.last().is_some_and(|last: &Command| {
                matches!(
                    last.kind,
                    CommandKind::CheckSat
                        | CommandKind::CheckSatAssuming(_)
                        | CommandKind::GetValue(_)
                        | CommandKind::Simple(_)
                )
            });
            if after_query && !is_request {
                commands.push(echo());
            }
            commands.push(command);
        }
        let options = PrintOptions::new(dialect);
        let printed = print_script(&self.pool, &Script { commands }, &options).ok()?;
        let differs = |note: &Note| matches!(note, Note::SmallAlphabet(_) | Note::EmptyString(_));
        if printed.notes.iter().any(differs) {
            return None;
        }
        let mark = format!("(echo \"{CUT}\")");
        let mut pieces: Vec<Vec<u8>> = vec![Vec::new()];
        for line in printed.bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.trim_ascii() == mark.as_bytes() {
                pieces.push(Vec::new());
            } else if let Some(piece) = pieces.last_mut() {
                piece.extend_from_slice(line);
            }
        }
        let head = pieces.remove(0);
        let requests = self.queries[..queries].iter();
        let values = requests
            .map(|query| {
                let terms = query.values.clone()?;
                ValueRequest::of_terms(&self.pool, terms, dialect, &|_, bytes| bytes)
            })
            .collect();
        (pieces.len() == queries).then_some(SolverSession {
            script: SessionScript { head, queries: pieces },
            values,
            cores,
        })
    }

    /// The script up to a number of queries, with their requests.
    pub fn cut(&self, queries: usize) -> Script {
        let mut commands = Vec::new();
        let mut asked = 0;
        for command in &self.script.commands {
            let is_query =
                matches!(command.kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_));
            let is_request =
                matches!(command.kind, CommandKind::GetValue(_) | CommandKind::Simple(_));
            if asked == queries && !is_request {
                break;
            }
            asked += usize::from(is_query);
            commands.push(command.clone());
        }
        Script { commands }
    }
}

fn echo() -> Command {
    Command { kind: CommandKind::Echo(CUT.as_bytes().to_vec()), span: Default::default() }
}

/// The mode of a process for a session.
fn mode(cores: bool, query_limit: Option<Duration>) -> ProcessMode {
    ProcessMode { models: true, cores, incremental: true, query_limit }
}

/// The replies of one solver to all sessions of a batch.
pub(crate) struct AskedSessions {
    /// `None` where the solver cannot be asked; without a reply where the hunt was stopped before.
    pub sessions: Vec<Option<(SolverSession, Option<SessionReply>)>>,
    pub cpu: Duration,
    pub processes: u64,
    /// What could not be run because of the set-up or the machine.
    pub faults: Vec<String>,
    /// The processes, each with the sessions that it was asked.
    pub transcripts: Vec<(Vec<usize>, Transcript)>,
}

impl AskedSessions {
    /// Of a solver that is not asked.
    pub fn nothing(sessions: usize) -> Self {
        let sessions = (0..sessions).map(|_| None).collect();
        let (faults, transcripts) = (Vec::new(), Vec::new());
        Self { sessions, cpu: Duration::ZERO, processes: 0, faults, transcripts }
    }
}

/// Asks a solver about sessions. Those with requests for cores have processes of their own, because such a
/// request changes how a solver works.
pub(crate) fn ask(
    solver: &Solver,
    sessions: &[ParsedSession],
    environment: &HuntEnvironment<'_>,
) -> AskedSessions {
    let mut asked = AskedSessions {
        sessions: sessions
            .iter()
            .map(|one| Some((one.for_solver(solver, one.queries.len())?, None)))
            .collect(),
        cpu: Duration::ZERO,
        processes: 0,
        faults: Vec::new(),
        transcripts: Vec::new(),
    };
    for cores in [false, true] {
        let places: Vec<usize> = (0..sessions.len())
            .filter(|&place| {
                asked.sessions[place].as_ref().is_some_and(|(one, _)| one.cores == cores)
            })
            .collect();
        if places.is_empty() {
            continue;
        }
        let batch = BatchOptions {
            separator: luthier_ask::Separator::Reset,
            mode: mode(cores, Some(environment.query_limit)),
            process_limit: environment.query_limit.saturating_mul(PROCESS_LIMIT),
            formula_limit: QUERY_LIMIT,
            first_size: SESSIONS,
            stop: environment.stop,
        };
        let scripts: Vec<&SessionScript> = places
            .iter()
            .filter_map(|&place| asked.sessions[place].as_ref().map(|(one, _)| &one.script))
            .collect();
        let mut replies = Vec::new();
        let mut transcripts = Vec::new();
        for chunk in scripts.chunks(SESSIONS) {
            let part = ask_sessions(&mut environment.runner(solver), chunk, &batch);
            (asked.cpu, asked.processes) = (asked.cpu + part.cpu, asked.processes + part.processes);
            for (among, transcript) in part.transcripts {
                let sessions = among.into_iter().map(|one| places[replies.len() + one]).collect();
                transcripts.push((sessions, transcript));
            }
            replies.extend(part.replies);
        }
        asked.transcripts.extend(transcripts);
        for (place, reply) in places.into_iter().zip(replies) {
            if let Some(SessionReply { end: SessionEnd::Fault(fault), .. }) = &reply {
                asked.faults.push(fault.clone());
            }
            if let Some((_, slot)) = &mut asked.sessions[place] {
                *slot = reply;
            }
        }
    }
    asked
}
