//! Kills descendants of a run whose supervisor and guard are both gone or stopped.
//!
//! A solver may kill or stop the two processes between us and itself (they belong to the same
//! user). Then what it started would be adopted by `init` and keep running. So we are a *child
//! subreaper*, too: orphans below us become our children, and when a supervisor did not end in order,
//! we kill them until there are none.
//!
//! Which of our children are orphans? Supervisors create a session of their own before they start
//! anything, and a process cannot enter a session that it is not born into. So no process of a run
//! is in our session, and what we start for other purposes is. A child in another session that is no
//! supervisor in use is an orphan.

use std::collections::BTreeSet;
use std::io;
use std::process::Child;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, getsid, kill_process, set_child_subreaper, waitid,
};

use super::tree::children_of_all_our_threads;

/// The supervisors in use. A thread that starts one or looks for orphans holds the lock, so that no
/// supervisor is taken for an orphan, and no identifier is used that another thread just freed.
static SUPERVISORS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A killed process ends at once unless it hangs in the kernel.
const KILL_TIMEOUT: Duration = Duration::from_secs(30);

/// A process that is stopped for longer is not stopped together with us, by a batch system that
/// suspends all of a job one after the other.
pub(crate) const STOP_TOLERANCE: Duration = Duration::from_millis(500);

/// Starts a supervisor, below us as a subreaper.
pub(crate) fn start_supervisor(start: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    let mut supervisors = SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner);
    // Kernels before 3.4 have no subreapers; there orphans go to init, as they always did.
    let _ = set_child_subreaper(Some(getpid()));
    let child = start()?;
    supervisors.insert(child.id());
    Ok(child)
}

/// A supervisor has ended and was reaped.
pub(crate) fn supervisor_has_ended(supervisor: &Child) {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner).remove(&supervisor.id());
}

/// Whether a child of ours is stopped now.
pub(crate) fn is_stopped(child: &Child) -> bool {
    let Some(pid) = Pid::from_raw(child.id().cast_signed()) else { return false };
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
}

/// Kills the orphans that lost supervisors left, until there are none.
///
/// # Errors
/// If something cannot be killed.
pub(crate) fn kill_orphans() -> io::Result<()> {
    let supervisors = SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner);
    let our_session = getsid(None)?;
    let is_orphan = |pid: Pid| {
        let is_supervisor = supervisors.contains(&pid.as_raw_nonzero().get().cast_unsigned());
        !is_supervisor && getsid(Some(pid)).is_ok_and(|session| session != our_session)
    };
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        let children = children_of_all_our_threads().into_iter().filter_map(Pid::from_raw);
        let orphans: Vec<Pid> = children.filter(|child| is_orphan(*child)).collect();
        if orphans.is_empty() {
            return Ok(());
        }
        for orphan in orphans {
            // Children cannot be mistaken: their identifiers are ours until we wait for them.
            let _ = kill_process(orphan, Signal::KILL);
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        if Instant::now() > deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(1));
    }
}
