//! The list of files that were found and not read, with the reason for each, so that no file is
//! left out silently.

/// Why a file was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Its ending is not among [`Options::endings`](crate::Options::endings).
    Ending,
    /// Its name, or the name of a folder above it, begins with a dot.
    Hidden,
    /// A link in an archive, a device, a socket.
    NotAFile,
    /// An archive inside an archive.
    NestedArchive,
    /// An archive of a kind that is not read, found in a folder.
    ForeignArchive,
    /// A folder that was already read under another name.
    FolderSeenBefore,
}

impl SkipReason {
    /// The reason as text, to follow the name of the file.
    pub fn describe(self) -> &'static str {
        match self {
            SkipReason::Ending => "its ending is not that of an instance",
            SkipReason::Hidden => "hidden",
            SkipReason::NotAFile => "not a regular file",
            SkipReason::NestedArchive => "an archive inside an archive",
            SkipReason::ForeignArchive => "an archive of a kind that is not read",
            SkipReason::FolderSeenBefore => "a folder that was already read under another name",
        }
    }
}

/// One file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// Its name, made as the names of instances are.
    pub name: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// All that was left out so far.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    count: u64,
    files: Vec<SkippedFile>,
    kept: usize,
}

impl Skipped {
    pub(crate) fn keeping(kept: usize) -> Self {
        Skipped { count: 0, files: Vec::new(), kept }
    }

    /// Counts a file; its name is computed only if it is kept.
    pub(crate) fn record(&mut self, reason: SkipReason, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.files.len() < self.kept {
            self.files.push(SkippedFile { name: name(), reason });
        }
    }

    /// How many files were left out.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first of them, as many as
    /// [`Options::skipped_names_kept`](crate::Options::skipped_names_kept) allows.
    pub fn files(&self) -> &[SkippedFile] {
        &self.files
    }
}
