//! The audit of benchmark sets: the research questions of the ZaligVinder paper (section 6.2) as figures.
//!
//! Can every file be read, and if not, why (RQ1); how many files are copies of others, and which operators are
//! used how often (RQ2); are the annotated answers right (RQ3). A file is identified by the digest of its bytes;
//! each content is examined once, in parallel, and counted for each of its places. What is kept of a file is a
//! few hundred bytes, whatever its size.
//!
//! Duplicates are counted as the paper does: every member of a group of at least two. A group is the files of one
//! set with the same bytes, or with the same [canonical form](canonical_form).

mod canonical;
mod facts;
mod tally;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luthier_records::{Digest, ProvenAnswer};
use luthier_smtlib::Dialect;
use rustc_hash::FxHashMap;

use crate::parallel::{Flow, Position, Prepared, in_parallel};
use crate::{Options, instances, name_below};

pub use canonical::{CanonicalForm, canonical_form};
pub use facts::{Facts, Rejection, facts, operator_named, operator_names};
pub use tally::{
    Claim, ClaimSource, Counts, OperatorUse, RejectedFile, SetAudit, StatusCounts, VerdictCounts,
    WrongClaim,
};

/// A set to be audited.
#[derive(Clone, Debug)]
pub struct AuditedSet {
    /// Its name.
    pub name: String,
    /// Where its files are.
    pub paths: Vec<PathBuf>,
    /// Folders whose files are said to have one answer.
    pub claims: Vec<Claim>,
}

/// Answers that are proven, by content and dialect; one entry for each query.
pub type ProvenAnswers = HashMap<(Digest, Dialect), Vec<Option<ProvenAnswer>>>;

/// The audit of some sets.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The sets, in the given order.
    pub sets: Vec<SetAudit>,
    /// All of them as if they were one set; `None` if there is only one.
    pub total: Option<SetAudit>,
}

/// Sets whose files were read.
pub struct Examined {
    /// The sets, in the given order.
    pub sets: Vec<ExaminedSet>,
    contents: Contents,
}

/// A set whose files were read.
pub struct ExaminedSet {
    /// The set.
    pub set: AuditedSet,
    /// Its files, in order.
    pub members: Vec<Member>,
    /// What could not be opened, and why.
    pub unreadable: Vec<String>,
}

/// A file of a set.
pub struct Member {
    /// Its name below the path of the set.
    pub name: String,
    /// The index of its content.
    content: usize,
}

/// Reads sets with `jobs` threads; each content is examined once. `observe` sees how far it is: the set and the
/// position in it. `None` if it stopped the reading.
pub fn examine(
    sets: Vec<AuditedSet>,
    jobs: usize,
    mut observe: impl FnMut(&AuditedSet, Position) -> Flow,
) -> Option<Examined> {
    let mut contents = Contents::default();
    let mut examined = Vec::new();
    for set in sets {
        let (mut members, mut unreadable) = (Vec::new(), Vec::new());
        for path in &set.paths {
            if contents.read(path, jobs, &mut members, &mut unreadable, |at| observe(&set, at))
                == Flow::Stop
            {
                return None;
            }
        }
        examined.push(ExaminedSet { set, members, unreadable });
    }
    Some(Examined { sets: examined, contents })
}

/// A set whose files lie elsewhere, such as in a database, and were examined there.
pub struct FoundSet {
    /// The set; its paths do not matter.
    pub set: AuditedSet,
    /// Its files: the name, and the index of the content.
    pub files: Vec<(String, usize)>,
    /// What could not be examined, and why.
    pub unreadable: Vec<String>,
}

impl Examined {
    /// Sets over contents that were examined by [`facts`].
    ///
    /// # Panics
    ///
    /// If an index is not that of a content.
    pub fn of(sets: Vec<FoundSet>, contents: Vec<(Digest, Arc<Facts>)>) -> Self {
        let (digests, facts): (Vec<Digest>, Vec<_>) =
            contents.into_iter().map(|(digest, facts)| (digest, Some(facts))).unzip();
        let sets = sets.into_iter().map(|FoundSet { set, files, unreadable }| {
            let member = |(name, content): (String, usize)| {
                assert!(content < digests.len(), "{name} has a content that is there");
                Member { name, content }
            };
            ExaminedSet { set, members: files.into_iter().map(member).collect(), unreadable }
        });
        let sets = sets.collect();
        Self { sets, contents: Contents { digests, facts, index: FxHashMap::default() } }
    }

    /// The digest of the bytes of a file.
    pub fn digest(&self, member: &Member) -> Digest {
        self.contents.digests[member.content]
    }

    /// What a file is.
    pub fn facts(&self, member: &Member) -> &Facts {
        self.contents.of(member)
    }

    /// The figures of all sets.
    pub fn audit(&self, proven: &ProvenAnswers) -> Audit {
        let sets: Vec<SetAudit> =
            self.sets.iter().map(|one| tally::set(one, &self.contents, proven)).collect();
        let total = (sets.len() > 1).then(|| tally::total(&sets, &self.sets, &self.contents));
        Audit { sets, total }
    }
}

/// The examined contents.
#[derive(Default)]
struct Contents {
    digests: Vec<Digest>,
    facts: Vec<Option<Arc<Facts>>>,
    index: FxHashMap<Digest, usize>,
}

impl Contents {
    fn read(
        &mut self,
        path: &Path,
        jobs: usize,
        members: &mut Vec<Member>,
        unreadable: &mut Vec<String>,
        mut observe: impl FnMut(Position) -> Flow,
    ) -> Flow {
        let Contents { digests, facts: known, index } = self;
        let mut found = instances(&[path.to_owned()], &Options::default());
        let mut examined = Vec::new();
        let mut flow = Flow::Continue;
        in_parallel(
            &mut found,
            jobs,
            |instance| {
                let digest = Digest::of(&instance.bytes);
                let name = name_below(path, &instance.name);
                let next = digests.len();
                let content = *index.entry(digest).or_insert(next);
                if content < next {
                    return Prepared::Done((name, content, None));
                }
                digests.push(digest);
                Prepared::Work((name, content, instance.bytes))
            },
            |(name, content, bytes)| (name, content, Some(facts(&bytes, None))),
            |result, position| {
                match result {
                    Ok((name, content, facts)) => {
                        examined.extend(facts.map(|facts| (content, facts)));
                        members.push(Member { name, content });
                    }
                    Err(error) => unreadable.push(error.to_string()),
                }
                flow = observe(position);
                flow
            },
        );
        known.resize_with(digests.len(), || None);
        for (content, facts) in examined {
            known[content] = Some(Arc::new(facts));
        }
        flow
    }

    /// The facts of a content that was delivered.
    fn of(&self, member: &Member) -> &Facts {
        self.facts[member.content].as_ref().expect("every content is examined before it is counted")
    }
}
