//! The records of a database without what depends on time and place, for comparison.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use luthier_records::Digest;
use luthier_store::{Store, StoreError};

/// What identifies a run: configuration, instance, dialect, repetition.
pub type Key = (String, Digest, String, u32);

/// The runs of a database, each as text without times, memory, core, load, campaign and host. The
/// database is verified.
pub fn records(database: &Path) -> Result<BTreeMap<Key, String>, StoreError> {
    let store = Store::open_read_only(database)?;
    store.verify()?;
    let configurations: HashMap<_, _> = store.configurations()?.into_iter().collect();
    let mut records = BTreeMap::new();
    let mut all = Vec::new();
    store.visit_instances(|one| -> Result<(), StoreError> {
        let (digest, dialect) = (one.instance.digest, one.instance.dialect.clone());
        let places = format!("{:?} {:?} {:?}", one.places, one.labels, one.instance);
        all.extend(one.runs.into_iter().map(|run| (digest, dialect.clone(), places.clone(), run)));
        Ok(())
    })?;
    for (digest, dialect, places, run) in all {
        let identity = configurations[&run.configuration].identity().to_string();
        let outputs = store.outputs(run.id)?;
        let text = format!(
            "{places} {:?} {:?} {:?} {:?} {outputs:?}",
            run.ending, run.class, run.answers, run.conversion
        );
        records.insert((identity, digest, dialect, run.repetition), text);
    }
    Ok(records)
}
