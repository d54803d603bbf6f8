//! What is requested of Slurm for a task.

use std::time::Duration;

use luthier_campaign::Experiment;

use crate::SlurmError;

/// How tasks are submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlurmOptions {
    /// The partition; Slurm's default if `None`.
    pub partition: Option<String>,
    /// The account that is charged.
    pub account: Option<String>,
    /// The wall time after which Slurm ends a task; by default somewhat more than `task_time`.
    pub time: Option<Duration>,
    /// How long a task is to take, if every run takes all its CPU time.
    pub task_time: Duration,
    /// Further options of `sbatch`, which override ours.
    pub sbatch: Vec<String>,
    /// Submit and end, without waiting for results.
    pub detach: bool,
}

/// What a run costs beyond its CPU limit: reading, starting, judging.
pub(crate) const RUN_OVERHEAD: Duration = Duration::from_millis(50);
/// How long before the end of its time a task is told to publish and end. Slurm may be a minute early.
pub(crate) const WARNING_TIME: Duration = Duration::from_secs(60);
/// Memory for ourselves, for each run at a time: an instance, its terms, the values of a model.
const OWN_MEMORY_MIB: u64 = 512;

impl Default for SlurmOptions {
    fn default() -> Self {
        Self {
            partition: None,
            account: None,
            time: None,
            task_time: Duration::from_secs(30 * 60),
            sbatch: Vec::new(),
            detach: false,
        }
    }
}

impl SlurmOptions {
    /// The time limit of a task. A run that does not fit into it could never be made.
    pub(crate) fn time_limit(&self, experiment: &Experiment) -> Result<Duration, SlurmError> {
        let longest_run = experiment.wall_limit();
        let least = longest_run.saturating_add(WARNING_TIME * 2);
        match self.time {
            Some(time) if time < least => Err(SlurmError::Inconsistent(format!(
                "--time {} is too short: a run may take {} on the wall, and a task needs two more \
                 minutes",
                slurm_time(time),
                slurm_time(longest_run)
            ))),
            Some(time) => Ok(time),
            None => Ok(self.task_time.max(longest_run).saturating_add(least)),
        }
    }

    /// The options of `sbatch` that limit a task.
    pub(crate) fn limits(
        &self,
        experiment: &Experiment,
        jobs: usize,
    ) -> Result<Vec<String>, SlurmError> {
        let time = self.time_limit(experiment)?;
        let memory = (experiment.memory_limit.0 >> 20) + 1 + OWN_MEMORY_MIB;
        let memory = memory.saturating_mul(u64::try_from(jobs).unwrap_or(u64::MAX));
        let mut options = vec![
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={jobs}"),
            format!("--mem={memory}M"),
            format!("--time={}", slurm_time(time)),
            // To the script itself, which is our program, and not to its solvers.
            format!("--signal=B:TERM@{}", WARNING_TIME.as_secs()),
            "--requeue".to_owned(),
        ];
        options.extend(self.partition.iter().map(|name| format!("--partition={name}")));
        options.extend(self.account.iter().map(|name| format!("--account={name}")));
        options.extend(self.sbatch.iter().cloned());
        Ok(options)
    }
}

/// A time as Slurm writes it: `days-hours:minutes:seconds`, rounded up.
pub(crate) fn slurm_time(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    format!("{}-{:02}:{minutes:02}:{seconds:02}", hours / 24, hours % 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_slurm_reads_them() {
        assert_eq!(slurm_time(Duration::from_secs(59)), "0-00:00:59");
        assert_eq!(slurm_time(Duration::from_secs(90_061)), "1-01:01:01");
        assert_eq!(slurm_time(Duration::from_millis(1_500)), "0-00:00:02");
    }

    #[test]
    fn a_task_has_the_memory_and_processors_of_all_its_runs() {
        let experiment = Experiment::default();
        let options = SlurmOptions { partition: Some("long".into()), ..SlurmOptions::default() };
        let limits = options.limits(&experiment, 2).unwrap();
        for expected in ["--cpus-per-task=2", "--mem=8654M", "--partition=long", "--requeue"] {
            assert!(limits.iter().any(|one| one == expected), "{expected} in {limits:?}");
        }
    }

    #[test]
    fn a_time_in_which_no_run_can_end_is_refused() {
        let experiment = Experiment::default();
        let time = Some(Duration::from_secs(100));
        let options = SlurmOptions { time, ..SlurmOptions::default() };
        let error = options.limits(&experiment, 1).unwrap_err().to_string();
        assert!(error.contains("--time 0-00:01:40 is too short"), "{error}");
        let time = Some(Duration::from_secs(200));
        assert!(SlurmOptions { time, ..options }.limits(&experiment, 1).is_ok());
    }
}
