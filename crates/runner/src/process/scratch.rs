//! The folder in which solvers run: `DATABASE-scratch`, beside the database.
//!
//! It stands there so that files left by a killed campaign are found and removed by the next one. A
//! lock on the folder means that a campaign is running: two campaigns on one database would delete
//! each other's files and repeat the same runs. The lock is held on the open folder, so the kernel
//! releases it however the process ends.
//!
//! Everything in the folder is deleted, so it must certainly be ours. It is used if it is empty, or
//! if the file [`MARK`] lies in it, which we write before anything else; anything else of that name (a
//! folder with files of the user, a symbolic link, a file) is refused and not touched. Folders are
//! opened once, without following links, and then used through their descriptors (`/proc/self/fd/N`):
//! a folder or link that another process, for example a solver, puts in the place of one afterwards is
//! never searched or emptied.

use std::fs::{self, DirBuilder, File, FileType, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::geteuid;

/// The file that marks a folder as ours.
const MARK: &str = ".luthier-scratch";

const MARK_TEXT: &str = "Solvers of a campaign of luthier run in this folder.\n\
    Everything in it is deleted without asking; put nothing here.\n";

/// Errors of creating or taking over the folder.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// It cannot be made or read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Another campaign writes to the same database.
    #[error(
        "{}: another `luthier run` is working on it; wait for it, or take another database and \
         merge the two afterwards",
        database.display()
    )]
    Busy {
        /// The database.
        database: PathBuf,
    },
    /// Something that is not ours stands where solvers are to run, and all that is there would be
    /// deleted.
    #[error(
        "{}: it is {problem}, and everything there would be deleted; nothing was touched",
        path.display()
    )]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// What is there instead of a folder of ours.
        problem: &'static str,
    },
}

impl ScratchError {
    /// What to do about it, if anything is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotOurs { .. } => Some(
                "solvers of `luthier run` get an empty folder of this name beside the database; \
                 look at what is there and move or remove it, or take another database with --db"
                    .to_owned(),
            ),
            Self::File { .. } | Self::Busy { .. } => None,
        }
    }
}

/// An empty folder of this campaign alone.
pub struct Scratch {
    path: PathBuf,
    /// Open as long as the campaign goes on, for its lock.
    folder: File,
}

/// The folder of one worker, in which one solver at a time runs.
pub struct WorkerFolder {
    path: PathBuf,
    folder: File,
}

impl Scratch {
    /// Makes the folder, or takes over what a campaign that was killed left.
    pub fn new(database: &Path) -> Result<Self, ScratchError> {
        let mut name = database.as_os_str().to_owned();
        name.push("-scratch");
        let path = PathBuf::from(name);
        let failed = |cause| ScratchError::File { path: path.clone(), cause };
        let path = std::path::absolute(&path).map_err(failed)?;
        let failed = |cause| ScratchError::File { path: path.clone(), cause };
        let folder = loop {
            make(&path).map_err(failed)?;
            let folder = match open(&path) {
                Ok(folder) => folder,
                Err(cause) => match fs::symlink_metadata(&path) {
                    Ok(found) if !found.is_dir() => {
                        return Err(not_ours(&path, kind(found.file_type())));
                    }
                    // The campaign before us ended at this moment and took it away.
                    Err(_) if cause.kind() == io::ErrorKind::NotFound => continue,
                    _ => return Err(failed(cause)),
                },
            };
            match folder.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(ScratchError::Busy { database: database.to_owned() });
                }
                // Some network file systems have no locks; there we do without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if is_at(&folder, &path).map_err(failed)? {
                break folder;
            }
        };
        if folder.metadata().map_err(failed)?.uid() != geteuid().as_raw() {
            return Err(not_ours(&path, "a folder of another user"));
        }
        if !is_marked(&folder) && !is_empty(&folder).map_err(failed)? {
            return Err(not_ours(&path, "a folder with files that luthier did not put there"));
        }
        mark(&folder).map_err(failed)?;
        let scratch = Self { path, folder };
        clear(&scratch.folder);
        Ok(scratch)
    }

    /// A folder for one worker.
    pub fn worker_folder(&self, worker: usize) -> Result<WorkerFolder, ScratchError> {
        let path = self.path.join(worker.to_string());
        let folder = make(&path).and_then(|()| open(&path));
        let folder = folder.map_err(|cause| ScratchError::File { path: path.clone(), cause })?;
        Ok(WorkerFolder { path, folder })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next campaign.
        clear(&self.folder);
        if is_empty_but_mark(&self.folder) {
            let _ = fs::remove_file(through(&self.folder).join(MARK));
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl WorkerFolder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it as it was before the run: an empty folder. A solver may have removed it, or put
    /// something else in its place; that is then removed, and what it may lead to is left alone.
    pub fn clear(&mut self) {
        clear(&self.folder);
        if is_at(&self.folder, &self.path).unwrap_or(false) {
            return;
        }
        remove(&self.path);
        // If this fails, the next run reports a missing working directory.
        if let Ok(folder) = make(&self.path).and_then(|()| open(&self.path)) {
            self.folder = folder;
        }
    }
}

/// Makes a folder that only we can enter, unless there is something of that name.
fn make(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Opens a folder; fails on a link, even on one to a folder.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::DIRECTORY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// A path to an open folder itself, wherever it is now.
fn through(folder: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()))
}

fn not_ours(path: &Path, problem: &'static str) -> ScratchError {
    ScratchError::NotOurs { path: path.to_owned(), problem }
}

fn kind(file: FileType) -> &'static str {
    match file.is_symlink() {
        true => "a symbolic link",
        false => "not a folder",
    }
}

fn is_marked(folder: &File) -> bool {
    fs::symlink_metadata(through(folder).join(MARK)).is_ok_and(|found| found.is_file())
}

fn mark(folder: &File) -> io::Result<()> {
    if is_marked(folder) {
        return Ok(());
    }
    let file = OpenOptions::new().write(true).create_new(true).open(through(folder).join(MARK));
    io::Write::write_all(&mut file?, MARK_TEXT.as_bytes())
}

fn is_empty(folder: &File) -> io::Result<bool> {
    Ok(fs::read_dir(through(folder))?.next().is_none())
}

fn is_empty_but_mark(folder: &File) -> bool {
    let entries = fs::read_dir(through(folder));
    entries.is_ok_and(|mut entries| entries.all(|one| one.is_ok_and(|one| one.file_name() == MARK)))
}

/// Removes everything in a folder but the mark.
fn clear(folder: &File) {
    let Ok(entries) = fs::read_dir(through(folder)) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name() != MARK) {
        remove(&entry.path());
    }
}

/// Removes a file, a link (not what it leads to), or a folder with all that is in it. What cannot
/// be removed now is removed with the whole folder.
fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    // The standard library opens folders without following links here.
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Whether an open folder is still the one with this path.
fn is_at(folder: &File, path: &Path) -> io::Result<bool> {
    let opened = folder.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (opened.dev(), opened.ino())),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(cause),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_one_campaign_has_the_folder_and_it_begins_empty() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("results.db");
        let left = folder.path().join("results.db-scratch/0");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("file"), "").unwrap();
        fs::write(folder.path().join("results.db-scratch").join(MARK), "").unwrap();
        let scratch = Scratch::new(&database).unwrap();
        assert!(!left.exists());
        let mut worker = scratch.worker_folder(0).unwrap();
        fs::write(worker.path().join("file"), "").unwrap();
        let second = Scratch::new(&database);
        assert!(matches!(second, Err(ScratchError::Busy { .. })));
        assert!(worker.path().join("file").exists(), "nothing of the first is touched");
        worker.clear();
        assert!(worker.path().exists() && !worker.path().join("file").exists());
        drop(scratch);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        Scratch::new(&database).unwrap();
    }

    #[track_caller]
    fn refused(database: &Path, problem: &str) {
        let error = Scratch::new(database).err().expect("it is not ours").to_string();
        assert!(error.contains(problem) && error.contains("results.db-scratch"), "{error}");
    }

    #[test]
    fn what_is_not_ours_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("results.db");
        let place = folder.path().join("results.db-scratch");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("thesis.tex"), "years of work").unwrap();
        refused(&database, "did not put there");
        assert_eq!(fs::read_to_string(place.join("thesis.tex")).unwrap(), "years of work");
        // A link is refused whatever it leads to, even to a folder that has the mark.
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&place, &elsewhere).unwrap();
        fs::write(elsewhere.join(MARK), "").unwrap();
        symlink(&elsewhere, &place).unwrap();
        refused(&database, "a symbolic link");
        assert!(elsewhere.join("thesis.tex").exists());
        fs::remove_file(&place).unwrap();
        symlink("nowhere", &place).unwrap();
        refused(&database, "a symbolic link");
        fs::remove_file(&place).unwrap();
        fs::write(&place, "a file").unwrap();
        refused(&database, "not a folder");
        assert_eq!(fs::read_to_string(&place).unwrap(), "a file");
        fs::remove_file(&place).unwrap();
        // An empty folder may be one that was made a moment before we were killed.
        fs::create_dir(&place).unwrap();
        Scratch::new(&database).unwrap();
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("file"), "").unwrap();
        let scratch = Scratch::new(&folder.path().join("results.db")).unwrap();
        let mut worker = scratch.worker_folder(0).unwrap();
        symlink(&precious, worker.path().join("inside")).unwrap();
        worker.clear();
        fs::remove_dir(worker.path()).unwrap();
        symlink(&precious, worker.path()).unwrap();
        worker.clear();
        assert!(precious.join("file").exists());
        assert!(fs::symlink_metadata(worker.path()).unwrap().is_dir(), "it is made anew");
        drop(scratch);
        assert!(precious.join("file").exists());
        assert!(!folder.path().join("results.db-scratch").exists());
    }
}
