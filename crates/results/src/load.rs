//! Everything in a database, judged.

use luthier_report::Results;
use luthier_store::{Store, StoreError};

use crate::gather::{Gathered, refit};

/// Reads and judges everything, as the database is now. Instances without runs are there, too.
pub fn load(store: &Store) -> Result<Results, StoreError> {
    load_all(store, false)
}

/// The same, and truths have what most solver families say where nothing better decides.
pub fn load_with_vote(store: &Store) -> Result<Results, StoreError> {
    load_all(store, true)
}

fn load_all(store: &Store, vote: bool) -> Result<Results, StoreError> {
    store.reading(|store| {
        let mut gathered = Gathered::new(store, Vec::new(), Vec::new(), vote)?;
        store.visit_instances(|instance| -> Result<(), StoreError> {
            gathered.add(&instance);
            Ok(())
        })?;
        Ok(settle(gathered.finish(Vec::new())))
    })
}

/// The same with everything about an entry beside what is about its neighbours. Instances come in
/// another order than entries stand in, and whoever walks through a hundred thousand entries waits
/// for memory more than for anything else: measures take a third of the time after this.
fn settle(mut results: Results) -> Results {
    results.entries = refit(&results.entries, |content| content.features.clone());
    results
}
