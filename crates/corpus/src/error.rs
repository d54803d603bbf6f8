//! Errors of reading and writing instances, folders and archives. An error concerns one path or
//! member; the stream of instances continues after it.

use std::io;
use std::path::{Path, PathBuf};

/// A path or member that could not be read or written. The search continues after it.
///
/// The cause is part of the message and not a `source`, because these errors are listed one to a
/// line in long runs, where a chain of causes is usually lost.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A path that the user named does not exist.
    #[error("{}: no such file or folder; check the spelling and the working folder", path.display())]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// A file or folder exists but cannot be opened or read.
    #[error("{}: cannot be read ({cause}); check its permissions and links", path.display())]
    Unreadable {
        /// The path as given or found.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// A compressed file, or a compressed member of an archive, cannot be decompressed.
    #[error(
        "{name}: expected {format} data, but it is damaged or cut short ({cause}); fetch or pack it again"
    )]
    DamagedInstance {
        /// The name the instance would have had.
        name: String,
        /// The expected compression.
        format: &'static str,
        /// What the decompressor said.
        cause: io::Error,
    },
    /// An archive is damaged or cut short; the instances before the fault were delivered.
    #[error("{}: expected a {format}, but it is damaged or cut short after {members} member(s) ({cause}); fetch or pack it again", archive.display())]
    DamagedArchive {
        /// The archive.
        archive: PathBuf,
        /// The expected kind of archive.
        format: &'static str,
        /// How many members were read before the fault.
        members: u64,
        /// What the decompressor or the archive reader said.
        cause: io::Error,
    },
    /// An instance is larger than the limit.
    #[error(
        "{name}: larger than {limit} bytes, which no option raises for one instance; leave the file out"
    )]
    TooLarge {
        /// The name the instance would have had.
        name: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A member of an archive was named that is not in it, or is no instance.
    #[error("{name}: there is no such script in {}; tar -tf lists its members", archive.display())]
    NoSuchMember {
        /// The name as given.
        name: String,
        /// The archive.
        archive: PathBuf,
    },
    /// An archive of a kind that is not read was named.
    #[error("{}: {ending} archives are not read; unpack it, or pack it again as .tar.zst, .tar.xz or .tar.gz", path.display())]
    ForeignArchive {
        /// The path as given.
        path: PathBuf,
        /// Its file name extension.
        ending: &'static str,
    },
    /// A file, folder or archive cannot be written.
    #[error("{}: cannot be written ({cause})", path.display())]
    Unwritable {
        /// The path.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// Something is already where a new folder or archive is to be.
    #[error("{}: is already there; name another one, or remove it", path.display())]
    Occupied {
        /// The path as given.
        path: PathBuf,
    },
    /// An archive of a kind that is not written was named.
    #[error("{}: archives are written as .tar, .tar.gz or .tar.zst; choose one of these", path.display())]
    UnwritableArchive {
        /// The path as given.
        path: PathBuf,
    },
}

impl CorpusError {
    /// The error for a path that was to be written.
    pub(crate) fn for_writing(path: &Path, cause: io::Error) -> Self {
        if cause.kind() == io::ErrorKind::AlreadyExists {
            CorpusError::Occupied { path: path.to_owned() }
        } else {
            CorpusError::Unwritable { path: path.to_owned(), cause }
        }
    }

    /// The error for a path that the user named; a path that does not exist has its own variant.
    pub(crate) fn for_named_path(path: &Path, cause: io::Error) -> Self {
        if cause.kind() == io::ErrorKind::NotFound {
            CorpusError::Missing { path: path.to_owned() }
        } else {
            CorpusError::Unreadable { path: path.to_owned(), cause }
        }
    }
}
