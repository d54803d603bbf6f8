//! A child process that reads commands and writes replies.
//!
//! Two threads transfer text to and from it, so that the caller can check its budget every few
//! milliseconds and never blocks on a full pipe. The child is killed when its owner is dropped. All
//! children are registered, so that a program that exits without dropping the owners (because an
//! engine hangs, or on a signal) can kill them first: [`end_processes`]. If the program itself is
//! killed, a child ends at its next read, or when the time limit of its current check is over.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::UnknownReason;

/// The polling interval of the pipe.
const POLL: Duration = Duration::from_millis(4);

/// The number of attempts to lock and kill a child that another thread holds.
const KILL_ATTEMPTS: usize = 4;

/// How long a child that has closed its output may take to exit.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// The children that have not been waited for.
static RUNNING: Mutex<Running> = Mutex::new(Running { children: Vec::new(), closed: false });

struct Running {
    /// With their process ids, which can be read without locking a child.
    children: Vec<(u32, Arc<Mutex<Child>>)>,
    /// Whether no more children may be started.
    closed: bool,
}

/// Kills all arithmetic solvers of this program. No other is started afterwards: a check that needs
/// one is cancelled. For a program that is about to exit.
pub fn end_processes() {
    let mut running = locked(&RUNNING);
    running.closed = true;
    for (_, child) in &running.children {
        // A thread that holds the lock for long has killed the child and waits for its exit.
        for _ in 0..KILL_ATTEMPTS {
            if let Ok(mut child) = child.try_lock() {
                // It may have ended already.
                let _ = child.kill();
                break;
            }
            thread::sleep(POLL);
        }
    }
}

/// The process ids of all arithmetic solvers that run for this program.
pub fn process_ids() -> Vec<u32> {
    locked(&RUNNING).children.iter().map(|(id, _)| *id).collect()
}

/// The content of a mutex, also if it is poisoned: a child can be killed anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running child.
pub(super) struct Process {
    child: Arc<Mutex<Child>>,
    id: u32,
    to_child: Option<Sender<String>>,
    from_child: Receiver<String>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &mut Command) -> Result<Self, UnknownReason> {
        let mut running = locked(&RUNNING);
        if running.closed {
            return Err(UnknownReason::Cancelled);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                let program = command.get_program().to_string_lossy();
                let hint = match error.kind() {
                    ErrorKind::NotFound => "; `luthier solvers install z3` installs one",
                    _ => "",
                };
                UnknownReason::Failed(format!("cannot start {program}: {error}{hint}"))
            })?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            // The caller gets an error, and the child must not outlive it.
            let _ = child.kill();
            let _ = child.wait();
            return Err(UnknownReason::Failed("the arithmetic solver has no pipes".to_owned()));
        };
        let id = child.id();
        let child = Arc::new(Mutex::new(child));
        running.children.push((id, Arc::clone(&child)));
        drop(running);
        let (to_child, texts) = channel::<String>();
        thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (lines, from_child) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if lines.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, id, to_child: Some(to_child), from_child })
    }

    /// Sends text; it does not wait.
    pub(super) fn send(&mut self, text: String) {
        if let Some(sender) = &self.to_child {
            // An exited child is noticed when a reply is awaited.
            let _ = sender.send(text);
        }
    }

    /// Waits for the next line until `keep_waiting` fails.
    pub(super) fn line(
        &mut self,
        mut keep_waiting: impl FnMut() -> Result<(), UnknownReason>,
    ) -> Result<String, UnknownReason> {
        loop {
            match self.from_child.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => keep_waiting()?,
                Err(RecvTimeoutError::Disconnected) => {
                    let how = match self.exit_status() {
                        Ok(Some(status)) => status.to_string(),
                        Ok(None) => "it closed its output".to_owned(),
                        Err(error) => error.to_string(),
                    };
                    let what = format!("the arithmetic solver ended unexpectedly ({how})");
                    return Err(UnknownReason::Failed(what));
                }
            }
        }
    }

    /// The exit status of a child that has closed its output, after a short wait in which the lock
    /// is not held.
    fn exit_status(&self) -> std::io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            let status = locked(&self.child).try_wait()?;
            if status.is_some() || start.elapsed() > EXIT_GRACE {
                return Ok(status);
            }
            thread::sleep(POLL);
        }
    }

    /// Ends the child now.
    pub(super) fn kill(&mut self) {
        self.to_child = None;
        {
            let mut child = locked(&self.child);
            // It may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
        locked(&RUNNING).children.retain(|(_, child)| !Arc::ptr_eq(child, &self.child));
    }

    /// Its process id.
    pub(super) fn id(&self) -> u32 {
        self.id
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
