//! The folder in which solvers run.
//!
//! It stands beside the database, so that what a campaign that was killed left in it is found and
//! removed by the next one. A lock on it says that a campaign is going on: two campaigns on one
//! database would clear away each other's files, and make the same runs twice. The lock is one of
//! the open folder, which the kernel gives up however we end.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::CampaignError;

/// An empty folder of this campaign alone.
pub(crate) struct Scratch {
    path: PathBuf,
    /// Open as long as the campaign goes on, for its lock.
    _lock: File,
}

impl Scratch {
    /// Makes the folder, or takes over what a campaign that was killed left.
    pub fn new(database: &Path) -> Result<Self, CampaignError> {
        let mut name = database.as_os_str().to_owned();
        name.push("-scratch");
        let path = PathBuf::from(name);
        let failed = |cause| CampaignError::File { path: path.clone(), cause };
        let path = std::path::absolute(&path).map_err(failed)?;
        let failed = |cause| CampaignError::File { path: path.clone(), cause };
        let lock = loop {
            fs::create_dir_all(&path).map_err(failed)?;
            let folder = match File::open(&path) {
                // The campaign before us ended at this moment and took it away.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                opened => opened.map_err(failed)?,
            };
            match folder.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(CampaignError::Busy { database: database.to_owned() });
                }
                // Some network file systems have no locks; there we do without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if is_at(&folder, &path).map_err(failed)? {
                break folder;
            }
        };
        clear(&path);
        Ok(Self { path, _lock: lock })
    }

    /// A folder for one worker.
    pub fn folder_of(&self, worker: usize) -> Result<PathBuf, CampaignError> {
        let path = self.path.join(worker.to_string());
        fs::create_dir_all(&path)
            .map_err(|cause| CampaignError::File { path: path.clone(), cause })?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next campaign removes what could not be removed now.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes everything in a folder.
pub(crate) fn clear(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // What cannot be removed now is removed with the whole folder.
        let _ = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}

/// Whether an open folder is still the one with this path.
fn is_at(folder: &File, path: &Path) -> io::Result<bool> {
    let opened = folder.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (opened.dev(), opened.ino())),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::{Scratch, fs};
    use crate::CampaignError;

    #[test]
    fn only_one_campaign_has_the_folder_and_it_begins_empty() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("results.db");
        let left = folder.path().join("results.db-scratch/0");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("file"), "").unwrap();
        let scratch = Scratch::new(&database).unwrap();
        assert!(!left.exists());
        let worker = scratch.folder_of(0).unwrap();
        fs::write(worker.join("file"), "").unwrap();
        let second = Scratch::new(&database);
        assert!(matches!(second, Err(CampaignError::Busy { .. })));
        assert!(worker.join("file").exists(), "nothing of the first is touched");
        drop(scratch);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        Scratch::new(&database).unwrap();
    }
}
