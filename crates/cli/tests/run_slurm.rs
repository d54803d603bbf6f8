//! `luthier run --on slurm` against a cluster that is a folder, and `luthier cancel`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use luthier_store::{Store, StoreError};

use crate::common::Run;
use crate::common::shop::{Shop, TWO, check_database, finish};
use crate::common::slurm::FakeSlurm;

const INSTANCES: usize = 30;

/// Two solvers, one of which makes a mistake now and then, on thirty instances.
fn shop() -> (Shop, FakeSlurm) {
    let shop = Shop::new();
    let slurm = FakeSlurm::new(&shop);
    for number in 0..INSTANCES {
        let text =
            TWO.replace("(check-sat)", &format!("(assert (= x \"{number:02}\"))(check-sat)"));
        shop.bench.write(&format!("set/{number:03}.smt2"), text);
    }
    shop.solver("good", "echo sat; sleep 0.03");
    let other = "case $(cat \"$1\") in *'\"07\"'*) kill -SEGV $$ ;; *'\"11\"'*) echo unsat ;; \
                 *) echo sat; echo '((define-fun x () String \"00\"))' ;; esac";
    shop.solver("other", other);
    (shop, slurm)
}

fn arguments(database: &str) -> Vec<&str> {
    let mut arguments = vec!["run", "--bench", "set", "--db", database, "--timeout", "10s"];
    arguments.extend(["--solver", "good", "--solver", "other"]);
    arguments
}

/// Nine or ten runs go into a task, and four tasks into an array.
fn on_slurm(more: &[&'static str]) -> Vec<&'static str> {
    let mut arguments = arguments("there.db");
    arguments.extend(["--on", "slurm", "--task-time", "100s"]);
    arguments.extend(more);
    arguments
}

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

fn send(signal: &str, process: u32) {
    let line = format!("kill -{signal} {process}");
    Command::new("/bin/sh").args(["-c", &line]).status().unwrap();
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Runs by configuration, instance and repetition, without times and hosts.
fn records(shop: &Shop, database: &str) -> BTreeMap<String, String> {
    let path = shop.bench.path(database);
    let store = Store::open_read_only(&path).unwrap();
    store.verify().unwrap();
    let names: BTreeMap<i64, String> =
        store.configurations().unwrap().into_iter().map(|(id, one)| (id.0, one.name)).collect();
    let mut records = BTreeMap::new();
    store
        .visit_instances(|one| -> Result<(), StoreError> {
            for run in &one.runs {
                let key = format!(
                    "{} {} {} {}",
                    names[&run.configuration.0],
                    one.instance.digest,
                    one.instance.dialect,
                    run.repetition
                );
                let record = format!(
                    "{:?} {:?} {:?} {:?} {:?} {:?}",
                    one.places, one.instance, run.ending, run.class, run.answers, run.conversion
                );
                assert!(records.insert(key, record).is_none(), "a run is there twice");
            }
            Ok(())
        })
        .unwrap();
    records
}

fn assert_same_as_a_local_run(shop: &Shop) {
    shop.luthier(&arguments("here.db")).expect(2);
    let (here, there) = (records(shop, "here.db"), records(shop, "there.db"));
    assert_eq!(here.len(), 2 * INSTANCES);
    assert_eq!(here, there);
    // The folder of a finished campaign is removed.
    check_database(&shop.bench.path("there.db"));
}

#[test]
fn a_run_on_a_cluster_gives_the_records_of_a_local_run() {
    let (shop, slurm) = shop();
    let more = ["--partition", "long", "--account", "theory", "--sbatch=--qos=low", "--json"];
    let ran = shop.luthier(&on_slurm(&more)).expect(2).json();
    assert_eq!((&ran["runs"], &ran["made"]), (&60.into(), &60.into()));
    assert_eq!(ran["stopped"], false);
    let submitted = slurm.submitted();
    // 60 runs, 9 in a task: 7 tasks, of which an array has 4.
    assert_eq!(submitted.len(), 2, "{submitted:?}");
    for part in [
        "--array=0-3",
        "--partition=long",
        "--account=theory",
        "--qos=low",
        "--cpus-per-task=1",
        "--mem=4327M",
        "--requeue",
        "--signal=B:TERM@60",
    ] {
        assert!(submitted[0].contains(part), "{part} in {submitted:?}");
    }
    assert!(submitted[1].contains("--array=0-2"), "{submitted:?}");
    assert_same_as_a_local_run(&shop);
    // Given again, it has nothing to do.
    let again = shop.luthier(&on_slurm(&["--json"])).expect(2).json();
    assert_eq!((&again["recorded"], &again["made"]), (&60.into(), &0.into()));
    assert_eq!(slurm.submitted().len(), 2);
}

#[test]
fn killed_tasks_and_a_killed_collector_lose_and_double_nothing() {
    let (shop, slurm) = shop();
    slurm.set("requeue/1", "");
    let mut killed = 0;
    let child = start(&shop, &on_slurm(&[]));
    // Tasks are killed as if their nodes failed; one of them is started again by the cluster.
    while killed < 3 {
        wait_until("a task", || !slurm.tasks().is_empty());
        thread::sleep(Duration::from_millis(150));
        for task in slurm.tasks() {
            send("KILL", task);
            killed += 1;
        }
    }
    send("KILL", child.id());
    child.wait_with_output().unwrap();
    let ran = finish(shop.command(&on_slurm(&[]))).expect(2);
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    assert_same_as_a_local_run(&shop);
}

#[test]
fn ctrl_c_cancels_the_jobs_and_the_same_command_resumes() {
    let (shop, slurm) = shop();
    shop.solver("good", "echo sat; sleep 0.2");
    let child = start(&shop, &on_slurm(&[]));
    wait_until("a task", || !slurm.tasks().is_empty());
    thread::sleep(Duration::from_millis(700));
    send("INT", child.id());
    let ran = end(child);
    assert!(ran.stderr.contains("the same command resumes"), "{ran:?}");
    assert_eq!(slurm.queued(), 0, "all jobs have ended");
    let done = records(&shop, "there.db").len();
    assert!((1..60).contains(&done), "{done} runs: those of the cancelled tasks are kept");
    shop.luthier(&on_slurm(&[])).expect(2);
    assert_same_as_a_local_run(&shop);
}

#[test]
fn a_detached_campaign_goes_on_and_can_be_cancelled() {
    let (shop, slurm) = shop();
    shop.solver("good", "echo sat; sleep 0.2");
    let ran = shop.luthier(&on_slurm(&["--detach"]));
    assert!(ran.stderr.contains("jobs go on without us"), "{ran:?}");
    let submitted = slurm.submitted().len();
    shop.luthier(&on_slurm(&["--detach"]));
    assert_eq!(slurm.submitted().len(), submitted, "what is submitted is not submitted again");
    let cancelled = shop.luthier(&["cancel", "there.db", "--json"]).expect(0).json();
    assert!(cancelled["cancelled"].as_u64().unwrap() > 0, "{cancelled}");
    assert_eq!(slurm.queued(), 0);
    shop.luthier(&on_slurm(&[])).expect(2);
    assert_same_as_a_local_run(&shop);
    let none = shop.luthier(&["cancel", "there.db"]).expect(1);
    assert!(none.stderr.contains("no campaign was submitted from here"), "{none:?}");
}

#[test]
fn cancelling_ends_a_process_that_collects() {
    let (shop, slurm) = shop();
    shop.solver("good", "echo sat; sleep 0.2");
    let child = start(&shop, &on_slurm(&[]));
    wait_until("a task", || !slurm.tasks().is_empty());
    shop.luthier(&["cancel", "there.db-slurm"]).expect(0);
    let ran = end(child);
    assert!(ran.stderr.contains("the same command resumes"), "{ran:?}");
    assert_eq!(slurm.queued(), 0);
}

#[test]
fn a_second_process_does_not_collect_and_a_controller_may_be_away() {
    let (shop, slurm) = shop();
    let child = start(&shop, &on_slurm(&[]));
    wait_until("a task", || !slurm.tasks().is_empty());
    slurm.set("squeue-fails", "");
    let second = shop.luthier(&on_slurm(&[])).expect(1);
    assert!(second.stderr.contains("another `luthier run` is working on it"), "{second:?}");
    thread::sleep(Duration::from_millis(1500));
    slurm.unset("squeue-fails");
    let ran = end(child).expect(2);
    assert!(ran.stderr.contains("squeue failed"), "{ran:?}");
    assert_same_as_a_local_run(&shop);
}

#[test]
fn a_limit_on_jobs_delays_arrays_and_loses_none() {
    let (shop, slurm) = shop();
    slurm.set("array-limit", "1");
    shop.luthier(&on_slurm(&[])).expect(2);
    assert_eq!(slurm.submitted().len(), 2);
    assert_same_as_a_local_run(&shop);
}

#[test]
fn what_cannot_work_is_said_before_anything_is_submitted() {
    let (shop, slurm) = shop();
    let check = |more: &[&'static str], part: &str| {
        let ran = shop.luthier(&on_slurm(more)).expect(1);
        assert!(ran.stderr.contains(part), "{part} in {ran:?}");
    };
    check(&["--time", "20s"], "--time 0-00:00:20 is too short");
    slurm.set("refuse", "sbatch: error: invalid partition specified: nowhere\n");
    check(&[], "sbatch failed: sbatch: error: invalid partition specified: nowhere");
    assert!(slurm.submitted().is_empty());
    slurm.unset("refuse");
    let mut without = shop.command(&on_slurm(&[]));
    without.env("PATH", shop.bench.path("nothing"));
    let ran = finish(without);
    // Its solvers are not on this path either; that is found first.
    assert!(ran.code == 1, "{ran:?}");
    for program in ["good", "other"] {
        let to = shop.bench.path(&format!("only/{program}"));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(shop.bench.path(&format!("bin/{program}")), to).unwrap();
    }
    let mut without = shop.command(&on_slurm(&[]));
    without.env("PATH", shop.bench.path("only"));
    let ran = finish(without).expect(1);
    assert!(ran.stderr.contains("sbatch is not on the PATH"), "{ran:?}");
    let mut none = shop.command(&["cancel", "there.db"]);
    none.env("PATH", shop.bench.path("only"));
    let ran = finish(none).expect(1);
    assert!(ran.stderr.contains("sbatch is not on the PATH"), "{ran:?}");
}

#[test]
fn tasks_that_cannot_work_end_the_campaign_with_their_own_words() {
    let (shop, _slurm) = shop();
    // On the nodes the program of a solver is another one.
    let node = shop.bench.path("cluster/node");
    let text = fs::read_to_string(&node).unwrap();
    let other = shop.bench.path("elsewhere");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("good"), "#!/bin/sh\necho unsat\n").unwrap();
    Command::new("chmod").arg("755").arg(other.join("good")).status().unwrap();
    fs::write(&node, format!("PATH={}:$PATH\n{text}", other.display())).unwrap();
    let ran = shop.luthier(&on_slurm(&[])).expect(3);
    for part in ["made none of the 60 missing runs", "the configuration good is another one"] {
        assert!(ran.stderr.contains(part), "{part} in {ran:?}");
    }
    // Repaired, the same command goes on.
    fs::write(&node, text).unwrap();
    shop.luthier(&on_slurm(&[])).expect(2);
    assert_same_as_a_local_run(&shop);
}

#[test]
fn the_runs_of_a_damaged_publication_are_made_again() {
    let (shop, _slurm) = shop();
    // What the first task publishes is overwritten.
    let node = shop.bench.path("cluster/node");
    let text = fs::read_to_string(&node).unwrap();
    let marked = shop.bench.path("damaged").display().to_string();
    let damage = format!(
        "    wait $pid\n    if [ ! -f {marked} ]; then touch {marked}; \
         for one in {}/round-1/results/*.db; do echo nonsense > $one; done; fi",
        shop.bench.path("there.db-slurm").display()
    );
    fs::write(&node, text.replace("    wait $pid", &damage)).unwrap();
    let ran = shop.luthier(&on_slurm(&[])).expect(2);
    assert!(ran.stderr.contains("its runs are made again"), "{ran:?}");
    assert_same_as_a_local_run(&shop);
}

#[test]
fn shards_that_are_merged_are_the_whole_experiment() {
    let (shop, _slurm) = shop();
    let mut sizes = Vec::new();
    for (shard, database) in [("1/3", "1.db"), ("2/3", "2.db"), ("3/3", "3.db")] {
        let mut arguments = arguments(database);
        arguments.extend(["--shard", shard, "--json"]);
        let first = shop.luthier(&arguments).json();
        sizes.push(first["made"].as_u64().unwrap());
        // It is stable: given again, there is nothing to do.
        assert_eq!(shop.luthier(&arguments).json()["made"], 0);
    }
    assert_eq!(sizes.iter().sum::<u64>(), 60);
    assert!(sizes.iter().all(|size| *size > 0), "{sizes:?}");
    shop.luthier(&["merge", "there.db", "1.db", "2.db", "3.db"]).expect(0);
    assert_same_as_a_local_run(&shop);
    let wrong = shop.luthier(&["run", "--bench", "set", "--shard", "4/3"]).expect(1);
    assert!(wrong.stderr.contains("K from 1 to N, as 3/8, the third of eight"), "{wrong:?}");
}
