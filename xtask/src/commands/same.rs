//! `cargo xtask same`: do two runs of the same release compare as no change?
//!
//! A release is run twice on generated formulas and on the suite `demo`, each time into a database
//! of its own, and `luthier compare` compares the two; all of it many times. In every other repetition the
//! second run is made beside a load: one busy thread for each core. Every outcome but "no change" is a
//! false alarm.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::Ending;
use super::agree::build_luthier;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The release, which must be installed or on the search path
    #[arg(long, default_value = "z3@5.4.0")]
    solver: String,
    /// How many pairs of runs
    #[arg(long, default_value_t = 20)]
    repetitions: usize,
    /// How many generated formulas
    #[arg(long, default_value_t = 100)]
    formulas: usize,
    /// The limit on CPU time of a run
    #[arg(long, default_value = "2s")]
    timeout: String,
    /// Keep the databases in this folder
    #[arg(long)]
    keep: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = build_luthier()?;
    let temporary = tempfile::tempdir()?;
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(folder)?;
    let count = arguments.formulas.to_string();
    let generate =
        ["generate", "--suite", "full", "--seed", "17", "--count", &count, "--out", "own"];
    call(&luthier, folder, &generate, &[0])?;
    output::data(
        "repetition  wall/CPU     compared  slower  faster  median (99 % interval)  outcome",
    );
    let mut same = 0;
    for repetition in 0..arguments.repetitions {
        let is_loaded = repetition % 2 == 1;
        let [before, after] = ["a", "b"].map(|side| format!("{side}{repetition}.db"));
        campaign(arguments, &luthier, folder, &before)?;
        match is_loaded {
            true => beside_load(|| campaign(arguments, &luthier, folder, &after))?,
            false => campaign(arguments, &luthier, folder, &after)?,
        }
        let compare = ["compare", &before, &after, "--json"];
        let record = call(&luthier, folder, &compare, &[0, 2, 4])?;
        let record: Value = serde_json::from_str(&record)?;
        same += usize::from(record["outcome"] == "same");
        output::data(line(repetition, is_loaded, &record));
    }
    output::data(format!("{same} of {} compare as no change", arguments.repetitions));
    Ok(if same == arguments.repetitions { Ending::Fine } else { Ending::Findings })
}

fn campaign(
    arguments: &Arguments,
    luthier: &Path,
    folder: &Path,
    database: &str,
) -> Result<(), Box<dyn Error>> {
    let (solver, timeout) = (&arguments.solver, &arguments.timeout);
    let run = ["run", "--bench", "own", "--suite", "demo", "--solver", solver, "--jobs", "1"];
    let more = ["--timeout", timeout, "--db", database, "--json"];
    // A wrong answer is a wrong answer on both sides.
    call(luthier, folder, &[&run[..], &more[..]].concat(), &[0, 2])?;
    Ok(())
}

/// Does the work while one thread for each core is busy.
fn beside_load<T>(work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for seed in 0..cores as u64 {
            scope.spawn({
                let is_done = &is_done;
                move || {
                    let mut number = seed;
                    while !is_done.load(Ordering::Relaxed) {
                        number = std::hint::black_box(number.wrapping_mul(0x5851_F42D_4C95_7F2D));
                    }
                }
            });
        }
        let value = work();
        is_done.store(true, Ordering::Relaxed);
        value
    })
}

fn line(repetition: usize, is_loaded: bool, record: &Value) -> String {
    let comparison = &record["comparisons"][0];
    let shift = &comparison["times"]["all"];
    let number = |value: &Value| value.as_f64().map_or("-".to_owned(), |one| format!("{one:.2}"));
    let mut text = format!(
        "{:10}{} {} {}  {:>8}  {:>6}  {:>6}  {} ({} to {})  {}",
        repetition + 1,
        if is_loaded { "+" } else { " " },
        number(&comparison["conditions"]["stretch_before"]),
        number(&comparison["conditions"]["stretch_after"]),
        comparison["compared"],
        comparison["counts"]["slower"],
        comparison["counts"]["faster"],
        number(&shift["median"]),
        number(&shift["low"]),
        number(&shift["high"]),
        record["outcome"].as_str().unwrap_or_default(),
    );
    if record["outcome"] != "same" {
        text.push_str(&format!("  {} {}", comparison["reasons"], comparison["counts"]));
    }
    text
}

fn call(
    luthier: &Path,
    folder: &Path,
    arguments: &[&str],
    expected: &[i32],
) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new(luthier);
    let run = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output()?;
    if !run.status.code().is_some_and(|code| expected.contains(&code)) {
        let talk = String::from_utf8_lossy(&run.stderr);
        return Err(format!("luthier {} failed: {talk}", arguments.join(" ")).into());
    }
    Ok(String::from_utf8(run.stdout)?)
}
