//! Benchmark sets by name: what is known about published ones, and where they lie on this machine.
//!
//! * [`Description`]: a file of `benchmarks/` (or of the user's settings) with source, licence, citation, digest
//!   and what is claimed about answers. No benchmark file comes with Luthier.
//! * [`Registry`]: the folders and archives that the user added, with the digests of their contents.
//! * [`Sets`]: both together; a name becomes paths.

mod catalogue;
mod description;
mod digest;
mod error;
mod registry;

use std::path::{Path, PathBuf};

use luthier_records::Digest;

pub use catalogue::Catalogue;
pub use description::Description;
pub use digest::{ContentDigest, common_folder, content_digest};
pub use error::SetError;
pub use registry::{Registered, Registry};

/// The sets that are known by name.
#[derive(Clone, Debug)]
pub struct Sets {
    /// The described ones.
    pub catalogue: Catalogue,
    /// Those that are on this machine.
    pub registry: Registry,
}

/// A set as it is known here.
#[derive(Clone, Debug)]
pub struct KnownSet<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its description, if it has one.
    pub description: Option<&'a Description>,
    /// Where it is, if it was added.
    pub registered: Option<&'a Registered>,
}

/// Whether a set can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is described, but it was not added on this machine.
    Known,
    /// It is here. Its digest is the described one, or none is described.
    Present,
    /// It is here, but its contents were not those described when it was added.
    DigestDiffers,
    /// It was added, but there is nothing any more where it was.
    Missing,
}

impl State {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Present => "present",
            Self::DigestDiffers => "digest differs",
            Self::Missing => "missing",
        }
    }
}

impl KnownSet<'_> {
    /// Its state, by what was found when it was added.
    pub fn state(&self) -> State {
        let Some(registered) = self.registered else { return State::Known };
        let described = self.description.and_then(|description| description.digest());
        if !crate::exists(&registered.path) {
            State::Missing
        } else if described.is_some_and(|described| described != registered.digest) {
            State::DigestDiffers
        } else {
            State::Present
        }
    }

    /// The digest that it should have.
    pub fn described_digest(&self) -> Option<Digest> {
        self.description.and_then(Description::digest)
    }
}

impl Sets {
    /// The sets of the user.
    pub fn of_user() -> Result<Self, SetError> {
        Ok(Self { catalogue: Catalogue::of_user()?, registry: Registry::of_user()? })
    }

    /// All sets, by name.
    pub fn all(&self) -> Vec<KnownSet<'_>> {
        let described = self.catalogue.descriptions().iter().map(|one| one.name.as_str());
        let mut names: Vec<&str> = described.chain(self.registry.names()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter_map(|name| self.find(name)).collect()
    }

    /// The set of this name.
    pub fn find<'a>(&'a self, name: &str) -> Option<KnownSet<'a>> {
        let description = self.catalogue.get(name);
        let registered = self.registry.get(name);
        let name = description.map(|one| one.name.as_str());
        let name = name.or(registered.map(|one| one.name.as_str()))?;
        Some(KnownSet { name, description, registered })
    }

    /// The set of this name, with where it is on this machine.
    pub fn present(&self, name: &str) -> Result<(KnownSet<'_>, &Path), SetError> {
        let Some(set) = self.find(name) else {
            let all = self.all();
            let names = all.iter().map(|set| set.name);
            return Err(SetError::Unknown { name: name.to_owned(), near: near(name, names) });
        };
        match set.registered {
            None => Err(SetError::NotAdded {
                name: name.to_owned(),
                get: set.description.map_or_else(String::new, |one| one.get.clone()),
            }),
            Some(registered) if !crate::exists(&registered.path) => {
                Err(SetError::Gone { name: name.to_owned(), path: registered.path.clone() })
            }
            Some(registered) => Ok((set, &registered.path)),
        }
    }

    /// The sets that are on this machine, with their paths.
    pub fn all_present(&self) -> Vec<(KnownSet<'_>, PathBuf)> {
        let present =
            |set: &KnownSet<'_>| matches!(set.state(), State::Present | State::DigestDiffers);
        let sets = self.all().into_iter().filter(present);
        sets.filter_map(|set| {
            let path = set.registered?.path.clone();
            Some((set, path))
        })
        .collect()
    }
}

/// The names that a misspelt one may stand for: those that contain it or are contained in it, and those at an
/// edit distance of at most a third of its length.
pub fn near<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let is_near = |candidate: &&str| {
        let candidate = candidate.to_lowercase();
        (wanted.len() >= 3 && candidate.contains(&wanted))
            || (candidate.len() >= 3 && wanted.contains(&candidate))
            || distance(&wanted, &candidate) <= (wanted.chars().count() / 3).max(1)
    };
    all.filter(is_near).map(str::to_owned).collect()
}

/// The edit distance of two names (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, another) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *another);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["kaluza", "kaluza-hard", "norn", "pyex", "stringfuzz"];
        let of = |name: &str| near(name, names.iter().copied());
        assert_eq!(of("kalusa"), ["kaluza"]);
        assert_eq!(of("Kaluza"), ["kaluza", "kaluza-hard"]);
        assert_eq!(of("norm"), ["norn"]);
        assert_eq!(of("fuzz"), ["stringfuzz"]);
        assert!(of("quantifiers").is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
