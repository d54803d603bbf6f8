//! Cost of storing a run: `cargo run --release -p luthier-store --example add_runs -- FOLDER`.
//!
//! Writes many runs in batches, as a campaign does, to a database in the given folder, and prints
//! CPU time and wall time per run; then reads everything back.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement for people")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use luthier_records::{
    Bytes, Campaign, Captured, Class, Configuration, Cores, CpuTime, Digest, Ending, Instance,
    Machine, Measured, Query, Run, RunAnswer, RunLimits, Timestamp, Verdict, WallTime,
};
use luthier_store::{NewRun, Store, StoreError};
use rustix::time::{ClockId, clock_gettime};

const INSTANCES: usize = 20_000;
const SOLVERS: usize = 5;
const BATCH: usize = 200;

fn main() -> Result<(), StoreError> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(folder).unwrap();
    let path = folder.path().join("speed.db");
    let mut store = Store::open(&path)?;
    let campaign = store.add_campaign(&campaign())?;
    let configurations = (0..SOLVERS)
        .map(|number| store.add_configuration(&configuration(number)))
        .collect::<Result<Vec<_>, _>>()?;

    let clocks = Clocks::start();
    let instances = store.batch(|store| {
        let set = store.add_set("set", true)?;
        let track = store.add_track(set, "")?;
        (0..INSTANCES)
            .map(|number| {
                let text = format!("(declare-const x{number} String)\n").repeat(40);
                let id = store.add_instance(&instance(&text), text.as_bytes())?;
                store.add_member(track, id, &format!("{number}.smt2"))?;
                Ok(id)
            })
            .collect::<Result<Vec<_>, StoreError>>()
    })?;
    clocks.print("instance added", INSTANCES);

    let mut jobs = Vec::new();
    for (number, instance) in instances.iter().enumerate() {
        for configuration in &configurations {
            jobs.push((*configuration, *instance, run(number + jobs.len())));
        }
    }
    let clocks = Clocks::start();
    for batch in jobs.chunks(BATCH) {
        let runs: Vec<NewRun<'_>> = batch
            .iter()
            .map(|(configuration, instance, run)| NewRun {
                configuration: *configuration,
                instance: *instance,
                run,
            })
            .collect();
        store.add_runs(campaign, &runs)?;
    }
    clocks.print("run added", jobs.len());

    let clocks = Clocks::start();
    let recorded = store.recorded(configurations[0])?.len();
    clocks.print("run looked up", recorded);

    let clocks = Clocks::start();
    store.close()?;
    clocks.print("run at the end", jobs.len());

    let store = Store::open_read_only(&path)?;
    let clocks = Clocks::start();
    let mut read = 0;
    store.visit_instances(|instance| -> Result<(), StoreError> {
        read += instance.runs.len();
        Ok(())
    })?;
    clocks.print("run read", read);
    drop(store);

    let mut other = Store::open(folder.path().join("merged.db"))?;
    for what in ["run merged", "run merged again"] {
        let clocks = Clocks::start();
        other.merge(&path)?;
        clocks.print(what, jobs.len());
    }
    let size = std::fs::metadata(&path).unwrap().len();
    println!("{} bytes per run, instances and outputs included", size / jobs.len() as u64);
    Ok(())
}

/// CPU time of this process and time on the wall.
struct Clocks {
    cpu: Duration,
    wall: Instant,
}

impl Clocks {
    fn start() -> Self {
        Clocks { cpu: cpu_time(), wall: Instant::now() }
    }

    fn print(&self, what: &str, count: usize) {
        let per = |time: Duration| time.as_secs_f64() * 1e6 / count.max(1) as f64;
        let (cpu, wall) = (per(cpu_time() - self.cpu), per(self.wall.elapsed()));
        println!("{cpu:7.1} µs CPU {wall:7.1} µs wall per {what} ({count})");
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Three in four runs print only a verdict, the others a model of about 400 bytes as well.
fn run(number: usize) -> Run {
    let (verdict, class) = match number % 4 {
        0 => (Verdict::Unsat, Class::Unsat),
        _ => (Verdict::Sat, Class::Sat),
    };
    let mut stdout = format!("{verdict}\n");
    if number % 4 == 1 {
        for line in 0..8 {
            stdout.push_str(&format!(
                "  (define-fun x{line} () String \"{}\")\n",
                number * 37 + line
            ));
        }
    }
    let time = Duration::from_micros(number as u64);
    Run {
        repetition: 0,
        started: Timestamp(1_700_000_000_000),
        ending: Ending::Exited(0),
        class,
        measured: Measured {
            cpu: CpuTime(time),
            wall: WallTime(time),
            peak_memory: Bytes::mebibytes(20),
            left_behind: 0,
        },
        stdout: Captured { bytes: stdout.into_bytes(), cut: false },
        stderr: Captured::default(),
        answers: vec![RunAnswer {
            verdict,
            class,
            reason_unknown: None,
            model: None,
            core: None,
            opinions: Vec::new(),
        }],
        conversion: Vec::new(),
        core: Some(1),
        load: Some(1.5),
    }
}

fn instance(text: &str) -> Instance {
    Instance {
        digest: Digest::of(text.as_bytes()),
        dialect: "standard".to_owned(),
        dialect_reason: "nothing speaks against it".to_owned(),
        size: Bytes(text.len() as u64),
        queries: vec![Query::default()],
        fault: None,
        features: None,
    }
}

fn configuration(number: usize) -> Configuration {
    Configuration {
        name: format!("solver@{number}"),
        solver: "solver".to_owned(),
        family: "family".to_owned(),
        version: Some(number.to_string()),
        program: None,
        program_digest: Digest::of(b""),
        arguments: Vec::new(),
        script_lines: Vec::new(),
        dialect: "standard".to_owned(),
        seed: None,
        models: true,
        cores: Cores::Never,
        limits: RunLimits {
            cpu: CpuTime(Duration::from_secs(10)),
            wall: WallTime(Duration::from_secs(30)),
            memory: Bytes::mebibytes(4096),
            output: Bytes::mebibytes(16),
        },
        not_asked: Vec::new(),
    }
}

fn campaign() -> Campaign {
    Campaign {
        id: "speed".to_owned(),
        started: Timestamp(0),
        luthier_version: String::new(),
        command_line: Vec::new(),
        experiment: String::new(),
        machine: Machine::default(),
        jobs: 1,
    }
}
