//! A database that is damaged or made up can be opened, verified and read, or is refused; and what
//! was verified can be read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luthier_store::Store;

fuzz_target!(|input: &[u8]| {
    let Ok(store) = Store::open_read_only(luthier_fuzz::ours(input)) else { return };
    let verified = store.verify();
    let read = luthier_fuzz::read_everything(&store);
    if verified.is_ok() {
        read.expect("what was verified can be read");
    }
});
