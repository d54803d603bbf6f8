//! System calls without a safe wrapper: `wait4`, `fork`, setup between fork and exec, signal
//! dispositions. All unsafe code of `process` stands here.
//!
//! The calls are made in supervisors only, which have one thread.

use std::io;
use std::os::unix::process::CommandExt;
use std::process;
use std::time::Duration;

use nix::libc;
use nix::sys::signal::SigSet;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, getrlimit, set_parent_process_death_signal,
    setrlimit, setsid,
};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::CoreId;

/// The highest signal that is not one of the real-time signals.
const LAST_SIGNAL: libc::c_int = 31;

/// The result of looking for an ended child once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reaped {
    /// This child has ended and is gone.
    Child(EndedChild),
    /// There are children, and none has ended.
    NoneEnded,
    /// There are no children at all.
    NoChildren,
}

/// What the kernel keeps of an ended process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedChild {
    pub pid: i32,
    /// `Ok` with the exit code, `Err` with the signal.
    pub status: Result<i32, i32>,
    /// Of the process and of all descendants for which it waited.
    pub cpu: Duration,
    /// The largest of these processes, in bytes.
    pub peak_memory: u64,
}

/// What is set in the new process before the program starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub core: Option<CoreId>,
    /// Backstop for the CPU time of each single process.
    pub cpu_seconds: u64,
}

/// Reaps an ended child, without waiting.
#[allow(unsafe_code, reason = "no safe wrapper of wait4, the only call that gives peak memory")]
pub(crate) fn reap() -> io::Result<Reaped> {
    let mut status = 0;
    // SAFETY: `rusage` is a structure of integers, for which all bits zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live variables of the right types.
    let pid = unsafe { libc::wait4(-1, &mut status, libc::WNOHANG, &mut usage) };
    if pid == 0 {
        return Ok(Reaped::NoneEnded);
    }
    if pid < 0 {
        let cause = io::Error::last_os_error();
        return match cause.raw_os_error() {
            Some(libc::ECHILD) => Ok(Reaped::NoChildren),
            Some(libc::EINTR) => Ok(Reaped::NoneEnded),
            _ => Err(cause),
        };
    }
    let status = if libc::WIFSIGNALED(status) {
        Err(libc::WTERMSIG(status))
    } else {
        Ok(libc::WEXITSTATUS(status))
    };
    let cpu = duration(usage.ru_utime) + duration(usage.ru_stime);
    // The kernel counts in units of 1024 bytes here.
    let peak_memory = u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024);
    Ok(Reaped::Child(EndedChild { pid, status, cpu, peak_memory }))
}

/// Starts a program in a session of its own, under the given setup.
#[allow(unsafe_code, reason = "limits must be set between fork and exec")]
pub(crate) fn spawn(command: &mut process::Command, setup: Setup) -> io::Result<Pid> {
    let supervisor = getpid();
    let affinity = setup.core.map(|core| {
        let mut set = CpuSet::new();
        set.set(core.number());
        set
    });
    let limits = [
        (Resource::Core, limit_below_hard(Resource::Core, 0, 0)),
        (
            Resource::Cpu,
            limit_below_hard(Resource::Cpu, setup.cpu_seconds, setup.cpu_seconds.saturating_add(1)),
        ),
    ];
    let no_signals = SigSet::empty();
    let prepare = move || {
        // The supervisor blocks the signals that it reads from a descriptor.
        no_signals.thread_set_mask()?;
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The supervisor may have died before the line above, and no signal would follow.
        if getppid() != Some(supervisor) {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        for (resource, limit) in &limits {
            setrlimit(*resource, *limit)?;
        }
        if let Some(set) = &affinity {
            sched_setaffinity(None, set)?;
        }
        Ok(())
    };
    // SAFETY: the closure makes system calls only; it neither allocates nor takes locks, and the
    // supervisor, in which it is forked, has one thread anyway.
    let child = unsafe { command.pre_exec(prepare) }.spawn()?;
    // The handle neither waits nor kills when it is dropped; children are reaped by `reap`.
    Pid::from_raw(child.id().cast_signed()).ok_or_else(|| io::Error::other("a child without id"))
}

/// What a process is after it has split in two.
pub(crate) enum Fork {
    /// The one that was there before, with the identifier of the new one.
    Parent(Pid),
    /// The new one.
    Child,
}

/// Splits a process that has one thread.
#[allow(unsafe_code, reason = "the safety of fork depends on there being no other threads")]
pub(crate) fn fork() -> io::Result<Fork> {
    // SAFETY: called before `main` in a process with one thread, so no lock can be held by a
    // thread that the new process does not have.
    match unsafe { nix::unistd::fork() }? {
        nix::unistd::ForkResult::Parent { child } => Pid::from_raw(child.as_raw())
            .map(Fork::Parent)
            .ok_or_else(|| io::Error::other("a child without id")),
        nix::unistd::ForkResult::Child => Ok(Fork::Child),
    }
}

/// Makes a fresh process independent of what it inherited: no descriptors but the standard ones,
/// no ignored signals.
#[allow(unsafe_code, reason = "signal dispositions and foreign descriptors have no safe wrapper")]
pub(crate) fn reset_inherited_state() {
    // A shell's `nohup`, or a parent that ignores its children, must not change how solvers run.
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the default action is installed, no handler. SIGKILL and SIGSTOP are refused.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: called before `main`, when nothing in this process owns a descriptor above 2. On
    // kernels before 5.9 the call fails and nothing is closed, which is harmless.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
}

/// An unprivileged process cannot raise its hard limit, and need not where that is lower already.
fn limit_below_hard(resource: Resource, current: u64, maximum: u64) -> Rlimit {
    let hard = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    Rlimit { current: Some(current.min(hard)), maximum: Some(maximum.min(hard)) }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let microseconds = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(microseconds)
}
