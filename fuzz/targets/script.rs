//! Any bytes can be read as a script; what is accepted prints and reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Dialect, Mode, PrintOptions, ReadOptions, RoundTrip, read_script, round_trip};
use luthier_terms::TermPool;

fuzz_target!(|bytes: &[u8]| {
    let mut pool = TermPool::new();
    for mode in [Mode::Strict, Mode::Generous] {
        let reading = read_script(&mut pool, bytes, &ReadOptions { dialect: None, mode });
        let locator = Locator::new(bytes);
        for diagnostic in &reading.diagnostics {
            assert!(diagnostic.span.end as usize <= bytes.len(), "diagnostics lie in the text");
            diagnostic.render("fuzz", &locator);
        }
        if !reading.is_accepted() {
            continue;
        }
        for dialect in Dialect::ALL {
            for width in [None, Some(40)] {
                let options = PrintOptions { dialect, width };
                if let RoundTrip::Different(printed) =
                    round_trip(&mut pool, &reading.script, &options)
                {
                    panic!("{dialect}: {}", String::from_utf8_lossy(&printed.bytes));
                }
            }
        }
    }
});
