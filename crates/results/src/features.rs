//! Computes features of instances for databases that did not record them, from their texts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use luthier_judge::features;
use luthier_records::Features;
use luthier_report::Results;
use luthier_smtlib::{Dialect, Mode, ReadOptions, read_script};
use luthier_store::{Store, StoreError};
use luthier_terms::TermPool;

use crate::builder::{FeatureNames, Renumbering, refit};

/// Computes features batch by batch, each instance once.
#[derive(Debug, Default)]
pub struct FeatureExtractor {
    tried: HashSet<i64>,
}

impl FeatureExtractor {
    /// An extractor that has processed nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The features of the next instances that lack them, at most of so many, by the numbers of
    /// the instances. `None` when there is nothing left to look at. Texts that are lost or cannot
    /// be read give nothing.
    pub fn next(
        &mut self,
        store: &Store,
        results: &Results,
        at_most: usize,
    ) -> Result<Option<Vec<(i64, Features)>>, StoreError> {
        let mut found = Vec::new();
        let mut looked_at = 0;
        for entry in &results.entries {
            let content = &entry.judged.content;
            let is_known = content.features.is_some() || content.is_unreadable;
            if is_known || !self.tried.insert(content.number) {
                continue;
            }
            looked_at += 1;
            if let Some(text) = store.text(content.digest)?
                && let Some(features) = features_of(&text, &results.dialects[content.dialect])
            {
                found.push((content.number, features));
            }
            if looked_at == at_most {
                break;
            }
        }
        Ok((looked_at > 0).then_some(found))
    }
}

/// The features of a text in the dialect of this name; `None` if it cannot be read.
fn features_of(text: &[u8], dialect: &str) -> Option<Features> {
    let dialect: Dialect = dialect.parse().ok()?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(dialect), mode: Mode::Generous };
    let reading = read_script(&mut pool, text, &options);
    reading.is_accepted().then(|| features(&pool, &reading.script))
}

/// The same results with these features, by the numbers of the instances.
pub fn fill_features(results: &Results, found: &[(i64, Features)]) -> Results {
    let mut names = FeatureNames::new(results.features.clone());
    let found: HashMap<i64, Arc<[u32]>> =
        found.iter().map(|(number, features)| (*number, names.intern(features))).collect();
    with_features(results, names, |number| found.get(&number).cloned())
}

/// `new` with the features that were found for `old`, where the content is the same.
pub(crate) fn carry_over(old: &Results, new: Results) -> Results {
    let lacking = new.entries.iter().filter(|entry| entry.judged.content.features.is_none());
    let mut found = HashMap::new();
    let mut names = FeatureNames::new(new.features.clone());
    for entry in lacking {
        let content = &entry.judged.content;
        let known = old.entries_of(content.number).next().map(|index| &old.entries[index]);
        if let Some(known) = known.map(|entry| &entry.judged.content)
            && known.digest == content.digest
            && let Some(features) = &known.features
        {
            let name = |&number: &u32| old.features[number as usize].clone();
            let flags = features.iter().map(name).collect();
            let features = Features { flags, ..Features::default() };
            found.insert(content.number, names.intern(&features));
        }
    }
    if found.is_empty() {
        return new;
    }
    with_features(&new, names, |number| found.get(&number).cloned())
}

/// The numbers that `found` gives are those of `names`, which begin with the ones of the results.
fn with_features(
    results: &Results,
    mut names: FeatureNames,
    mut found: impl FnMut(i64) -> Option<Arc<[u32]>>,
) -> Results {
    let new_numbers = names.sort();
    let mut renumbering = Renumbering::new(&new_numbers);
    let entries = refit(&results.entries, |content| {
        let features = found(content.number).or_else(|| content.features.clone());
        features.map(|features| renumbering.apply(&features))
    });
    let mut parts = Results::default();
    parts.campaigns.clone_from(&results.campaigns);
    parts.solvers.clone_from(&results.solvers);
    parts.sets.clone_from(&results.sets);
    parts.tracks.clone_from(&results.tracks);
    parts.dialects.clone_from(&results.dialects);
    parts.features = names.names;
    parts.entries = entries;
    Results::new(parts)
}
