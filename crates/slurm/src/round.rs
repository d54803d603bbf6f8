//! A round: everything that its tasks need, in one folder that does not change once it is submitted.
//!
//! ```text
//! round-1/
//!     round.json           the campaign, the configurations, how many runs and tasks
//!     experiment.toml      the experiment without its sets
//!     instances.db         the instances, a published database
//!     runs.txt             one run on each line: configuration, instance, repetition
//!     task.sh              the script of the job arrays; its argument is the first task
//!     jobs.txt             the numbers of the arrays
//!     results/TASK.JOB.RESTART.db   what an attempt of a task has made
//!     logs/JOB_INDEX.txt
//! ```
//!
//! Lines of `runs.txt` have the same length, so that a task reads only its own.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use luthier_store::InstanceId;
use serde::{Deserialize, Serialize};

use crate::folder::write_whole;
use crate::{SlurmError, pack};

/// The folder of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoundFolder {
    path: PathBuf,
}

/// What tasks of a round have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Round {
    /// The version of Luthier that submitted it.
    pub luthier_version: String,
    /// The beginning of the names of its campaigns, of which there is one on each host.
    pub campaign: String,
    /// When it was submitted, in milliseconds since 1970.
    pub started_ms: i64,
    /// The command line of `luthier run`.
    pub command_line: Vec<String>,
    /// The whole experiment.
    pub experiment: String,
    /// The identities of the configurations, which must be the same on each node.
    pub configurations: Vec<String>,
    /// Runs at a time in a task.
    pub jobs: usize,
    /// How many runs there are.
    pub runs: usize,
    /// How many tasks make them.
    pub tasks: usize,
}

/// A run of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundRun {
    pub configuration: usize,
    pub instance: InstanceId,
    pub repetition: u32,
}

/// The length of a line of `runs.txt`, with its end.
const LINE: usize = 6 + 1 + 12 + 1 + 10 + 1;

impl RoundFolder {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn instances(&self) -> PathBuf {
        self.path.join("instances.db")
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }

    pub(crate) fn script(&self) -> PathBuf {
        self.path.join("task.sh")
    }

    pub(crate) fn experiment(&self) -> PathBuf {
        self.path.join("experiment.toml")
    }

    /// Writes everything but the instances.
    pub(crate) fn write(
        &self,
        round: &Round,
        experiment: &str,
        runs: impl Iterator<Item = RoundRun>,
        luthier: &Path,
    ) -> Result<(), SlurmError> {
        for folder in [self.results(), self.logs()] {
            fs::create_dir_all(&folder).map_err(|cause| SlurmError::file(&folder, cause))?;
        }
        let mut lines = String::with_capacity(round.runs * LINE);
        for run in runs {
            let before = lines.len();
            let RoundRun { configuration, instance, repetition } = run;
            lines.push_str(&format!("{configuration:06} {:012} {repetition:010}\n", instance.0));
            if lines.len() - before != LINE {
                let problem = format!("{run:?} is out of the range that a round can have");
                return Err(SlurmError::BadRound { path: self.runs(), problem });
            }
        }
        write_whole(&self.runs(), lines.as_bytes())?;
        write_whole(&self.experiment(), experiment.as_bytes())?;
        // `exec`, so that Slurm signals our program and not a shell that waits for it.
        let script = format!(
            "#!/bin/sh\nexec '{}' slurm-task '{}' \"$(($1 + ${{SLURM_ARRAY_TASK_ID:-0}}))\"\n",
            luthier.display(),
            self.path.display()
        );
        write_whole(&self.script(), script.as_bytes())?;
        let text = serde_json::to_vec_pretty(round).map_err(|error| self.bad(&error))?;
        write_whole(&self.file(), &text)
    }

    pub(crate) fn read(&self) -> Result<Round, SlurmError> {
        let path = self.file();
        let text = fs::read(&path).map_err(|cause| SlurmError::file(&path, cause))?;
        serde_json::from_slice(&text).map_err(|error| self.bad(&error))
    }

    /// The runs of a task.
    pub(crate) fn runs_of(&self, round: &Round, task: usize) -> Result<Vec<RoundRun>, SlurmError> {
        if task >= round.tasks {
            let problem = format!("there is no task {task}, only {}", round.tasks);
            return Err(SlurmError::BadRound { path: self.file(), problem });
        }
        let path = self.runs();
        let bad = |problem: String| SlurmError::BadRound { path: path.clone(), problem };
        let Range { start, end } = pack::range(task, round.tasks, round.runs);
        let mut bytes = vec![0; (end - start) * LINE];
        let mut file = fs::File::open(&path).map_err(|cause| SlurmError::file(&path, cause))?;
        file.seek(SeekFrom::Start((start * LINE) as u64))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|cause| SlurmError::file(&path, cause))?;
        let lines = bytes.chunks_exact(LINE).map(|line| std::str::from_utf8(line).ok());
        lines
            .map(|line| line.and_then(parse_line))
            .zip(start..)
            .map(|(run, line)| run.ok_or_else(|| bad(format!("line {} is no run", line + 1))))
            .map(|run| match run {
                Ok(run) if run.configuration >= round.configurations.len() => {
                    Err(bad(format!("there is no configuration {}", run.configuration)))
                }
                run => run,
            })
            .collect()
    }

    /// Notes the number of an array.
    pub(crate) fn add_job(&self, job: &str) -> Result<(), SlurmError> {
        let path = self.jobs_file();
        fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .and_then(|mut file| writeln!(file, "{job}"))
            .map_err(|cause| SlurmError::file(&path, cause))
    }

    /// The numbers of its arrays.
    pub(crate) fn jobs(&self) -> Vec<String> {
        let text = fs::read_to_string(self.jobs_file()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The databases that attempts of its tasks have published; those of one task, or all.
    pub(crate) fn published(&self, task: Option<usize>) -> Result<Vec<PathBuf>, SlurmError> {
        let folder = self.results();
        let failed = |cause| SlurmError::file(&folder, cause);
        let beginning = task.map_or_else(String::new, |task| format!("{task:06}."));
        let entries = match fs::read_dir(&folder) {
            // The submission was stopped before it was made.
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&beginning) && name.ends_with(".db") {
                found.push(folder.join(&*name));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Where an attempt of a task publishes.
    pub(crate) fn publication(&self, task: usize, attempt: &str) -> PathBuf {
        self.results().join(format!("{task:06}.{attempt}.db"))
    }

    /// The end of the log that was written last.
    pub(crate) fn last_log(&self) -> String {
        let logs = fs::read_dir(self.logs()).into_iter().flatten().flatten();
        let logs = logs.filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(|metadata| metadata.len() > 0)?;
            Some((metadata.modified().ok()?, entry.path()))
        });
        let Some((_, path)) = logs.max() else {
            return format!("nothing; there is no log in {}", self.logs().display());
        };
        let text = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(3)..];
        format!("{} ({})", last.join("; "), path.display())
    }

    pub(crate) fn remove(&self) -> Result<(), SlurmError> {
        fs::remove_dir_all(&self.path).map_err(|cause| SlurmError::file(&self.path, cause))
    }

    fn file(&self) -> PathBuf {
        self.path.join("round.json")
    }

    fn runs(&self) -> PathBuf {
        self.path.join("runs.txt")
    }

    fn jobs_file(&self) -> PathBuf {
        self.path.join("jobs.txt")
    }

    fn bad(&self, error: &serde_json::Error) -> SlurmError {
        SlurmError::BadRound { path: self.file(), problem: error.to_string() }
    }
}

fn parse_line(line: &str) -> Option<RoundRun> {
    let mut fields = line.trim_end().split(' ');
    let run = RoundRun {
        configuration: fields.next()?.parse().ok()?,
        instance: InstanceId(fields.next()?.parse().ok()?),
        repetition: fields.next()?.parse().ok()?,
    };
    fields.next().is_none().then_some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(runs: usize, tasks: usize) -> Round {
        Round {
            luthier_version: "0".into(),
            campaign: "c".into(),
            started_ms: 0,
            command_line: Vec::new(),
            experiment: String::new(),
            configurations: vec!["a".into(), "b".into()],
            jobs: 1,
            runs,
            tasks,
        }
    }

    fn runs(count: usize) -> impl Iterator<Item = RoundRun> {
        (0..count).map(|number| RoundRun {
            configuration: number % 2,
            instance: InstanceId(i64::try_from(number / 2).unwrap()),
            repetition: 0,
        })
    }

    #[test]
    fn each_task_reads_its_own_runs() {
        let place = tempfile::tempdir().unwrap();
        let folder = RoundFolder::new(place.path().join("round-1"));
        fs::create_dir(folder.path()).unwrap();
        let round = round(101, 7);
        folder.write(&round, "", runs(101), Path::new("/bin/luthier")).unwrap();
        assert_eq!(folder.read().unwrap(), round);
        let mut all = Vec::new();
        for task in 0..7 {
            all.extend(folder.runs_of(&round, task).unwrap());
        }
        assert_eq!(all, runs(101).collect::<Vec<_>>());
        assert!(folder.runs_of(&round, 7).is_err());
    }

    #[test]
    fn a_damaged_list_is_reported_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let folder = RoundFolder::new(place.path().to_owned());
        let round = round(4, 1);
        folder.write(&round, "", runs(4), Path::new("/bin/luthier")).unwrap();
        let text = fs::read_to_string(folder.runs()).unwrap();
        fs::write(folder.runs(), text.replacen("000001 ", "00000x ", 1)).unwrap();
        let error = folder.runs_of(&round, 0).unwrap_err().to_string();
        assert!(error.contains("runs.txt: line 2 is no run"), "{error}");
        fs::write(folder.runs(), text.replacen("000001 ", "000007 ", 1)).unwrap();
        let error = folder.runs_of(&round, 0).unwrap_err().to_string();
        assert!(error.contains("there is no configuration 7"), "{error}");
    }

    #[test]
    fn published_databases_are_found_by_task() {
        let place = tempfile::tempdir().unwrap();
        let folder = RoundFolder::new(place.path().to_owned());
        assert!(folder.published(None).unwrap().is_empty(), "no folder yet");
        fs::create_dir(folder.results()).unwrap();
        for (task, attempt) in [(1, "7.0"), (1, "7.1"), (10, "8.0")] {
            fs::write(folder.publication(task, attempt), "").unwrap();
        }
        fs::write(folder.results().join("000001.7.2.db.5.unfinished"), "").unwrap();
        assert_eq!(folder.published(Some(1)).unwrap().len(), 2);
        assert_eq!(folder.published(None).unwrap().len(), 3);
    }
}
