//! After a merge of a database that is damaged or made up, the target can be read; after one that
//! was refused, nothing is in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luthier_store::Store;

fuzz_target!(|input: &[u8]| {
    let source = luthier_fuzz::ours(input);
    let mut target = Store::open(luthier_fuzz::fresh("target.db")).expect("a new database");
    let merged = target.merge(source);
    target.verify().expect("the target is sound");
    luthier_fuzz::read_everything(&target).expect("the target can be read");
    if merged.is_err() {
        assert!(target.campaigns().expect("campaigns").is_empty());
        assert_eq!(luthier_fuzz::runs(&target), 0);
    }
});
