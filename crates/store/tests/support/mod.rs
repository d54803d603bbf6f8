//! Sample records for the tests.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "not every test needs all of them")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use luthier_records::{
    Bytes, Campaign, Captured, Class, Clock, Configuration, CoreFinding, CoreOutcome, Cores,
    CpuTime, Digest, Ending, Features, Instance, Label, Machine, Measured, ModelFinding,
    ModelOutcome, Opinion, Query, Run, RunAnswer, RunLimits, Text, Timestamp, Verdict, WallTime,
};
use luthier_store::{InstanceRuns, NewRun, Store, StoreError};

pub fn campaign(id: &str) -> Campaign {
    Campaign {
        id: id.to_owned(),
        started: Timestamp(1_700_000_000_123),
        luthier_version: "0.1.0".to_owned(),
        command_line: vec!["luthier".to_owned(), "run".to_owned(), "a \"b\".toml".to_owned()],
        experiment: "solvers = [\"z3\"]\n".to_owned(),
        machine: Machine {
            host: "desk".to_owned(),
            system: "Linux 6.1".to_owned(),
            processor: "some".to_owned(),
            cores: 8,
            memory: Bytes::mebibytes(16_384),
        },
        jobs: 4,
    }
}

pub fn configuration(name: &str) -> Configuration {
    Configuration {
        name: name.to_owned(),
        solver: name.to_owned(),
        family: "z3".to_owned(),
        version: Some("5.4.0".to_owned()),
        program: Some("/opt/solver".to_owned()),
        program_digest: Digest::of(b"program"),
        arguments: vec!["-smt2".to_owned(), "{file}".to_owned()],
        script_lines: vec!["(set-option :produce-models true)".to_owned()],
        dialect: "z3".to_owned(),
        seed: Some(u64::MAX),
        models: true,
        cores: Cores::Always,
        limits: RunLimits {
            cpu: CpuTime(Duration::from_secs(10)),
            wall: WallTime(Duration::from_secs(30)),
            memory: Bytes(u64::MAX),
            output: Bytes::mebibytes(16),
        },
        not_asked: vec!["cores".to_owned()],
    }
}

pub fn instance(text: &str) -> Instance {
    Instance {
        digest: Digest::of(text.as_bytes()),
        dialect: "standard".to_owned(),
        dialect_reason: "nothing speaks against it".to_owned(),
        size: Bytes(text.len() as u64),
        queries: vec![
            Query { planted: Some(Verdict::Sat), planted_core: None, status: None },
            Query {
                planted: Some(Verdict::Unsat),
                planted_core: Some(vec![Text::from("|a b|"), Text::from(b"\xff".as_slice())]),
                status: Some(Verdict::Unsat),
            },
        ],
        fault: None,
        features: Some(features()),
    }
}

pub fn features() -> Features {
    Features {
        operators: vec![("=".to_owned(), 2), ("str.++".to_owned(), 1)],
        flags: vec!["quantifiers".to_owned()],
        assertions: 2,
        constants: 3,
        terms: 9,
        depth: 4,
        logic: Some("QF_\"S\"".to_owned()),
    }
}

/// A run with something in every field.
pub fn rich_run(repetition: u32) -> Run {
    Run {
        repetition,
        started: Timestamp(1_700_000_000_456),
        ending: Ending::Signalled(11),
        class: Class::Crash,
        measured: Measured {
            cpu: CpuTime(Duration::from_micros(1_234_567)),
            wall: WallTime(Duration::from_micros(2_345_678)),
            peak_memory: Bytes::mebibytes(77),
            left_behind: 2,
        },
        stdout: Captured { bytes: "sat\n(define-fun x)\n".repeat(100).into_bytes(), cut: true },
        stderr: Captured { bytes: b"caf\xe9".to_vec(), cut: false },
        answers: vec![
            RunAnswer {
                verdict: Verdict::Sat,
                class: Class::Sat,
                reason_unknown: None,
                model: Some(ModelFinding {
                    outcome: ModelOutcome::Invalid,
                    detail: Some("assertion 3 is false".to_owned()),
                }),
                core: None,
                opinions: vec![
                    Opinion { by: "cvc5@1.3.0".to_owned(), class: Class::Unsat },
                    Opinion { by: "z3@5.4.0".to_owned(), class: Class::Timeout },
                ],
            },
            RunAnswer {
                verdict: Verdict::Unknown,
                class: Class::Crash,
                reason_unknown: Some(Text::from(b"incompl\xe9te".as_slice())),
                model: None,
                core: Some(CoreFinding { outcome: CoreOutcome::Larger, size: 3, detail: None }),
                opinions: vec![Opinion { by: "yices".to_owned(), class: Class::Sat }],
            },
        ],
        conversion: vec!["str.to.re is written str.to_re".to_owned()],
        core: Some(3),
        load: Some(0.25),
    }
}

/// A run that says this and nothing else.
pub fn run(repetition: u32, verdict: Verdict) -> Run {
    let class = match verdict {
        Verdict::Sat => Class::Sat,
        Verdict::Unsat => Class::Unsat,
        Verdict::Unknown => Class::Unknown,
    };
    Run {
        repetition,
        started: Timestamp(1),
        ending: Ending::Exited(0),
        class,
        measured: Measured { cpu: CpuTime(Duration::from_millis(5)), ..Measured::default() },
        stdout: Captured { bytes: format!("{verdict}\n").into_bytes(), cut: false },
        stderr: Captured::default(),
        answers: vec![RunAnswer {
            verdict,
            class,
            reason_unknown: None,
            model: None,
            core: None,
            opinions: Vec::new(),
        }],
        conversion: Vec::new(),
        core: None,
        load: None,
    }
}

pub fn failed_run(repetition: u32) -> Run {
    Run {
        ending: Ending::NotStarted("no such file".to_owned()),
        class: Class::FrameworkError,
        answers: Vec::new(),
        stdout: Captured::default(),
        ..run(repetition, Verdict::Unknown)
    }
}

pub fn timeout(repetition: u32) -> Run {
    Run {
        ending: Ending::TimedOut(Clock::Cpu),
        class: Class::Timeout,
        answers: Vec::new(),
        stdout: Captured::default(),
        ..run(repetition, Verdict::Unknown)
    }
}

pub fn all_instances(store: &Store) -> Vec<InstanceRuns> {
    let mut all = Vec::new();
    store
        .visit_instances(|instance| -> Result<(), StoreError> {
            all.push(instance);
            Ok(())
        })
        .unwrap();
    all
}

/// Everything in a database without its numbers, so that two databases can be compared.
pub fn facts(store: &Store) -> BTreeSet<String> {
    let campaigns = store.campaigns().unwrap();
    let configurations = store.configurations().unwrap();
    let mut facts = BTreeSet::new();
    let mut add = |fact: String| assert!(facts.insert(fact.clone()), "twice: {fact}");
    for (_, campaign) in &campaigns {
        add(format!("{campaign:?}"));
    }
    for (_, configuration) in &configurations {
        add(format!("{:?} {configuration:?}", configuration.identity()));
    }
    let sets = store.sets().unwrap();
    for set in &sets {
        add(format!("set {} {}", set.name, set.trust_status));
    }
    for track in store.tracks().unwrap() {
        let set = sets.iter().find(|set| set.id == track.set).unwrap();
        add(format!("track {} {} {}", set.name, track.name, track.members));
    }
    for found in all_instances(store) {
        let InstanceRuns { instance, places, labels, runs, .. } = found;
        let key = format!("{} {}", instance.digest, instance.dialect);
        add(format!("{instance:?} {:?}", store.text(instance.digest).unwrap()));
        for (place, labels) in places.iter().zip(labels) {
            add(format!("{key} {place:?} {labels:?}"));
        }
        for run in runs {
            let by = &campaigns.iter().find(|(id, _)| *id == run.campaign).unwrap().1.id;
            let who = &configurations.iter().find(|(id, _)| *id == run.configuration).unwrap().1;
            let outputs = store.outputs(run.id).unwrap().unwrap();
            let at = run.places.clone();
            add(format!("{key} {by} {:?} {at:?} {:?}", who.identity(), run.into_run(outputs)));
        }
    }
    facts
}

/// A database with something in every table.
pub fn filled(path: &Path) {
    let mut store = Store::open(path).unwrap();
    let by = store.add_campaign(&campaign("c1")).unwrap();
    let who = store.add_configuration(&configuration("z3")).unwrap();
    let set = store.add_set("set", true).unwrap();
    let track = store.add_track(set, "t").unwrap();
    for text in ["a", "b"] {
        let what = store.add_instance(&instance(text), text.as_bytes()).unwrap();
        store.add_member(track, what, text).unwrap();
        let label = Label { verdict: Verdict::Sat, source: "paper".to_owned() };
        store.add_label(track, what, text, &label).unwrap();
        for run in [rich_run(0), run(1, Verdict::Sat)] {
            let new = NewRun { configuration: who, instance: what, run: &run };
            store.add_runs(by, &[new]).unwrap();
        }
    }
    store.close().unwrap();
}
