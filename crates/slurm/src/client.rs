//! Slurm's own programs: `sbatch`, `squeue`, `sacct`, `scontrol`, `scancel`.
//!
//! All jobs of a campaign have one name, which no other campaign has; so they are found without
//! remembering their numbers, also after whoever submitted them was killed between submitting and
//! writing anything down. `squeue` knows jobs until some minutes after their end, `sacct` for ever if the
//! cluster has accounting; where it has not, `squeue --states=all` is asked instead.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::SlurmError;

/// Slurm, for the jobs of one campaign.
#[derive(Clone, Debug)]
pub(crate) struct Slurm {
    /// The name of all its jobs.
    name: String,
    /// Whose jobs they are.
    user: String,
}

/// A job array to be submitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobArray<'a> {
    /// The script, whose argument is the first task.
    pub script: &'a Path,
    /// The folder for logs.
    pub logs: &'a Path,
    /// The first task.
    pub first: usize,
    /// How many tasks.
    pub tasks: usize,
    /// Limits and the user's options.
    pub options: &'a [String],
}

/// Jobs that have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Queue {
    /// Those that run, or are about to end.
    pub running: usize,
    /// Those that wait.
    pub waiting: usize,
}

impl Queue {
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// The largest array of a Slurm that was not configured.
const USUAL_ARRAY_SIZE: usize = 1001;

impl Slurm {
    /// Whether `sbatch` is on the PATH.
    pub(crate) fn check() -> Result<(), SlurmError> {
        call("sbatch", ["--version"]).map(|_| ())
    }

    /// Slurm, for jobs of this name.
    pub(crate) fn new(name: String) -> Self {
        Self { name, user: rustix::process::geteuid().as_raw().to_string() }
    }

    /// Submits an array; returns the number of the job.
    pub(crate) fn submit(&self, array: &JobArray<'_>) -> Result<String, SlurmError> {
        let mut arguments = vec![
            "--parsable".to_owned(),
            format!("--job-name={}", self.name),
            format!("--array=0-{}", array.tasks.saturating_sub(1)),
            format!("--output={}/%A_%a.txt", array.logs.display()),
            "--open-mode=append".to_owned(),
        ];
        arguments.extend(array.options.iter().cloned());
        arguments.push(array.script.display().to_string());
        arguments.push(array.first.to_string());
        let printed = call("sbatch", arguments)?;
        job_number(&printed)
    }

    /// How many tasks one array may have.
    pub(crate) fn max_array_size(&self) -> usize {
        let configuration = call("scontrol", ["show", "config"]).unwrap_or_default();
        array_size(&configuration).unwrap_or(USUAL_ARRAY_SIZE).max(1)
    }

    /// The jobs that have not ended.
    pub(crate) fn queue(&self) -> Result<Queue, SlurmError> {
        let printed = call("squeue", self.selection(&["--noheader", "--array", "--format=%T"]))?;
        Ok(queue_of(&printed))
    }

    /// How many tasks of these jobs ended in which way, as far as Slurm still knows it.
    pub(crate) fn endings(&self, jobs: &[String]) -> BTreeMap<String, usize> {
        if jobs.is_empty() {
            return BTreeMap::new();
        }
        let accounted = ["--noheader", "--parsable2", "--allocations", "--format=State"];
        let mut arguments: Vec<String> = accounted.map(str::to_owned).to_vec();
        arguments.push(format!("--jobs={}", jobs.join(",")));
        let known = call("sacct", arguments).ok().map(|printed| endings_of(&printed));
        match known.filter(|known| !known.is_empty()) {
            Some(known) => known,
            None => {
                // It knows them for some minutes only; nothing depends on it.
                let jobs = format!("--jobs={}", jobs.join(","));
                let all = ["--noheader", "--array", "--states=all", "--format=%T", &jobs];
                endings_of(&call("squeue", self.selection(&all)).unwrap_or_default())
            }
        }
    }

    /// Cancels all jobs of the campaign.
    pub(crate) fn cancel(&self) -> Result<(), SlurmError> {
        call("scancel", self.selection(&[])).map(|_| ())
    }

    fn selection(&self, more: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = more.iter().map(|one| (*one).to_owned()).collect();
        arguments.push(format!("--name={}", self.name));
        arguments.push(format!("--user={}", self.user));
        arguments
    }
}

/// What a program prints.
fn call<I, S>(program: &'static str, arguments: I) -> Result<String, SlurmError>
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    let output =
        Command::new(program).args(arguments).stdin(Stdio::null()).output().map_err(|cause| {
            match cause.kind() {
                io::ErrorKind::NotFound => SlurmError::NoSlurm { program },
                _ => SlurmError::Refused { program, message: cause.to_string() },
            }
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> =
            said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let message = match lines.as_slice() {
            [] => output.status.to_string(),
            lines => lines.join("; "),
        };
        return Err(SlurmError::Refused { program, message });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `sbatch --parsable` prints `number` or `number;cluster`.
fn job_number(printed: &str) -> Result<String, SlurmError> {
    let line = printed.lines().next().unwrap_or_default().trim();
    let number = line.split(';').next().unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        let (program, expected) = ("sbatch", "the number of a job");
        return Err(SlurmError::Unexpected { program, text: line.to_owned(), expected });
    }
    Ok(number.to_owned())
}

/// The line `MaxArraySize            = 1001`.
fn array_size(configuration: &str) -> Option<usize> {
    let mut lines = configuration.lines().filter_map(|line| line.split_once('='));
    let (_, value) = lines.find(|(key, _)| key.trim() == "MaxArraySize")?;
    value.trim().parse().ok()
}

/// One state on each line.
fn queue_of(printed: &str) -> Queue {
    let mut queue = Queue::default();
    for state in printed.lines().map(str::trim).filter(|state| !state.is_empty()) {
        match state {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" => {
                queue.waiting += 1;
            }
            _ => queue.running += 1,
        }
    }
    queue
}

/// One state on each line; `CANCELLED by 1000` is `CANCELLED`.
fn endings_of(printed: &str) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for line in printed.lines() {
        let state = line.split([' ', '|', '+']).find(|part| !part.is_empty()).unwrap_or_default();
        if !state.is_empty() {
            *endings.entry(state.to_owned()).or_default() += 1;
        }
    }
    endings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_jobs_are_read_with_and_without_a_cluster() {
        assert_eq!(job_number("123\n").unwrap(), "123");
        assert_eq!(job_number("123;north\n").unwrap(), "123");
        for wrong in ["", "Submitted batch job 123\n", "usage: sbatch"] {
            assert!(job_number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_size_of_arrays_is_found_in_the_configuration() {
        let text = "Configuration data as of 2026-11-18\nMaxArraySize            = 4001\n\
                    MaxJobCount             = 10000\n";
        assert_eq!(array_size(text), Some(4001));
        assert_eq!(array_size("MaxArraySize = many\n"), None);
        assert_eq!(array_size(""), None);
    }

    #[test]
    fn jobs_that_run_and_wait_are_counted() {
        let queue = queue_of("RUNNING\nPENDING\nCOMPLETING\n  PENDING \nCONFIGURING\n\n");
        assert_eq!(queue, Queue { running: 3, waiting: 2 });
        assert!(queue_of("\n").is_empty());
    }

    #[test]
    fn endings_are_counted_by_their_first_word() {
        let endings = endings_of("COMPLETED\nCANCELLED by 1000\nCANCELLED+\nNODE_FAIL|\n\n");
        let expected = [("CANCELLED", 2), ("COMPLETED", 1), ("NODE_FAIL", 1)];
        let expected = expected.map(|(state, count)| (state.to_owned(), count));
        assert_eq!(endings, BTreeMap::from(expected));
    }
}
