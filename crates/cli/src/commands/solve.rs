//! `luthier solve`: our own solver, used as others are.

mod cores;
mod refused;
mod session;
mod statistics;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use luthier_campaign::{parse_bytes, parse_duration};
use luthier_records::Bytes;
use luthier_runner::releases::{Cache, on_search_path};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_solver::Portfolio;
use luthier_solver::arithmetic::Backend;
use luthier_solver::flat::NotSubstring;
use luthier_terms::TermPool;

use crate::args::ScriptDialect;
use crate::error::{CliError, Ending};
use crate::input::read_one;
use crate::output::Output;
use session::{Limits, Session};

const EXAMPLES: &str = "\
Examples:
  luthier solve script.smt2
  luthier solve script.smt2 --timeout 10s --memory 4GB --stats
  echo '(declare-const x String)(assert (str.contains x \"ab\"))(check-sat)(get-model)' | luthier solve -";

/// The forms of not-substring.
const FORMS: [&str; 3] =
    [NotSubstring::Paper.name(), NotSubstring::Covering.name(), NotSubstring::Lazy.name()];

fn form() -> impl TypedValueParser<Value = NotSubstring> {
    PossibleValuesParser::new(FORMS).try_map(|name| name.parse::<NotSubstring>())
}

/// Decide a script with our own string solver.
///
/// Reads SMT-LIB and answers as other solvers do: sat, unsat or unknown for each check-sat, then
/// what get-model, get-value, get-info and others ask for. Every sat is checked by the referee
/// before it is said. Arithmetic is left to Z3, which sees no strings; it is taken from the
/// installed releases or from the search path. Ends with 0 if every command was answered, also
/// if an answer is unknown.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The script (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Answer each check-sat within this time, else with unknown
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// Answer unknown rather than use more memory, such as 4GB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<Bytes>,
    /// Say what each engine did, on standard error
    #[arg(long)]
    stats: bool,
    /// Decides what the search tries
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The executable of Z3 that decides arithmetic
    #[arg(long, value_name = "PROGRAM")]
    arithmetic: Option<PathBuf>,
    /// How the flat engine says that a needle does not occur: with a quantifier over its place
    /// (paper), for a list of places (covering), or where it stood in a candidate (lazy)
    #[arg(long, value_name = "FORM", default_value_t, value_parser = form())]
    not_substring: NotSubstring,
    #[command(flatten)]
    script: ScriptDialect,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    output.speak_to_programs();
    let file = read_one(&arguments.file)?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: arguments.script.dialect, mode: Mode::Generous };
    let reading = read_script(&mut pool, &file.bytes, &options);
    if !reading.is_accepted() {
        let locator = Locator::new(&file.bytes);
        for error in reading.errors() {
            let place = locator.location(error.span.start);
            let message = error.message.replace('"', "\"\"");
            let text = format!("line {} column {}: {message}", place.line, place.column);
            output.line(format_args!("(error \"{text}\")"))?;
        }
        // An answer to a script that was understood in part would be an answer to another one.
        return Ok(Ending::Incomplete);
    }
    let portfolio = Portfolio {
        backend: backend(arguments)?,
        seed: arguments.seed,
        not_substring: arguments.not_substring,
    };
    let limits =
        Limits { timeout: arguments.timeout, memory: arguments.memory.map(|memory| memory.0) };
    let session = Session::new(pool, &reading.script, &file.bytes, portfolio, limits);
    session.run(arguments.stats, output)
}

/// The arithmetic solver: the one that is named, the newest one that is installed, or the one on
/// the search path.
fn backend(arguments: &Arguments) -> Result<Option<Backend>, CliError> {
    if let Some(named) = &arguments.arithmetic
        && !named.is_file()
    {
        let complaint = format!("{}: there is no such program", named.display());
        let hint = "leave --arithmetic out, or: luthier solvers install z3@5.4.0";
        return Err(CliError::usage(complaint).with_hint(hint));
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
    Ok(program.map(|program| Backend { program, arguments: memory.into_iter().collect() }))
}
