//! Loads and judges a whole database.

use luthier_report::Results;
use luthier_store::{Store, StoreError};

use crate::builder::{ResultsBuilder, refit};

/// Reads and judges everything, as the database is now. Instances without runs are there, too.
pub fn load(store: &Store) -> Result<Results, StoreError> {
    load_all(store, false)
}

/// The same, with the majority verdict of solver families where no evidence decides.
pub fn load_with_vote(store: &Store) -> Result<Results, StoreError> {
    load_all(store, true)
}

fn load_all(store: &Store, vote: bool) -> Result<Results, StoreError> {
    store.reading(|store| {
        let mut gathered = ResultsBuilder::new(store, Vec::new(), Vec::new(), vote)?;
        store.visit_instances(|instance| -> Result<(), StoreError> {
            gathered.add(&instance);
            Ok(())
        })?;
        Ok(with_entries_in_memory_order(gathered.finish(Vec::new())))
    })
}

/// The same with the data of neighbouring entries adjacent in memory. Instances are read in another
/// order than entries are listed, and iterating over a hundred thousand entries is bound by memory
/// latency: measures take a third of the time after this.
pub(crate) fn with_entries_in_memory_order(mut results: Results) -> Results {
    results.entries = refit(&results.entries, |content| content.features.clone());
    results
}
