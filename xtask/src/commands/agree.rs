//! `cargo xtask agree`: differential test of the referee against solvers on random ground terms.
//!
//! To the referee every ground term t has a value v, unless it divides by zero. A solver decides
//! `(not (= t v))`: `unsat` agrees, `sat` differs. A solver that gives no answer is no evidence about
//! the referee; such terms are counted by cause. A difference is reduced to the operators of the term
//! on literal arguments, to show which operator it is about.

mod ask;
mod facts;
mod reduce;
mod report;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use luthier_ask::Solver;
use luthier_runner::releases::{Release, ReleaseName, Releases};

use super::Ending;
use crate::output;
use ask::{Peer, Reply};
use facts::Facts;
use report::{Report, Results};

#[derive(clap::Args)]
pub struct Arguments {
    /// How many distinct terms with a value
    #[arg(long, default_value_t = 200_000)]
    terms: usize,
    /// Other terms for another seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The releases to ask; those with a version are installed if they are not there
    #[arg(long = "solver", value_name = "RELEASE", default_values = ["z3@5.4.0", "cvc5@1.4.2"])]
    solvers: Vec<ReleaseName>,
    /// A further argument for a solver. By default Z3 gives up after a number of steps of its own
    /// counting: a term that it cannot evaluate may otherwise keep it searching for ever
    #[arg(long = "argument", value_name = "SOLVER=ARGUMENT", default_values = ["z3=rlimit=100000"])]
    arguments: Vec<String>,
    /// How many terms one process is asked about
    #[arg(long, default_value_t = 100)]
    batch: usize,
    /// CPU seconds that a process may take, be it for a batch or for one term
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// How many processes run at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The binary of Luthier, which runs cvc5; it is built if none is given
    #[arg(long)]
    luthier: Option<PathBuf>,
    /// Write the report to this file, too
    #[arg(long)]
    write: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = match &arguments.luthier {
        Some(path) => std::path::absolute(path)?,
        None => build_luthier()?,
    };
    let releases = Releases::of_user(luthier.clone())?;
    let mut solvers = Vec::new();
    for name in &arguments.solvers {
        let release = find(&releases, name)?;
        let further = further_arguments(&arguments.arguments, &release.description.name)?;
        solvers.push(Solver::new(release, Vec::new(), further, None, &luthier)?);
    }
    output::talk(format_args!("making {} terms", arguments.terms));
    let mut facts = Facts::make(arguments.terms, arguments.seed)?;
    let mut report = Report::new(&command_line(arguments), &facts);
    for solver in &solvers {
        let folder = tempfile::tempdir()?;
        let limit = Duration::from_secs(arguments.seconds.max(1));
        let peer = Peer { solver, folder: folder.path(), limit };
        let results = ask_all(&peer, &facts, arguments);
        let reduced = reduce::differences(&peer, &mut facts, &results.replies)?;
        report.add(&facts, &solver.release.label(), &results, &reduced);
    }
    let text = report.finish();
    output::data(&text);
    if let Some(path) = &arguments.write {
        std::fs::write(path, text.as_bytes())?;
    }
    Ok(if report.found_differences() { Ending::Findings } else { Ending::Fine })
}

/// Those of the arguments that are for a solver.
fn further_arguments(all: &[String], solver: &str) -> Result<Vec<String>, String> {
    let mut wanted = Vec::new();
    for argument in all {
        match argument.split_once('=') {
            Some((name, argument)) if name == solver => wanted.push(argument.to_owned()),
            Some(_) => {}
            None => return Err(format!("--argument {argument}: write SOLVER=ARGUMENT")),
        }
    }
    Ok(wanted)
}

/// The command that makes the same report again, on any number of cores.
fn command_line(arguments: &Arguments) -> String {
    let solvers: Vec<String> =
        arguments.solvers.iter().map(|solver| format!(" --solver {solver}")).collect();
    let further: Vec<String> =
        arguments.arguments.iter().map(|argument| format!(" --argument {argument}")).collect();
    format!(
        "cargo xtask agree --terms {} --seed {}{}{} --batch {} --seconds {}",
        arguments.terms,
        arguments.seed,
        solvers.concat(),
        further.concat(),
        arguments.batch,
        arguments.seconds
    )
}

/// Decides all facts with a solver, with the given number of parallel processes.
fn ask_all(peer: &Peer<'_>, facts: &Facts, arguments: &Arguments) -> Results {
    let batches: Vec<_> = facts.all.chunks(arguments.batch.max(1)).collect();
    let next = AtomicUsize::new(0);
    let answered: Mutex<Vec<Option<Vec<Reply>>>> = Mutex::new(vec![None; batches.len()]);
    let cpu = Mutex::new(Duration::ZERO);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(number) else { return };
                    let (replies, used) = peer.ask(&facts.pool, batch);
                    *cpu.lock().expect("no thread panics while it adds") += used;
                    answered.lock().expect("no thread panics while it stores")[number] =
                        Some(replies);
                    if number % 200 == 199 {
                        let name = peer.solver.release.label();
                        output::talk(format_args!("{name}: {number} of {} asked", batches.len()));
                    }
                }
            });
        }
    });
    let answered = answered.into_inner().expect("all threads have ended");
    let replies = answered.into_iter().flatten().flatten().collect();
    Results { replies, cpu: cpu.into_inner().expect("all threads have ended") }
}

/// The release that a name means; it is fetched if it is not there.
fn find(releases: &Releases, name: &ReleaseName) -> Result<Release, Box<dyn Error>> {
    if let ReleaseName::Cached { .. } = name {
        releases.install(name, &mut |step| output::talk(format_args!("{name}: {step:?}")))?;
    }
    Ok(releases.resolve(name)?)
}

/// Builds the program that runs releases which are libraries, in the profile of this one.
pub fn build_luthier() -> Result<PathBuf, Box<dyn Error>> {
    let ours = std::env::current_exe()?;
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--locked", "--package", "luthier"]);
    if ours.parent().and_then(Path::file_name) == Some("release".as_ref()) {
        command.arg("--release");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !command.current_dir(root).status()?.success() {
        return Err("luthier does not build, and it is needed to run cvc5".into());
    }
    Ok(ours.with_file_name(format!("luthier{}", std::env::consts::EXE_SUFFIX)))
}
