//! The folder of a campaign: `DATABASE-slurm`, beside the database, on a file system that nodes share.
//!
//! ```text
//! results.db-slurm/
//!     job-name             the name of all jobs of this campaign
//!     cancelled            `luthier cancel` was here; whoever collects ends
//!     round-1/             one submission, see `round`
//! ```
//!
//! It is removed when all runs are in the database.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use luthier_records::Digest;

use crate::SlurmError;
use crate::round::RoundFolder;

/// The folder of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignFolder {
    path: PathBuf,
}

const SUFFIX: &str = "-slurm";
const JOB_NAME: &str = "job-name";
const CANCELLED: &str = "cancelled";
const ROUND: &str = "round-";

impl CampaignFolder {
    /// The folder for a database, made if it is not there.
    pub fn of_database(database: &Path) -> Result<Self, SlurmError> {
        let folder = Self::beside(database)?;
        fs::create_dir_all(&folder.path).map_err(|cause| SlurmError::file(&folder.path, cause))?;
        let name = folder.path.join(JOB_NAME);
        if !name.exists() {
            let now =
                SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
            let unique = format!("{} {now} {}", folder.path.display(), std::process::id());
            let digits = Digest::of(unique.as_bytes()).to_string();
            write_whole(&name, format!("luthier-{}\n", &digits[..12]).as_bytes())?;
        }
        Ok(folder)
    }

    /// The folder of a campaign that was submitted, from the path of its database or its own.
    pub fn find(path: &Path) -> Result<Self, SlurmError> {
        let own = Self { path: absolute(path)? };
        let candidates = [own, Self::beside(path)?];
        candidates
            .into_iter()
            .find(|folder| folder.path.join(JOB_NAME).is_file())
            .ok_or_else(|| SlurmError::NoCampaign { path: path.to_owned() })
    }

    fn beside(database: &Path) -> Result<Self, SlurmError> {
        let mut name = absolute(database)?.into_os_string();
        name.push(SUFFIX);
        Ok(Self { path: name.into() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of its jobs.
    pub fn job_name(&self) -> Result<String, SlurmError> {
        let path = self.path.join(JOB_NAME);
        let name = fs::read_to_string(&path).map_err(|cause| SlurmError::file(&path, cause))?;
        Ok(name.trim().to_owned())
    }

    /// The rounds that are there, oldest first.
    pub(crate) fn rounds(&self) -> Result<Vec<RoundFolder>, SlurmError> {
        let failed = |cause| SlurmError::file(&self.path, cause);
        let mut rounds = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(ROUND));
            if let Some(number) = number.and_then(|number| number.parse::<u64>().ok()) {
                rounds.push((number, RoundFolder::new(self.path.join(name))));
            }
        }
        rounds.sort_by_key(|(number, _)| *number);
        Ok(rounds.into_iter().map(|(_, round)| round).collect())
    }

    /// An empty folder for the next round. Numbers are not used again.
    pub(crate) fn next_round(&self, number: u64) -> Result<RoundFolder, SlurmError> {
        let path = self.path.join(format!("{ROUND}{number}"));
        fs::create_dir(&path).map_err(|cause| SlurmError::file(&path, cause))?;
        Ok(RoundFolder::new(path))
    }

    pub(crate) fn mark_cancelled(&self) -> Result<(), SlurmError> {
        write_whole(&self.path.join(CANCELLED), b"")
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.path.join(CANCELLED).exists()
    }

    pub(crate) fn forget_cancelled(&self) -> Result<(), SlurmError> {
        let path = self.path.join(CANCELLED);
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                Err(SlurmError::file(&path, cause))
            }
            _ => Ok(()),
        }
    }

    /// Removes it with all that we have put there; what others have put there stays.
    pub(crate) fn remove(&self) -> Result<(), SlurmError> {
        self.forget_cancelled()?;
        for round in self.rounds()? {
            round.remove()?;
        }
        let name = self.path.join(JOB_NAME);
        fs::remove_file(&name).map_err(|cause| SlurmError::file(&name, cause))?;
        // It is left if there is anything else in it.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }
}

fn absolute(path: &Path) -> Result<PathBuf, SlurmError> {
    let absolute = std::path::absolute(path).map_err(|cause| SlurmError::file(path, cause))?;
    if absolute.to_str().is_none_or(|text| text.contains(['\'', '\n', '%', '\\'])) {
        return Err(SlurmError::Inconsistent(format!(
            "{}: Slurm needs a path without quotes, line breaks, backslashes and %; move the database",
            path.display()
        )));
    }
    Ok(absolute)
}

/// Writes a file that others see whole or not at all.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<(), SlurmError> {
    let failed = |cause| SlurmError::file(path, cause);
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    fs::write(&unfinished, content).map_err(failed)?;
    fs::File::open(&unfinished).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(&unfinished, path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_found_by_its_database_and_by_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("r.db");
        assert!(CampaignFolder::find(&database).is_err(), "nothing was submitted");
        let folder = CampaignFolder::of_database(&database).unwrap();
        assert_eq!(CampaignFolder::find(&database).unwrap(), folder);
        assert_eq!(CampaignFolder::find(folder.path()).unwrap(), folder);
        let name = folder.job_name().unwrap();
        assert_eq!(CampaignFolder::of_database(&database).unwrap().job_name().unwrap(), name);
        assert!(name.starts_with("luthier-") && name.len() == 20, "{name}");
    }

    #[test]
    fn removal_leaves_what_others_put_there() {
        let place = tempfile::tempdir().unwrap();
        let folder = CampaignFolder::of_database(&place.path().join("r.db")).unwrap();
        folder.next_round(1).unwrap();
        fs::write(folder.path().join("notes"), "mine").unwrap();
        folder.remove().unwrap();
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn paths_that_a_script_would_misread_are_refused() {
        assert!(CampaignFolder::of_database(Path::new("/tmp/a'b/r.db")).is_err());
        assert!(CampaignFolder::of_database(Path::new("/tmp/%j/r.db")).is_err());
    }
}
