//! `luthier run` where something is not what it should be: folders and links of the user in the
//! way, programs that attack their supervisors, names that deceive, limits of the shell, programs
//! that have changed since they were run.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use crate::common::shop::{Shop, TWO, classes, finish, survivors};

#[test]
fn what_stands_in_the_place_of_the_scratch_folder_is_never_deleted() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    shop.bench.write("results.db-scratch/thesis.tex", "years of work");
    let refused = shop.run(&["one"], &[]).expect(1);
    assert!(
        refused.stderr.contains("results.db-scratch: it is a folder with files"),
        "{refused:?}"
    );
    assert!(refused.stderr.contains("hint: ") && refused.stderr.contains("--db"), "{refused:?}");
    let thesis = shop.bench.path("results.db-scratch/thesis.tex");
    assert_eq!(fs::read_to_string(&thesis).unwrap(), "years of work");
    // The same behind a link.
    fs::rename(shop.bench.path("results.db-scratch"), shop.bench.path("home")).unwrap();
    symlink("home", shop.bench.path("results.db-scratch")).unwrap();
    let refused = shop.run(&["one"], &[]).expect(1);
    assert!(refused.stderr.contains("it is a symbolic link"), "{refused:?}");
    assert_eq!(fs::read_to_string(shop.bench.path("home/thesis.tex")).unwrap(), "years of work");
    fs::remove_file(shop.bench.path("results.db-scratch")).unwrap();
    shop.run(&["one"], &[]).expect(0);
    shop.check_database();
}

#[test]
fn a_solver_that_replaces_its_folder_by_a_link_empties_nothing_else() {
    let shop = Shop::with(TWO);
    shop.bench.write("set/b.smt2", TWO.replace('2', "3"));
    shop.bench.write("home/file", "mine");
    let home = shop.bench.path("home");
    let script = format!("here=$PWD; cd /; rmdir $here; ln -s {} $here; echo sat", home.display());
    shop.solver("one", &script);
    shop.run(&["one"], &["--jobs", "1"]).expect(0);
    assert_eq!(classes(&shop.row("one")), "sat 2", "the second run has a folder, too");
    assert_eq!(fs::read_to_string(home.join("file")).unwrap(), "mine");
    shop.check_database();
}

/// Both processes between us and the solver are killed or stopped, and children go on without the
/// solver. The run is our fault and said so at once, whatever the limit on the wall is.
#[test]
fn a_solver_that_attacks_its_supervisors_is_noticed_at_once_and_leaves_nothing() {
    let shop = Shop::with(TWO);
    let marker = format!("{}.25", 200_000_000 + u64::from(std::process::id()));
    for (name, signal) in [("killer", "KILL"), ("stopper", "STOP")] {
        let guard = "$(sed -n 's/^PPid:.//p' /proc/$PPID/status)";
        shop.solver(
            name,
            &format!(
                "echo sat; setsid sleep {marker} & sleep {marker} & \
                 guard={guard}; kill -{signal} $guard; kill -{signal} $PPID; sleep {marker}"
            ),
        );
    }
    let started = Instant::now();
    let run = shop.run(&["killer", "stopper"], &["--wall-timeout", "1d"]).expect(3);
    assert!(started.elapsed() < Duration::from_secs(60), "{run:?}");
    assert_eq!(survivors(&marker), Vec::<String>::new());
    for name in ["killer", "stopper"] {
        assert_eq!(classes(&shop.row(name)), "framework_error 1");
    }
    shop.check_database();
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_that_says_so() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    let luthier = shop.command(&["run", "--bench", "set", "--solver", "one", "--db", "results.db"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 8; exec \"$@\"", "sh"]).arg(luthier.get_program());
    shell.args(luthier.get_args()).current_dir(shop.bench.path(""));
    shop.prepare(&mut shell);
    let limited = finish(shell).expect(1);
    assert!(limited.stderr.contains("luthier: error: "), "{limited:?}");
    assert!(limited.stderr.contains("ulimit -f"), "{limited:?}");
}

#[test]
fn names_that_deceive_are_written_out_wherever_they_are_printed() {
    let shop = Shop::new();
    let hostile = "a\u{202e}b\u{200b}c\u{2066}d\u{feff}e\u{e0041}";
    let file = format!("{hostile}.smt2");
    shop.bench.write(&format!("{hostile}/{file}"), TWO);
    shop.bench.write(&format!("{hostile}/bad{file}"), "(assert (= x 1))");
    shop.solver("liar", &format!("echo unsat; echo '(error \"{hostile}\")' >&2"));
    shop.bench.write(&format!("bin/{hostile}"), "");
    let program = shop.executable(hostile, "#!/bin/sh\necho unsat\n");
    let by_path = format!("liar={}", program.display());
    let database = format!("{hostile}.db");
    let run = ["run", "--bench", hostile, "--solver", "liar", "--solver", &by_path, "--db"];
    let script = format!("{hostile}/{file}");
    let bad = format!("{hostile}/bad{file}");
    let commands: [Vec<&str>; 12] = [
        [&run[..], &[&database, "--list"]].concat(),
        [&run[..], &[&database]].concat(),
        vec!["summary", &database, "--all"],
        vec!["show", &database, "1"],
        vec!["show", &database, "2"],
        vec!["lint", hostile],
        vec!["parse", hostile],
        vec!["fmt", &bad],
        vec!["check", &script, &bad],
        vec!["check", &script, "--model", &bad],
        vec!["solve", &bad],
        vec!["run", "--bench", "nowhere", "--solver", &by_path, "--db", &database],
    ];
    for command in commands {
        let run = shop.luthier(&command);
        for text in [&run.stdout, &run.stderr] {
            let raw = text.chars().find(|c| hostile.contains(*c) && !c.is_ascii());
            assert_eq!(raw, None, "{command:?}: {run:?}");
        }
    }
}

/// The program that is printed is the one that was run, or a note says that it is not.
#[test]
fn asking_again_names_the_program_that_was_run() {
    let shop = Shop::with(TWO);
    // Another program of that name is on the search path.
    shop.solver("fake", "echo unknown");
    shop.bench.write("hs/.keep", "");
    let program = shop.bench.path("hs/ansi");
    fs::rename(shop.executable("ansi", "#!/bin/sh\necho unsat\n"), &program).unwrap();
    shop.bench.write("set/b.smt2", crate::common::shop::two_with("status sat"));
    shop.run(&["fake=./hs/ansi"], &[]).expect(2);
    let path = program.canonicalize().unwrap();
    let again = |run: i64| {
        let shown = shop.show(run);
        let command = shown["reproduce"].as_str().unwrap().to_owned();
        (command, shown["reproduce_note"].as_str().map(str::to_owned))
    };
    let (command, note) = again(1);
    assert!(command.ends_with("hs/ansi /dev/stdin"), "{command}");
    assert_eq!(note, None);
    // It does what it says.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &command]).current_dir(shop.bench.path(""));
    shop.prepare(&mut shell);
    assert_eq!(finish(shell).stdout, "unsat\n");
    // Another program in its place is told, everywhere.
    fs::write(&path, "#!/bin/sh\necho sat\n").unwrap();
    let (command, note) = again(1);
    assert!(command.contains("hs/ansi"), "{command}");
    assert!(note.unwrap().contains("is another program now"), "{command}");
    let summary = shop.luthier(&["summary", "results.db"]).expect(2);
    assert!(summary.stdout.contains("hs/ansi /dev/stdin"), "{summary:?}");
    assert!(summary.stdout.contains("is another program now"), "{summary:?}");
    fs::remove_file(&path).unwrap();
    let (command, note) = again(1);
    assert!(command.contains("hs/ansi"), "{command}");
    assert!(note.unwrap().contains("is not there any more"), "{command}");
    // The same bytes elsewhere do as well: here on the search path.
    shop.executable("fake", "#!/bin/sh\necho unsat\n");
    let (command, note) = again(1);
    assert!(command.contains("bin/fake") && note.is_none(), "{command} {note:?}");
}

/// An own build and a release that have the same name, in one database and in two that are merged.
#[test]
fn configurations_of_one_name_are_told_apart_everywhere() {
    let shop = Shop::with(TWO);
    shop.solver("fake", "echo sat");
    shop.bench.write("own/.keep", "");
    let own = shop.bench.path("own/fake");
    fs::copy(shop.executable("fake2", "#!/bin/sh\necho unsat\n"), &own).unwrap();
    shop.run(&["fake"], &[]).expect(0);
    shop.run(&["fake=./own/fake"], &[]);
    shop.run(&["fake"], &["--db", "one.db"]).expect(0);
    shop.run(&["fake=./own/fake"], &["--db", "other.db"]);
    fs::copy(shop.bench.path("one.db"), shop.bench.path("merged.db")).unwrap();
    shop.luthier(&["merge", "merged.db", "other.db"]).expect(0);
    let expected = ["fake (bin/fake)", "fake (own/fake)"];
    for database in ["results.db", "merged.db"] {
        let rows = shop.rows_of(database);
        let mut names: Vec<&str> = rows.iter().map(|row| row["solver"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, expected, "{database}");
        let report = shop.luthier(&["report", database]);
        let table = shop.luthier(&["summary", database]);
        let runs = shop.luthier(&["export", database, "--to", "runs.csv"]);
        let csv = fs::read_to_string(shop.bench.path("runs.csv")).unwrap_or_default();
        fs::remove_file(shop.bench.path("runs.csv")).unwrap();
        for name in expected {
            assert!(table.stdout.contains(name), "{table:?}");
            assert!(report.stdout.contains(name), "{report:?}");
            assert!(csv.contains(name), "{runs:?} {csv}");
        }
        let shown: Vec<String> = (1..=2)
            .map(|run| {
                let shown = shop.luthier(&["show", database, &run.to_string(), "--json"]).json();
                shown["solver"].as_str().unwrap().to_owned()
            })
            .collect();
        assert!(expected.iter().all(|name| shown.iter().any(|one| one == name)), "{shown:?}");
    }
}
