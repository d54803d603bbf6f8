//! Everything in a database, judged.

use luthier_report::Results;
use luthier_store::{Store, StoreError};

use crate::gather::Gathered;

/// Reads and judges everything, as the database is now. Instances without runs are there, too.
pub fn load(store: &Store) -> Result<Results, StoreError> {
    store.reading(|store| {
        let mut gathered = Gathered::new(store, Vec::new(), Vec::new())?;
        store.visit_instances(|instance| -> Result<(), StoreError> {
            gathered.add(&instance);
            Ok(())
        })?;
        Ok(gathered.finish(Vec::new()))
    })
}
