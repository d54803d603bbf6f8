//! Runs a program for a moment, to ask it something short such as its version.
//!
//! This is no measurement and no experiment: whatever is to be recorded goes through `process`.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for what a program that was killed has written.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// More than any answer to a short question has.
const MAX_OUTPUT: u64 = 1 << 24;

/// What came of a short run.
#[derive(Debug)]
pub struct Finished {
    /// How it ended; `None` if it was stopped because it took too long.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Finished {
    /// Both outputs as text.
    pub fn text(&self) -> String {
        let stdout = String::from_utf8_lossy(&self.stdout);
        let stderr = String::from_utf8_lossy(&self.stderr);
        format!("{stdout}\n{stderr}")
    }

    /// The first line with something in it, or how it ended.
    pub fn first_words(&self) -> String {
        let text = self.text();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        match (line, self.status) {
            (Some(line), _) => line.to_owned(),
            (None, Some(status)) => format!("no answer ({status})"),
            (None, None) => "no answer in time".to_owned(),
        }
    }
}

/// Runs a program without input and stops it after `limit`.
pub fn run_briefly(
    program: &Path,
    arguments: &[impl AsRef<OsStr>],
    limit: Duration,
) -> io::Result<Finished> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().map(read_aside);
    let stderr = child.stderr.take().map(read_aside);
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() >= limit {
            // It may have ended just now, which is as good.
            let _ = child.kill();
            child.wait()?;
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    let elapsed = start.elapsed();
    let [stdout, stderr] = [stdout, stderr].map(|output| {
        // Something that it started may still hold the pipe; that is not waited for.
        output.and_then(|output| output.recv_timeout(LAST_WORDS).ok()).unwrap_or_default()
    });
    Ok(Finished { status, stdout, stderr, elapsed })
}

/// Reads a pipe in a thread, so that a program that writes much does not block.
fn read_aside(pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read until an error is all there is.
        let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut bytes);
        // Nobody waits any more, and nobody needs it then.
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        run_briefly("/bin/sh".as_ref(), &["-c", script], limit).unwrap()
    }

    #[test]
    fn both_outputs_and_the_ending_are_known() {
        let run = shell("echo said; echo wrong >&2; exit 3", Duration::from_secs(20));
        assert_eq!(run.status.and_then(|status| status.code()), Some(3));
        assert_eq!((&run.stdout[..], &run.stderr[..]), (&b"said\n"[..], &b"wrong\n"[..]));
        assert_eq!(run.first_words(), "said");
    }

    #[test]
    fn what_takes_too_long_is_stopped() {
        let run = shell("echo said; exec sleep 60", Duration::from_millis(200));
        assert!(run.status.is_none() && run.elapsed < Duration::from_secs(20));
        assert_eq!(run.stdout, b"said\n");
        let run = shell("exec sleep 60", Duration::from_millis(50));
        assert_eq!(run.first_words(), "no answer in time");
    }
}
