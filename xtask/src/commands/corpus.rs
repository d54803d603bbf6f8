//! `cargo xtask corpus PATH…`: reads benchmark sets and reports what is accepted.
//!
//! Every instance is read by the generous reader, and, if it is accepted, printed in every dialect
//! and read back (round trip). Rejected instances can be given to solvers, to see whether they accept
//! them.

mod report;
pub mod solvers;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use luthier_corpus::{CorpusError, Instance, Options, instances};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{
    Code, Dialect, PrintOptions, ReadOptions, RoundTrip, read_script, round_trip,
};
use luthier_terms::TermPool;

use super::Ending;
use crate::output;
use report::{Rejection, Report};
use solvers::Peer;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files, folders and archives
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only read, do not print and read back
    #[arg(long)]
    no_round_trip: bool,
    /// Give rejected instances to this solver: NAME=COMMAND, where {file} stands for the file
    #[arg(long = "solver", value_name = "NAME=COMMAND")]
    solvers: Vec<Peer>,
    /// Write the report to this file, too
    #[arg(long)]
    write: Option<PathBuf>,
    /// How many threads read
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let source = Mutex::new(instances(&arguments.paths, &Options::default()));
    let report = Mutex::new(Report::default());
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = source.lock().expect("no thread panics while it reads").next();
                    let Some(next) = next else { return };
                    let read = examine(next, arguments);
                    report.lock().expect("no thread panics while it reports").add(read);
                }
            });
        }
    });
    let mut report = report.into_inner().expect("all threads have ended");
    report.finish(begin.elapsed());
    let text = report.render(&arguments.paths);
    output::data(&text);
    if let Some(path) = &arguments.write {
        std::fs::write(path, text.as_bytes())?;
    }
    Ok(if report.is_sound() { Ending::Fine } else { Ending::Findings })
}

/// What is known about one instance.
struct Examined {
    name: String,
    bytes: usize,
    time: Duration,
    dialect: Option<Dialect>,
    rejection: Option<Rejection>,
    warnings: Vec<Code>,
    round_trips: Vec<(Dialect, &'static str)>,
    faults: Vec<String>,
}

fn examine(next: Result<Instance, CorpusError>, arguments: &Arguments) -> Examined {
    let mut examined = Examined {
        name: String::new(),
        bytes: 0,
        time: Duration::ZERO,
        dialect: None,
        rejection: None,
        warnings: Vec::new(),
        round_trips: Vec::new(),
        faults: Vec::new(),
    };
    let Instance { name, bytes } = match next {
        Ok(instance) => instance,
        Err(error) => {
            examined.faults.push(error.to_string());
            return examined;
        }
    };
    let mut pool = TermPool::new();
    let begin = Instant::now();
    let reading = read_script(&mut pool, &bytes, &ReadOptions::default());
    examined.time = begin.elapsed();
    examined.bytes = bytes.len();
    examined.dialect = Some(reading.detection.dialect);
    examined.warnings = reading.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    examined.warnings.sort();
    examined.warnings.dedup();
    if let Some(first) = reading.errors().next() {
        let location = Locator::new(&bytes).location(first.span.start);
        examined.rejection = Some(Rejection {
            code: first.code.name(),
            place: format!("{name}:{}:{}", location.line, location.column),
            message: first.message.clone(),
            solvers: arguments.solvers.iter().map(|peer| peer.verdict(&bytes)).collect(),
        });
    } else if !arguments.no_round_trip {
        for dialect in Dialect::ALL {
            let widths: &[Option<usize>] =
                if dialect == Dialect::Smt27 { &[None, Some(80)] } else { &[None] };
            for &width in widths {
                let options = PrintOptions { dialect, width };
                let outcome = match round_trip(&mut pool, &reading.script, &options) {
                    RoundTrip::Same => "same",
                    RoundTrip::Rewritten => "rewritten",
                    RoundTrip::CannotExpress(_) => "cannot express",
                    RoundTrip::Different(_) => {
                        examined.faults.push(format!("{name} reads back differently in {dialect}"));
                        "different"
                    }
                };
                if width.is_none() {
                    examined.round_trips.push((dialect, outcome));
                }
            }
        }
    }
    examined.name = name;
    examined
}
