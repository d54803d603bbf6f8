//! `luthier run`: a campaign of solvers on instances, resumable, with every answer checked.
//!
//! The campaign itself is in `luthier-campaign`, which emits events; this module turns options into
//! an experiment, shows events as a status line and warnings, serves pages meanwhile if asked to,
//! and prints the summary of the database in the end.

mod arguments;
mod labels;
mod list;
mod progress;
mod slurm;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use luthier_campaign::{CampaignSummary, Event, Experiment, Plan, this_machine};
use luthier_records::{Campaign, Class, Timestamp};
use luthier_runner::releases::Releases;
use luthier_store::Store;
use serde::Serialize;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::serve::Pages;
use super::{summary, user_releases};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::status_line::StatusLine;
use crate::text::{clean_name, counted};

pub use arguments::{Arguments, set_name};
use labels::LabelUses;
use progress::RunStatus;

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
    if let Some(options) = arguments.slurm()? {
        let ran = slurm::run(experiment, &releases, &options, arguments.retry_errors, output)?;
        return finish(&ran, arguments.vote, output);
    }
    let options = RunOptions { retry_errors: arguments.retry_errors, serve: arguments.serve };
    let mut ran = run_experiment(experiment, &releases, options, output)?;
    let ending = finish(&ran, arguments.vote, output);
    match ran.pages.take() {
        Some(pages) => {
            if ending.is_ok() {
                output.flush()?;
                ran.wait_for_signal(&pages, output);
            }
            pages.stop()?;
            // The last connection for reading cannot remove the files that SQLite has beside the
            // database while it is written to; one for writing does.
            Store::open(&ran.database)?.close()?;
        }
        None if ending.is_ok() && !output.json => {
            let place = ran.database.display().to_string();
            let database = shell_words::quote(&place);
            output.message(format_args!(
                "to see it in a browser: {} serve {database}",
                super::our_name()
            ));
        }
        None => {}
    }
    ending
}

/// How an experiment is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Make runs again that failed by a fault of ours or of the machine.
    pub retry_errors: bool,
    /// Serve pages there meanwhile.
    pub serve: Option<SocketAddr>,
}

/// A finished campaign.
pub struct Ran {
    database: std::path::PathBuf,
    finished: CampaignSummary,
    /// The server, if there is one.
    pages: Option<Pages>,
    /// Set by Ctrl-C and the like.
    stop: Arc<AtomicBool>,
}

impl Ran {
    /// Waits until Ctrl-C; not if it came while the campaign ran.
    fn wait_for_signal(&self, pages: &Pages, output: &Output) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        output.message(format_args!("the pages stay at {} until Ctrl-C", pages.address()));
        while !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Runs an experiment with progress on the terminal.
pub fn run_experiment(
    experiment: Experiment,
    releases: &Releases,
    options: RunOptions,
    output: &Output,
) -> Result<Ran, CliError> {
    let database = experiment.database.clone().unwrap_or_else(|| "luthier.db".into());
    let plan = Plan::new(experiment, releases)?;
    if options.retry_errors && database.exists() {
        forget_errors(&plan, &database)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signals(&stop);
    let line = StatusLine::new(RunStatus::new());
    let mut remarks = 0;
    let mut labels = LabelUses::default();
    let mut server = Server { wanted: options.serve, started: None };
    let mut observe = |event: &Event<'_>| match event {
        Event::Unreadable { message } => line.pause(|| output.warn(message)),
        Event::Remark { instance, message } => {
            remarks += 1;
            if remarks <= MAX_SHOWN {
                line.pause(|| output.warn(&format!("{}:{message}", clean_name(instance))));
            }
        }
        Event::Labelled(used) => labels.add(used),
        Event::Registered(_) => line.pause(|| labels.print(output)),
        Event::Loaded(load) => {
            let cores = counted(load.cores, "core");
            let cause = match load.own_runs > load.cores {
                true => format!("{} at a time share {cores}", counted(load.own_runs, "run")),
                false => {
                    let average = load.average;
                    format!("the machine is busy: {average:.1} processes want to run on {cores}")
                }
            };
            let warning = format!("{cause}; CPU time decides, but times are less exact");
            line.pause(|| output.warn(&warning));
        }
        event => line.update(|status| status.observe(event)),
    };
    let mut observer = |event: Event<'_>| {
        // The database is there from the first event on.
        if let Some(started) = server.start(&database) {
            match started {
                Ok(address) => line.pause(|| output.message(format_args!("pages at {address}"))),
                Err(()) => stop.store(true, Ordering::Relaxed),
            }
        }
        observe(&event);
    };
    let finished = luthier_campaign::run(
        &plan,
        &campaign(&plan),
        &database,
        &|| stop.load(Ordering::Relaxed),
        &mut observer,
    );
    drop(line);
    let pages = server.started.transpose()?;
    Ok(Ran { database, finished: finished?, pages, stop })
}

/// The server of `--serve`, which is started once the database is there.
struct Server {
    wanted: Option<SocketAddr>,
    started: Option<Result<Pages, CliError>>,
}

impl Server {
    /// Starts it when it is called for the first time; gives its address, or nothing if it could not
    /// be started, for a reason that is kept.
    fn start(&mut self, database: &Path) -> Option<Result<String, ()>> {
        let started = Pages::start(database, self.wanted.take()?);
        let address = started.as_ref().map(|pages| pages.address().to_owned()).map_err(|_| ());
        self.started = Some(started);
        Some(address)
    }
}

/// SIGINT, SIGTERM and SIGHUP stop a campaign in order. A signal that was ignored when the program was
/// started, as by `nohup`, stays ignored.
pub fn stop_on_signals(stop: &Arc<AtomicBool>) {
    stop_on(&[SIGINT, SIGTERM, SIGHUP], stop);
}

fn stop_on(signals: &[i32], stop: &Arc<AtomicBool>) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    for &signal in signals {
        if ignored & (1 << (signal - 1)) == 0 {
            // Without the handler it ends us at once, which only costs the runs of that moment.
            let _ = signal_hook::flag::register(signal, stop.clone());
        }
    }
}

/// Prints the outcome; the summary is that of the whole database.
pub fn finish(ran: &Ran, vote: bool, output: &mut Output) -> Result<Ending, CliError> {
    let Ran { database, finished, .. } = ran;
    let faulty: Vec<_> = finished.registered.faulty().collect();
    for instance in faulty.iter().take(MAX_SHOWN) {
        let fault = instance.fault.as_deref().unwrap_or_default();
        output.warn(&format!("{}:{fault}; no solver was run on it", clean_name(&instance.name)));
    }
    if faulty.len() > MAX_SHOWN {
        let more = counted(faulty.len() - MAX_SHOWN, "more instance");
        output.warn(&format!("{more} cannot be read"));
    }
    // A shard of a small set may be empty.
    let registered = &finished.registered;
    let found_nothing = registered.instances() == 0 && registered.in_other_shards == 0;
    if found_nothing && !finished.stopped {
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
            recorded => format!(", {recorded} recorded before"),
        };
        let place = database.display().to_string();
        output.message(format_args!("{made} executed{before}: {}", clean_name(&place)));
        if finished.registered.stopped {
            output.warn("stopped while instances were read; the same command resumes");
        } else if finished.stopped {
            let there = finished.planned.recorded + finished.made;
            let left = finished.planned.runs.saturating_sub(there);
            let left = counted(left, "run");
            output.warn(&format!("stopped with {left} left; the same command resumes"));
        }
    }
    let incomplete = finished.stopped || registered.unreadable > 0 || found_nothing;
    Ok(match results.ending() {
        Ending::Fine if incomplete => Ending::Incomplete,
        ending => ending,
    })
}

/// Removes runs that failed by a fault of ours or of the machine, so that they are repeated.
fn forget_errors(plan: &Plan, database: &Path) -> Result<(), CliError> {
    let mut store = Store::open(database)?;
    for runnable in &plan.configurations {
        let configuration = store.add_configuration(&runnable.configuration)?;
        store.remove_runs(configuration, &[Class::FrameworkError])?;
    }
    store.close()?;
    Ok(())
}

fn command_line() -> Vec<String> {
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
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
        command_line: command_line(),
        experiment: plan.experiment.to_toml(),
        machine,
        jobs: u32::try_from(plan.jobs).unwrap_or(u32::MAX),
    }
}
