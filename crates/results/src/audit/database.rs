//! The audit of a database: its contents examined in parallel, each once, and counted by set.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use luthier_corpus::audit::{
    Audit, AuditedSet, Examined, Facts, FoundSet, ProvenAnswers, SetAudit, facts,
};
use luthier_corpus::sets::{Catalogue, Description};
use luthier_records::{Digest, place_text};
use luthier_report::{Entry, Results};
use luthier_smtlib::Dialect;
use luthier_store::{Store, StoreError};

use crate::proven::proven_answers_of;

/// A content: its bytes, and the dialect in which it was registered; `None` if this program does not know that.
type ContentKey = (Digest, Option<Dialect>);

/// Examines the contents of a database, each once, and keeps what it found: some hundred bytes for each.
#[derive(Debug, Default)]
pub struct ContentExaminer {
    /// `None` for contents whose text the database does not have.
    known: HashMap<ContentKey, Option<Arc<Facts>>>,
}

/// How many contents a thread takes at a time.
const CONTENTS_AT_ONCE: usize = 32;

impl ContentExaminer {
    /// Examines what is new in the results of a database, with `jobs` threads that read it. `observe` is told how
    /// many of the new contents are done, and of how many; it returns whether to go on. Returns whether all are done.
    pub fn examine(
        &mut self,
        database: &Path,
        results: &Results,
        jobs: usize,
        observe: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<bool, StoreError> {
        let mut seen = HashSet::new();
        let is_new = |key: &ContentKey| !self.known.contains_key(key) && seen.insert(*key);
        let open: Vec<ContentKey> =
            results.entries.iter().map(|entry| key(results, entry)).filter(is_new).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let is_stopped = AtomicBool::new(!observe(0, open.len()));
        let examined = Mutex::new(Vec::new());
        let work = || -> Result<(), StoreError> {
            let store = Store::open_read_only(database)?;
            loop {
                let start = next.fetch_add(CONTENTS_AT_ONCE, Ordering::Relaxed);
                let Some(rest) = open.get(start..).filter(|rest| !rest.is_empty()) else {
                    return Ok(());
                };
                let mut part = Vec::new();
                for &(digest, dialect) in rest.iter().take(CONTENTS_AT_ONCE) {
                    if is_stopped.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    let text = store.text(digest)?;
                    let found = text.map(|text| Arc::new(facts(&text, dialect)));
                    part.push(((digest, dialect), found));
                    let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if !observe(count, open.len()) {
                        is_stopped.store(true, Ordering::Relaxed);
                    }
                }
                examined.lock().unwrap_or_else(PoisonError::into_inner).append(&mut part);
            }
        };
        let results: Vec<Result<(), StoreError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
            let joined = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect()
        });
        // What is examined is kept, whatever happened to the rest.
        self.known.extend(examined.into_inner().unwrap_or_else(PoisonError::into_inner));
        results.into_iter().collect::<Result<(), StoreError>>()?;
        Ok(!is_stopped.into_inner())
    }
}

fn key(results: &Results, entry: &Entry) -> ContentKey {
    let content = &entry.judged.content;
    (content.digest, results.dialects[content.dialect].parse().ok())
}

/// The audit of the sets of a database, in their order.
#[derive(Clone, Debug)]
pub struct DatabaseAudit {
    /// The figures.
    pub audit: Audit,
    /// For each set the rejected files and those with a wrong annotation, by name.
    listed: Vec<HashMap<String, ListedFile>>,
}

/// A file that an audit lists, as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// The number of the instance.
    pub instance: i64,
    /// For each query the run whose model proves `sat`.
    pub witnesses: Vec<Option<i64>>,
}

impl DatabaseAudit {
    /// The audit of the results of a database whose contents were examined. Sets with a description have the claims
    /// that it says about folders. What was not examined counts as unreadable.
    pub fn of(
        results: &Results,
        examiner: &ContentExaminer,
        store: &Store,
        catalogue: &Catalogue,
    ) -> Result<Self, StoreError> {
        let claimed = claimed(results, examiner, catalogue);
        let is_claimed = |digest: Digest| claimed.contains(&digest);
        let mut proven = ProvenAnswers::new();
        let mut witnesses: HashMap<ContentKey, Vec<Option<i64>>> = HashMap::new();
        for one in proven_answers_of(std::slice::from_ref(store), is_claimed)? {
            // A dialect that this program does not know was recorded by another version.
            let Ok(dialect) = one.dialect.parse::<Dialect>() else { continue };
            if one.witnesses.iter().any(Option::is_some) {
                let runs = one.witnesses.iter().map(|witness| witness.map(|(_, run)| run.0));
                witnesses.insert((one.digest, Some(dialect)), runs.collect());
            }
            proven.insert((one.digest, dialect), one.answers);
        }
        let examined = examined(results, examiner, catalogue);
        let audit = examined.audit(&proven);
        let listed = listed(results, &audit, &witnesses);
        Ok(Self { audit, listed })
    }

    /// A rejected file or one with a wrong annotation, by the index of its set and its name in the audit.
    pub fn listed(&self, set: usize, file: &str) -> Option<&ListedFile> {
        self.listed.get(set)?.get(file)
    }
}

/// The name of a file in the audit of its set: as in a folder of benchmarks, the track before the name unless the
/// name begins with it.
fn file_name(results: &Results, entry: &Entry) -> String {
    let text = place_text("", &results.tracks[entry.track].name, &entry.name);
    text.strip_prefix('/').map(str::to_owned).unwrap_or(text)
}

/// The contents about which something is claimed: what is proven about others does not matter.
fn claimed(
    results: &Results,
    examiner: &ContentExaminer,
    catalogue: &Catalogue,
) -> HashSet<Digest> {
    let has_claims = |set: usize| {
        let description = catalogue.get(&results.sets[set].name);
        description.is_some_and(|description| !description.claims().is_empty())
    };
    let has_claims: Vec<bool> = (0..results.sets.len()).map(has_claims).collect();
    let is_claimed = |entry: &&Entry| {
        let facts = examiner.known.get(&key(results, entry)).and_then(Option::as_ref);
        facts.is_some_and(|facts| {
            has_claims[results.set_of(entry)] || facts.statuses.iter().any(Option::is_some)
        })
    };
    let claimed = results.entries.iter().filter(is_claimed);
    claimed.map(|entry| entry.judged.content.digest).collect()
}

fn examined(results: &Results, examiner: &ContentExaminer, catalogue: &Catalogue) -> Examined {
    let mut sets: Vec<FoundSet> = results
        .sets
        .iter()
        .map(|set| {
            let description = catalogue.get(&set.name);
            let claims = description.map(Description::claims).unwrap_or_default();
            FoundSet {
                set: AuditedSet { name: set.name.clone(), paths: Vec::new(), claims },
                files: Vec::new(),
                unreadable: Vec::new(),
            }
        })
        .collect();
    let mut contents: Vec<(Digest, Arc<Facts>)> = Vec::new();
    let mut indices: HashMap<ContentKey, usize> = HashMap::new();
    for entry in &results.entries {
        let set = &mut sets[results.set_of(entry)];
        let (key, name) = (key(results, entry), file_name(results, entry));
        let Some(Some(facts)) = examiner.known.get(&key) else {
            set.unreadable.push(format!("{name}: its text is not in the database"));
            continue;
        };
        let index = *indices.entry(key).or_insert_with(|| {
            contents.push((key.0, Arc::clone(facts)));
            contents.len() - 1
        });
        set.files.push((name, index));
    }
    Examined::of(sets, contents)
}

/// The instances behind the files that are listed.
fn listed(
    results: &Results,
    audit: &Audit,
    witnesses: &HashMap<ContentKey, Vec<Option<i64>>>,
) -> Vec<HashMap<String, ListedFile>> {
    let names_of = |set: &SetAudit| -> HashSet<String> {
        let rejected = set.rejected.values().flatten().map(|one| one.file.clone());
        rejected.chain(set.wrong.iter().map(|one| one.file.clone())).collect()
    };
    let names: Vec<HashSet<String>> = audit.sets.iter().map(names_of).collect();
    let mut listed = vec![HashMap::new(); audit.sets.len()];
    for entry in &results.entries {
        let set = results.set_of(entry);
        if names[set].is_empty() {
            continue;
        }
        let name = file_name(results, entry);
        if names[set].contains(&name) {
            let instance = entry.judged.content.number;
            let witnesses = witnesses.get(&key(results, entry)).cloned().unwrap_or_default();
            listed[set].insert(name, ListedFile { instance, witnesses });
        }
    }
    listed
}
