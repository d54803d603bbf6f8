//! Measures incremental loading: `cargo run --release -p luthier-results --example follow -- FILE`.
//!
//! The file is copied and read, and refreshed while a second repetition of some runs is written to
//! the copy.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::time::Instant;

use luthier_results::{LiveResults, load};
use luthier_store::{InstanceId, NewRun, Store};

/// How many runs a campaign writes at once.
const BATCH: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let original = std::env::args_os().nth(1).ok_or("name a database")?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("copy.db");
    std::fs::copy(original, &path)?;

    let start = Instant::now();
    let results = load(&Store::open_read_only(&path)?)?;
    let runs: usize = results.entries.iter().map(|entry| entry.judged.runs.len()).sum();
    let milliseconds = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    println!("load: {:.0} ms, {} entries, {runs} runs", milliseconds(start), results.entries.len());
    println!("{}", peak_memory());
    drop(results);

    let mut live = LiveResults::open(&path)?;
    let start = Instant::now();
    let is_changed = live.refresh()?;
    println!("refresh, changed {is_changed}: {:.3} ms", milliseconds(start));

    let mut store = Store::open(&path)?;
    for round in 0..3 {
        let results = live.results();
        let step = (results.entries.len() / BATCH).max(1);
        let mut written = 0;
        for entry in results.entries.iter().skip(round).step_by(step) {
            let Some(run) = entry.judged.runs.first() else { continue };
            let instance = InstanceId(entry.judged.content.number);
            let Some(found) = store.instance(instance)? else { continue };
            let Some(stored) = found.runs.into_iter().find(|stored| stored.id.0 == run.number)
            else {
                continue;
            };
            let (campaign, configuration) = (stored.campaign, stored.configuration);
            let mut copy = stored.into_run(luthier_store::Outputs::default());
            copy.repetition += 1;
            let new = NewRun { configuration, instance, run: &copy };
            written += store.add_runs(campaign, &[new])?;
        }
        drop(results);
        let start = Instant::now();
        let is_changed = live.refresh()?;
        println!(
            "refresh after {written} runs, changed {is_changed}: {:.1} ms",
            milliseconds(start)
        );
    }
    println!("{}", peak_memory());
    Ok(())
}

/// What the system says about the memory of this process.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    peak.unwrap_or("the peak of memory is unknown").to_owned()
}
