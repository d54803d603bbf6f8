//! The command that asks a solver again what it was asked in a stored run.
//!
//! The program is the recorded one: the file at its recorded path if that still has the recorded
//! SHA-256, otherwise an installed release, or the program on the search path, that has it. If
//! there is no such file, the command says what would have to be run, and a note says what is
//! different: another program would answer for the one that was asked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use luthier_campaign::Rerun;
use luthier_records::{Configuration, Digest};
use luthier_runner::releases::{Program, Release, ReleaseName, Releases};
use luthier_store::{RunId, Store};
use luthier_web::Reproduction;

use super::{our_name, user_releases};

/// Makes commands for runs of one database.
pub struct Reproducer {
    database: PathBuf,
    /// Opened only if there is something to reproduce.
    store: Option<Option<Store>>,
    /// Asked for only if there is something to reproduce.
    releases: Option<Option<Releases>>,
    programs: HashMap<(Digest, Option<String>), Start>,
}

/// What to start.
#[derive(Clone)]
struct Start {
    words: Vec<String>,
    note: Option<String>,
}

impl Reproducer {
    /// For runs of this database.
    pub fn new(database: &Path) -> Self {
        let database = database.to_owned();
        Self { database, store: None, releases: None, programs: HashMap::new() }
    }

    /// A line for a shell.
    pub fn command(&mut self, run: i64, configuration: &Configuration) -> Reproduction {
        let mut words = vec![our_name(), "show".to_owned()];
        words.push(self.database.display().to_string());
        words.extend([run.to_string(), "--copy".to_owned()]);
        let show = shell_words::join(&words);
        let Start { words: mut solver, note } = self.start(configuration);
        let arguments = self.arguments(run, configuration);
        let arguments = arguments.as_ref().unwrap_or(&configuration.arguments).iter();
        solver.extend(arguments.map(|argument| argument.replace("{file}", "/dev/stdin")));
        Reproduction { command: format!("{show} | {}", shell_words::join(&solver)), note }
    }

    /// The arguments with which the question of this run was asked, if that can be known.
    fn arguments(&mut self, run: i64, configuration: &Configuration) -> Option<Vec<String>> {
        let database = &self.database;
        let store = self.store.get_or_insert_with(|| Store::open_read_only(database).ok());
        let store = store.as_ref()?;
        let releases = self.releases.get_or_insert_with(|| user_releases().ok());
        let run = store.run(RunId(run)).ok()??;
        let instance = store.instance(run.instance).ok()??.instance;
        let text = store.text(instance.digest).ok()??;
        let dialect = instance.dialect.parse().ok()?;
        let catalogue = &releases.as_ref()?.catalogue;
        Some(Rerun::new(&text, dialect, configuration, catalogue).arguments)
    }

    fn start(&mut self, configuration: &Configuration) -> Start {
        let key = (configuration.program_digest, configuration.program.clone());
        if let Some(known) = self.programs.get(&key) {
            return known.clone();
        }
        let start = self.find(configuration);
        self.programs.insert(key, start.clone());
        start
    }

    fn find(&mut self, configuration: &Configuration) -> Start {
        let recorded = configuration.program.as_deref().map(Path::new);
        let expected = configuration.program_digest;
        let digest_of = |program: &Program| program.sha256().ok()?.parse::<Digest>().ok();
        let there = recorded.map(Program::at);
        let digest = there.as_ref().and_then(digest_of);
        if let Some(program) = there.as_ref().filter(|_| digest == Some(expected)) {
            return Start { words: words(program), note: None };
        }
        let releases = self.releases.get_or_insert_with(|| user_releases().ok());
        let release = releases.as_ref().and_then(|releases| same_release(configuration, releases));
        if let Some(release) = release {
            return Start { words: words(&release.program), note: None };
        }
        let Some((path, program)) = recorded.zip(there) else {
            let note = format!(
                "where the program was is not recorded; its SHA-256 is {expected}, and no release \
                 here has it"
            );
            return Start { words: vec![configuration.solver.clone()], note: Some(note) };
        };
        let path = path.display();
        let note = match digest {
            Some(digest) => format!(
                "{path} is another program now: its SHA-256 is {digest}, that of the run was \
                 {expected}"
            ),
            None => format!(
                "{path}, which was run, is not there any more; its SHA-256 was {expected}, and no \
                 release here has it"
            ),
        };
        Start { words: words(&program), note: Some(note) }
    }
}

/// A release with the same bytes that is installed or on the search path.
fn same_release(configuration: &Configuration, releases: &Releases) -> Option<Release> {
    let name = match &configuration.version {
        Some(version) => format!("{}@{version}", configuration.solver),
        None => configuration.solver.clone(),
    };
    let names = [name, configuration.solver.clone()];
    let names = names.into_iter().filter_map(|name| name.parse::<ReleaseName>().ok());
    let same = |release: &Release| {
        let digest = release.sha256().ok().and_then(|text| text.parse::<Digest>().ok());
        digest == Some(configuration.program_digest)
    };
    names.filter_map(|name| releases.resolve(&name).ok()).find(same)
}

fn words(program: &Program) -> Vec<String> {
    match program {
        Program::Executable(path) => vec![path.display().to_string()],
        Program::Cvc5Libraries(folder) => vec![
            our_name(),
            "cvc5-shell".to_owned(),
            "--library".to_owned(),
            folder.display().to_string(),
        ],
    }
}
