//! Reading what a solver printed: never fails, finds no more verdicts than there are words, and
//! gives a class to whatever it is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luthier_records::{Class, Ending, Verdict};
use luthier_runner::answer;

fuzz_target!(|output: &[u8]| {
    let said = answer::read(output);
    let words = |verdict: Verdict| {
        let word = verdict.name().as_bytes();
        output.split(|byte| !byte.is_ascii_alphanumeric()).filter(|part| *part == word).count()
    };
    for verdict in [Verdict::Sat, Verdict::Unsat, Verdict::Unknown] {
        let found = said.answers.iter().filter(|answer| answer.verdict == verdict).count();
        assert!(found <= words(verdict), "more answers than words");
    }
    let class = Class::of(&said, said.answers.len(), &Ending::Exited(0));
    let decided = said.answers.last().is_some_and(|answer| answer.verdict != Verdict::Unknown);
    assert!(!class.is_decided() || decided, "{class} without a verdict");
    assert_eq!(Class::of(&said, 1, &Ending::Signalled(11)), Class::Crash);
    for model in said.answers.iter().filter_map(|answer| answer.model.as_ref()) {
        assert!(model.as_bytes().starts_with(b"(") && model.as_bytes().ends_with(b")"));
    }
});
