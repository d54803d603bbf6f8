//! Campaigns on clusters with Slurm: the runs of an experiment as job arrays.
//!
//! ```text
//! submitting host                        shared file system              nodes
//! register ─▶ results.db
//! missing runs ──pack──▶ round ────────▶ runs, instances, script
//!         sbatch --array ───────────────────────────────────────────▶ task: makes its runs
//!         squeue, sacct                  results/TASK.JOB.RESTART.db ◀── publishes them
//! results.db ◀──────────merge─────────── every published database
//! ```
//!
//! A **round** is what is submitted together: all runs that are not stored yet, packed into tasks
//! (`pack`). A task writes to a database on its node and publishes copies of it, each whole, in a file
//! that no other attempt of any task ever writes (`task`). Only the process that collects writes to the
//! results. When no job of ours is left, the runs that are still missing are the next round.
//!
//! **Nothing is lost or doubled.** Which runs exist is decided by the results alone: a run is merged by
//! its key (configuration, instance, repetition), so a second copy changes nothing; a run that no
//! published database has is missing, and is submitted again. So it does not matter why a task ended: a
//! node failed, a job was preempted, its time was up, somebody killed it.
//!
//! There is no daemon. Whoever collects may be stopped at any time; the jobs go on, and the same command
//! takes over. All that a campaign needs stands in one folder beside the database ([`CampaignFolder`]).

mod client;
mod collect;
mod error;
mod event;
mod folder;
mod options;
mod pack;
mod round;
mod run;
mod task;

pub use error::SlurmError;
pub use event::{Control, SlurmEvent};
pub use folder::CampaignFolder;
pub use options::SlurmOptions;
pub use run::{Origin, Outcome, cancel, run};
pub use task::{TaskEnvironment, TaskOutcome, run_task};
