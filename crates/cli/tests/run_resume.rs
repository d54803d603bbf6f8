//! Campaigns that are stopped, killed and continued, and a disk that fills up.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Run;
use crate::common::shop::{Shop, TWO, check_database, finish, survivors};
use luthier_store::Store;

/// Instances that differ, so that each is one.
fn many_instances(shop: &Shop, count: usize) {
    for number in 0..count {
        let text =
            TWO.replace("(check-sat)", &format!("(assert (= x \"{number:02}\"))(check-sat)"));
        shop.bench.write(&format!("set/{number:03}.smt2"), text);
    }
}

/// A campaign that goes on by itself.
fn start(shop: &Shop, arguments: &[&str]) -> Child {
    let mut command = shop.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn send(signal: &str, child: &Child) {
    let line = format!("kill -{signal} {}", child.id());
    assert!(Command::new("/bin/sh").args(["-c", &line]).status().unwrap().success());
}

/// Waits until something is as it should be; a test that waits for ever has failed.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_campaign_that_is_killed_fifty_times_loses_and_repeats_nothing() {
    const KILLS: usize = 50;
    const INSTANCES: usize = 100;
    let nap = format!("0.01{:07}", std::process::id());
    let mut moment = 1_u64;
    let mut kills = 0;
    let mut completed = 0;
    while kills < KILLS {
        let shop = Shop::new();
        many_instances(&shop, INSTANCES);
        shop.solver("napper", &format!("echo > file; setsid sleep {nap} & sleep {nap}; echo sat"));
        shop.solver("burner", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; echo sat");
        let solvers = ["--solver", "napper", "--solver", "burner"];
        let fixed = ["run", "--bench", "set", "--db", "data/results.db", "--jobs", "2", "--json"];
        let arguments = [&fixed[..], &solvers].concat();
        shop.bench.write("data/.keep", "");
        fs::remove_file(shop.bench.path("data/.keep")).unwrap();
        let record = loop {
            let mut child = start(&shop, &arguments);
            // Any moment between the start and some time after runs were saved.
            moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let delay = Duration::from_millis((moment >> 33) % 700);
            let begin = Instant::now();
            while kills < KILLS && begin.elapsed() < delay && child.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            if kills < KILLS && child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                continue;
            }
            break end(child).expect(0).json();
        };
        completed += 1;
        assert_eq!(record["runs"], 2 * INSTANCES, "{record}");
        let sum = record["recorded"].as_u64().unwrap() + record["made"].as_u64().unwrap();
        assert_eq!(sum, 2 * INSTANCES as u64, "{record}");
        // First of all: a command that only reads would clear up after us.
        let database = shop.bench.path("data/results.db");
        check_database(&database);
        let names: Vec<_> = fs::read_dir(shop.bench.path("data")).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");
        let rows = shop.rows_of("data/results.db");
        for row in &rows {
            assert_eq!((&row["total"], &row["sat"]), (&INSTANCES.into(), &INSTANCES.into()));
        }
        assert_eq!(rows.len(), 2);
        each_run_once(&database, 2 * INSTANCES);
        let ours = shop.bench.path("bin");
        wait_until("a process of ours is left", || {
            survivors(&nap).is_empty() && survivors(ours.to_str().unwrap()).is_empty()
        });
    }
    assert!(completed >= 1 && kills == KILLS);
}

/// Fails unless every run is there, each once.
fn each_run_once(database: &Path, expected: usize) {
    let store = Store::open_read_only(database).unwrap();
    let mut runs = 0;
    let visited = store.visit_instances(|instance| {
        let mut keys: Vec<_> =
            instance.runs.iter().map(|run| (run.configuration, run.repetition)).collect();
        runs += keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), instance.runs.len());
        Ok::<(), luthier_store::StoreError>(())
    });
    visited.unwrap();
    assert_eq!(runs, expected);
}

/// Whether this process, and so those that it starts, ignore a signal.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

#[test]
fn a_signal_ends_a_campaign_cleanly_and_the_same_command_goes_on() {
    // Under `nohup` a hangup is ignored, by us and so by a campaign, as it should be.
    let signals = [("INT", 2), ("TERM", 15), ("HUP", 1)];
    let heard = signals.into_iter().filter(|(_, number)| !is_ignored(*number));
    for (number, (signal, _)) in heard.enumerate() {
        let shop = Shop::new();
        many_instances(&shop, 4);
        let nap = format!("{}.{number}", 300_000_000 + u64::from(std::process::id()));
        let go = shop.bench.path("go");
        let slow =
            format!("[ -e {} ] || {{ trap '' {signal}; sleep {nap}; }}; echo sat", go.display());
        shop.solver("quick", "echo sat");
        shop.solver("slow", &slow);
        let arguments = [
            "run",
            "--bench",
            "set",
            "--db",
            "results.db",
            "--solver",
            "quick",
            "--solver",
            "slow",
            "--order",
            "solvers",
            "--jobs",
            "1",
        ];
        let child = start(&shop, &arguments);
        wait_until("the slow solver was never started", || !survivors(&nap).is_empty());
        // Everybody may look while a campaign goes on.
        wait_until("nothing is saved while it goes on", || {
            shop.luthier(&["summary", "results.db"]).expect(0);
            shop.total() == 4
        });
        send(signal, &child);
        let run = end(child).expect(3);
        let expected = "stopped with 4 runs left; the same command resumes";
        assert!(run.stderr.contains(expected), "{signal}: {run:?}");
        // First of all: a command that only reads would clear up after us.
        shop.check_database();
        assert_eq!(shop.total(), 4, "what was done is kept");
        wait_until("the solver outlives us", || survivors(&nap).is_empty());
        shop.bench.write("go", "");
        let run = finish(shop.command(&arguments)).expect(0);
        assert!(run.stderr.contains("4 runs executed, 4 recorded before"), "{run:?}");
        let run = shop.luthier(&[&arguments[..], &["--json"]].concat()).expect(0).json();
        assert_eq!((&run["made"], &run["recorded"]), (&0.into(), &8.into()));
        shop.check_database();
    }
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let shop = Shop::with(TWO);
    let nap = format!("{}.8", 400_000_000 + u64::from(std::process::id()));
    let go = shop.bench.path("go");
    let script = format!(
        "[ -e {0} ] || sleep {nap} & while ! [ -e {0} ]; do sleep 0.01; done; echo sat",
        go.display()
    );
    shop.solver("slow", &script);
    let program = env!("CARGO_BIN_EXE_luthier");
    let line = format!("exec {program} run --bench set --db results.db --solver slow");
    // As `nohup` does.
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("trap '' HUP; {line}")]).current_dir(shop.bench.path("."));
    shop.prepare(&mut command);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the solver was never started", || !survivors(&nap).is_empty());
    send("HUP", &child);
    // Whoever stops does so at the next look, several times a second.
    thread::sleep(Duration::from_secs(1));
    shop.bench.write("go", "");
    end(child).expect(0);
    assert_eq!(shop.row("slow")["sat"], 1);
}

#[test]
fn a_campaign_that_is_killed_takes_its_solvers_with_it() {
    let shop = Shop::with(TWO);
    let nap = format!("{}.9", 400_000_000 + u64::from(std::process::id()));
    let go = shop.bench.path("go");
    let nap_twice = format!("trap '' TERM; setsid sh -c 'setsid sleep {nap} &'; sleep {nap}");
    shop.solver("slow", &format!("[ -e {} ] || {{ {nap_twice}; }}; echo sat", go.display()));
    let arguments = ["run", "--bench", "set", "--db", "results.db", "--solver", "slow"];
    let mut child = start(&shop, &arguments);
    let sleeping = || survivors(&nap).iter().filter(|line| line.starts_with("sleep")).count();
    wait_until("the solver was never started", || sleeping() == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the solver outlives us", || survivors(&nap).is_empty());
    assert!(shop.bench.path("results.db-scratch").exists(), "what a kill leaves behind");
    shop.bench.write("go", "");
    finish(shop.command(&arguments)).expect(0);
    shop.check_database();
    assert_eq!(shop.row("slow")["sat"], 1);
}

#[test]
fn a_second_campaign_on_the_same_database_is_refused_and_does_not_disturb_the_first() {
    let shop = Shop::new();
    many_instances(&shop, 10);
    let nap = format!("0.01{:07}1", std::process::id());
    let wait = format!("while ! [ -e {} ]; do sleep {nap}; done", shop.bench.path("go").display());
    shop.solver("first", &format!("echo x > file; {wait}; cat file > other && echo sat"));
    shop.solver("second", "echo sat");
    let arguments = |solver| ["run", "--bench", "set", "--db", "results.db", "--solver", solver];
    let first = start(&shop, &arguments("first"));
    wait_until("the first was never started", || !survivors(&nap).is_empty());
    let second = finish(shop.command(&arguments("second"))).expect(1);
    let expected = "results.db: another `luthier run` is working on it";
    assert!(second.stderr.contains(expected), "{second:?}");
    shop.bench.write("go", "");
    end(first).expect(0);
    shop.check_database();
    finish(shop.command(&arguments("second"))).expect(0);
    for solver in ["first", "second"] {
        assert_eq!(shop.row(solver)["sat"], 10);
    }
}

/// How a disk is made full.
#[derive(Clone, Copy, PartialEq)]
enum Full {
    /// A file system of a megabyte, in a namespace of its own. Not everybody may make one.
    Mounted,
    /// Files that cannot grow beyond a megabyte.
    Limited,
}

const MOUNT: &str = "mount -t tmpfs -o size=1m luthier small";

/// Fills a disk in the middle of a campaign, and goes on when there is space.
fn fill_the_disk(full: Full) {
    let shop = Shop::new();
    many_instances(&shop, 60);
    shop.bench.write("small/.keep", "");
    shop.bench.write("data/.keep", "");
    // About 40 kB a run that cannot be compressed.
    shop.solver("wordy", "echo sat; head -c 40000 /dev/urandom | od -An -tx1 | tr -d ' \\n'");
    let program = env!("CARGO_BIN_EXE_luthier");
    let luthier = |database: &str| {
        format!("exec {program} run --bench set --solver wordy --no-models --db {database}")
    };
    let shell = |before: &[&str], script: &str| {
        let mut command = Command::new("env");
        command.args(before).args(["/bin/sh", "-c", script]).current_dir(shop.bench.path("."));
        shop.prepare(&mut command);
        finish(command)
    };
    let run = match full {
        Full::Mounted => {
            // What is in the file system is gone with its namespace, so it is copied before.
            let campaign = luthier("small/results.db");
            let script = format!("{MOUNT} && ({campaign}); code=$?; cp small/* data/; exit $code");
            shell(&["unshare", "-rm"], &script)
        }
        Full::Limited => {
            let campaign = luthier("data/results.db");
            shell(&[], &format!("trap '' XFSZ; ulimit -f 2000; {campaign}"))
        }
    };
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("results.db: "), "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    if full == Full::Mounted {
        assert!(run.stderr.contains("the disk is full"), "{run:?}");
        assert!(run.stderr.contains("free some space and go on"), "{run:?}");
    }
    // There is space now.
    let database = shop.bench.path("data/results.db");
    Store::open_read_only(&database).unwrap().check().unwrap();
    let rows = shop.rows_of("data/results.db");
    let kept: u64 = rows.iter().map(|row| row["total"].as_u64().unwrap()).sum();
    assert!(kept < 60, "{kept} runs fit in after all");
    let run = shell(&[], &format!("{} --json", luthier("data/results.db"))).expect(0).json();
    assert_eq!((&run["recorded"], &run["made"]), (&kept.into(), &(60 - kept).into()), "{run}");
    check_database(&database);
    each_run_once(&database, 60);
}

#[test]
fn a_full_disk_is_reported_and_the_campaign_goes_on_when_there_is_space() {
    let folder = Shop::new();
    folder.bench.write("small/.keep", "");
    let mut attempt = Command::new("unshare");
    attempt.args(["-rm", "/bin/sh", "-c", MOUNT]).current_dir(folder.bench.path("."));
    match attempt.output() {
        Ok(output) if output.status.success() => fill_the_disk(Full::Mounted),
        refused => eprintln!("no file system can be mounted here: {refused:?}"),
    }
}

#[test]
fn a_file_that_cannot_grow_is_reported_and_the_campaign_goes_on_when_it_can() {
    fill_the_disk(Full::Limited);
}
