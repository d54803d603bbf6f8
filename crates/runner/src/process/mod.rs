//! Runs a program under resource limits, measures it, and leaves no process of it behind.
//!
//! # Design
//!
//! Between us and the solver runs a small **supervisor** process, one per parallel run,
//! kept and used again for the next run:
//!
//! ```text
//! our process ─ guard ─ supervisor ─ solver ─ its children, daemons, …
//!      └────── socket ──────┘
//! ```
//!
//! * **The whole tree dies.** The supervisor is a *child subreaper*: whatever the solver starts,
//!   with double forks and sessions of its own or not, becomes the supervisor's child when its
//!   parent dies. After each run the supervisor kills its children until it has none. No process
//!   table has to be searched, no process identifier can be mistaken for a reused one, and the
//!   usual run, which leaves nothing, costs one system call.
//! * **Nothing survives us.** When we are killed, even by SIGKILL, the socket closes, and the
//!   supervisor kills its tree and ends. When the supervisor itself is killed, its parent, a
//!   guard that does nothing else, inherits the tree and kills it; when the guard is killed, the
//!   supervisor receives a signal. When a solver kills both at once, it dies itself (SIGKILL is
//!   its parent-death signal, which goes by the parent *thread*, and is why we do not start
//!   solvers from our own threads), and what else it started becomes ours, because we are a
//!   subreaper, too (`orphans.rs`). A supervisor that is stopped is noticed within a second: by the
//!   guard, or the guard by us. The run is then lost, which is a framework error and reported at
//!   once. Only a process that stops both and kills us can leave something behind.
//! * **Fast and exact.** The supervisor is our own executable, started again as
//!   `/proc/self/exe` and caught before `main` (`supervisor.rs`), so nothing has to be installed
//!   or found. It is single-threaded and small: forking it is cheaper than forking us, and the
//!   peak memory that the kernel reports, which includes what a process had before its `exec`,
//!   is the solver's and not ours.
//! * **Needs no rights.** No root, no control groups; it works the same in containers, on
//!   clusters and on old kernels (3.17 is enough).
//!
//! # Limits
//!
//! CPU time decides: it is summed over the whole tree, from `/proc` while processes live and from
//! `wait4` when they have ended, and a run that used more than its limit has timed out even if it
//! ended between two samples. Wall time is the safety net. `RLIMIT_CPU` a second or two
//! above the limit covers a supervisor that is not scheduled.
//!
//! Memory is the resident memory of the tree, sampled the more often the nearer it is to the
//! limit. `RLIMIT_AS` and `RLIMIT_DATA` are not used: they make allocations fail instead of ending
//! the run, so that a program that does not expect it crashes, and our limit would be
//! attributed to it as an abnormal exit. They also forbid to reserve memory without using it, which is common.
//! Between two samples a program can exceed the limit by some ten megabytes.
//!
//! Output comes through pipes that are drained all the time, up to a limit: standard output
//! beyond it ends the run, standard error beyond it is dropped.

mod command;
mod job;
mod load;
mod orphans;
mod outcome;
mod pool;
mod request;
mod scratch;
mod slot;
mod supervisor;
mod system;
mod tree;
mod wire;

pub use command::{Command, CoreId, Limits, Stdin, available_cores};
pub use load::Load;
pub use outcome::{Outcome, Output};
pub use pool::{run, run_unless_stopped};
pub use scratch::{Scratch, ScratchError, WorkerFolder};
pub use slot::Slot;
pub use tree::cpu_below_us;
