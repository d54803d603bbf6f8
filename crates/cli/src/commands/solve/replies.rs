//! Replies of a session, printed as SMT-LIB or as JSON.

use luthier_solver::session::{NoValues, QueryReport, Reply, Session, Stop};
use luthier_solver::{EngineReport, UnknownReason};
use serde::Serialize;

use super::refused;
use super::signals::Signals;
use super::statistics::print_statistics;
use crate::error::CliError;
use crate::json::VERSION;
use crate::output::{self, Output};

/// A text of more bytes may be more than a pipe takes.
const LONG: usize = 256;

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

impl From<EngineReport> for EngineRecord {
    fn from(report: EngineReport) -> Self {
        let seconds = report.time.as_secs_f64();
        Self { engine: report.engine, said: report.outcome, seconds }
    }
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The script goes on.
    More,
    /// The script has said `exit`.
    Exit,
}

/// Prints the replies of a session.
pub struct Printer<'a> {
    /// Whether to say what engines did.
    pub stats: bool,
    pub signals: &'a Signals,
}

impl Printer<'_> {
    /// Prints a reply to a command of the script with this text.
    pub fn print(
        &self,
        session: &Session,
        reply: Reply,
        source: &[u8],
        output: &mut Output,
    ) -> Result<Progress, CliError> {
        match reply {
            Reply::Silent => {}
            Reply::CheckSat(checked) => self.checked(session, *checked, source, output)?,
            Reply::Exit => return Ok(Progress::Exit),
            // JSON has the model in the record of the query.
            _ if output.json => {}
            Reply::Text(text) => {
                if text.len() > LONG {
                    self.signals.guard();
                }
                output.data(&text)?;
            }
            Reply::Success => output.line("success")?,
            Reply::Error(message) => error(&message, output)?,
            Reply::Unsupported => output.line("unsupported")?,
            Reply::Stopped(Stop::Signal(signal)) => end_on_signal(signal, output)?,
            Reply::Stopped(stop) => {
                error(&format!("no answer within the limits: {}", stop.reason()), output)?;
            }
        }
        Ok(Progress::More)
    }

    fn checked(
        &self,
        session: &Session,
        checked: QueryReport,
        source: &[u8],
        output: &mut Output,
    ) -> Result<(), CliError> {
        self.warn(&checked, source, output);
        if self.stats {
            print_statistics(&checked, session.limits(), output);
        }
        let QueryReport { query, verdict, explanation: reason, engines, stop, .. } = checked;
        if output.json {
            let engines = engines.into_iter().map(EngineRecord::from).collect();
            let version = VERSION;
            let mut record = Record { version, query, verdict, reason, model: None, engines };
            match session.model_values() {
                Some(Ok(values)) => {
                    let values = values.into_iter().map(|(name, text)| (name, text.into()));
                    record.model = Some(values.collect());
                }
                Some(Err(NoValues::Stopped(stop))) => {
                    record.reason = Some(format!("no model within the limits: {}", stop.reason()));
                }
                Some(Err(NoValues::Fault(why))) => return Err(bug(why)),
                None => {}
            }
            output.json_line(&record)?;
        } else {
            output.line(verdict)?;
        }
        if let Some(Stop::Signal(signal)) = stop {
            end_on_signal(signal, output)?;
        }
        output.flush()
    }

    fn warn(&self, checked: &QueryReport, source: &[u8], output: &Output) {
        if !checked.mistakes.is_empty() {
            let kept = match refused::keep(source, &checked.mistakes) {
                Ok(path) => format!("the script is kept in {}", path.display()),
                Err(error) => format!("the script could not be kept: {error}"),
            };
            output.warn(&format!(
                "a model was refused by the referee, which is a fault of luthier; please report \
                 it: {}; {kept}",
                checked.mistakes.join("; ")
            ));
        }
        match &checked.unknown_reason {
            Some(UnknownReason::NoBackend) => output.warn(
                "there is no arithmetic solver, so only easy scripts can be decided; \
                 luthier solvers install z3@5.4.0 gets one",
            ),
            Some(UnknownReason::Failed(what)) => output.warn(&format!("an engine failed: {what}")),
            _ => {}
        }
    }
}

/// Answers the first query of a script that could not be read within the limits.
pub fn answer_unread(stop: Stop, output: &mut Output) -> Result<(), CliError> {
    let why = stop.reason();
    output.warn(&format!(
        "the script could not be read within the limits ({why}): its first query is answered with \
         unknown, and nothing else is answered"
    ));
    if output.json {
        let (version, query, verdict) = (VERSION, 1, "unknown");
        let reason = Some(why.to_string());
        let engines = Vec::new();
        output.json_line(&Record { version, query, verdict, reason, model: None, engines })?;
    } else {
        output.line("unknown")?;
    }
    match stop {
        Stop::Signal(signal) => end_on_signal(signal, output),
        _ => output.flush(),
    }
}

/// Writes what is still to be written and ends the program.
pub fn end_on_signal(signal: i32, output: &mut Output) -> Result<(), CliError> {
    output.flush()?;
    output::end_by_signal(signal)
}

/// A fault of ours.
pub fn bug(reason: UnknownReason) -> CliError {
    CliError::Bug { message: reason.to_string() }
}

/// An error as SMT-LIB writes it.
pub fn error(message: &str, output: &mut Output) -> Result<(), CliError> {
    output.line(format_args!("(error \"{}\")", message.replace('"', "\"\"")))
}
