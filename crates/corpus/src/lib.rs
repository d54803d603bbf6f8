//! Benchmark sets. Files, folders and archives that a user names become a stream of named byte
//! strings, one instance in memory at a time ([`instances`], [`in_parallel`]); [`Writer`] is the inverse.
//! What was left out is in [`Skipped`], and what could not be read is an `Err` between the instances, after which
//! the stream continues.
//!
//! On top of it: [`sets`] are known by name, [`Selection`] says which files of which sets, and [`audit`] examines
//! what is in them. The crate prints nothing.
//!
//! # What is read
//!
//! * A **file** named by the user is always read, whatever its name. If its name ends in `.gz`,
//!   `.xz` or `.zst`, it is decompressed.
//! * A **folder** is read recursively, in the order of the paths. Files count whose extension is
//!   listed in [`Options::endings`], compressed or not; symbolic links are followed, and a folder
//!   that can be reached in several ways is read once, so links cannot loop.
//! * An **archive** (`.tar`, `.tar.gz`, `.tgz`, `.tar.xz`, `.txz`, `.tar.zst`, `.tzst`), named or
//!   found in a folder, is read without unpacking it, in its own order, by the rules for folders.
//!   An archive inside an archive is skipped.
//! * A **member** of an archive is named `ARCHIVE!member/path`, which is also the name of its
//!   instance; the rest of the archive is not read then.
//! * **Hidden** files and folders (names that begin with a dot) inside folders and archives are
//!   skipped: they are lock files, version control and the `._` files that macOS packs beside every
//!   file, never benchmarks. They are read if the user names them.

pub mod audit;
pub mod sets;

mod archive;
mod error;
mod format;
mod instances;
mod metered;
mod options;
mod parallel;
mod selection;
mod skipped;
mod survey;
mod walk;
mod writer;

pub use error::CorpusError;
pub use instances::{Instance, Instances, instances, name_below};
pub use options::Options;
pub use parallel::{Flow, Position, Prepared, in_parallel};
pub use selection::{SelectedFiles, Selection};
pub use skipped::{SkipReason, Skipped, SkippedFile};
pub use survey::{Survey, survey};
pub use walk::exists;
pub use writer::Writer;
