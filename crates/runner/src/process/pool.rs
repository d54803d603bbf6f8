//! A pool of idle supervisors, kept for later runs; at most as many as there were parallel runs.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::{Command, CoreId, Limits, Outcome, Slot};

/// Slots that are not in use.
static IDLE: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

/// Runs a program under limits and waits for its end; see the [module](super) for how.
///
/// May be called from any number of threads. Never fails: whatever goes wrong is an
/// [`Ending`](luthier_records::Ending), which distinguishes framework errors.
pub fn run(command: &Command, limits: &Limits, core: Option<CoreId>) -> Outcome {
    run_unless_stopped(command, limits, core, None)
}

/// As [`run`]; when `stop` is set, the processes are killed at once, and the run is
/// [`Ending::Lost`](luthier_records::Ending::Lost).
pub fn run_unless_stopped(
    command: &Command,
    limits: &Limits,
    core: Option<CoreId>,
    stop: Option<&AtomicBool>,
) -> Outcome {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = idle().pop();
    let mut slot = kept.unwrap_or_default();
    let outcome = slot.run_unless_stopped(command, limits, core, stop);
    idle().push(slot);
    outcome
}
