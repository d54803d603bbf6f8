//! What ends work from outside: the clock, memory and signals.
//!
//! Reading a script, deciding a query and printing what is asked about its answer run on a thread
//! of their own, the worker, and the session waits for it here with a deadline. Code that looks at
//! its budget ends by itself soon after its flag is raised. Code that does not is abandoned: the
//! session goes on with a new worker, and the program ends without the old one. So a limit holds
//! whatever an engine does.
//!
//! A signal ends the program. The session has a moment to answer the pending query; another thread
//! ends the program if the session itself is stuck, for instance in a pipe that nobody reads. A
//! program that is done in a moment and prints little does without that thread.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use luthier_solver::{Cancel, Why, arithmetic};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::output;

/// How often memory and signals are looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long work has to end by itself when a limit is met.
const GRACE: Duration = Duration::from_millis(40);

/// How long the session has to answer after a signal.
const SIGNAL_GRACE: Duration = Duration::from_millis(60);

/// For this long nobody asks for memory: a program of any size takes some to start.
const START: Duration = Duration::from_millis(100);

/// What each command may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
}

/// Why work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Timeout,
    Memory,
    Signal(i32),
}

impl Stop {
    /// The reason for `unknown`.
    pub fn why(self) -> Why {
        match self {
            Self::Timeout => Why::Timeout,
            Self::Memory => Why::Memory,
            Self::Signal(_) => Why::Cancelled,
        }
    }
}

/// What came of some work.
pub struct Outcome<T> {
    /// Its result. Work that was stopped may still have one.
    pub result: Option<T>,
    /// Why it was stopped.
    pub stop: Option<Stop>,
}

/// Watches over all work of one program.
pub struct Watch {
    pub limits: Limits,
    /// When the program began to read.
    start: Instant,
    /// The signal that came, or 0.
    signal: Arc<AtomicUsize>,
    /// The signals that are heard.
    heard: Vec<i32>,
    /// Whether a thread waits for them.
    is_guarded: Cell<bool>,
    /// Whether a worker was abandoned.
    has_abandoned: Cell<bool>,
    /// The worker, while it has nothing to do.
    worker: RefCell<Option<Sender<Job>>>,
}

/// A piece of work for the worker.
type Job = Box<dyn FnOnce() + Send>;

impl Watch {
    /// Watches from now on.
    pub fn new(limits: Limits) -> Self {
        let signal = Arc::new(AtomicUsize::new(0));
        let heard = listen(&signal);
        Self {
            limits,
            start: Instant::now(),
            signal,
            heard,
            is_guarded: Cell::new(false),
            has_abandoned: Cell::new(false),
            worker: RefCell::new(None),
        }
    }

    /// From now on a signal ends the program even if the session waits for somebody else, as when
    /// it prints more than a pipe takes.
    pub fn guard(&self) {
        if !self.is_guarded.replace(true) {
            end_after_signal(&self.heard, &self.signal);
        }
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
                // The work has ended without a result: it panicked, which ends the program.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(INTERVAL),
                Err(RecvTimeoutError::Timeout) => self.guard(),
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
        if let Some(signal) = self.signal() {
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

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
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

/// Notes signals; says which. A signal that whoever started us had ignored, as `nohup` does, stays
/// ignored.
fn listen(signal: &Arc<AtomicUsize>) -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|one| ignored & (1 << (one - 1)) == 0);
    let heard: Vec<i32> = heard.collect();
    for &one in &heard {
        // Without a handler the signal ends the program, which is what is wanted.
        let _ = signal_hook::flag::register_usize(one, signal.clone(), one as usize);
    }
    heard
}

/// Waits for a signal on a thread of its own, which blocks in a pipe that handlers write to.
#[cfg(unix)]
fn end_after_signal(heard: &[i32], signal: &Arc<AtomicUsize>) {
    use std::io::Read as _;
    use std::os::unix::net::UnixStream;

    let Ok((mut reader, writer)) = UnixStream::pair() else { return };
    for &one in heard {
        if let Ok(writer) = writer.try_clone() {
            // The session still looks at the flag.
            let _ = signal_hook::low_level::pipe::register(one, writer);
        }
    }
    let signal = signal.clone();
    let waiting = std::thread::Builder::new().name("signals".to_owned());
    let _ = waiting.spawn(move || {
        // It may have come before anybody wrote to the pipe.
        let came = signal.load(Ordering::Relaxed) != 0;
        if came || reader.read(&mut [0]).is_ok_and(|count| count == 1) {
            std::thread::sleep(SIGNAL_GRACE);
            let came = i32::try_from(signal.load(Ordering::Relaxed)).unwrap_or(SIGTERM);
            output::end_by_signal(came);
        }
    });
}

#[cfg(not(unix))]
fn end_after_signal(_: &[i32], _: &Arc<AtomicUsize>) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(timeout: Duration) -> Watch {
        Watch {
            limits: Limits { timeout: Some(timeout), memory: None },
            start: Instant::now(),
            signal: Arc::default(),
            heard: Vec::new(),
            is_guarded: Cell::new(false),
            has_abandoned: Cell::new(false),
            worker: RefCell::new(None),
        }
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
}
