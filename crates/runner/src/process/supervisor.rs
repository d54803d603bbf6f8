//! The supervisor: the mode in which our own executable, started again, runs solvers.
//!
//! [`start`] runs `/proc/self/exe` with a mark in the environment. [`ENTRY`] stands among the
//! functions that the loader calls before `main`; it finds the mark and never returns. So every
//! program that is linked with this crate, tests included, can supervise, without a second
//! executable to be installed and found, and even while a new build replaces the file on disk.
//!
//! The price is code that runs before `main`. It uses the standard library only for what needs
//! no runtime: files, processes, the environment. On an ordinary start it looks up one variable.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio, exit};
use std::{env, fs, hint, thread};

use nix::sys::signal::{SigSet, Signal as NixSignal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, getppid, set_child_subreaper,
    set_parent_process_death_signal, setsid, waitid,
};
use rustix::stdio::dup2_stdin;

use super::job::{Channels, JobResult, kill_children, run, take_signals};
use super::orphans::{STOP_TOLERANCE, start_supervisor};
use super::request::RunRequest;
use super::system::{Fork, fork, reset_inherited_state};
use super::wire::{MessageKind, protocol_error, receive_message, retry, send_message};

/// In the environment of supervisors only: solvers get a clean one.
const MARK: &str = "LUTHIER_SUPERVISOR";

/// The name in the list of processes.
const NAME: &str = "luthier-supervisor";

/// Called by the loader before `main`.
#[allow(unsafe_code, reason = "a place among the initialisers can only be had by its section")]
#[used]
#[unsafe(link_section = ".init_array")]
static ENTRY: extern "C" fn() = become_supervisor_if_marked;

/// A supervisor that runs, and our end of the socket to it.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pub process: Child,
    pub control: UnixStream,
}

/// Starts a supervisor. It ends when the socket is closed, however that comes about.
pub(crate) fn start() -> io::Result<Supervisor> {
    // Without this reference the linker might leave the initialiser out.
    hint::black_box(&ENTRY);
    if env::var_os(MARK).is_some() {
        // We should be a supervisor ourselves. Starting another one might go on for ever.
        return Err(io::Error::other(format!("the variable {MARK} is set in our environment")));
    }
    let (control, theirs) = UnixStream::pair()?;
    let mut command = Command::new("/proc/self/exe");
    command
        .arg0(NAME)
        .env(MARK, "1")
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let process = start_supervisor(|| command.spawn())?;
    Ok(Supervisor { process, control })
}

extern "C" fn become_supervisor_if_marked() {
    if env::var_os(MARK).is_none() {
        return;
    }
    let code = i32::from(serve().is_err());
    #[allow(clippy::exit, reason = "the program must not go on to its `main`")]
    exit(code);
}

/// Splits in two, so that each half can clean up when the other one is killed:
/// * the **guard** does nothing but wait for the worker to end, or to be stopped, and then kills it
///   and whatever became its child by that;
/// * the **worker** runs programs. It receives a signal when the guard dies, and then kills its
///   tree and ends.
fn serve() -> io::Result<()> {
    reset_inherited_state();
    // Out of reach of the terminal's signals: we have to survive the process that started us.
    let _ = setsid();
    // When the machine is out of memory, solvers are to be killed first. They inherit this.
    let _ = fs::write("/proc/self/oom_score_adj", "800");
    let mut mask = SigSet::empty();
    for signal in [
        NixSignal::SIGCHLD,
        NixSignal::SIGTERM,
        NixSignal::SIGINT,
        NixSignal::SIGHUP,
        NixSignal::SIGQUIT,
    ] {
        mask.add(signal);
    }
    mask.thread_block()?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    // Before the fork, so that there is no moment at which orphans would go elsewhere.
    set_child_subreaper(Some(getpid()))?;
    let guard = getpid();
    match fork()? {
        Fork::Parent(worker) => run_guard(worker, &signals),
        Fork::Child => run_worker(guard, &signals),
    }
}

fn run_guard(worker: Pid, signals: &SignalFd) -> io::Result<()> {
    // The client must see the socket close when the worker dies.
    let nowhere = fs::File::open("/dev/null")?;
    dup2_stdin(&nowhere)?;
    let ended_or_stopped = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
    loop {
        retry(|| waitid(WaitId::Pid(worker), ended_or_stopped))?;
        // One that is stopped keeps no limits. A batch system may have stopped us all, and be
        // about to let us go on one after the other.
        let now = ended_or_stopped | WaitIdOptions::NOHANG;
        let status = retry(|| waitid(WaitId::Pid(worker), now))?;
        if status.is_some_and(|status| status.exited() || status.killed() || status.dumped()) {
            break;
        }
        thread::sleep(STOP_TOLERANCE);
        if retry(|| waitid(WaitId::Pid(worker), now))?.is_some() {
            break;
        }
    }
    kill_children(signals, |_| {})
}

/// Runs programs one after the other until the client closes the socket.
fn run_worker(guard: Pid, signals: &SignalFd) -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    set_parent_process_death_signal(Some(Signal::TERM))?;
    if getppid() != Some(guard) {
        return Ok(());
    }
    let stdin = io::stdin();
    let channels = Channels { control: stdin.as_fd(), signals };
    while wait_for_request(channels)? {
        let Some(message) = receive_message(channels.control)? else { break };
        match message.kind {
            // It crossed our report of a run that is over.
            MessageKind::Stop => continue,
            MessageKind::Start => {}
            MessageKind::Report => return Err(protocol_error()),
        }
        let request = RunRequest::decode(&message.body).ok_or_else(protocol_error)?;
        let streams = <[OwnedFd; 3]>::try_from(message.streams).map_err(|_| protocol_error())?;
        let JobResult { report, reusable } = run(&request, streams, channels);
        send_message(channels.control, MessageKind::Report, &report.encode(), &[])?;
        if !reusable {
            break;
        }
    }
    Ok(())
}

/// Whether there is something to read; `false` if a signal asks us to end.
fn wait_for_request(channels: Channels<'_>) -> io::Result<bool> {
    loop {
        let mut sources = [
            PollFd::from_borrowed_fd(channels.control, PollFlags::IN),
            PollFd::from_borrowed_fd(channels.signals.as_fd(), PollFlags::IN),
        ];
        retry(|| poll(&mut sources, None))?;
        let [control, signals] = sources;
        if !signals.revents().is_empty() && take_signals(channels.signals).is_some() {
            return Ok(false);
        }
        if !control.revents().is_empty() {
            return Ok(true);
        }
    }
}
