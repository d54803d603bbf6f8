//! A child process that reads commands and writes replies.
//!
//! Two threads carry text to and from it, so whoever waits for a reply can look at its budget
//! every few milliseconds and never hangs in a full pipe. The child is killed when its owner is
//! dropped; if the owner itself is killed, the child ends when it next wants to read, and after a
//! check at the latest when the time that it was given for that check is over.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::Why;

/// How long one look at the pipe waits.
const POLL: Duration = Duration::from_millis(4);

/// A running child.
pub(super) struct Process {
    child: Child,
    to_child: Option<Sender<String>>,
    from_child: Receiver<String>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &mut Command) -> Result<Self, Why> {
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
                Why::Failed(format!("cannot start {program}: {error}{hint}"))
            })?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            // The caller gets an error and the child must not stay behind.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Why::Failed("the arithmetic solver has no pipes".to_owned()));
        };
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
        Ok(Self { child, to_child: Some(to_child), from_child })
    }

    /// Sends text; it does not wait.
    pub(super) fn send(&mut self, text: String) {
        if let Some(sender) = &self.to_child {
            // A child that has gone is noticed when a reply is awaited.
            let _ = sender.send(text);
        }
    }

    /// Waits for the next line until `keep_waiting` fails.
    pub(super) fn line(
        &mut self,
        mut keep_waiting: impl FnMut() -> Result<(), Why>,
    ) -> Result<String, Why> {
        loop {
            match self.from_child.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => keep_waiting()?,
                Err(RecvTimeoutError::Disconnected) => {
                    let how = match self.child.wait() {
                        Ok(status) => status.to_string(),
                        Err(error) => error.to_string(),
                    };
                    let what = format!("the arithmetic solver ended unexpectedly ({how})");
                    return Err(Why::Failed(what));
                }
            }
        }
    }

    /// Ends the child now.
    pub(super) fn kill(&mut self) {
        self.to_child = None;
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Its process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
