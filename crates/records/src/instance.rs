//! Instances: benchmark scripts by content, what they state about their queries, and where they
//! occur in benchmark sets.

use crate::{Bytes, Digest, Features, Text, Verdict};

/// One input file. Two files with the same bytes, read in the same dialect, are one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The digest of its bytes.
    pub digest: Digest,
    /// The name of the dialect in which it is read. Decided once, for all solvers.
    pub dialect: String,
    /// Why it is read in this dialect.
    pub dialect_reason: String,
    /// Its length.
    pub size: Bytes,
    /// Its queries, in order. Empty for an instance that cannot be read.
    pub queries: Vec<Query>,
    /// Why it cannot be read: position and message of the first error.
    pub fault: Option<String>,
    /// Its features; `None` if they were not computed, or if it cannot be read.
    pub features: Option<Features>,
}

/// What an instance states about one of its queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The answer by construction, from the generator of the instance.
    pub planted: Option<Verdict>,
    /// The names of the only minimal unsatisfiable core, if one was planted.
    pub planted_core: Option<Vec<Text>>,
    /// The answer that the file claims in `(set-info :status …)`.
    pub status: Option<Verdict>,
}

/// Where an instance was found: the name of a file under a set of benchmarks and one of its
/// tracks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The set.
    pub set: String,
    /// The track; sets without tracks have one with the empty name.
    pub track: String,
    /// The name of the file: a path, or `ARCHIVE!member`.
    pub name: String,
}

impl Place {
    /// As people write it, see [`place_text`].
    pub fn text(&self) -> String {
        place_text(&self.set, &self.track, &self.name)
    }
}

/// Set, track and name with slashes between them. The track is left out where the name begins with it, as
/// names of files in folders do.
pub fn place_text(set: &str, track: &str, name: &str) -> String {
    let has_track = name.strip_prefix(track).is_some_and(|rest| rest.starts_with('/'));
    if track.is_empty() || has_track {
        format!("{set}/{name}")
    } else {
        format!("{set}/{track}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::place_text;

    #[test]
    fn a_place_has_its_track_once() {
        assert_eq!(place_text("set", "", "a.smt2"), "set/a.smt2");
        assert_eq!(place_text("set", "track", "a.smt2"), "set/track/a.smt2");
        assert_eq!(place_text("set", "track", "track/a.smt2"), "set/track/a.smt2");
        assert_eq!(place_text("set", "track", "tracks/a.smt2"), "set/track/tracks/a.smt2");
        assert_eq!(place_text("set", "", "/a.smt2"), "set//a.smt2");
    }
}
