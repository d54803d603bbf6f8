//! A snapshot: the judged results at one moment, shared by all requests, with a cache of rendered parts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use luthier_records::Timestamp;
use luthier_report::Results;

use crate::medium::Medium;

/// The results at one moment. Requests share it and never wait for a newer one.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// Everything, judged.
    pub results: Arc<Results>,
    /// Tells this state from others, also across restarts of the server.
    pub version: String,
    /// When the last runs of this state were first seen.
    pub seen: Timestamp,
    /// How many runs there are; a run on a file that stands at two places counts once.
    pub runs: usize,
    /// How many runs came then; `None` if they were there from the start.
    pub added: Option<usize>,
    /// What pages are made for.
    pub medium: Medium,
    kept: Mutex<HashMap<String, Arc<str>>>,
}

/// How many rendered parts are kept.
const MOST_KEPT: usize = 256;
/// How much they may be together; a chart of very many points may be half a megabyte.
const MOST_BYTES_KEPT: usize = 32 << 20;

impl Snapshot {
    /// A state that was just read.
    pub fn new(results: Arc<Results>, version: String, before: Option<&Snapshot>) -> Self {
        let runs = count_runs(&results);
        let (seen, added) = match before {
            // Something else changed, such as features; there are no new runs.
            Some(before) if before.runs == runs => (before.seen, before.added),
            Some(before) => {
                (Timestamp::of(SystemTime::now()), Some(runs.saturating_sub(before.runs)))
            }
            None => (Timestamp::of(SystemTime::now()), None),
        };
        let kept = Mutex::new(HashMap::new());
        Self { results, version, seen, runs, added, medium: Medium::Server, kept }
    }

    /// The one state of a site. It follows from the results alone.
    pub fn of_site(results: Arc<Results>) -> Self {
        let runs = count_runs(&results);
        Self {
            results,
            version: String::new(),
            seen: Timestamp(0),
            runs,
            added: None,
            medium: Medium::Site,
            kept: Mutex::new(HashMap::new()),
        }
    }

    /// A part of a page that follows from the results alone and takes time to make. It is made
    /// once for each state; two requests may make it at the same time.
    pub fn part(&self, name: &str, make: impl FnOnce(&Results) -> String) -> Arc<str> {
        if let Some(part) = self.kept().get(name) {
            return Arc::clone(part);
        }
        let part: Arc<str> = make(&self.results).into();
        let mut kept = self.kept();
        let bytes: usize = kept.values().map(|part| part.len()).sum();
        if kept.len() >= MOST_KEPT || bytes + part.len() > MOST_BYTES_KEPT {
            kept.clear();
        }
        kept.insert(name.to_owned(), Arc::clone(&part));
        part
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<str>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies of a file in other tracks and sets share their runs, which must not be counted again.
fn count_runs(results: &Results) -> usize {
    let mut last = HashMap::new();
    for entry in &results.entries {
        last.insert(entry.judged.content.number, entry.judged.runs.len());
    }
    last.values().sum()
}
