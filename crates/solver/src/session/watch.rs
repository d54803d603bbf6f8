//! Limits of a session on time and memory, and signals.
//!
//! Reading a script, deciding a query and making the text of an answer run on a thread of their
//! own, the worker, and the session waits for it here with a deadline. Code that looks at its budget
//! ends by itself soon after its flag is raised. Code that does not is abandoned: the session goes
//! on with a new worker. So a limit holds whatever an engine does.

use std::cell::{Cell, RefCell};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::{Cancel, UnknownReason, arithmetic};

/// How often memory and signals are looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long work has to end by itself when a limit is met.
const GRACE: Duration = Duration::from_millis(40);

/// For this long nobody asks for memory: a program of any size takes some to start.
const START: Duration = Duration::from_millis(100);

/// What each command may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct WatchLimits {
    /// Wall-clock time.
    pub timeout: Option<Duration>,
    /// Resident memory of the program and its arithmetic solvers, in bytes.
    pub memory: Option<u64>,
}

/// Why work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is over.
    Timeout,
    /// The memory is used up.
    Memory,
    /// The program is asked to end.
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

/// Signals, as the program around the session hears them.
pub trait Signals {
    /// The signal that came, if one did.
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

/// What came of some work.
pub struct Outcome<T> {
    /// Its result. Work that was stopped may still have one.
    pub result: Option<T>,
    /// Why it was stopped.
    pub stop: Option<Stop>,
}

/// Watches over all work of one session.
pub struct Watch {
    limits: WatchLimits,
    /// When the session began to read.
    start: Instant,
    signals: Box<dyn Signals>,
    /// Whether a worker was abandoned.
    has_abandoned: Cell<bool>,
    /// The worker, while it has nothing to do.
    worker: RefCell<Option<Sender<Job>>>,
}

/// A piece of work for the worker.
type Job = Box<dyn FnOnce() + Send>;

impl Watch {
    /// Watches from now on.
    pub fn new(limits: WatchLimits, signals: Box<dyn Signals>) -> Self {
        Self {
            limits,
            start: Instant::now(),
            signals,
            has_abandoned: Cell::new(false),
            worker: RefCell::new(None),
        }
    }

    /// The limits.
    pub fn limits(&self) -> WatchLimits {
        self.limits
    }

    /// Signals, as the program hears them.
    pub fn signals(&self) -> &dyn Signals {
        &*self.signals
    }

    /// When the time is over for a command that begins now.
    pub fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.limits.timeout?)
    }

    /// When the time is over for reading and the first query.
    pub fn first_deadline(&self) -> Option<Instant> {
        self.start.checked_add(self.limits.timeout?)
    }

    /// Lets the worker do something and waits for it, but not beyond a limit. The flag is raised
    /// when a limit is met, and a worker that does not end then is abandoned.
    pub fn run<T: Send + 'static>(
        &self,
        deadline: Option<Instant>,
        cancel: &Cancel,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Outcome<T> {
        // What an abandoned worker has taken does not come back, and it may take more.
        if self.has_abandoned.get() && self.is_full() {
            return Outcome { result: None, stop: Some(Stop::Memory) };
        }
        let (sender, results) = channel();
        let job: Job = Box::new(move || {
            // Nobody waits for a result that comes too late.
            let _ = sender.send(work());
        });
        let Some(worker) = self.worker.take().or_else(hire).filter(|one| one.send(job).is_ok())
        else {
            // The system has no room for another thread.
            return Outcome { result: None, stop: Some(Stop::Memory) };
        };
        let stop = loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match results.recv_timeout(left.map_or(INTERVAL, |left| left.min(INTERVAL))) {
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
        let patience = if matches!(stop, Stop::Signal(_)) { INTERVAL } else { GRACE };
        let result = results.recv_timeout(patience).ok();
        match result {
            Some(_) => drop(self.worker.replace(Some(worker))),
            None => self.has_abandoned.set(true),
        }
        Outcome { result, stop: Some(stop) }
    }

    /// Which limit is met, if one is.
    fn stop(&self, deadline: Option<Instant>) -> Option<Stop> {
        if let Some(signal) = self.signals.received() {
            return Some(Stop::Signal(signal));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Timeout);
        }
        (self.start.elapsed() >= START && self.is_full()).then_some(Stop::Memory)
    }

    /// Whether more memory is used than may be.
    fn is_full(&self) -> bool {
        self.limits.memory.is_some_and(|most| resident() > most)
    }
}

/// Starts a worker, which ends when nobody can give it work any more.
fn hire() -> Option<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let worker = std::thread::Builder::new().name("worker".to_owned());
    worker.spawn(move || jobs.into_iter().for_each(|job| job())).ok().map(|_| sender)
}

/// The memory that this program and its arithmetic solvers have now, where the system tells.
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
