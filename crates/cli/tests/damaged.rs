//! Databases of ours that are damaged: every command says which file it is and what to do, ends with
//! 1, and never as if the program itself were at fault.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO};

/// A database with one run, `results.db`.
fn shop() -> Shop {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat; echo '((define-fun x () String \"ab\"))'");
    shop.run(&["one"], &[]).expect(0);
    shop
}

fn change(shop: &Shop, name: &str, sql: &str) {
    std::fs::copy(shop.bench.path("results.db"), shop.bench.path(name)).unwrap();
    let connection = rusqlite::Connection::open(shop.bench.path(name)).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;")
        .unwrap();
    connection.execute_batch(sql).unwrap();
}

const READERS: [&[&str]; 6] = [
    &["summary", "FILE"],
    &["summary", "FILE", "--findings"],
    &["report", "FILE"],
    &["export", "FILE", "--to", "out.csv"],
    &["serve", "FILE", "--listen", "127.0.0.1:0"],
    &["show", "FILE", "1"],
];

#[test]
fn a_row_that_is_wrong_or_missing_ends_every_command_with_1() {
    let shop = shop();
    for (name, sql) in [
        ("configuration.db", "DELETE FROM configuration"),
        ("campaign.db", "DELETE FROM campaign"),
        ("instance.db", "DELETE FROM instance"),
        ("class.db", "UPDATE run SET class = 'good'"),
        ("view.db", "DROP TABLE opinion; CREATE VIEW opinion AS SELECT 1 AS run_id"),
    ] {
        change(&shop, name, sql);
        for command in READERS {
            // An instance that nobody asks for is not missed.
            let arguments: Vec<&str> =
                command.iter().map(|word| if *word == "FILE" { name } else { word }).collect();
            let run = shop.luthier(&arguments).expect(1);
            assert!(run.stderr.contains(name), "{arguments:?}: {run:?}");
        }
        let merged = shop.luthier(&["merge", "target.db", name]).expect(1);
        assert!(merged.stderr.contains(&format!("{name}: ")), "{merged:?}");
        assert!(!shop.bench.path("target.db").exists(), "{name}");
    }
}

/// Two sources, of which the second is damaged: the target stays as it was.
#[test]
fn a_merge_blames_the_source_and_leaves_the_target_as_it_was() {
    let shop = shop();
    change(&shop, "good.db", "UPDATE campaign SET name = 'another'");
    change(&shop, "bad.db", "UPDATE run SET conversion = '[7]'");
    let before = std::fs::read(shop.bench.path("results.db")).unwrap();
    let merged = shop.luthier(&["merge", "results.db", "good.db", "bad.db"]).expect(1);
    assert!(merged.stderr.contains("bad.db: is damaged"), "{merged:?}");
    assert_eq!(std::fs::read(shop.bench.path("results.db")).unwrap(), before);
}

#[test]
fn damaged_pages_never_look_like_a_fault_of_the_program() {
    let shop = shop();
    let sound = std::fs::read(shop.bench.path("results.db")).unwrap();
    for page in (0..sound.len()).step_by(4096 * 3) {
        let mut bytes = sound.clone();
        bytes[page + 8..(page + 200).min(sound.len())].fill(0xA5);
        shop.bench.write("damaged.db", bytes);
        let arguments = ["run", "--bench", "set", "--solver", "one", "--db", "damaged.db"];
        for arguments in [&["summary", "damaged.db"][..], &["show", "damaged.db", "1"], &arguments]
        {
            let run = shop.luthier(arguments);
            assert!((0..=3).contains(&run.code), "page {page}: {run:?}");
            if run.code == 1 {
                assert!(run.stderr.contains("damaged.db"), "page {page}: {run:?}");
            }
        }
    }
}

#[test]
fn a_text_whose_size_is_a_lie_is_not_unpacked() {
    let shop = shop();
    change(&shop, "size.db", "UPDATE text SET size_bytes = 20000000000");
    for part in ["--input", "--stdout"] {
        let run = shop.luthier(&["show", "size.db", "1", part]).expect(1);
        assert!(run.stderr.contains("size.db: is damaged (text "), "{run:?}");
        assert!(run.stderr.contains("claims 20000000000 bytes"), "{run:?}");
    }
}

#[test]
fn devices_are_not_opened() {
    let shop = shop();
    for command in READERS {
        let arguments: Vec<&str> =
            command.iter().map(|word| if *word == "FILE" { "/dev/zero" } else { word }).collect();
        let run = shop.luthier(&arguments).expect(1);
        assert!(run.stderr.contains("/dev/zero: is not a regular file"), "{arguments:?}: {run:?}");
    }
    for arguments in [
        &["merge", "results.db", "/dev/zero"][..],
        &["merge", "/dev/zero", "results.db"],
        &["import", "/dev/zero", "--db", "results.db"],
        &["run", "--bench", "set", "--solver", "one", "--db", "/dev/zero"],
    ] {
        let run = shop.luthier(arguments).expect(1);
        assert!(run.stderr.contains("/dev/zero"), "{arguments:?}: {run:?}");
    }
}
