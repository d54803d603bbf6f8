//! A random campaign, written to a database in pieces.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "not every test needs all of them")]

use std::time::Duration;

use luthier_records::{
    Bytes, Campaign, Captured, Class, Configuration, Cores, CpuTime, Digest, Ending, Features,
    Instance, Machine, Measured, ModelFinding, ModelOutcome, Query, Run, RunAnswer, RunLimits,
    Timestamp, Verdict, WallTime,
};
use luthier_report::Results;
use luthier_store::{CampaignId, ConfigurationId, InstanceId, NewRun, SetId, Store};

/// Numbers that look random and are the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

pub fn campaign(id: &str) -> Campaign {
    Campaign {
        id: id.to_owned(),
        started: Timestamp(1),
        luthier_version: "0.1.0".to_owned(),
        command_line: Vec::new(),
        experiment: String::new(),
        machine: Machine::default(),
        jobs: 1,
    }
}

pub fn configuration(name: &str, family: &str, seconds: u64) -> Configuration {
    Configuration {
        name: name.to_owned(),
        solver: name.to_owned(),
        family: family.to_owned(),
        version: Some("1".to_owned()),
        program: None,
        program_digest: Digest::of(name.as_bytes()),
        arguments: Vec::new(),
        script_lines: Vec::new(),
        dialect: "2.6".to_owned(),
        seed: None,
        models: true,
        cores: Cores::Never,
        limits: RunLimits {
            cpu: CpuTime(Duration::from_secs(seconds)),
            wall: WallTime(Duration::from_secs(2 * seconds)),
            memory: Bytes(u64::MAX),
            output: Bytes(u64::MAX),
        },
        not_asked: Vec::new(),
    }
}

pub fn instance(text: &str, dialect: &str, features: Option<&[&str]>) -> Instance {
    Instance {
        digest: Digest::of(text.as_bytes()),
        dialect: dialect.to_owned(),
        dialect_reason: "asked for".to_owned(),
        size: Bytes(text.len() as u64),
        queries: vec![Query { status: Some(Verdict::Sat), ..Query::default() }],
        fault: None,
        features: features.map(|names| Features {
            operators: names.iter().map(|name| ((*name).to_owned(), 1)).collect(),
            ..Features::default()
        }),
    }
}

pub fn run(repetition: u32, verdict: Verdict, model: Option<ModelOutcome>, micros: u64) -> Run {
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
        measured: Measured {
            cpu: CpuTime(Duration::from_micros(micros)),
            wall: WallTime(Duration::from_micros(micros + 1)),
            peak_memory: Bytes(micros),
            left_behind: 0,
        },
        stdout: Captured { bytes: format!("{verdict}\n").into_bytes(), cut: false },
        stderr: Captured::default(),
        answers: vec![RunAnswer {
            verdict,
            class,
            reason_unknown: None,
            model: model.map(|outcome| ModelFinding { outcome, detail: None }),
            core: None,
            opinions: Vec::new(),
        }],
        conversion: Vec::new(),
        core: None,
        load: None,
    }
}

/// Everything but what is looked up by hashing, whose order is not the same every time.
pub fn shown(results: &Results) -> String {
    let Results { campaigns, solvers, sets, tracks, dialects, features, entries, .. } = results;
    for (index, entry) in entries.iter().enumerate() {
        let number = entry.judged.content.number;
        assert!(results.entries_of(number).any(|found| found == index));
    }
    format!(
        "{campaigns:#?}\n{solvers:#?}\n{sets:#?}\n{tracks:#?}\n{dialects:?}\n{features:?}\n\
         {entries:#?}"
    )
}

const OPERATORS: [&str; 8] =
    ["str.++", "=", "str.len", "re.*", "and", "str.at", "quantifiers", "<"];

/// Writes random rows to a database.
pub struct Writer {
    pub store: Store,
    pub dice: Dice,
    instances: Vec<InstanceId>,
    configurations: Vec<ConfigurationId>,
    campaigns: Vec<CampaignId>,
    sets: Vec<SetId>,
}

impl Writer {
    pub fn new(store: Store, seed: u64) -> Self {
        Writer {
            store,
            dice: Dice(seed),
            instances: Vec::new(),
            configurations: Vec::new(),
            campaigns: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Does one of the things that are done to databases.
    pub fn write_something(&mut self) {
        match self.dice.below(12) {
            0 => self.add_configuration(),
            1 => {
                let id = format!("c{}", self.dice.below(50));
                self.campaigns.push(self.store.add_campaign(&campaign(&id)).unwrap());
            }
            2 => {
                let trust = self.dice.below(2) == 0;
                self.add_set(trust);
            }
            3..=6 => self.add_instances(),
            7 if self.dice.below(3) == 0 => {
                let Some(&configuration) = self.configurations.first() else { return };
                self.store.remove_runs(configuration, &[Class::Unknown]).unwrap();
            }
            _ => self.add_runs(),
        }
    }

    fn add_configuration(&mut self) {
        let number = self.dice.below(6);
        let family = ["z3", "cvc"][(number % 2) as usize];
        let new = configuration(&format!("solver{}", number / 2), family, 10 + number);
        self.configurations.push(self.store.add_configuration(&new).unwrap());
    }

    fn add_set(&mut self, trust: bool) {
        let name = format!("set{}", self.dice.below(4));
        self.sets.push(self.store.add_set(&name, trust).unwrap());
    }

    fn add_instances(&mut self) {
        if self.sets.is_empty() {
            self.add_set(false);
        }
        for _ in 0..self.dice.below(6) {
            let number = self.dice.below(60);
            let text = format!("(check-sat){number}");
            let dialect = ["2.6", "z3", "2.0"][(number % 3) as usize];
            let mut names: Vec<&str> =
                OPERATORS.iter().copied().filter(|_| self.dice.below(3) == 0).collect();
            names.sort_unstable();
            let is_known = self.dice.below(4) > 0;
            let new = instance(&text, dialect, is_known.then_some(names.as_slice()));
            let id = self.store.add_instance(&new, text.as_bytes()).unwrap();
            self.instances.push(id);
            if self.dice.below(8) == 0 {
                continue;
            }
            let set = self.sets[self.dice.below(self.sets.len() as u64) as usize];
            let track = format!("track{}", self.dice.below(3));
            let track = self.store.add_track(set, &track).unwrap();
            let name = format!("file{}", self.dice.below(40));
            self.store.add_member(track, id, &name).unwrap();
        }
    }

    fn add_runs(&mut self) {
        if self.instances.is_empty() {
            self.add_instances();
        }
        if self.configurations.is_empty() {
            self.add_configuration();
        }
        if self.campaigns.is_empty() {
            self.campaigns.push(self.store.add_campaign(&campaign("first")).unwrap());
        }
        let campaign = self.campaigns[self.dice.below(self.campaigns.len() as u64) as usize];
        for _ in 0..self.dice.below(8) {
            let Some(pick) = (!self.instances.is_empty()).then(|| self.dice.below(1 << 32)) else {
                return;
            };
            let instance = self.instances[pick as usize % self.instances.len()];
            let pick = self.dice.below(1 << 32) as usize;
            let configuration = self.configurations[pick % self.configurations.len()];
            let verdict =
                [Verdict::Sat, Verdict::Unsat, Verdict::Unknown][self.dice.below(3) as usize];
            let model = (verdict == Verdict::Sat && self.dice.below(2) == 0)
                .then_some([ModelOutcome::Valid, ModelOutcome::Invalid][pick % 2]);
            let repetition = self.dice.below(2) as u32;
            let new = run(repetition, verdict, model, self.dice.below(1_000_000));
            let new = NewRun { configuration, instance, run: &new };
            self.store.add_runs(campaign, &[new]).unwrap();
        }
    }
}
