//! One run in the supervisor: start the program, watch its limits, kill its tree, report.
//!
//! The supervisor samples CPU time and memory of the tree. The pause until the next sample is the
//! shortest time in which any limit could be reached: remaining CPU time over all cores, remaining
//! wall time, remaining memory at [`FASTEST_GROWTH`], between 2 and 100 ms. When the main process has
//! ended, the measured totals are compared with the limits once more, so that the verdict "timeout"
//! does not depend on when the samples were taken.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

use luthier_records::{Bytes, Clock, CpuTime, Ending, Measured, WallTime};
use nix::sys::signal::Signal as NixSignal;
use nix::sys::signalfd::SignalFd;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use rustix::thread::sched_getaffinity;

use super::request::{Report, RunRequest};
use super::system::{EndedChild, Reaped, Setup, reap, spawn};
use super::tree::{children_of_us, exact_memory_below_us, usage_below_us};
use super::wire::{MessageKind, receive_message, retry};

/// What a supervisor listens to while a program runs.
#[derive(Clone, Copy)]
pub(crate) struct Channels<'a> {
    /// The socket to the process that ordered the run.
    pub control: BorrowedFd<'a>,
    /// Ended children, and requests to end.
    pub signals: &'a SignalFd,
}

/// The report of a run, and whether the supervisor is still in use.
pub(crate) struct JobResult {
    pub report: Report,
    pub reusable: bool,
}

/// What ended a wait.
#[derive(Default)]
struct Interruption {
    /// The run is to be ended, and why.
    stop: Option<Ending>,
    /// The client has gone; no report is needed.
    abandoned: bool,
}

struct Job<'a> {
    request: &'a RunRequest,
    main: Pid,
    started: Instant,
    /// How the main process ended, once it is reaped.
    status: Option<Result<i32, i32>>,
    /// Of all processes that ended.
    cpu: Duration,
    peak_memory: u64,
    left_behind: u32,
}

/// No program writes to fresh memory faster than this many bytes in a second.
const FASTEST_GROWTH: u64 = 4 << 30;

/// Between two samples of a tree. A sample takes some ten microseconds.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// A killed process ends at once unless it hangs in the kernel, on a dead network file system
/// for example.
const KILL_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs a program to its end and leaves no process of it.
pub(crate) fn run(
    request: &RunRequest,
    streams: [OwnedFd; 3],
    channels: Channels<'_>,
) -> JobResult {
    let started = Instant::now();
    let main = match start(request, streams) {
        Ok(main) => main,
        Err(cause) => {
            let ending = Ending::NotStarted(explain_start(request, &cause));
            let report = Report { ending, measured: Measured::default() };
            return JobResult { report, reusable: true };
        }
    };
    let mut job = Job {
        request,
        main,
        started,
        status: None,
        cpu: Duration::ZERO,
        peak_memory: 0,
        left_behind: 0,
    };
    let interruption = job.watch(channels);
    let wall = started.elapsed();
    let killed = job.kill_everything(channels);
    let ending = match (killed, interruption.stop) {
        (Err(cause), _) => {
            let message = format!("processes of the run cannot be killed ({cause})");
            let report = Report { ending: Ending::Lost(message), measured: job.measured(wall) };
            return JobResult { report, reusable: false };
        }
        (Ok(()), Some(ending)) => ending,
        (Ok(()), None) => job.ending(),
    };
    let report = Report { ending, measured: job.measured(wall) };
    JobResult { report, reusable: !interruption.abandoned }
}

fn start(request: &RunRequest, [stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<Pid> {
    let mut command = process::Command::new(&request.program);
    command
        .args(&request.arguments)
        .current_dir(&request.working_directory)
        .env_clear()
        .envs(request.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::from(stdout))
        .stderr(Stdio::from(stderr));
    let setup = Setup { core: request.core, cpu_seconds: request.cpu.as_secs().saturating_add(2) };
    spawn(&mut command, setup)
}

/// The kernel reports one error, "no such file", for a missing program, a missing interpreter and a
/// missing working directory.
fn explain_start(request: &RunRequest, cause: &io::Error) -> String {
    let program = request.program.display();
    let folder = &request.working_directory;
    if !folder.is_dir() {
        format!("{program}: the working directory {} does not exist", folder.display())
    } else if let Some(core) = request.core
        && cause.kind() == io::ErrorKind::InvalidInput
    {
        format!("{program}: cannot be started on core {core} ({cause})")
    } else {
        format!("{program}: cannot be started ({cause})")
    }
}

impl Job<'_> {
    /// Returns when the main process has ended or when there is a reason to end it.
    fn watch(&mut self, channels: Channels<'_>) -> Interruption {
        let mut next_sample = self.started + self.pause(Duration::ZERO, 0);
        loop {
            if self.main_has_ended() {
                return Interruption::default();
            }
            if Instant::now() >= next_sample {
                match self.check_limits() {
                    Ok(pause) => next_sample = Instant::now() + pause,
                    Err(limit) => return Interruption { stop: Some(limit), abandoned: false },
                }
            }
            let interruption =
                wait(channels, next_sample.saturating_duration_since(Instant::now()));
            if interruption.stop.is_some() {
                return interruption;
            }
        }
    }

    /// Whether the main process has ended. It is not reaped yet, so that its
    /// identifier, which is also that of its process group, stays reserved.
    fn main_has_ended(&mut self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match retry(|| waitid(WaitId::Pid(self.main), options)) {
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => return true,
        }
        // Daemons whose parents have ended are our children and must be reaped, too.
        while let Ok(Reaped::Child(child)) = reap() {
            self.account_for(child);
        }
        self.status.is_some()
    }

    /// Compares the usage of the tree with the limits; returns the pause until the next sample.
    fn check_limits(&mut self) -> Result<Duration, Ending> {
        let usage = usage_below_us();
        let cpu = self.cpu + usage.cpu;
        let mut memory = usage.memory;
        if memory > self.request.memory && usage.processes > 1 {
            memory = exact_memory_below_us();
        }
        self.peak_memory = self.peak_memory.max(memory);
        if cpu >= self.request.cpu {
            Err(Ending::TimedOut(Clock::Cpu))
        } else if memory > self.request.memory {
            Err(Ending::OutOfMemory)
        } else if self.started.elapsed() >= self.request.wall {
            Err(Ending::TimedOut(Clock::Wall))
        } else {
            Ok(self.pause(cpu, memory))
        }
    }

    /// No limit can be reached much earlier than after this pause.
    fn pause(&self, cpu: Duration, memory: u64) -> Duration {
        let cores = match self.request.core {
            Some(_) => 1,
            None => sched_getaffinity(None).map_or(1, |cores| cores.count().max(1)),
        };
        let cpu_left = self.request.cpu.saturating_sub(cpu) / cores;
        let wall_left = self.request.wall.saturating_sub(self.started.elapsed());
        let memory_left = self.request.memory.saturating_sub(memory);
        let growth = Duration::from_millis(memory_left / (FASTEST_GROWTH / 1000));
        cpu_left.min(wall_left).min(growth).clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
    }

    fn account_for(&mut self, child: EndedChild) {
        self.cpu += child.cpu;
        self.peak_memory = self.peak_memory.max(child.peak_memory);
        if child.pid == self.main.as_raw_nonzero().get() {
            self.status = Some(child.status);
        }
    }

    /// Kills the whole tree, until no process is left.
    fn kill_everything(&mut self, channels: Channels<'_>) -> io::Result<()> {
        if self.status.is_none() {
            // Reaches the whole group at once, however fast it forks.
            let _ = kill_process_group(self.main, Signal::KILL);
        }
        kill_children(channels.signals, |child| {
            let had_main = self.status.is_some();
            self.account_for(child);
            if had_main == self.status.is_some() {
                self.left_behind += 1;
            }
        })
    }

    /// The ending of a run that we did not stop: limits that were exceeded between two samples
    /// count as well, or the result would depend on when samples were taken.
    fn ending(&self) -> Ending {
        if self.cpu > self.request.cpu {
            Ending::TimedOut(Clock::Cpu)
        } else if self.peak_memory > self.request.memory {
            Ending::OutOfMemory
        } else {
            match self.status {
                Some(Ok(code)) => Ending::Exited(code),
                Some(Err(signal)) => Ending::Signalled(signal),
                None => Ending::Lost("the kernel did not say how the program ended".to_owned()),
            }
        }
    }

    fn measured(&self, wall: Duration) -> Measured {
        Measured {
            cpu: CpuTime(self.cpu),
            wall: WallTime(wall),
            peak_memory: Bytes(self.peak_memory),
            left_behind: self.left_behind,
        }
    }
}

/// Waits for a child to end, a message from the client, a signal, or the end of the pause.
fn wait(channels: Channels<'_>, pause: Duration) -> Interruption {
    let mut sources = [
        PollFd::from_borrowed_fd(channels.control, PollFlags::IN),
        PollFd::from_borrowed_fd(channels.signals.as_fd(), PollFlags::IN),
    ];
    let timeout = Timespec::try_from(pause).ok();
    if poll(&mut sources, timeout.as_ref()).is_err() {
        // Interrupted; the caller looks at everything again.
        return Interruption::default();
    }
    let [control, signals] = sources;
    if !signals.revents().is_empty()
        && let Some(signal) = take_signals(channels.signals)
    {
        let stop = Ending::Lost(format!("the supervisor was ended by {signal}"));
        return Interruption { stop: Some(stop), abandoned: true };
    }
    if control.revents().is_empty() {
        return Interruption::default();
    }
    match receive_message(channels.control) {
        Ok(Some(message)) if message.kind == MessageKind::Stop => {
            Interruption { stop: Some(Ending::OutputLimit), abandoned: false }
        }
        // The client has gone, or sends what is no message.
        _ => {
            let stop = Ending::Lost("the run was abandoned".to_owned());
            Interruption { stop: Some(stop), abandoned: true }
        }
    }
}

/// Kills our children, and theirs when they become ours, until there are none.
///
/// Only children are killed, because their identifiers cannot be reused before we have
/// reaped them.
pub(crate) fn kill_children(
    signals: &SignalFd,
    mut account_for: impl FnMut(EndedChild),
) -> io::Result<()> {
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        match reap()? {
            Reaped::NoChildren => return Ok(()),
            Reaped::Child(child) => account_for(child),
            Reaped::NoneEnded => {
                for child in children_of_us() {
                    if let Some(pid) = Pid::from_raw(child) {
                        let _ = kill_process(pid, Signal::KILL);
                    }
                }
                wait_for_children(signals, SHORTEST_PAUSE);
                if Instant::now() > deadline {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
        }
    }
}

fn wait_for_children(signals: &SignalFd, pause: Duration) {
    let mut sources = [PollFd::from_borrowed_fd(signals.as_fd(), PollFlags::IN)];
    let timeout = Timespec::try_from(pause).ok();
    if poll(&mut sources, timeout.as_ref()).is_ok() {
        // A request to end is obeyed already: nothing but killing is going on.
        take_signals(signals);
    }
}

/// Empties the queue of signals; returns which one asked us to end, if any.
pub(crate) fn take_signals(signals: &SignalFd) -> Option<NixSignal> {
    let mut asked_to_end = None;
    while let Ok(Some(info)) = signals.read_signal() {
        match NixSignal::try_from(info.ssi_signo.cast_signed()) {
            Ok(NixSignal::SIGCHLD) | Err(_) => {}
            Ok(signal) => asked_to_end = Some(signal),
        }
    }
    asked_to_end
}
