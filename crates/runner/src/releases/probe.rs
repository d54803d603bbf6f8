//! Short probe runs of a program, such as for its version, under limits and in an empty folder.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use luthier_records::{Bytes, CpuTime, Ending, WallTime};

use super::error::ReleaseError;
use crate::process::{self, Command, Limits, Outcome};

/// The outcome of a probe.
#[derive(Debug)]
pub(crate) struct Probe(Outcome);

impl Probe {
    /// Both outputs as text.
    pub(crate) fn text(&self) -> String {
        let stdout = String::from_utf8_lossy(&self.0.stdout.bytes);
        let stderr = String::from_utf8_lossy(&self.0.stderr.bytes);
        format!("{stdout}\n{stderr}")
    }

    /// The first line with something in it, or how it ended.
    pub(crate) fn first_line(&self) -> String {
        let text = self.text();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        line.map_or_else(|| format!("nothing ({})", self.0.ending), str::to_owned)
    }
}

/// Runs a program without input and stops it, with all that it started, after `limit`. It runs in
/// an empty folder, as in a campaign: what lies in the working folder must not change its answer,
/// and must not be run by it either, as a launcher in Python or Java might.
pub(crate) fn probe(
    program: &Path,
    arguments: &[OsString],
    limit: Duration,
) -> Result<Probe, ReleaseError> {
    let limits = Limits {
        cpu: CpuTime(limit),
        wall: WallTime(limit),
        memory: Bytes::mebibytes(4096),
        output_bytes: Bytes::mebibytes(1),
    };
    let nowhere = tempfile::tempdir().map_err(ReleaseError::file(std::env::temp_dir()))?;
    let command = Command {
        working_directory: Some(nowhere.path().to_owned()),
        ..Command::new(program).arguments(arguments)
    };
    let outcome = process::run(&command, &limits, None);
    match &outcome.ending {
        Ending::NotStarted(problem) | Ending::Lost(problem) => Err(ReleaseError::Program {
            program: program.display().to_string(),
            problem: problem.clone(),
        }),
        _ => Ok(Probe(outcome)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Probe {
        probe("/bin/sh".as_ref(), &["-c".into(), script.into()], limit).unwrap()
    }

    #[test]
    fn both_outputs_are_read() {
        let probe = shell("echo; echo said; echo wrong >&2; exit 3", Duration::from_secs(20));
        assert_eq!(probe.first_line(), "said");
        assert!(probe.text().contains("wrong"));
    }

    #[test]
    fn what_takes_too_long_is_stopped_with_all_that_it_started() {
        let probe = shell("sleep 60 & sleep 60", Duration::from_millis(50));
        assert_eq!(probe.first_line(), "nothing (wall time limit)");
    }

    #[test]
    fn it_runs_in_an_empty_folder() {
        let probe = shell("ls -A | wc -l; pwd", Duration::from_secs(20));
        let here = std::env::current_dir().unwrap().display().to_string();
        assert_eq!(probe.first_line(), "0");
        assert!(!probe.text().contains(&here), "{probe:?}");
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = probe("/nonexistent".as_ref(), &[], Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().contains("/nonexistent"), "{error}");
    }
}
