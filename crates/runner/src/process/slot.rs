//! The client side of a supervisor: sends a run request, drains the outputs, receives the report.
//!
//! Both pipes are read all the time up to the output limit, so that the program never blocks on a
//! full pipe. A supervisor that died between runs is replaced once, because no program was started by
//! then; one that dies, stops or does not report during a run makes the run [`Ending::Lost`], which is
//! a framework error and not attributed to the solver.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use luthier_records::{Bytes, Ending};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, OFlags, fcntl_setfl, memfd_create};
use rustix::pipe::{PipeFlags, pipe_with};

use super::orphans::{STOP_TOLERANCE, is_stopped, kill_orphans, supervisor_has_ended};
use super::outcome::{Outcome, Output};
use super::request::{Report, RunRequest};
use super::supervisor::{self, Supervisor};
use super::wire::{MessageKind, receive_message, send_message};
use super::{Command, CoreId, Limits, Stdin};

/// A place where one program at a time can run, with a supervisor that is kept between runs.
///
/// [`run`](super::run) takes slots from a pool; use one of your own where the number of
/// supervisors matters. Dropping a slot ends its supervisor.
#[derive(Debug, Default)]
pub struct Slot {
    /// Started by the first run, and again after it was lost.
    supervisor: Option<Supervisor>,
}

/// Framework errors of a run.
#[derive(Debug, thiserror::Error)]
enum SlotError {
    #[error("the supervisor cannot be started ({0})")]
    NoSupervisor(io::Error),
    #[error("{}: cannot be read as standard input ({cause})", path.display())]
    NoInput { path: std::path::PathBuf, cause: io::Error },
    #[error("the run cannot be prepared ({0})")]
    NotPrepared(io::Error),
    #[error("the supervisor cannot be reached ({0})")]
    Unreachable(io::Error),
    #[error("the supervisor ended before the run did")]
    SupervisorEnded,
    #[error("the supervisor does not answer")]
    SupervisorSilent,
    #[error("the supervisor was stopped during the run")]
    SupervisorStopped,
    #[error("the run was abandoned")]
    Abandoned,
}

/// The reading ends of the pipes from a program.
struct Pipes {
    stdout: Option<File>,
    stderr: Option<File>,
}

/// How long after the wall limit a supervisor may take to kill and to report. It waits for
/// processes that cannot be killed for half of this time.
const SUPERVISOR_GRACE: Duration = Duration::from_secs(60);

/// How long a request to abandon a run may go unnoticed.
const ABANDON_PAUSE: Duration = Duration::from_millis(20);

const BUFFER: usize = 1 << 16;

impl Slot {
    /// A slot whose supervisor is started by the first run.
    pub fn new() -> Self {
        Slot::default()
    }

    /// Runs a program under limits and waits for its end.
    pub fn run(&mut self, command: &Command, limits: &Limits, core: Option<CoreId>) -> Outcome {
        self.run_unless_stopped(command, limits, core, None)
    }

    /// As [`Self::run`]; when `stop` is set, the processes are killed at once, and the run is
    /// [`Ending::Lost`].
    pub fn run_unless_stopped(
        &mut self,
        command: &Command,
        limits: &Limits,
        core: Option<CoreId>,
        stop: Option<&AtomicBool>,
    ) -> Outcome {
        let mut pipes = match self.send(command, limits, core) {
            Ok(pipes) => pipes,
            Err(error) => return Outcome::without_output(Ending::NotStarted(error.to_string())),
        };
        let mut outcome = Outcome::without_output(Ending::Exited(0));
        let mut lost = false;
        match self.collect_outputs(&mut pipes, limits, stop, &mut outcome) {
            Ok(report) => {
                outcome.ending = report.ending;
                outcome.measured = report.measured;
                outcome.classify_resource_limits(limits.memory);
                if matches!(outcome.ending, Ending::Lost(_)) {
                    lost = true;
                }
            }
            Err(error) => {
                outcome.ending = Ending::Lost(error.to_string());
                lost = true;
            }
        }
        if lost && let Err(cause) = self.shut_down() {
            let said = &outcome.ending;
            let message = format!("{said}; processes of the run cannot be killed ({cause})");
            outcome.ending = Ending::Lost(message);
        }
        outcome
    }

    /// Sends the request to the supervisor. One that died between runs, killed by a person
    /// for example, is replaced once: no program has been started by then.
    fn send(
        &mut self,
        command: &Command,
        limits: &Limits,
        core: Option<CoreId>,
    ) -> Result<Pipes, SlotError> {
        let body = RunRequest::new(command, limits, core).map_err(SlotError::NotPrepared)?.encode();
        let stdin = open_stdin(&command.stdin)?;
        let (stdout, stdout_of_program) = pipe().map_err(SlotError::NotPrepared)?;
        let (stderr, stderr_of_program) = pipe().map_err(SlotError::NotPrepared)?;
        let streams = [stdin.as_fd(), stdout_of_program.as_fd(), stderr_of_program.as_fd()];
        let was_there = self.supervisor.is_some();
        let mut sent = self.send_request(&body, &streams);
        if was_there && sent.is_err() {
            self.shut_down().map_err(SlotError::NotPrepared)?;
            sent = self.send_request(&body, &streams);
        }
        sent?;
        Ok(Pipes { stdout: Some(stdout), stderr: Some(stderr) })
    }

    fn send_request(
        &mut self,
        body: &[u8],
        streams: &[std::os::fd::BorrowedFd<'_>],
    ) -> Result<(), SlotError> {
        let supervisor = match &mut self.supervisor {
            Some(supervisor) => supervisor,
            vacant => vacant.insert(supervisor::start().map_err(SlotError::NoSupervisor)?),
        };
        send_message(&supervisor.control, MessageKind::Start, body, streams)
            .map_err(SlotError::Unreachable)
    }

    /// Drains both outputs until the report comes, and then what is left in the pipes.
    fn collect_outputs(
        &mut self,
        pipes: &mut Pipes,
        limits: &Limits,
        stop: Option<&AtomicBool>,
        outcome: &mut Outcome,
    ) -> Result<Report, SlotError> {
        let Some(supervisor) = &self.supervisor else { return Err(SlotError::SupervisorEnded) };
        let deadline = Instant::now().checked_add(limits.wall.0.saturating_add(SUPERVISOR_GRACE));
        let mut buffer = vec![0; BUFFER];
        let mut was_stopped = false;
        let mut stop_check = StopCheck::default();
        loop {
            let ready = wait(supervisor, &mut stop_check, pipes, deadline, stop)?;
            if ready.report {
                let message = receive_message(&supervisor.control);
                // Everything is dead now, so the pipes hold all there is to come. They are not
                // read to their end: a process that cannot be killed may hold them open.
                drain(&mut pipes.stdout, &mut outcome.stdout, limits.output_bytes, &mut buffer);
                drain(&mut pipes.stderr, &mut outcome.stderr, limits.output_bytes, &mut buffer);
                let message = message.map_err(SlotError::Unreachable)?;
                let message = message.ok_or(SlotError::SupervisorEnded)?;
                return Report::decode(&message.body).ok_or(SlotError::SupervisorEnded);
            }
            // One buffer at a time, so that an endless output cannot keep us from the report.
            if ready.stdout {
                read(&mut pipes.stdout, &mut outcome.stdout, limits.output_bytes, &mut buffer);
            }
            if ready.stderr {
                read(&mut pipes.stderr, &mut outcome.stderr, limits.output_bytes, &mut buffer);
            }
            if outcome.stdout.cut && !was_stopped {
                was_stopped = true;
                send_message(&supervisor.control, MessageKind::Stop, &[], &[])
                    .map_err(SlotError::Unreachable)?;
            }
        }
    }

    /// Ends the supervisor. If it still listens, the closed socket makes it kill its tree first;
    /// if it did not end in order, we kill what it left to us.
    fn shut_down(&mut self) -> io::Result<()> {
        let Some(Supervisor { mut process, control }) = self.supervisor.take() else {
            return Ok(());
        };
        drop(control);
        let deadline = Instant::now() + SUPERVISOR_GRACE;
        let mut stop_check = StopCheck::default();
        let status = loop {
            match process.try_wait() {
                Ok(None) => {}
                status => break status,
            }
            if stop_check.has_stopped(&process) || Instant::now() > deadline {
                let _ = process.kill();
                break process.wait().map(Some);
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        supervisor_has_ended(&process);
        match status {
            Ok(Some(status)) if status.success() => Ok(()),
            _ => kill_orphans(),
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // The error cannot be reported from here.
        let _ = self.shut_down();
    }
}

/// Whether a supervisor is stopped, looked at from time to time.
#[derive(Debug, Default)]
struct StopCheck {
    looked: Option<Instant>,
    stopped_since: Option<Instant>,
}

impl StopCheck {
    /// Whether it is time to look again. A short run is never looked at.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let looked = *self.looked.get_or_insert(now);
        if now.duration_since(looked) < STOP_TOLERANCE {
            return false;
        }
        self.looked = Some(now);
        true
    }

    /// Whether it has been stopped for so long that it will stay so.
    fn has_stopped(&mut self, supervisor: &Child) -> bool {
        if !is_stopped(supervisor) {
            self.stopped_since = None;
            return false;
        }
        let since = *self.stopped_since.get_or_insert_with(Instant::now);
        since.elapsed() >= STOP_TOLERANCE
    }
}

/// What can be read without waiting.
struct ReadyStreams {
    report: bool,
    stdout: bool,
    stderr: bool,
}

fn wait(
    supervisor: &Supervisor,
    stop_check: &mut StopCheck,
    pipes: &Pipes,
    deadline: Option<Instant>,
    stop: Option<&AtomicBool>,
) -> Result<ReadyStreams, SlotError> {
    let mut sources = vec![PollFd::new(&supervisor.control, PollFlags::IN)];
    sources.extend(pipes.stdout.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    sources.extend(pipes.stderr.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(SlotError::SupervisorSilent);
        }
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(SlotError::Abandoned);
        }
        let longest = if stop.is_some() { ABANDON_PAUSE } else { STOP_TOLERANCE };
        let pause = left.map_or(longest, |left| left.min(longest));
        if stop_check.is_due() && stop_check.has_stopped(&supervisor.process) {
            return Err(SlotError::SupervisorStopped);
        }
        match poll(&mut sources, Timespec::try_from(pause).ok().as_ref()) {
            Ok(0) => {}
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            Err(cause) => return Err(SlotError::Unreachable(cause.into())),
        }
    }
    let mut is_ready = sources.iter().map(|source| !source.revents().is_empty());
    let report = is_ready.next().unwrap_or(false);
    let stdout = pipes.stdout.is_some() && is_ready.next().unwrap_or(false);
    let stderr = pipes.stderr.is_some() && is_ready.next().unwrap_or(false);
    Ok(ReadyStreams { report, stdout, stderr })
}

/// Reads once; returns whether there may be more. A pipe that has come to its end is closed.
fn read(pipe: &mut Option<File>, output: &mut Output, limit: Bytes, buffer: &mut [u8]) -> bool {
    let Some(file) = pipe else { return false };
    match file.read(buffer) {
        Ok(0) => *pipe = None,
        Ok(count) => {
            output.append(&buffer[..count], limit);
            return true;
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
        Err(_) => *pipe = None,
    }
    false
}

fn drain(pipe: &mut Option<File>, output: &mut Output, limit: Bytes, buffer: &mut [u8]) {
    while read(pipe, output, limit, buffer) {}
}

/// A pipe whose reading end, which is ours, does not block.
fn pipe() -> io::Result<(File, OwnedFd)> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    Ok((File::from(reader), writer))
}

fn open_stdin(stdin: &Stdin) -> Result<OwnedFd, SlotError> {
    let open = |path: &std::path::Path| {
        let opened = File::open(path).map(OwnedFd::from);
        opened.map_err(|cause| SlotError::NoInput { path: path.to_owned(), cause })
    };
    match stdin {
        Stdin::Null => open("/dev/null".as_ref()),
        Stdin::File(path) => open(path),
        Stdin::Bytes(bytes) => in_memory(bytes).map_err(SlotError::NotPrepared),
    }
}

/// A file without a name, which is gone when the last process closes it.
fn in_memory(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("luthier-stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}
