//! `cargo xtask overhead`: overhead of a run of `luthier run` over starting the program.
//!
//! The program only prints `sat` and a model, so everything else is overhead: reading the
//! instance, translating it, the process under limits, parsing the output, checking the model,
//! storing the result. It is run bare (fork, exec, wait, output through a pipe) and by a whole
//! campaign, alternately, so that other load on the machine affects both alike.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Ending;
use super::agree::build_luthier;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// How many runs in all
    #[arg(long, default_value_t = 10_000)]
    runs: usize,
    /// In how many turns
    #[arg(long, default_value_t = 10)]
    turns: usize,
    /// Fail if a run costs more than this many milliseconds beyond the bare one
    #[arg(long)]
    at_most: Option<f64>,
}

/// Prints its first argument and leaves out the second, which is the script.
const PROGRAM: &str = "printf";
const ANSWER: &str = "%.0ssat\\n(\\n  (define-fun x () String \"ab\")\\n)\\n";

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = build_luthier()?;
    let program = luthier_runner::releases::on_search_path([PROGRAM])
        .ok_or("there is no program printf on the search path")?;
    let folder = tempfile::tempdir()?;
    let settings = folder.path().join("settings");
    describe(&settings.join("luthier/solvers"))?;
    let per_turn = (arguments.runs / arguments.turns.max(1)).max(1);
    let (mut bare, mut whole) = (Duration::ZERO, Duration::ZERO);
    for turn in 0..arguments.turns.max(1) {
        bare += run_bare(&program, per_turn)?;
        let instances = folder.path().join(format!("instances-{turn}"));
        write_instances(&instances, per_turn, turn)?;
        whole += run_campaign(&luthier, &settings, &instances, per_turn)?;
    }
    let runs = per_turn * arguments.turns.max(1);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3 / runs as f64;
    let overhead = milliseconds(whole) - milliseconds(bare);
    output::data(format!(
        "{runs} runs, milliseconds a run on the wall\nbare: {:.3}\n`luthier run`, registering, \
         judging, storing and the summary included: {:.3}\noverhead: {overhead:.3}",
        milliseconds(bare),
        milliseconds(whole)
    ));
    let too_slow = arguments.at_most.is_some_and(|limit| overhead > limit);
    Ok(if too_slow { Ending::Findings } else { Ending::Fine })
}

/// Describes the program as a solver.
fn describe(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let answer = ANSWER.replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!(
        "name = \"noop\"\ntitle = \"No-op\"\nprograms = [\"{PROGRAM}\"]\n[run]\n\
         arguments = [\"{answer}\", \"{{file}}\"]\n[[dialects]]\nname = \"2.6\"\n"
    );
    Ok(fs::write(folder.join("noop.toml"), text)?)
}

fn write_instances(folder: &Path, count: usize, turn: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir(folder)?;
    for number in 0..count {
        let text = format!(
            "; turn {turn}, instance {number}\n(set-logic QF_SLIA)\n(declare-const x String)\n\
             (assert (str.in_re x (re.+ (re.range \"a\" \"z\"))))\n(assert (= (str.len x) 2))\n\
             (assert (str.prefixof \"a\" x))\n(check-sat)\n"
        );
        fs::write(folder.join(format!("{number}.smt2")), text)?;
    }
    Ok(())
}

fn run_bare(program: &Path, count: usize) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    for _ in 0..count {
        let run =
            Command::new(program).args([ANSWER, "/dev/stdin"]).stdin(Stdio::null()).output()?;
        if !run.stdout.starts_with(b"sat\n") {
            return Err(format!("{} does not print what it should", program.display()).into());
        }
    }
    Ok(start.elapsed())
}

fn run_campaign(
    luthier: &Path,
    settings: &Path,
    instances: &Path,
    count: usize,
) -> Result<Duration, Box<dyn Error>> {
    let database: PathBuf = instances.with_extension("db");
    let start = Instant::now();
    let run = Command::new(luthier)
        .args(["run", "--json", "--jobs", "1", "--solver", "noop", "--bench"])
        .arg(instances)
        .arg("--db")
        .arg(&database)
        .env("XDG_CONFIG_HOME", settings)
        .stdin(Stdio::null())
        .output()?;
    let elapsed = start.elapsed();
    let text = String::from_utf8_lossy(&run.stdout);
    // Every model must have been found valid, or something was measured that was not done.
    if !text.contains(&format!("\"valid_model\":{count},")) {
        let talk = String::from_utf8_lossy(&run.stderr);
        return Err(format!("the campaign did not do its work: {text}{talk}").into());
    }
    Ok(elapsed)
}
