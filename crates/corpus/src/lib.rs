//! Finds benchmark instances: the files, folders and archives a user names become a stream of
//! named byte strings, one instance in memory at a time.
//!
//! The crate knows nothing of formulas: what the bytes say is for `luthier-smtlib` to find out.
//! [`Writer`] is the way back, into a folder or an archive.
//! It prints nothing either; what it left out is kept in [`Skipped`], and what it could not read
//! comes as an `Err` between the instances, after which the stream goes on.
//!
//! # What is read
//! * A **file** named by the user is always taken, whatever it is called. If its name ends in
//!   `.gz`, `.xz` or `.zst`, its decompressed bytes are taken.
//! * A **folder** is read with everything below it, in the order of the paths. Files count whose
//!   ending is listed in [`Options::endings`], compressed or not; symbolic links are followed, and
//!   a folder that can be reached in several ways is read once, so links cannot loop.
//! * An **archive** (`.tar`, `.tar.gz`, `.tgz`, `.tar.xz`, `.txz`, `.tar.zst`, `.tzst`), named or
//!   found in a folder, is read without unpacking it, in its own order, by the rules for folders.
//!   An archive inside an archive is skipped.
//! * A **member** of an archive is named `ARCHIVE!member/path`, as its instance is called; nothing
//!   else of the archive is read then.
//! * **Hidden** files and folders (names that begin with a dot) inside folders and archives are
//!   skipped: they are editors' locks, version control and the `._` files that macOS packs beside
//!   every file, never benchmarks. Name them explicitly to read them.

mod archive;
mod error;
mod format;
mod instances;
mod metered;
mod options;
mod skipped;
mod survey;
mod walk;
mod writer;

pub use error::CorpusError;
pub use instances::{Instance, Instances, instances};
pub use options::Options;
pub use skipped::{SkipReason, Skipped, SkippedFile};
pub use survey::{Survey, survey};
pub use walk::exists;
pub use writer::Writer;
