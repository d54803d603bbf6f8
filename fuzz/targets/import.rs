//! After an import of a ZaligVinder database that is damaged or made up, our database can be read,
//! every result is a run or was left out, and a second import adds nothing.
#![no_main]

use std::path::Path;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use luthier_records::{Bytes, Digest, Instance, Query, WallTime};
use luthier_store::{ImportReport, Store, StoreError, ZaligvinderImport};

fuzz_target!(|input: &[u8]| {
    let source = luthier_fuzz::theirs(input);
    let mut store = Store::open(luthier_fuzz::fresh("target.db")).expect("a new database");
    let first = import(&mut store, &source);
    store.verify().expect("the database is sound");
    luthier_fuzz::read_everything(&store).expect("the database can be read");
    let Ok(first) = first else {
        assert!(store.campaigns().expect("campaigns").is_empty());
        return;
    };
    assert_eq!(first.runs_added, luthier_fuzz::runs(&store));
    assert!(first.bad_rows.len() >= first.results_left_out);
    let again = import(&mut store, &source).expect("it could be imported before");
    assert_eq!((again.runs_added, again.runs_already_there), (0, first.runs_added));
    assert_eq!(again.bad_rows, first.bad_rows);
});

fn import(store: &mut Store, source: &Path) -> Result<ImportReport, StoreError> {
    store.import_zaligvinder(
        source,
        ZaligvinderImport {
            campaign: &luthier_fuzz::campaign(),
            timeout: WallTime(Duration::from_secs(20)),
            folder: Path::new("/nowhere"),
            read: &mut |bytes| Instance {
                digest: Digest::of(bytes),
                dialect: "standard".to_owned(),
                dialect_reason: String::new(),
                size: Bytes(bytes.len() as u64),
                queries: vec![Query::default()],
                fault: None,
                features: None,
            },
            check: &mut |_| None,
        },
    )
}
