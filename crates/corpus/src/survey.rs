//! The amount to be read, estimated from names and sizes without opening files: the denominator of
//! a progress bar.

use std::path::PathBuf;

use crate::walk::{Content, Walk};
use crate::{Options, Skipped};

/// How much there is to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Files that hold one instance each.
    pub files: u64,
    /// Archives, whose number of instances is not known before they are read.
    pub archives: u64,
    /// The bytes of both on disk, the total of
    /// [`Instances::bytes_done`](crate::Instances::bytes_done).
    pub bytes: u64,
}

/// Counts what [`instances`](crate::instances) would open, without opening it. Paths that cannot
/// be read are not counted; the stream itself reports them.
pub fn survey(paths: &[PathBuf], options: &Options) -> Survey {
    let mut walk = Walk::new(paths);
    let mut skipped = Skipped::keeping(0);
    let mut survey = Survey::default();
    while let Some(step) = walk.next(options, &mut skipped) {
        if let Ok(source) = step {
            survey.bytes += source.bytes;
            match source.content {
                Content::Instance(_) => survey.files += 1,
                Content::Archive(_) => survey.archives += 1,
            }
        }
    }
    survey
}
