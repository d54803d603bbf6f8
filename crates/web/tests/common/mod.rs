//! A database with one of everything that pages have to show, and a server for it.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use luthier_corpus::sets::Catalogue;
use luthier_records::{
    Answer, Bytes, Campaign, Captured, Class, Clock, Configuration, CoreFinding, CoreOutcome,
    Cores, CpuTime, Digest, Ending, Instance, Machine, Measured, ModelFinding, ModelOutcome,
    ParsedOutput, Query, Run, RunAnswer, RunLimits, Text, Timestamp, Verdict, WallTime,
};
use luthier_store::{CampaignId, ConfigurationId, InstanceId, NewRun, Store};
use luthier_web::{Listening, Options, Reproduction, SolverAccess, listen};
use serde_json::json;
use tempfile::TempDir;

/// A name that would be trouble if it were not shown as text.
pub const HOSTILE: &str = "<script>alert(1)</script>\"'&../../etc/passwd\u{202e}gnp.smt2";
/// The same as it is to be seen.
pub const HOSTILE_SHOWN: &str = "<script>alert(1)</script>\"'&../../etc/passwd\\u{202e}gnp.smt2";
/// A solver with such a name.
pub const HOSTILE_SOLVER: &str = "z3@<img src=x onerror=alert(1)>";

/// A formula with one `check-sat`.
pub const FORMULA: &str = "; two <b>characters</b>\n(set-logic QF_S)\n(declare-const x String)\n\
    (assert (= (str.len x) 2))\n(assert (! (str.prefixof \"a\" x) :named begins))\n(check-sat)\n";

/// A database in a folder of its own.
pub struct Database {
    folder: TempDir,
    pub solvers: Vec<ConfigurationId>,
    pub campaign: CampaignId,
    pub instances: Vec<InstanceId>,
}

impl Database {
    /// Two sets; in the first an instance of each kind of trouble, in the second many.
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut store = Store::open(folder.path().join("results.db")).unwrap();
        let campaign = store.add_campaign(&campaign()).unwrap();
        let solvers = [("cvc5@1.4.2", "cvc"), ("z3@4.8.12", "z3"), (HOSTILE_SOLVER, "z3")]
            .map(|(name, family)| store.add_configuration(&configuration(name, family)).unwrap());
        let mut database =
            Self { folder, solvers: solvers.into(), campaign, instances: Vec::new() };
        database.fill(&mut store);
        store.close().unwrap();
        database
    }

    /// Where the file is.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("results.db")
    }

    fn fill(&mut self, store: &mut Store) {
        let troubles = store.add_set("troubles", true).unwrap();
        let track = store.add_track(troubles, "first track").unwrap();
        let texts = [
            (HOSTILE.to_owned(), FORMULA.to_owned()),
            ("crash.smt2".to_owned(), format!("{FORMULA}; 1")),
            ("open.smt2".to_owned(), format!("{FORMULA}; 2")),
        ];
        for (number, (name, text)) in texts.iter().enumerate() {
            let planted = (number == 0).then_some(Verdict::Sat);
            let id = store.add_instance(&instance(text, planted), text.as_bytes()).unwrap();
            store.add_member(track, id, name).unwrap();
            self.instances.push(id);
        }
        let many = store.add_set("many & more", false).unwrap();
        let track = store.add_track(many, "").unwrap();
        for number in 0..250 {
            let text = format!("{FORMULA}; many {number}");
            let id = store.add_instance(&instance(&text, Some(Verdict::Sat)), text.as_bytes());
            let id = id.unwrap();
            store.add_member(track, id, &format!("folder/file-{number:03}.smt2")).unwrap();
            self.instances.push(id);
        }
        let runs = [
            (0, 0, sat("ab", ModelOutcome::Valid, None)),
            (1, 0, answered(Verdict::Unsat)),
            (2, 0, sat("ba", ModelOutcome::Invalid, Some("assertion 2 is false"))),
            (0, 1, crashed()),
            (1, 1, timed_out()),
            (2, 1, with_core()),
            (0, 2, answered(Verdict::Unknown)),
        ];
        for (solver, instance, run) in runs {
            self.add(store, solver, instance, &run);
        }
        for instance in 3..200 {
            self.add(store, 0, instance, &sat("ab", ModelOutcome::Valid, None));
        }
    }

    /// The same with a third set: two copies with a wrong annotation of both kinds, a renamed one, one that cannot
    /// be read, one with a quantifier and one without a text.
    pub fn annotated() -> Self {
        let mut database = Self::new();
        let mut store = Store::open(database.path()).unwrap();
        let set = store.add_set("annotated", true).unwrap();
        let wrong = format!("(set-info :status unsat)\n{FORMULA}");
        let renamed = "(set-logic QF_S)(declare-const y String)(assert (= (str.len y) 2))\
                       (assert (str.prefixof \"a\" y))(check-sat)";
        let files = [
            ("Unsat/wrong.smt2", wrong.as_str()),
            ("Unsat/copy.smt2", &wrong),
            ("renamed.smt2", renamed),
            ("broken.smt2", "(declare-const x String)\n(assert (str.startswith x))(check-sat)"),
            ("loop.smt2", "(assert (forall ((n Int)) (= n n)))(check-sat)"),
        ];
        for (name, text) in files {
            let track = store.add_track(set, name.split_once('/').map_or("", |(track, _)| track));
            let id = store.add_instance(&instance(text, None), text.as_bytes()).unwrap();
            store.add_member(track.unwrap(), id, name).unwrap();
            database.instances.push(id);
        }
        let track = store.add_track(set, "").unwrap();
        let lost = store.add_instance_without_text(&instance("lost", None)).unwrap();
        store.add_member(track, lost, "lost.smt2").unwrap();
        let first = database.instances.len() - files.len();
        database.add(&mut store, 0, first, &sat("ab", ModelOutcome::Valid, None));
        store.close().unwrap();
        database
    }

    /// Adds a run.
    pub fn add(&self, store: &mut Store, solver: usize, instance: usize, run: &Run) {
        let new =
            NewRun { configuration: self.solvers[solver], instance: self.instances[instance], run };
        assert_eq!(store.add_runs(self.campaign, &[new]).unwrap(), 1);
    }

    /// A folder of clusters beside the database: one with everything, one with hostile names.
    pub fn clusters(&self) -> PathBuf {
        let folder = self.folder.path().join("clusters");
        if !folder.is_dir() {
            std::fs::create_dir(&folder).unwrap();
            let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
            write("clusters.json", &clusters_document());
            write("01-wrong-unsat-str.at.smt2", FORMULA);
            write("01-wrong-unsat-str.at.bisect.json", BISECTION);
        }
        folder
    }

    /// A server that has read the database and listens on a free port.
    pub async fn listen(&self) -> Listening {
        listen_to(&self.path(), None).await
    }
}

/// A server for a database.
pub async fn listen_to(path: &Path, clusters: Option<PathBuf>) -> Listening {
    let options = Options {
        database: path.to_owned(),
        listen: "127.0.0.1:0".parse().unwrap(),
        hosts: vec!["bench.example".to_owned()],
        clusters,
        catalogue: catalogue(),
    };
    listen(&options, Arc::new(TestSolverAccess)).await.unwrap()
}

/// A set that is described, with folders that claim answers.
pub fn catalogue() -> Catalogue {
    let folder = TempDir::new().unwrap();
    let text = "name = \"annotated\"\ntitle = \"t\"\nsummary = \"s\"\ntracks = []\nfiles = 5\nsource = \"s\"\n\
                licence = \"l\"\ncitation = \"c\"\nget = \"g\"\n\
                [[claim]]\nfolder = \"Unsat\"\nlabel = \"unsat\"\n\
                [zaligvinder]\nname = \"t\"\nsets = 2\ninstances = 7\nduplicates = 2\noperators = [\"len 1.00\"]\n";
    std::fs::write(folder.path().join("annotated.toml"), text).unwrap();
    let mut catalogue = Catalogue::default();
    catalogue.add_folder(folder.path()).unwrap();
    catalogue
}

/// What `luthier cluster --json` prints, with 150 members in the first cluster.
fn clusters_document() -> String {
    let member = |number: usize| {
        json!({
            "file": format!("wrong-unsat/{number:06}.smt2"), "solver": "z3@4.8.5",
            "class": "wrong-unsat", "runs": 1, "minimal": "(= (str.at x 0) \"\")", "also": ["str.len"],
        })
    };
    let first = json!({
        "number": 1, "signature": "z3: str.at, index 0", "known": true, "name": "issue 4711",
        "first_seen": "2026-11-18", "note": "reported", "class": "wrong-unsat",
        "solvers": ["z3@4.8.5"], "operators": ["str.at"], "corner": "index 0", "members": 150,
        "files": (0..150).map(member).collect::<Vec<_>>(),
        "why": ["str.at is evaluated wrongly for index 0"],
        "releases": [{ "version": "4.8.5", "fails": true }],
        "smallest": {
            "file": "/elsewhere/clusters/01-wrong-unsat-str.at.smt2", "class": "wrong-unsat",
            "nodes": 5, "truth": "sat", "says": "unsat", "formula": "(= (str.len x) 2)", "text": FORMULA,
        },
    });
    let second = json!({
        "number": 2, "signature": HOSTILE, "known": false, "name": null, "class": HOSTILE,
        "solvers": [HOSTILE_SOLVER], "operators": [HOSTILE], "corner": HOSTILE, "members": 1,
        "files": [{ "file": HOSTILE, "solver": HOSTILE_SOLVER, "class": "crash", "runs": 1, "minimal": HOSTILE }],
        "why": [HOSTILE],
        "releases": [{ "version": HOSTILE, "fails": null }, { "version": "4.8.6", "fails": false }],
        "smallest": { "file": null, "nodes": 3, "says": HOSTILE, "formula": HOSTILE, "text": HOSTILE },
    });
    let third = json!({
        "class": "crash", "smallest": { "file": "../results.db", "text": "not this" },
    });
    let document = json!({
        "version": 2, "input": "hunt-0", "failures": 152, "clusters": [first, second, third],
        "unexamined": [{ "file": "slow/1.smt2", "reason": "stopped before it was <examined>" }],
        "left_out": { "slow": 3 }, "seconds": 1.5,
    });
    document.to_string()
}

/// What `luthier bisect --json` prints.
const BISECTION: &str = r#"{"version":2,"file":"bugs/01.smt2","solver":"z3","class":"wrong-unsat","truth":"sat",
    "complete":false,"releases":[{"version":"4.8.4","outcome":"sat","fails":false,"said":"sat"},
    {"version":"4.8.5","outcome":"wrong-unsat","fails":true,"said":"unsat"},
    {"version":"4.8.7","outcome":"timeout","fails":null,"said":""}],
    "last_good":"4.8.4","first_bad":"4.8.5","first_good_again":null,"intervals":[["4.8.5","4.8.5"]]}"#;

/// Knows no solvers, and reads outputs in the simplest way.
pub struct TestSolverAccess;

impl SolverAccess for TestSolverAccess {
    fn reproduce(&self, run: i64, configuration: &Configuration) -> Reproduction {
        let command = format!("luthier show results.db {run} --copy | {}", configuration.solver);
        Reproduction { command, note: Some("the program is <another> one now".to_owned()) }
    }

    fn read_output(&self, output: &[u8]) -> ParsedOutput {
        let text = String::from_utf8_lossy(output);
        let mut said = ParsedOutput::default();
        for line in text.lines() {
            match line {
                "sat" => said.answers.push(Answer::bare(Verdict::Sat)),
                "unsat" => said.answers.push(Answer::bare(Verdict::Unsat)),
                "unknown" => said.answers.push(Answer::bare(Verdict::Unknown)),
                line if line.starts_with('(') => {
                    if let Some(answer) = said.answers.last_mut() {
                        answer.model = Some(Text::from(line));
                    }
                }
                _ => {}
            }
        }
        said
    }
}

fn campaign() -> Campaign {
    Campaign {
        id: "test".to_owned(),
        started: Timestamp(1_700_000_000_000),
        luthier_version: "0.1.0".to_owned(),
        command_line: vec!["luthier".to_owned(), "run".to_owned(), "<b>.toml".to_owned()],
        experiment: String::new(),
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

fn configuration(name: &str, family: &str) -> Configuration {
    let (solver, version) = name.split_once('@').unwrap();
    Configuration {
        name: name.to_owned(),
        solver: solver.to_owned(),
        family: family.to_owned(),
        version: Some(version.to_owned()),
        program: None,
        program_digest: Digest::of(name.as_bytes()),
        arguments: vec!["-smt2".to_owned(), "{file}".to_owned()],
        script_lines: Vec::new(),
        dialect: "2.7".to_owned(),
        seed: None,
        models: true,
        cores: Cores::Always,
        limits: RunLimits {
            cpu: CpuTime(Duration::from_secs(10)),
            wall: WallTime(Duration::from_secs(30)),
            memory: Bytes(u64::MAX),
            output: Bytes::mebibytes(16),
        },
        not_asked: Vec::new(),
    }
}

/// An instance with one query.
pub fn instance(text: &str, planted: Option<Verdict>) -> Instance {
    Instance {
        digest: Digest::of(text.as_bytes()),
        dialect: "2.7".to_owned(),
        dialect_reason: "nothing speaks against it".to_owned(),
        size: Bytes(text.len() as u64),
        queries: vec![Query { planted, planted_core: None, status: None }],
        fault: None,
        features: None,
    }
}

/// A run that said this and nothing else.
pub fn answered(verdict: Verdict) -> Run {
    let class = match verdict {
        Verdict::Sat => Class::Sat,
        Verdict::Unsat => Class::Unsat,
        Verdict::Unknown => Class::Unknown,
    };
    Run {
        repetition: 0,
        started: Timestamp(1_700_000_001_000),
        ending: Ending::Exited(0),
        class,
        measured: Measured {
            cpu: CpuTime(Duration::from_millis(1234)),
            wall: WallTime(Duration::from_millis(1300)),
            peak_memory: Bytes::mebibytes(20),
            left_behind: 0,
        },
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
        conversion: vec!["str.to.re is written <str.to_re>".to_owned()],
        core: Some(3),
        load: Some(0.25),
    }
}

/// A run with a model.
pub fn sat(value: &str, outcome: ModelOutcome, detail: Option<&str>) -> Run {
    let mut run = answered(Verdict::Sat);
    run.stdout.bytes = format!("sat\n((define-fun x () String \"{value}\"))\n").into_bytes();
    run.answers[0].model = Some(ModelFinding { outcome, detail: detail.map(str::to_owned) });
    run
}

fn crashed() -> Run {
    let mut run = answered(Verdict::Unknown);
    run.ending = Ending::Signalled(11);
    run.class = Class::Crash;
    run.answers.clear();
    run.stdout.bytes.clear();
    run.stderr.bytes = b"<b>segfault</b> \xff\x1b[31m\n".to_vec();
    run
}

/// A run that reached its time limit.
pub fn timed_out() -> Run {
    let mut run = answered(Verdict::Unknown);
    run.ending = Ending::TimedOut(Clock::Cpu);
    run.class = Class::Timeout;
    run.answers.clear();
    run.stdout.bytes.clear();
    run
}

fn with_core() -> Run {
    let mut run = answered(Verdict::Unsat);
    run.answers[0].core = Some(CoreFinding {
        outcome: CoreOutcome::Invalid,
        size: 1,
        detail: Some("it names <nothing>".to_owned()),
    });
    run
}
