//! `luthier solve`: Luthier's string solver with the SMT-LIB interface of other solvers.

mod conversation;
pub mod driver_flags;
mod limits;
mod refused;
mod replies;
mod signals;
mod statistics;

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use luthier_records::Bytes;
use luthier_records::{parse_bytes, parse_duration};
use luthier_runner::releases::{Cache, on_search_path};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{CommandKind, Mode, ReadOptions, Script, SimpleCommand, read_script};
use luthier_solver::arithmetic::{self, Backend};
use luthier_solver::session::{
    Outcome, Session, Signals as _, Stop, TextSession, Watch, WatchLimits,
};
use luthier_solver::{Cancel, Limits, NotSubstring, Portfolio};
use luthier_terms::TermPool;
use serde::Serialize;

use crate::args::ScriptDialect;
use crate::error::{CliError, Ending};
use crate::input::{is_stdin, read_one};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;
use conversation::Conversation;
use replies::{Printer, Progress, answer_unread, bug, end_on_signal};
use signals::Signals;

/// A script of more commands may print more than a pipe takes.
const MANY: usize = 100;

const EXAMPLES: &str = "\
Examples:
  luthier solve script.smt2
  luthier solve script.smt2 --timeout 10s --memory 4GB --stats
  luthier solve                 # answers each command that arrives on standard input
  echo '(declare-const x String)(assert (str.contains x \"ab\"))(check-sat)(get-model)' | luthier solve";

/// The forms of not-substring.
const FORMS: [&str; 3] =
    [NotSubstring::Paper.name(), NotSubstring::Covering.name(), NotSubstring::Lazy.name()];

fn form() -> impl TypedValueParser<Value = NotSubstring> {
    PossibleValuesParser::new(FORMS).try_map(|name| name.parse::<NotSubstring>())
}

/// Solve a script with Luthier's own string solver
///
/// Reads SMT-LIB and answers as other solvers do: sat, unsat or unknown for each check-sat, then
/// what get-model, get-value, get-info and others ask for. Every sat is checked by the referee
/// before it is said. Arithmetic is left to Z3, which sees no strings; it is taken from the
/// installed releases or from the search path.
///
/// Without a file, each command on standard input is answered as soon as it is complete, until exit
/// or the end of the input; a command that cannot be read is answered with an error, and the next
/// one is read. Flags of Z3 and cvc5 that drivers pass (-in, -smt2, --lang smt2, --incremental) are
/// accepted.
///
/// Ends with 0 if every command was answered, also if an answer is unknown. In a file, a
/// command that cannot be read is answered with (error "line … column …: …") after those before it,
/// and nothing behind it is run; a script that cannot be read within the limits is answered with one unknown. Both
/// end with 3. A signal ends the process at once, with unknown for the pending query.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The script (`-` or none: commands on standard input, each answered at once)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Answer each check-sat within this time, else with unknown: wall-clock time, for the first
    /// one of a file from the start of reading. Each other command has as much
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// Answer unknown rather than use more memory, such as 4GB, together with the arithmetic
    /// solver
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<Bytes>,
    /// Print statistics of the engines to standard error
    #[arg(long)]
    stats: bool,
    /// Random seed of the local search
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The executable of Z3 that decides arithmetic
    #[arg(long, value_name = "PROGRAM")]
    arithmetic: Option<PathBuf>,
    /// How the flat engine says that a needle does not occur: with a quantifier over its place
    /// (paper), for a list of places (covering), or where it stood in a candidate (lazy)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = form())]
    not_substring: NotSubstring,
    /// Set a limit of an engine, such as nielsen.walks=100 or search.time=2s
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,
    /// List the limits of the engines with their defaults, and end
    #[arg(long)]
    list_limits: bool,
    #[command(flatten)]
    script: ScriptDialect,
}

/// The JSON of a script that has an error.
#[derive(Serialize)]
struct ErrorRecord {
    version: u32,
    /// Where, and what it is.
    error: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    if arguments.list_limits {
        limits::list(output)?;
        return Ok(Ending::Fine);
    }
    let mut limits = Limits::default();
    for text in &arguments.limit {
        let hint = "luthier solve --list-limits lists all of them";
        limits.set(text).map_err(|error| CliError::usage(error.to_string()).with_hint(hint))?;
    }
    output.keep_every_character();
    let memory = arguments.memory.map(|memory| memory.0);
    let signals = Signals::new();
    let watch_limits = WatchLimits { timeout: arguments.timeout, memory };
    let watch = Watch::new(watch_limits, Box::new(signals.clone()));
    let portfolio = Portfolio {
        backend: backend(arguments)?,
        seed: arguments.seed,
        not_substring: arguments.not_substring,
        limits,
    };
    let options = ReadOptions { dialect: arguments.script.dialect, mode: Mode::Generous };
    let printer = Printer { stats: arguments.stats, signals: &signals };
    let Some(path) = arguments.file.clone().filter(|path| !is_stdin(path)) else {
        let session = TextSession::new(portfolio, watch, options);
        let transcript = Vec::new();
        let conversation = Conversation { session, printer, transcript, has_error: false };
        let ending = conversation.run(output);
        arithmetic::end_processes();
        return ending;
    };
    let outcome = watch.run(watch.first_deadline(), &Cancel::new(), move || {
        let file = read_one(&path)?;
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, &file.bytes, &options);
        Ok::<_, CliError>((file, pool, reading))
    });
    let (file, pool, reading) = match outcome {
        Outcome { result: Some(read), stop: None | Some(Stop::Timeout | Stop::Memory) } => read?,
        Outcome { stop, .. } => {
            answer_unread(stop.unwrap_or(Stop::Memory), output)?;
            return Ok(Ending::Incomplete);
        }
    };
    // What is large takes long to be given back, and the program is about to end.
    let (file, reading) = (ManuallyDrop::new(file), ManuallyDrop::new(reading));
    let first_error = reading.errors().min_by_key(|error| error.span.start);
    let end = first_error.map_or(u32::MAX, |error| error.span.start);
    let mut session = ManuallyDrop::new(Session::new(pool, portfolio, watch));
    let source = &file.bytes;
    let progress = execute(&mut session, &reading.script, end, (&printer, source), output);
    // Engines that are stuck are not waited for, and what they have started must not outlive us.
    arithmetic::end_processes();
    let (Progress::More, Some(error)) = (progress?, first_error) else { return Ok(Ending::Fine) };
    let place = Locator::new(&file.bytes).location(error.span.start);
    let text = format!("line {} column {}: {}", place.line, place.column, error.message);
    print_error(text, output)?;
    // The rest is not run: with a command left out, it would be another script.
    let others = reading.errors().count() - 1;
    if others > 0 {
        let others = counted(others, "more error");
        output.warn(&format!("{others} in the script; luthier lint shows all of them"));
    }
    Ok(Ending::Incomplete)
}

/// Says that a command cannot be read.
fn print_error(text: String, output: &mut Output) -> Result<(), CliError> {
    match output.json {
        true => output.json_line(&ErrorRecord { version: VERSION, error: text }),
        false => replies::error(&text, output),
    }
}

/// Executes all commands that end before a place.
fn execute(
    session: &mut Session,
    script: &Script,
    end: u32,
    (printer, source): (&Printer<'_>, &[u8]),
    output: &mut Output,
) -> Result<Progress, CliError> {
    // A short script prints little; what it is asked for is looked at when it is printed.
    if script.commands.len() > MANY {
        printer.signals.guard();
    }
    for command in script.commands.iter().take_while(|command| command.span.end <= end) {
        // JSON has all that can be asked about an answer in the record of the query.
        if output.json && asks_about_an_answer(&command.kind) {
            continue;
        }
        let reply = session.execute(&command.kind).map_err(bug)?;
        if printer.print(session, reply, source, output)? == Progress::Exit {
            return Ok(Progress::Exit);
        }
        if let Some(signal) = printer.signals.received() {
            end_on_signal(signal, output)?;
        }
    }
    Ok(Progress::More)
}

fn asks_about_an_answer(command: &CommandKind) -> bool {
    match command {
        CommandKind::GetValue(_)
        | CommandKind::Simplify(_)
        | CommandKind::GetInfo(_)
        | CommandKind::GetOption(_)
        | CommandKind::Echo(_) => true,
        CommandKind::Simple(simple) => *simple != SimpleCommand::Exit,
        _ => false,
    }
}

/// The arithmetic solver: the one that is named, the newest one that is installed, or the one on
/// the search path.
fn backend(arguments: &Arguments) -> Result<Option<Backend>, CliError> {
    if let Some(named) = &arguments.arithmetic
        && !named.is_file()
    {
        let error_of_usage = format!("{}: there is no such program", named.display());
        let hint = "leave --arithmetic out, or: luthier solvers install z3@5.4.0";
        return Err(CliError::usage(error_of_usage).with_hint(hint));
    }
    let installed = || {
        let cache = Cache::of_user().ok()?;
        let newest = cache.installed("z3").ok()?.into_iter().next()?;
        let folder = cache.folder_of(&newest.solver, &newest.version);
        newest.program(&folder).file().ok()
    };
    let named = arguments.arithmetic.clone();
    let program = named.or_else(installed).or_else(|| on_search_path(["z3"]));
    let memory = arguments.memory.map(|memory| format!("-memory:{}", (memory.0 >> 20).max(64)));
    Ok(program.map(|program| Backend::Z3 { program, arguments: memory.into_iter().collect() }))
}
