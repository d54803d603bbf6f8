//! Results of a database that other processes write to, kept up to date incrementally.
//!
//! Only instances with new rows are judged again. Everything is read again if rows were updated or
//! removed, or if more than a quarter of the instances changed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use luthier_records::Features;
use luthier_report::{Entry, Results};
use luthier_store::{InstanceId, Store, StoreError, Watermark};

use crate::builder::ResultsBuilder;
use crate::features::{carry_over, fill_features};
use crate::load;

/// If more than one instance in this many has changed, everything is read again.
const RELOAD_FRACTION: usize = 4;

/// Up to this many changed instances are always read one by one.
const ALWAYS_INCREMENTAL: usize = 1_000;

/// Everything in a database file, judged, brought up to date by [`LiveResults::refresh`].
///
/// Returned [`Results`] are immutable snapshots.
#[derive(Debug)]
pub struct LiveResults {
    store: Store,
    results: Arc<Results>,
    mark: Watermark,
    data_version: i64,
    version: u64,
}

/// How a database changed.
enum Change {
    /// Nothing that matters.
    None,
    /// Rows were added.
    Growth(Box<Results>),
    /// Something else, or so much that it must be read again.
    Other,
}

impl LiveResults {
    /// Opens a database for reading and reads all of it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let store = Store::open_read_only(path)?;
        let (results, mark, data_version) = read_all(&store)?;
        Ok(LiveResults { store, results: Arc::new(results), mark, data_version, version: 0 })
    }

    /// What is in the database, as it was at the last refresh.
    pub fn results(&self) -> Arc<Results> {
        self.results.clone()
    }

    /// How many times [`LiveResults::results`] changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Looks for what is new; returns whether anything is. If the database did not change, this
    /// costs next to nothing. If there are new instances or runs, only these instances are judged
    /// again; after any other change, everything is.
    pub fn refresh(&mut self) -> Result<bool, StoreError> {
        if self.store.data_version()? == self.data_version {
            return Ok(false);
        }
        let (change, mark, data_version) = self.store.reading(|store| {
            let mark = store.mark()?;
            Ok::<_, StoreError>((self.detect_change(store, &mark)?, mark, store.data_version()?))
        })?;
        let (results, mark, data_version) = match change {
            Change::None => {
                self.data_version = data_version;
                return Ok(false);
            }
            Change::Growth(results) => (*results, mark, data_version),
            Change::Other => {
                // A store is bound to the tables with which it was opened.
                self.store = Store::open_read_only(self.store.path())?;
                let (results, mark, data_version) = read_all(&self.store)?;
                (carry_over(&self.results, results), mark, data_version)
            }
        };
        (self.results, self.mark, self.data_version) = (Arc::new(results), mark, data_version);
        self.version += 1;
        Ok(true)
    }

    /// What changed since the last refresh.
    fn detect_change(&self, store: &Store, mark: &Watermark) -> Result<Change, StoreError> {
        let old = &self.mark;
        let is_growth = mark.revision.is_some()
            && (mark.tables, mark.revision) == (old.tables, old.revision)
            && mark.members >= old.members
            && mark.last_run >= old.last_run
            && mark.last_instance >= old.last_instance;
        if !is_growth {
            return Ok(Change::Other);
        }
        if mark == old && self.has_same_lists(store)? {
            return Ok(Change::None);
        }
        match self.changed(store, mark)? {
            Some(changed) => {
                self.with_changed(store, &changed).map(|results| Change::Growth(Box::new(results)))
            }
            None => Ok(Change::Other),
        }
    }

    /// Takes in features that a [`FeatureExtractor`](crate::FeatureExtractor) found.
    pub fn add_features(&mut self, found: &[(i64, Features)]) {
        if !found.is_empty() {
            self.results = Arc::new(fill_features(&self.results, found));
            self.version += 1;
        }
    }

    /// Whether campaigns, configurations, sets and tracks are as they were. They are few.
    fn has_same_lists(&self, store: &Store) -> Result<bool, StoreError> {
        Ok(store.campaigns()?.len() == self.results.campaigns.len()
            && store.configurations()?.len() == self.results.solvers.len()
            && store.sets()?.len() == self.results.sets.len()
            && store.tracks()?.len() == self.results.tracks.len())
    }

    /// The instances to be judged again; `None` if these are too many.
    fn changed(
        &self,
        store: &Store,
        mark: &Watermark,
    ) -> Result<Option<Vec<InstanceId>>, StoreError> {
        let mut changed = store.instances_changed_since(&self.mark)?;
        if mark.members != self.mark.members {
            // A copy of a file that is there already is no new instance.
            for (instance, members) in store.member_counts()? {
                let known = self.results.entries_of(instance.0).count();
                if i64::try_from(known) != Ok(members) {
                    changed.push(instance);
                }
            }
            changed.sort_unstable();
            changed.dedup();
        }
        let is_few = changed.len() <= ALWAYS_INCREMENTAL
            || changed.len() <= self.results.entries.len() / RELOAD_FRACTION;
        Ok(is_few.then_some(changed))
    }

    /// The results with these instances judged again.
    fn with_changed(&self, store: &Store, changed: &[InstanceId]) -> Result<Results, StoreError> {
        let old = &*self.results;
        let mut gathered =
            ResultsBuilder::new(store, old.dialects.clone(), old.features.clone(), false)?;
        let filled = self.filled_features(changed);
        store.visit_selected(changed, |mut instance| -> Result<(), StoreError> {
            if instance.instance.features.is_none() {
                instance.instance.features = filled.get(&instance.id.0).cloned();
            }
            gathered.add(&instance);
            Ok(())
        })?;
        let indices = gathered.track_indices();
        let new_tracks: Vec<Option<usize>> =
            old.tracks.iter().map(|track| indices.get(&track.number).copied()).collect();
        let is_kept = |entry: &Entry| {
            changed.binary_search(&InstanceId(entry.judged.content.number)).is_err()
        };
        let kept = old.entries.iter().filter(|entry| is_kept(entry)).filter_map(|entry| {
            new_tracks[entry.track].map(|track| Entry { track, ..entry.clone() })
        });
        Ok(gathered.finish(kept.collect()))
    }

    /// Features that are in no column but were found since, of these instances.
    fn filled_features(&self, instances: &[InstanceId]) -> HashMap<i64, Features> {
        let mut filled = HashMap::new();
        for instance in instances {
            let Some(entry) = self.results.entries_of(instance.0).next() else { continue };
            let content = &self.results.entries[entry].judged.content;
            if let Some(features) = &content.features {
                let name = |&number: &u32| self.results.features[number as usize].clone();
                // Which of them are operators makes no difference here.
                let flags = features.iter().map(name).collect();
                filled.insert(instance.0, Features { flags, ..Features::default() });
            }
        }
        filled
    }
}

fn read_all(store: &Store) -> Result<(Results, Watermark, i64), StoreError> {
    store.reading(|store| {
        let data_version = store.data_version()?;
        Ok((load(store)?, store.mark()?, data_version))
    })
}
