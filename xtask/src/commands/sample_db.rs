//! `cargo xtask sample-db`: a large database with random results, like that of a campaign on the
//! published sets.
//!
//! The formulas are really generated, and are stored as a campaign would register them. The runs are
//! random with a fixed seed: difficulty depends on set and instance, noise on the run. The same
//! arguments give the same database.

mod formulas;
mod places;
mod runs;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use luthier_generator::Dice;
use luthier_records::{Bytes, Campaign, Digest, Machine, Run, Timestamp};
use luthier_store::{CampaignId, ConfigurationId, NewRun, Store, StoreError};

use super::Ending;
use crate::output;
use formulas::Formulas;
use places::{SETS, SamplePlace, places};
use runs::{SOLVERS, Trial, configuration, random_run};

/// How many instances the 19 published sets have together.
const PUBLISHED: usize = 114_475;

/// How many instances go into one transaction.
const BATCH: usize = 1_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database to make; there must be no such file
    out: PathBuf,
    /// How many instances
    #[arg(long, default_value_t = PUBLISHED)]
    instances: usize,
    /// What decides about everything
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if arguments.out.exists() {
        return Err(format!("{}: is there already", arguments.out.display()).into());
    }
    let start = Instant::now();
    let formulas = Formulas::new(arguments.seed, arguments.instances)?;
    output::talk(format!("{:.1} s: formulas made", start.elapsed().as_secs_f64()));
    let mut store = Store::open(&arguments.out)?;
    // Z3 was run first, cvc5 some days later.
    let first = store.add_campaign(&campaign("sample-z3", 1_790_000_000_000))?;
    let second = store.add_campaign(&campaign("sample-cvc5", 1_790_400_000_000))?;
    let mut configurations = Vec::new();
    for solver in &SOLVERS {
        let campaign = if solver.family == "cvc" { second } else { first };
        configurations.push((campaign, store.add_configuration(&configuration(solver))?));
    }
    let places = places(arguments.instances);
    let mut written = 0;
    for (number, batch) in places.chunks(BATCH).enumerate() {
        let dice = Dice::new(arguments.seed, 1 + number as u64);
        written += write(&mut store, batch, &formulas, &configurations, dice)?;
        if number % 10 == 9 {
            let seconds = start.elapsed().as_secs_f64();
            output::talk(format!("{seconds:.1} s: {} instances", (number + 1) * BATCH));
        }
    }
    store.check()?;
    store.close()?;
    output::data(format!(
        "{}: {} instances in {} sets, {written} runs, {} MiB, {:.1} s",
        arguments.out.display(),
        places.len(),
        SETS.len(),
        std::fs::metadata(&arguments.out)?.len() >> 20,
        start.elapsed().as_secs_f64()
    ));
    Ok(Ending::Fine)
}

/// Writes some instances and all runs on them, in one transaction. Returns how many runs there are.
fn write(
    store: &mut Store,
    batch: &[SamplePlace],
    formulas: &Formulas,
    configurations: &[(CampaignId, ConfigurationId)],
    mut dice: Dice,
) -> Result<usize, StoreError> {
    store.batch(|store| {
        let mut written = 0;
        for place in batch {
            let set = &SETS[place.set];
            let set_id = store.add_set(set.name, set.is_trusted)?;
            let track = store.add_track(set_id, &place.track)?;
            let made = formulas.choose(set, place, &mut dice);
            let instance = store.add_instance(&made.instance, made.text.as_bytes())?;
            store.add_member(track, instance, &place.name)?;
            if dice.percent(set.copies) {
                let copy = place.name.replace(".smt2", "_copy.smt2");
                store.add_member(track, instance, &copy)?;
            }
            let mut trial = Trial::new(&made, set.hardness, &mut dice);
            for (solver, (campaign, configuration)) in SOLVERS.iter().zip(configurations) {
                let run: Run = random_run(solver, &mut trial, &mut dice);
                let new = NewRun { configuration: *configuration, instance, run: &run };
                written += store.add_runs(*campaign, &[new])?;
            }
        }
        Ok(written)
    })
}

fn campaign(id: &str, started: i64) -> Campaign {
    let solvers = SOLVERS.map(|solver| format!("{:?}", solver.name)).join(", ");
    let sets = SETS.iter().map(|set| format!("[[sets]]\nname = {:?}\n", set.name));
    Campaign {
        id: id.to_owned(),
        started: Timestamp(started),
        luthier_version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: ["luthier", "run", "sample.toml"].map(str::to_owned).to_vec(),
        experiment: format!("solvers = [{solvers}]\n{}", sets.collect::<String>()),
        machine: Machine {
            host: "made-up".to_owned(),
            system: "Linux 6.1".to_owned(),
            processor: "made up, 3.0 GHz".to_owned(),
            cores: 16,
            memory: Bytes::mebibytes(65_536),
        },
        jobs: 8,
    }
}

/// A digest for a program that does not exist.
fn program_digest(name: &str) -> Digest {
    Digest::of(format!("made up: {name}").as_bytes())
}

#[cfg(test)]
mod tests {
    use luthier_campaign::parsed_instance::ParsedInstance;
    use luthier_records::Class;
    use luthier_store::InstanceRuns;

    use super::*;

    fn sample(instances: usize, seed: u64) -> Vec<(InstanceRuns, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a.db");
        run(&Arguments { out: out.clone(), instances, seed }).unwrap();
        let store = Store::open_read_only(&out).unwrap();
        let mut all = Vec::new();
        store
            .visit_instances(|found| -> Result<(), StoreError> {
                let text = store.text(found.instance.digest)?.unwrap();
                all.push((found, text));
                Ok(())
            })
            .unwrap();
        all
    }

    #[test]
    fn what_is_stored_is_what_registering_would_store() {
        let all = sample(300, 1);
        assert_eq!(all.len(), 300);
        assert!(all.iter().any(|(found, _)| found.places.len() > 1), "there are copies");
        for (found, text) in &all {
            let mut read = ParsedInstance::read(text, None);
            let features = luthier_judge::features(&read.pool, &read.script);
            read.instance.features = Some(features);
            assert_eq!(read.instance, found.instance);
            assert_eq!(found.runs.len(), SOLVERS.len());
        }
        assert!(all == sample(300, 1), "the same arguments give the same database");
        assert!(all != sample(300, 2));
    }

    #[test]
    fn results_have_realistic_shares() {
        let all = sample(3_000, 0);
        let runs: Vec<_> = all.iter().flat_map(|(found, _)| &found.runs).collect();
        let share = |class: Class| {
            let count = runs.iter().filter(|run| run.class == class).count();
            100.0 * count as f64 / runs.len() as f64
        };
        for (class, low, high) in [
            (Class::Sat, 50.0, 70.0),
            (Class::Unsat, 18.0, 32.0),
            (Class::Timeout, 5.0, 12.0),
            (Class::Unknown, 2.0, 6.0),
            (Class::Crash, 0.01, 1.5),
            (Class::Memout, 0.1, 1.5),
            (Class::Unsupported, 0.3, 3.0),
        ] {
            let share = share(class);
            assert!(low < share && share < high, "{class:?}: {share} %");
        }
    }
}
