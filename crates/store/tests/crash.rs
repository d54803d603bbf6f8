//! A writer that is killed at any moment leaves a sound database with whole batches.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{all_instances, campaign, configuration, instance, rich_run, run};
use luthier_records::{Run, Verdict};
use luthier_store::{NewRun, Store, StoreError};

/// Set for the process that is going to be killed.
const VICTIM: &str = "LUTHIER_STORE_TEST_VICTIM";
const BATCH: u32 = 40;
const KILLS: u64 = 12;
const TEXT: &str = "(check-sat)";

/// Writes batches until it is killed. A batch is one instance and as many runs on it, numbered
/// on from what is there.
fn write_for_ever(path: &Path) -> Result<(), StoreError> {
    let mut store = Store::open(path)?;
    let campaign = store.add_campaign(&campaign("c1"))?;
    let configuration = store.add_configuration(&configuration("z3"))?;
    let mut number = all_instances(&store).len();
    loop {
        let text = format!("{TEXT} ; {number} {}", "x".repeat(number % 7 * 1000));
        let runs: Vec<Run> = (0..BATCH)
            .map(|repetition| match repetition % 2 {
                0 => run(repetition, Verdict::Sat),
                _ => {
                    let mut run = rich_run(repetition);
                    run.stdout.bytes = format!("{number} {repetition} ").repeat(50).into_bytes();
                    run
                }
            })
            .collect();
        store.batch(|store| -> Result<(), StoreError> {
            let instance = store.add_instance(&instance(&text), text.as_bytes())?;
            let new: Vec<NewRun<'_>> =
                runs.iter().map(|run| NewRun { configuration, instance, run }).collect();
            assert_eq!(store.add_runs(campaign, &new)?, runs.len());
            Ok(())
        })?;
        number += 1;
        let mut output = std::io::stdout().lock();
        writeln!(output, "committed {number}").and_then(|()| output.flush()).unwrap();
    }
}

/// Does nothing unless it was started by the test below.
#[test]
fn victim() {
    if let Some(path) = std::env::var_os(VICTIM) {
        write_for_ever(Path::new(&path)).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_whole_batches_and_loses_none_that_it_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut batches = 0;
    for kill in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["crash::victim", "--exact", "--nocapture", "--test-threads=1"])
            .env(VICTIM, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut reported = 0;
        let committed = |line: String| {
            line.split_once("committed ").and_then(|(_, number)| number.parse::<usize>().ok())
        };
        // Some batches, then a moment that differs from kill to kill.
        while reported < batches + 3 {
            let line = lines.next().expect("the writer goes on until it is killed").unwrap();
            reported = committed(line).unwrap_or(reported);
        }
        std::thread::sleep(std::time::Duration::from_micros(kill * 370));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in lines {
            reported = committed(line.unwrap()).unwrap_or(reported);
        }

        let store = Store::open(&path).unwrap();
        store.check().unwrap();
        let instances = all_instances(&store);
        batches = instances.len();
        assert!(batches >= reported, "{batches} batches, but {reported} were reported");
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        for found in &instances {
            *sizes.entry(found.runs.len()).or_default() += 1;
            assert!(store.text(found.instance.digest).unwrap().is_some());
        }
        assert_eq!(sizes, HashMap::from([(BATCH as usize, batches)]));
        let last = instances.last().unwrap().runs.last().unwrap();
        assert!(store.outputs(last.id).unwrap().is_some());
    }
}
