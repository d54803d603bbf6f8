//! Collecting: published databases are merged into the results, each when it is new or has changed.
//!
//! Tasks that run publish again and again. Merging every copy would cost more than it shows, so while
//! jobs run only a share of the time is spent on it; when none is left everything is merged.
//!
//! A database that is damaged (a disk that was full, a network that failed) is reported and left out:
//! its runs are missing then, and made again.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use luthier_store::{Store, StoreError};

use crate::round::RoundFolder;
use crate::{SlurmError, SlurmEvent};

/// What distinguishes copies of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CopyStamp {
    inode: u64,
    bytes: u64,
    modified_ns: i128,
}

/// Merges published databases.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    /// What was merged, or found to be damaged.
    seen: HashMap<PathBuf, CopyStamp>,
    /// How many runs came to the results.
    pub added: usize,
}

impl Collector {
    /// Merges what is new in these rounds, for about this time, or all of it. Returns whether all is
    /// merged.
    pub(crate) fn collect(
        &mut self,
        rounds: &[RoundFolder],
        time: Option<Duration>,
        store: &mut Store,
        observer: &mut dyn FnMut(SlurmEvent<'_>),
    ) -> Result<bool, SlurmError> {
        let since = Instant::now();
        for round in rounds {
            for path in round.published(None)? {
                // It is replaced now and then.
                let Some(stamp) = CopyStamp::of(&path) else { continue };
                if self.seen.get(&path) == Some(&stamp) {
                    continue;
                }
                if time.is_some_and(|time| since.elapsed() >= time) {
                    return Ok(false);
                }
                self.merge(path, stamp, store, observer)?;
            }
        }
        Ok(true)
    }

    fn merge(
        &mut self,
        path: PathBuf,
        stamp: CopyStamp,
        store: &mut Store,
        observer: &mut dyn FnMut(SlurmEvent<'_>),
    ) -> Result<(), SlurmError> {
        match store.merge_published(&path) {
            Ok(report) => {
                self.added += report.runs_added;
                self.seen.insert(path, stamp);
            }
            // It was replaced while we read it, and is merged next time.
            Err(_) if CopyStamp::of(&path) != Some(stamp) => {}
            Err(error) if is_about(&error, &path) => {
                observer(SlurmEvent::Warning(format!("{error}; its runs are made again")));
                self.seen.insert(path, stamp);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

/// Whether the published database is at fault, and not the results. One of a newer version ends the
/// campaign, because all tasks would write such.
fn is_about(error: &StoreError, path: &Path) -> bool {
    match error {
        StoreError::Damaged { path: other, .. }
        | StoreError::NotLuthier { path: other }
        | StoreError::OtherTables { path: other, .. } => other == path,
        _ => false,
    }
}

impl CopyStamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        let seconds = i128::from(metadata.mtime());
        Some(Self {
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified_ns: seconds * 1_000_000_000 + i128::from(metadata.mtime_nsec()),
        })
    }
}
