//! The fault suite of processes: programs that misbehave (fork, daemonise, ignore signals, kill their
//! supervisor, exceed limits), written in shell. No test depends on the speed of the machine.
#![allow(clippy::unwrap_used, reason = "a helper of tests may fail as a test does")]

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use luthier_records::{Bytes, Class, Clock, CpuTime, Ending, WallTime};
use luthier_runner::answer;
use luthier_runner::process::{Command, Limits, Outcome, Slot, Stdin, available_cores, run};

/// Limits that no well-behaved program of these tests can reach.
fn ample() -> Limits {
    Limits {
        cpu: CpuTime(Duration::from_secs(60)),
        wall: WallTime(Duration::from_secs(120)),
        memory: Bytes::mebibytes(1024),
        output_bytes: Bytes::mebibytes(1),
    }
}

fn with_cpu(milliseconds: u64) -> Limits {
    Limits { cpu: CpuTime(Duration::from_millis(milliseconds)), ..ample() }
}

fn with_wall(milliseconds: u64) -> Limits {
    Limits { wall: WallTime(Duration::from_millis(milliseconds)), ..ample() }
}

fn shell(script: &str) -> Command {
    Command::new("/bin/sh").arguments(["-c", script])
}

fn stdout(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.stdout.bytes).into_owned()
}

fn class(outcome: &Outcome) -> Class {
    let said = answer::read(&outcome.stdout.bytes);
    Class::of(&said, said.answers.len(), &outcome.ending)
}

#[track_caller]
fn check(script: &str, limits: &Limits, expected: Ending) -> Outcome {
    let outcome = run(&shell(script), limits, None);
    assert_eq!(outcome.ending, expected, "{outcome:?}");
    outcome
}

/// A number of seconds that no other process on the machine sleeps: it is found in the command
/// lines of whatever survives.
fn unique_sleep() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}.{count:03}", 100_000_000 + u64::from(std::process::id()))
}

/// The processes that have the text in their command lines.
fn processes_with(marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        if let Ok(line) = fs::read(entry.path().join("cmdline")) {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(marker) {
                found.push(format!("{} {line}", entry.file_name().display()));
            }
        }
    }
    found
}

#[track_caller]
fn check_nothing_survives(script: &str, limits: &Limits, expected: Ending) -> Outcome {
    let marker = unique_sleep();
    let outcome = check(&script.replace("MARKER", &marker), limits, expected);
    assert_eq!(processes_with(&marker), Vec::<String>::new());
    outcome
}

// What is said and how it ends.

#[test]
fn an_exit_code_and_both_outputs_are_recorded() {
    let outcome = check("echo out; echo err >&2; exit 3", &ample(), Ending::Exited(3));
    assert_eq!(outcome.stdout.bytes, b"out\n");
    assert_eq!(outcome.stderr.bytes, b"err\n");
    assert!(!outcome.stdout.cut && !outcome.stderr.cut);
    assert_eq!(outcome.measured.left_behind, 0);
    assert!(outcome.measured.wall.0 > Duration::ZERO);
    assert!(outcome.measured.peak_memory > Bytes(0));
}

#[test]
fn an_answer_before_a_crash_stays_recorded() {
    let outcome = check("echo sat; kill -SEGV $$", &ample(), Ending::Signalled(11));
    assert_eq!(stdout(&outcome), "sat\n");
    assert_eq!(class(&outcome), Class::Crash);
}

#[test]
fn an_error_before_the_answer_is_unsupported() {
    let script = "echo '(error \"line 1: unknown function\")'; echo sat; exit 1";
    let outcome = check(script, &ample(), Ending::Exited(1));
    assert_eq!(class(&outcome), Class::Unsupported);
}

#[test]
fn a_kill_from_outside_is_not_attributed_to_the_program() {
    let outcome = check("echo sat; kill -KILL $$", &ample(), Ending::Signalled(9));
    assert_eq!(class(&outcome), Class::FrameworkError);
}

#[test]
fn binary_output_is_kept_byte_for_byte() {
    let outcome = check("printf 'a\\000\\377\\n\\200'", &ample(), Ending::Exited(0));
    assert_eq!(outcome.stdout.bytes, b"a\0\xff\n\x80");
}

#[test]
fn a_program_may_close_its_outputs_early() {
    let script = "echo early; exec >&- 2>&-; /bin/sleep 0.2; exit 5";
    let outcome = check(script, &ample(), Ending::Exited(5));
    assert_eq!(stdout(&outcome), "early\n");
}

#[test]
fn programs_that_cannot_be_started_say_why() {
    let text = |command: &Command| match run(command, &ample(), None).ending {
        Ending::NotStarted(cause) => cause,
        ending => panic!("{ending:?}"),
    };
    assert!(text(&Command::new("/no/such/solver")).contains("/no/such/solver"));
    assert!(text(&Command::new("no-such-solver")).contains("no-such-solver"));
    assert!(text(&Command::new("/etc/passwd")).contains("cannot be started"));
    let folder = Command { working_directory: Some("/no/such".into()), ..shell("true") };
    assert!(text(&folder).contains("working directory /no/such"));
    let input = Command { stdin: Stdin::File("/no/such.smt2".into()), ..shell("true") };
    assert!(text(&input).contains("/no/such.smt2"));
    let outcome = run(&Command::new("/no/such/solver"), &ample(), None);
    assert_eq!(class(&outcome), Class::FrameworkError);
}

// What a program gets.

#[test]
fn standard_input_comes_from_nothing_from_bytes_or_from_a_file() {
    let read = |stdin| {
        let outcome = run(&Command { stdin, ..shell("cat") }, &ample(), None);
        assert_eq!(outcome.ending, Ending::Exited(0));
        outcome.stdout.bytes
    };
    assert_eq!(read(Stdin::Null), b"");
    let bytes: Vec<u8> = (0..300_000_u32).map(|number| number as u8).collect();
    assert!(read(Stdin::Bytes(bytes.clone())) == bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.smt2");
    fs::write(&path, "(check-sat)").unwrap();
    assert_eq!(read(Stdin::File(path)), b"(check-sat)");
    // A program need not read its input.
    let command = Command { stdin: Stdin::Bytes(vec![0; 10_000_000]), ..shell("exit 0") };
    assert_eq!(run(&command, &ample(), None).ending, Ending::Exited(0));
}

#[test]
fn the_environment_is_clean() {
    let command = Command {
        environment: vec![("GIVEN".into(), "yes".into()), ("LANG".into(), "en".into())],
        ..Command::new("env")
    };
    let outcome = run(&command, &ample(), None);
    let text = stdout(&outcome);
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
    names.sort_unstable();
    assert_eq!(names, ["GIVEN", "HOME", "LANG", "PATH"]);
    assert!(text.contains("GIVEN=yes") && text.contains("LANG=en"));
}

#[test]
fn a_program_inherits_no_descriptors_and_no_blocked_or_ignored_signals() {
    let outcome = check("ls /proc/self/fd", &ample(), Ending::Exited(0));
    // The fourth is the folder that `ls` reads.
    assert_eq!(stdout(&outcome), "0\n1\n2\n3\n");
    let script = "while read -r line; do case $line in Sig[BI]*) echo $line;; esac; done \
        < /proc/self/status";
    let outcome = check(script, &ample(), Ending::Exited(0));
    // Signals above 31 belong to the C library.
    let text = stdout(&outcome);
    let masks: Vec<u64> = text
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .map(|mask| u64::from_str_radix(mask, 16).unwrap() & 0x7fff_ffff)
        .collect();
    assert_eq!(masks, [0, 0], "{text}");
}

#[test]
fn the_working_directory_is_ours_or_the_given_one() {
    let here = std::env::current_dir().unwrap();
    assert_eq!(stdout(&run(&shell("pwd"), &ample(), None)).trim_end(), here.to_str().unwrap());
    let command = Command { working_directory: Some("/usr".into()), ..shell("pwd") };
    assert_eq!(stdout(&run(&command, &ample(), None)), "/usr\n");
}

#[test]
fn a_run_is_bound_to_its_core() {
    for core in available_cores() {
        let command = shell("grep Cpus_allowed_list /proc/self/status");
        let outcome = run(&command, &ample(), Some(core));
        assert_eq!(stdout(&outcome), format!("Cpus_allowed_list:\t{core}\n"));
    }
}

// Limits.

#[test]
fn a_sleeper_is_ended_by_the_wall_clock() {
    let expected = Ending::TimedOut(Clock::Wall);
    let outcome = check_nothing_survives("sleep MARKER", &with_wall(200), expected);
    assert!(outcome.measured.wall.0 >= Duration::from_millis(200));
    assert!(outcome.measured.cpu.0 < outcome.measured.wall.0);
    assert_eq!(class(&outcome), Class::Timeout);
}

#[test]
fn a_busy_loop_is_ended_by_its_cpu_time() {
    let limits = with_cpu(300);
    let outcome = check("while :; do :; done", &limits, Ending::TimedOut(Clock::Cpu));
    assert!(outcome.measured.cpu >= limits.cpu, "{outcome:?}");
}

#[test]
fn the_cpu_time_of_children_counts() {
    let limits = with_cpu(400);
    let burn = "(while :; do :; done) & (while :; do :; done) & wait";
    let outcome = check(burn, &limits, Ending::TimedOut(Clock::Cpu));
    assert!(outcome.measured.cpu >= limits.cpu, "{outcome:?}");
    assert!(outcome.measured.left_behind >= 2);
    let many = "while :; do /bin/true; done";
    let outcome = check(many, &limits, Ending::TimedOut(Clock::Cpu));
    assert!(outcome.measured.cpu >= limits.cpu, "{outcome:?}");
}

#[test]
fn cpu_time_above_the_limit_is_a_timeout_even_if_nobody_looked_in_time() {
    // The limit is below the shortest pause between two looks.
    let limits = Limits { cpu: CpuTime(Duration::from_micros(1)), ..ample() };
    check("exit 0", &limits, Ending::TimedOut(Clock::Cpu));
}

#[test]
fn a_daemon_that_burns_cpu_time_after_its_parent_has_gone_counts() {
    let script = "setsid sh -c '(while :; do :; done) &' ; sleep MARKER";
    let limits = with_cpu(300);
    let outcome = check_nothing_survives(script, &limits, Ending::TimedOut(Clock::Cpu));
    assert!(outcome.measured.cpu >= limits.cpu, "{outcome:?}");
}

#[test]
fn a_program_that_eats_memory_is_ended_at_its_limit() {
    let limits = Limits { memory: Bytes::mebibytes(100), ..ample() };
    let outcome = check("exec tail /dev/zero", &limits, Ending::OutOfMemory);
    assert!(outcome.measured.peak_memory > Bytes::mebibytes(50), "{outcome:?}");
    assert_eq!(class(&outcome), Class::Memout);
}

#[test]
fn a_program_that_jumps_over_its_limit_is_no_crash() {
    let limits = Limits { memory: Bytes::mebibytes(100), ..ample() };
    let script = "x=aaaaaaaaaaaaaaaaaaaaa; while :; do x=$x$x$x$x; done";
    check(script, &limits, Ending::OutOfMemory);
}

#[test]
fn the_memory_of_children_counts() {
    let limits = Limits { memory: Bytes::mebibytes(100), ..ample() };
    // Each is well below the limit: 40 MB without a line end are kept by each `tail`.
    let eat = "(head -c 40000000 /dev/zero; sleep MARKER) | tail -n 1";
    let script = format!("({eat}) & ({eat}) & ({eat}) & ({eat}) & wait");
    check_nothing_survives(&script, &limits, Ending::OutOfMemory);
}

#[test]
fn memory_within_the_limit_is_measured() {
    let script = "head -c 60000000 /dev/zero | tail -n 1 | wc -c";
    let outcome = check(script, &ample(), Ending::Exited(0));
    assert_eq!(stdout(&outcome), "60000000\n");
    let peak = outcome.measured.peak_memory;
    assert!(peak > Bytes(60_000_000) && peak < Bytes(200_000_000), "{peak}");
    // The next run in the same slot must not inherit it.
    let mut slot = Slot::new();
    slot.run(&shell(script), &ample(), None);
    let small = slot.run(&shell(":"), &ample(), None).measured.peak_memory;
    assert!(small < Bytes(20_000_000), "{small}");
}

#[test]
fn an_endless_output_is_ended_at_its_limit() {
    let limits = Limits { output_bytes: Bytes(100_000), ..ample() };
    let outcome = check("exec yes sat", &limits, Ending::OutputLimit);
    assert_eq!(outcome.stdout.bytes.len(), 100_000);
    assert!(outcome.stdout.cut);
    assert_eq!(class(&outcome), Class::Malformed);
}

#[test]
fn standard_error_beyond_the_limit_is_dropped_and_the_run_goes_on() {
    let limits = Limits { output_bytes: Bytes(1000), ..ample() };
    let outcome = check("head -c 3000000 /dev/zero >&2; echo sat", &limits, Ending::Exited(0));
    assert_eq!((outcome.stderr.bytes.len(), outcome.stderr.cut), (1000, true));
    assert_eq!(class(&outcome), Class::Sat);
}

#[test]
fn both_outputs_at_once_do_not_block_each_other() {
    let script = "head -c 900000 /dev/zero >&2 & head -c 900000 /dev/zero; wait";
    let outcome = check(script, &ample(), Ending::Exited(0));
    assert_eq!((outcome.stdout.bytes.len(), outcome.stderr.bytes.len()), (900_000, 900_000));
}

// What is left behind.

#[test]
fn daemons_with_sessions_of_their_own_are_killed() {
    let script = "setsid sh -c 'setsid sleep MARKER & setsid sleep MARKER &'; echo sat";
    let outcome = check_nothing_survives(script, &ample(), Ending::Exited(0));
    assert!(outcome.measured.left_behind >= 2, "{outcome:?}");
    assert_eq!(class(&outcome), Class::Sat);
}

#[test]
fn programs_that_ignore_signals_are_killed() {
    let script = "trap '' TERM INT HUP QUIT XCPU; (sleep MARKER) & while :; do :; done";
    check_nothing_survives(script, &with_cpu(200), Ending::TimedOut(Clock::Cpu));
}

#[test]
fn a_stopped_program_is_killed() {
    let script = "sleep MARKER & kill -STOP $$";
    check_nothing_survives(script, &with_wall(200), Ending::TimedOut(Clock::Wall));
}

#[test]
fn background_jobs_do_not_keep_a_run_going() {
    // They hold the pipes open, which must not matter.
    let script = "sleep MARKER & echo unsat";
    let outcome = check_nothing_survives(script, &ample(), Ending::Exited(0));
    assert_eq!(stdout(&outcome), "unsat\n");
    assert_eq!(outcome.measured.left_behind, 1);
}

#[test]
fn a_chain_of_daemons_that_never_stand_still_is_killed() {
    // Every process starts the next one in a session of its own and ends.
    let folder = tempfile::tempdir().unwrap();
    let chain = folder.path().join("chain");
    fs::write(&chain, "setsid sh \"$0\" &\n").unwrap();
    let script = format!("sh {}; sleep MARKER", chain.display());
    check_nothing_survives(&script, &with_wall(300), Ending::TimedOut(Clock::Wall));
    assert_eq!(processes_with(chain.to_str().unwrap()), Vec::<String>::new());
}

#[test]
fn nothing_of_ours_is_left_in_memory_or_on_disk() {
    // A slot of its own, because other tests run at the same time.
    let mut slot = Slot::new();
    let folder = tempfile::tempdir().unwrap();
    let command = |script| Command {
        working_directory: Some(folder.path().into()),
        stdin: Stdin::Bytes(b"input".to_vec()),
        ..shell(script)
    };
    for _ in 0..30 {
        slot.run(&command("echo sat"), &ample(), None);
        slot.run(&command("kill -SEGV $$"), &ample(), None);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no core files");
    let ours = |path: &Path| fs::read_link(path).is_ok_and(|to| to.ends_with("luthier-stdin"));
    let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
    assert_eq!(open.filter(|entry| ours(&entry.path())).count(), 0);
}

#[test]
fn many_runs_at_the_same_time_do_not_mix() {
    thread::scope(|scope| {
        for worker in 0..8 {
            scope.spawn(move || {
                for round in 0..10 {
                    let text = format!("{worker}-{round}");
                    let outcome = run(&shell(&format!("echo {text}")), &ample(), None);
                    assert_eq!(outcome.ending, Ending::Exited(0));
                    assert_eq!(stdout(&outcome).trim_end(), text);
                    assert_eq!(outcome.measured.left_behind, 0);
                }
            });
        }
    });
}

// When we fail ourselves.

#[test]
fn a_killed_supervisor_is_our_fault_and_is_replaced() {
    let marker = unique_sleep();
    let mut slot = Slot::new();
    let script = format!("echo sat; setsid sleep {marker} & kill -KILL $PPID; sleep {marker}");
    let outcome = slot.run(&shell(&script), &ample(), None);
    assert!(matches!(outcome.ending, Ending::Lost(_)), "{outcome:?}");
    assert_eq!(class(&outcome), Class::FrameworkError);
    assert_eq!(processes_with(&marker), Vec::<String>::new());
    assert_eq!(slot.run(&shell("exit 4"), &ample(), None).ending, Ending::Exited(4));
}

#[test]
fn a_killed_guard_is_our_fault_and_is_replaced() {
    let marker = unique_sleep();
    let mut slot = Slot::new();
    let parent = "$(sed -n 's/^PPid:.//p' /proc/$PPID/status)";
    let script = format!("setsid sleep {marker} & kill -KILL {parent}; sleep {marker}");
    let outcome = slot.run(&shell(&script), &ample(), None);
    assert!(matches!(outcome.ending, Ending::Lost(_)), "{outcome:?}");
    wait_until_gone(&marker);
    assert_eq!(slot.run(&shell("exit 4"), &ample(), None).ending, Ending::Exited(4));
}

/// Does something to both supervisors, the guard first, and starts children that outlive the
/// program. Nothing may be left, the run is a framework error, and no caller waits for it: the wall limit is
/// a day, and a stopped supervisor used to be waited for two minutes beyond it.
#[track_caller]
fn check_both_supervisors(to_guard: &str, to_worker: &str) {
    let marker = unique_sleep();
    let mut slot = Slot::new();
    let guard = "$(sed -n 's/^PPid:.//p' /proc/$PPID/status)";
    // The children stop as well, and one of them has lost its parent.
    let script = format!(
        "echo sat; (setsid sh -c 'sleep {marker} & kill -STOP $$; sleep {marker}' &); \
         setsid sleep {marker} & sleep {marker} & guard={guard}; worker=$PPID; \
         kill -{to_guard} $guard; kill -{to_worker} $worker; sleep {marker}"
    );
    let limits = Limits { wall: WallTime(Duration::from_secs(86_400)), ..ample() };
    let started = Instant::now();
    let outcome = slot.run(&shell(&script), &limits, None);
    let context = format!("{to_guard} {to_worker}: {outcome:?}");
    assert!(matches!(outcome.ending, Ending::Lost(_)), "{context}");
    assert_eq!(class(&outcome), Class::FrameworkError, "{context}");
    assert!(started.elapsed() < Duration::from_secs(30), "{context}");
    assert_eq!(processes_with(&marker), Vec::<String>::new(), "{context}");
    assert_eq!(slot.run(&shell("exit 4"), &ample(), None).ending, Ending::Exited(4), "{context}");
}

#[test]
fn a_program_that_kills_both_supervisors_leaves_nothing_and_nobody_waits() {
    check_both_supervisors("KILL", "KILL");
}

#[test]
fn a_program_that_stops_supervisors_leaves_nothing_and_nobody_waits() {
    for (to_guard, to_worker) in [("STOP", "STOP"), ("CONT", "STOP"), ("STOP", "CONT")] {
        check_both_supervisors(to_guard, to_worker);
    }
}

#[test]
fn a_program_that_stops_one_supervisor_and_kills_the_other_leaves_nothing() {
    for (to_guard, to_worker) in [("STOP", "KILL"), ("KILL", "STOP")] {
        check_both_supervisors(to_guard, to_worker);
    }
}

/// A batch system suspends the processes of a job one after the other, and later lets them go on.
#[test]
fn a_supervisor_that_is_stopped_for_a_moment_goes_on() {
    let script = "(sleep 0.05; kill -CONT $PPID) & kill -STOP $PPID; sleep 0.2; exit 4";
    let script = script.replace("$PPID", "\"$worker\"");
    let outcome = Slot::new().run(&shell(&format!("worker=$PPID; {script}")), &ample(), None);
    assert_eq!(outcome.ending, Ending::Exited(4));
}

/// What we start for other purposes is no orphan, even while orphans are looked for.
#[test]
fn children_of_ours_outside_of_runs_are_left_alone() {
    let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
    check_both_supervisors("KILL", "KILL");
    assert_eq!(child.try_wait().unwrap(), None, "it still runs");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_supervisor_that_is_asked_to_end_kills_its_tree_first() {
    let marker = unique_sleep();
    let mut slot = Slot::new();
    let script = format!("setsid sleep {marker} & kill -TERM $PPID; sleep {marker}");
    let outcome = slot.run(&shell(&script), &ample(), None);
    assert!(matches!(outcome.ending, Ending::Lost(_)), "{outcome:?}");
    assert_eq!(processes_with(&marker), Vec::<String>::new());
    assert_eq!(slot.run(&shell("exit 4"), &ample(), None).ending, Ending::Exited(4));
}

#[test]
fn a_supervisor_that_died_between_two_runs_is_replaced() {
    let mut slot = Slot::new();
    let outcome = slot.run(&shell("echo $PPID"), &ample(), None);
    let kill = Command::new("kill").arguments(["-KILL".to_owned(), stdout(&outcome).trim().into()]);
    assert_eq!(run(&kill, &ample(), None).ending, Ending::Exited(0));
    wait_until_dead(stdout(&outcome).trim());
    assert_eq!(slot.run(&shell("exit 4"), &ample(), None).ending, Ending::Exited(4));
}

const VICTIM: &str = "LUTHIER_TEST_VICTIM";

/// Not a test by itself: the process that the next test kills.
#[test]
fn victim_of_the_next_test() {
    let Some(marker) = std::env::var_os(VICTIM).and_then(|text| OsString::into_string(text).ok())
    else {
        return;
    };
    let script = format!(
        "setsid sh -c 'setsid sleep {marker} &'; (trap '' TERM; sleep {marker}) & sleep {marker}"
    );
    run(&shell(&script), &ample(), None);
}

#[test]
fn nothing_survives_when_we_are_killed() {
    let marker = unique_sleep();
    let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim_of_the_next_test"])
        .env(VICTIM, &marker)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let sleep = format!("sleep {marker}");
    // Three sleep and four shells mention them; wait until the sleepers are all there.
    let sleepers = || {
        let found = processes_with(&sleep);
        found
            .iter()
            .filter(|line| line.trim_end().ends_with(&sleep) && !line.contains("sh -c"))
            .count()
    };
    wait_until("three sleepers", || sleepers() >= 3);
    victim.kill().unwrap();
    victim.wait().unwrap();
    wait_until_gone(&marker);
}

/// Far above what is ever needed: a slow machine must not fail a test.
const PATIENCE: Duration = Duration::from_secs(60);

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come about");
        thread::sleep(Duration::from_millis(5));
    }
}

fn wait_until_gone(marker: &str) {
    wait_until("the end of all processes", || processes_with(marker).is_empty());
}

fn wait_until_dead(pid: &str) {
    wait_until("the end of the supervisor", || !fs::exists(format!("/proc/{pid}")).unwrap());
}
