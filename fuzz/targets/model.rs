//! Any bytes can be read as a model of a script, and judged.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use luthier_judge::{CheckOptions, check_model};
use luthier_semantics::Limits;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_terms::TermPool;

const SCRIPT: &[u8] = br#"
(declare-const x String)
(declare-const n Int)
(declare-const b Bool)
(declare-const r RegLan)
(declare-const a (Array Int Int))
(declare-fun f (Int) Int)
(declare-fun g (String Int) String)
(assert (! (str.contains (str.++ x (g x n)) "a") :named first))
(assert (or b (= (select a n) (f (div n 0)) (mod n 0))))
(assert (=> b (str.in_re x (re.* r))))
(assert (< 0 (* n n n) (str.to_int (str.replace_all x "a" (str.++ x (str.from_int n))))))
(check-sat)
"#;

fuzz_target!(|bytes: &[u8]| {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, SCRIPT, &ReadOptions::default());
    assert!(reading.is_accepted());
    // Small limits, so that they are met: whatever the bytes say, judging ends in time.
    let limits = Limits {
        steps: 1_000_000,
        regex_steps: 1_000_000,
        string_length: 1 << 16,
        integer_bits: 1 << 14,
        memory: 1 << 20,
        cpu_time: Some(Duration::from_secs(2)),
        ..Limits::default()
    };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let start = Instant::now();
    check_model(&mut pool, &reading.script, bytes, &options).expect("the script has a query");
    // Far more than the limit, because the machine may be busy.
    assert!(start.elapsed() < Duration::from_secs(60), "judging does not end in time");
});
