//! Files that are no databases of ours: each command says so, ends with 1 and leaves nothing behind.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::Bench;
use luthier_store::Store;

/// The commands that only read.
const COMMANDS: [&[&str]; 5] = [
    &["serve", "FILE", "--listen", "127.0.0.1:0"],
    &["report", "FILE"],
    &["report", "FILE", "--out", "out.md"],
    &["export", "FILE", "--to", "out.csv"],
    &["summary", "FILE"],
];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("empty.db", "");
    bench.write("foreign.db", "this is no database at all, and long enough to be read as one");
    bench.write("folder.db/a", "");
    Store::open(bench.path("whole.db")).unwrap().close().unwrap();
    let whole = std::fs::read(bench.path("whole.db")).unwrap();
    bench.write("truncated.db", &whole[..whole.len() / 2]);
    bench.write("head.db", &whole[..50]);
    bench
}

#[test]
fn what_is_no_database_is_told_with_a_way_out() {
    let bench = bench();
    for (file, message) in [
        ("missing.db", "missing.db: no such file"),
        ("empty.db", "empty.db: is not a Luthier database"),
        ("foreign.db", "foreign.db: is not a Luthier database"),
        ("folder.db", "folder.db: is a folder"),
        ("truncated.db", "truncated.db: is damaged"),
        ("head.db", "head.db: is damaged"),
    ] {
        for command in COMMANDS {
            let arguments: Vec<&str> =
                command.iter().map(|word| if *word == "FILE" { file } else { word }).collect();
            let run = bench.run(&arguments).expect(1);
            assert_eq!(run.stdout, "", "{arguments:?}");
            assert!(run.stderr.contains(message), "{arguments:?}: {run:?}");
            assert_eq!(run.stderr.lines().count(), 1, "{arguments:?}: {run:?}");
        }
    }
    for name in ["missing.db", "out.md", "out.csv"] {
        assert!(!bench.path(name).exists(), "{name}");
    }
}

#[test]
fn a_database_without_runs_is_no_fault() {
    let bench = bench();
    for format in ["latex", "tikz", "asciidoc", "markdown", "html", "csv", "json", "junit"] {
        bench.run(&["report", "whole.db", "--format", format]).expect(0);
    }
    bench.run(&["export", "whole.db", "--to", "out.csv"]).expect(0);
    assert!(bench.path("out.csv").exists());
}
