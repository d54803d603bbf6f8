//! `luthier run`: runs solvers on instances, judges their answers and keeps the results.

mod arguments;
mod labels;
mod list;
mod progress;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use luthier_campaign::{CampaignSummary, Event, Experiment, Plan, this_machine};
use luthier_records::{Campaign, Class, Timestamp};
use luthier_runner::releases::Releases;
use luthier_store::Store;
use serde::Serialize;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{summary, user_releases};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::{clean_name, counted};

pub use arguments::Arguments;
use labels::LabelUses;
use progress::RunProgress;

/// The JSON of `luthier run`.
#[derive(Serialize)]
struct Record {
    version: u32,
    database: String,
    /// All runs of the experiment.
    runs: usize,
    /// Those that were there before.
    recorded: usize,
    /// Those that were made now.
    made: usize,
    /// Somebody stopped it.
    stopped: bool,
    /// Instances that cannot be read, with place and message.
    faulty_instances: Vec<FaultRecord>,
    unreadable_files: usize,
    summary: Vec<summary::Row>,
}

#[derive(Serialize)]
struct FaultRecord {
    instance: String,
    fault: String,
}

/// How many messages of one kind are shown.
const MAX_SHOWN: usize = 10;

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let releases = user_releases()?;
    let experiment = arguments.experiment()?;
    if arguments.list {
        return list::run(experiment, &releases, output);
    }
    if arguments.install {
        super::solvers::install::ensure(&Plan::installable(&experiment)?, &releases, output)?;
    }
    let finished = run_experiment(experiment, &releases, arguments.retry_errors, output)?;
    finish(&finished, arguments.vote, output)
}

/// An experiment that came to its end.
pub struct Ran {
    database: std::path::PathBuf,
    finished: CampaignSummary,
}

/// Runs an experiment with progress on the terminal.
pub fn run_experiment(
    experiment: Experiment,
    releases: &Releases,
    retry_errors: bool,
    output: &Output,
) -> Result<Ran, CliError> {
    let database = experiment.database.clone().unwrap_or_else(|| "luthier.db".into());
    let plan = Plan::new(experiment, releases)?;
    if retry_errors && database.exists() {
        forget_errors(&plan, &database)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let mut progress = RunProgress::new();
    let mut remarks = 0;
    let mut labels = LabelUses::default();
    let mut observer = |event: Event<'_>| match &event {
        Event::Unreadable { message } => {
            progress.clear();
            output.warn(message);
        }
        Event::Remark { instance, message } => {
            remarks += 1;
            if remarks <= MAX_SHOWN {
                progress.clear();
                output.warn(&format!("{}:{message}", clean_name(instance)));
            }
        }
        Event::Labelled(used) => labels.add(used),
        Event::Registered(_) => {
            progress.clear();
            labels.tell(output);
        }
        Event::Loaded(load) => {
            progress.clear();
            let cores = counted(load.cores, "core");
            let cause = match load.own_runs > load.cores {
                true => format!("{} at a time share {cores}", counted(load.own_runs, "run")),
                false => {
                    let average = load.average;
                    format!("the machine is busy: {average:.1} processes want to run on {cores}")
                }
            };
            output.warn(&format!("{cause}; CPU time decides, but times are less exact"));
        }
        event => progress.update(event),
    };
    let finished = luthier_campaign::run(
        &plan,
        &campaign(&plan),
        &database,
        &|| stop.load(Ordering::Relaxed),
        &mut observer,
    );
    progress.clear();
    Ok(Ran { database, finished: finished? })
}

/// Ctrl-C and the like end a campaign in order. A signal that whoever started us had ignored, as
/// `nohup` does, stays ignored.
pub fn stop_on_signals(stop: &Arc<AtomicBool>) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored & (1 << (signal - 1)) == 0 {
            // Without the handler it ends us at once, which only costs the runs of that moment.
            let _ = signal_hook::flag::register(signal, stop.clone());
        }
    }
}

/// Tells what came of it; the summary is that of the whole database.
pub fn finish(ran: &Ran, vote: bool, output: &mut Output) -> Result<Ending, CliError> {
    let Ran { database, finished } = ran;
    let faulty: Vec<_> = finished.registered.faulty().collect();
    for instance in faulty.iter().take(MAX_SHOWN) {
        let fault = instance.fault.as_deref().unwrap_or_default();
        output.warn(&format!("{}:{fault}; no solver was asked", clean_name(&instance.name)));
    }
    if faulty.len() > MAX_SHOWN {
        let more = counted(faulty.len() - MAX_SHOWN, "more instance");
        output.warn(&format!("{more} cannot be read"));
    }
    if finished.registered.instances() == 0 && !finished.stopped {
        output.warn(
            "there is no script here; folders and archives are searched for .smt2 files (also \
             .smt20 to .smt27, .smt), and a file that is named is read whatever it is called",
        );
    }
    let results = summary::Results::read(database, vote)?;
    if output.json {
        let record = Record {
            version: VERSION,
            database: database.display().to_string(),
            runs: finished.planned.runs,
            recorded: finished.planned.recorded,
            made: finished.made,
            stopped: finished.stopped,
            faulty_instances: faulty
                .iter()
                .map(|instance| FaultRecord {
                    instance: instance.name.clone(),
                    fault: instance.fault.clone().unwrap_or_default(),
                })
                .collect(),
            unreadable_files: finished.registered.unreadable,
            summary: results.rows(),
        };
        output.json_line(&record)?;
    } else {
        results.print(database, summary::Shown::default(), output)?;
        output.flush()?;
        let made = counted(finished.made, "run");
        let before = match finished.planned.recorded {
            0 => String::new(),
            recorded => format!(", {recorded} were there before"),
        };
        let place = database.display().to_string();
        output.talk(format_args!("{made} made now{before}: {}", clean_name(&place)));
        if finished.registered.stopped {
            output.warn("stopped while instances were read: the same command goes on from here");
        } else if finished.stopped {
            let left = finished.planned.runs - finished.planned.recorded - finished.made;
            let left = counted(left, "run");
            output.warn(&format!("stopped; {left} left: the same command goes on from here"));
        }
    }
    let incomplete = finished.stopped
        || finished.registered.unreadable > 0
        || finished.registered.instances() == 0;
    Ok(match results.ending() {
        Ending::Fine if incomplete => Ending::Incomplete,
        ending => ending,
    })
}

/// Runs that failed by our fault are forgotten, so that they are made again.
fn forget_errors(plan: &Plan, database: &Path) -> Result<(), CliError> {
    let mut store = Store::open(database)?;
    for runnable in &plan.configurations {
        let configuration = store.add_configuration(&runnable.configuration)?;
        store.remove_runs(configuration, &[Class::FrameworkError])?;
    }
    store.close()?;
    Ok(())
}

fn campaign(plan: &Plan) -> Campaign {
    let now = SystemTime::now();
    let machine = this_machine();
    let nanoseconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    Campaign {
        // Two campaigns of one process on one machine do not begin in the same nanosecond.
        id: format!("{}-{}-{nanoseconds}", machine.host, std::process::id()),
        started: Timestamp::of(now),
        luthier_version: env!("CARGO_PKG_VERSION").to_owned(),
        command_line: std::env::args_os()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        experiment: plan.experiment.to_toml(),
        machine,
        jobs: u32::try_from(plan.jobs).unwrap_or(u32::MAX),
    }
}
