//! Signals while a script is executed.
//!
//! A signal ends the program. The session has a moment to answer the pending query; another thread
//! ends the program if the session itself is stuck, for instance in a pipe that nobody reads. A
//! program that is done in a moment and prints little does without that thread.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use luthier_solver::session;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::output;

/// How long the session has to answer after a signal.
const GRACE: Duration = Duration::from_millis(60);

/// The signals of the program.
#[derive(Clone)]
pub struct Signals(Rc<Heard>);

struct Heard {
    /// The signal that came, or 0.
    signal: Arc<AtomicUsize>,
    /// The signals that are heard.
    numbers: Vec<i32>,
    /// Whether a thread waits for them.
    is_guarded: Cell<bool>,
}

impl Signals {
    /// Hears signals from now on.
    pub fn new() -> Self {
        let signal = Arc::new(AtomicUsize::new(0));
        let numbers = listen(&signal);
        Self(Rc::new(Heard { signal, numbers, is_guarded: Cell::new(false) }))
    }

    /// From now on a signal ends the program even if the session waits for somebody else, as when
    /// it prints more than a pipe takes.
    pub fn guard(&self) {
        if !self.0.is_guarded.replace(true) {
            end_after_signal(&self.0.numbers, &self.0.signal);
        }
    }
}

impl session::Signals for Signals {
    fn received(&self) -> Option<i32> {
        match self.0.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }

    fn expect_waiting(&self) {
        self.guard();
    }
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
            std::thread::sleep(GRACE);
            let came = i32::try_from(signal.load(Ordering::Relaxed)).unwrap_or(SIGTERM);
            output::end_by_signal(came);
        }
    });
}

#[cfg(not(unix))]
fn end_after_signal(_: &[i32], _: &Arc<AtomicUsize>) {}
