//! Enforcement of time and memory limits, and of signals, for all work of a session.
//!
//! Parsing, deciding and printing run on a worker thread, and the session waits for it with a
//! deadline. Work that checks its budget ends soon after its cancellation flag is set. Work that
//! does not is abandoned, and the session continues with a new worker. So a limit holds whatever an
//! engine does; the memory of an abandoned worker still counts. Memory is resident memory from
//! `/proc`, including arithmetic solvers.

use std::cell::{Cell, RefCell};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::{Cancel, UnknownReason, arithmetic};

/// The interval between checks of memory and signals.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// How long work may take to end after cancellation.
const GRACE: Duration = Duration::from_millis(40);

/// Memory is not checked for this long, because the start of the program takes some.
const MEMORY_GRACE: Duration = Duration::from_millis(100);

/// The limits of each command.
#[derive(Clone, Copy, Debug, Default)]
pub struct WatchLimits {
    /// Wall-clock time.
    pub timeout: Option<Duration>,
    /// Resident memory of the program and its arithmetic solvers, in bytes.
    pub memory: Option<u64>,
}

/// The cause of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is over.
    Timeout,
    /// The memory is used up.
    Memory,
    /// A signal asks the program to end.
    Signal(i32),
    /// The worker panicked, and the program goes on nevertheless.
    Panic,
}

impl Stop {
    /// The reason for `unknown`.
    pub fn reason(self) -> UnknownReason {
        match self {
            Self::Timeout => UnknownReason::Timeout,
            Self::Memory => UnknownReason::Memory,
            Self::Signal(_) => UnknownReason::Cancelled,
            Self::Panic => UnknownReason::Failed("a thread panicked".to_owned()),
        }
    }
}

/// The signals that the program around the session has received.
pub trait Signals {
    /// The signal that was received, if any.
    fn received(&self) -> Option<i32>;

    /// From now on the session may wait: a signal must end the program even then.
    fn expect_waiting(&self);
}

/// No signals: the session ends with its script.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSignals;

impl Signals for NoSignals {
    fn received(&self) -> Option<i32> {
        None
    }

    fn expect_waiting(&self) {}
}

/// The outcome of some work.
pub struct Outcome<T> {
    /// Its result. Work that was stopped may still have one.
    pub result: Option<T>,
    /// The cause, if it was stopped.
    pub stop: Option<Stop>,
}

/// Runs the work of one session under its limits.
pub struct Watch {
    limits: WatchLimits,
    /// The time that the client allows for a command, within the limits.
    client_timeout: Cell<Option<Duration>>,
    /// The start of parsing.
    start: Instant,
    signals: Box<dyn Signals>,
    /// Whether a worker was abandoned.
    has_abandoned: Cell<bool>,
    /// The worker, while it is idle.
    worker: RefCell<Option<Sender<Job>>>,
}

/// A piece of work for the worker.
type Job = Box<dyn FnOnce() + Send>;

impl Watch {
    /// A watch that starts now.
    pub fn new(limits: WatchLimits, signals: Box<dyn Signals>) -> Self {
        Self {
            limits,
            client_timeout: Cell::new(None),
            start: Instant::now(),
            signals,
            has_abandoned: Cell::new(false),
            worker: RefCell::new(None),
        }
    }

    /// The limits.
    pub fn limits(&self) -> WatchLimits {
        let both = [self.limits.timeout, self.client_timeout.get()];
        WatchLimits { timeout: both.into_iter().flatten().min(), ..self.limits }
    }

    /// Allows less time for each command from now on; `None`: as much as the limits do.
    pub fn limit_time(&self, timeout: Option<Duration>) {
        self.client_timeout.set(timeout);
    }

    /// The cause to stop between commands, if there is one.
    pub fn stop_between_commands(&self) -> Option<Stop> {
        self.stop(None)
    }

    /// The signals of the program.
    pub fn signals(&self) -> &dyn Signals {
        &*self.signals
    }

    /// The deadline of a command that begins now.
    pub fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.limits().timeout?)
    }

    /// The deadline of parsing and the first query.
    pub fn first_deadline(&self) -> Option<Instant> {
        self.start.checked_add(self.limits.timeout?)
    }

    /// Runs work on the worker and waits for it, but not beyond a limit. When a limit is hit, the
    /// flag is set, and a worker that does not end then is abandoned.
    pub fn run<T: Send + 'static>(
        &self,
        deadline: Option<Instant>,
        cancel: &Cancel,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Outcome<T> {
        // The memory of an abandoned worker is not released, and may grow.
        if self.has_abandoned.get() && self.is_full() {
            return Outcome { result: None, stop: Some(Stop::Memory) };
        }
        let (sender, results) = channel();
        let job: Job = Box::new(move || {
            // The receiver is gone if the result comes too late.
            let _ = sender.send(work());
        });
        let Some(worker) =
            self.worker.take().or_else(start_worker).filter(|one| one.send(job).is_ok())
        else {
            // The system cannot start another thread.
            return Outcome { result: None, stop: Some(Stop::Memory) };
        };
        let stop = loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match results.recv_timeout(left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL))) {
                Ok(result) => {
                    self.worker.replace(Some(worker));
                    return Outcome { result: Some(result), stop: None };
                }
                Err(RecvTimeoutError::Disconnected) => break Stop::Panic,
                Err(RecvTimeoutError::Timeout) => self.signals.expect_waiting(),
            }
            if let Some(stop) = self.stop(deadline) {
                break stop;
            }
        };
        cancel.cancel();
        let grace = if matches!(stop, Stop::Signal(_)) { POLL_INTERVAL } else { GRACE };
        let result = results.recv_timeout(grace).ok();
        match result {
            Some(_) => drop(self.worker.replace(Some(worker))),
            None => self.has_abandoned.set(true),
        }
        Outcome { result, stop: Some(stop) }
    }

    /// The cause to stop now, if there is one.
    fn stop(&self, deadline: Option<Instant>) -> Option<Stop> {
        if let Some(signal) = self.signals.received() {
            return Some(Stop::Signal(signal));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Timeout);
        }
        (self.start.elapsed() >= MEMORY_GRACE && self.is_full()).then_some(Stop::Memory)
    }

    /// Whether the memory limit is exceeded.
    fn is_full(&self) -> bool {
        self.limits.memory.is_some_and(|most| resident() > most)
    }
}

/// Starts a worker, which ends when its sender is dropped.
fn start_worker() -> Option<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let worker = std::thread::Builder::new().name("worker".to_owned());
    worker.spawn(move || jobs.into_iter().for_each(|job| job())).ok().map(|_| sender)
}

/// The resident memory of this program and its arithmetic solvers, where `/proc` has it.
fn resident() -> u64 {
    let children = arithmetic::process_ids().into_iter().map(|id| id.to_string());
    let all = std::iter::once("self".to_owned()).chain(children);
    all.filter_map(|process| resident_of(&process)).sum()
}

fn resident_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(timeout: Duration) -> Watch {
        let limits = WatchLimits { timeout: Some(timeout), memory: None };
        Watch::new(limits, Box::new(NoSignals))
    }

    #[test]
    fn work_that_does_not_look_at_its_flag_is_abandoned() {
        let watch = watch(Duration::from_millis(20));
        let cancel = Cancel::new();
        let outcome = watch.run(watch.deadline(), &cancel, || {
            loop {
                std::thread::sleep(Duration::from_secs(1000));
            }
        });
        let outcome: Outcome<()> = outcome;
        assert_eq!(outcome.stop, Some(Stop::Timeout));
        assert!(outcome.result.is_none() && cancel.is_cancelled());
    }

    #[test]
    fn work_that_looks_at_its_flag_still_has_its_say() {
        let watch = watch(Duration::from_millis(20));
        let cancel = Cancel::new();
        let flag = cancel.clone();
        let outcome = watch.run(watch.deadline(), &cancel, move || {
            while !flag.is_cancelled() {
                std::thread::yield_now();
            }
            7
        });
        assert_eq!((outcome.stop, outcome.result), (Some(Stop::Timeout), Some(7)));
        let outcome = watch.run(None, &Cancel::new(), || 8);
        assert_eq!((outcome.stop, outcome.result), (None, Some(8)));
    }

    #[test]
    fn work_that_panics_is_a_stop() {
        let watch = watch(Duration::from_secs(60));
        let outcome = watch.run(watch.deadline(), &Cancel::new(), || {
            std::panic::resume_unwind(Box::new(()));
        });
        let outcome: Outcome<()> = outcome;
        assert_eq!(outcome.stop, Some(Stop::Panic));
        let outcome = watch.run(None, &Cancel::new(), || 8);
        assert_eq!((outcome.stop, outcome.result), (None, Some(8)));
    }
}
