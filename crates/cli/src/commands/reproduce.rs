//! The command that asks a solver again what it was asked in a stored run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use luthier_campaign::AskedAgain;
use luthier_records::{Configuration, Digest};
use luthier_runner::releases::{Program, Release, ReleaseName, Releases};
use luthier_store::{RunId, Store};

use super::{our_name, user_releases};

/// Makes commands for runs of one database.
pub struct Reproducer {
    database: PathBuf,
    /// Opened only if there is something to reproduce.
    store: Option<Option<Store>>,
    /// Asked for only if there is something to reproduce.
    releases: Option<Option<Releases>>,
    programs: HashMap<Digest, Vec<String>>,
}

impl Reproducer {
    /// For runs of this database.
    pub fn new(database: &Path) -> Self {
        let database = database.to_owned();
        Self { database, store: None, releases: None, programs: HashMap::new() }
    }

    /// A line for a shell.
    pub fn command(&mut self, run: i64, configuration: &Configuration) -> String {
        let mut words = vec![our_name(), "show".to_owned()];
        words.push(self.database.display().to_string());
        words.extend([run.to_string(), "--copy".to_owned()]);
        let show = shell_words::join(&words);
        let mut solver = self.program(configuration);
        let arguments = self.arguments(run, configuration);
        let arguments = arguments.as_ref().unwrap_or(&configuration.arguments).iter();
        solver.extend(arguments.map(|argument| argument.replace("{file}", "/dev/stdin")));
        format!("{show} | {}", shell_words::join(&solver))
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
        Some(AskedAgain::new(&text, dialect, configuration, catalogue).arguments)
    }

    /// What to start, if a release with the same bytes is here; its name otherwise.
    fn program(&mut self, configuration: &Configuration) -> Vec<String> {
        let releases = self.releases.get_or_insert_with(|| user_releases().ok());
        let find = || {
            let releases = releases.as_ref()?;
            let name = match &configuration.version {
                Some(version) => format!("{}@{version}", configuration.solver),
                None => configuration.solver.clone(),
            };
            let cached = name.parse::<ReleaseName>().ok()?;
            let on_path = configuration.solver.parse::<ReleaseName>().ok()?;
            let same = |release: &Release| {
                let digest = release.sha256().ok().and_then(|text| text.parse::<Digest>().ok());
                digest == Some(configuration.program_digest)
            };
            let mut found = [cached, on_path].into_iter().filter_map(|n| releases.resolve(&n).ok());
            let release = found.find(same)?;
            Some(match release.program {
                Program::Executable(path) => vec![path.display().to_string()],
                Program::Cvc5Libraries(folder) => vec![
                    our_name(),
                    "cvc5-shell".to_owned(),
                    "--library".to_owned(),
                    folder.display().to_string(),
                ],
            })
        };
        let known = self.programs.entry(configuration.program_digest);
        known
            .or_insert_with(|| find().unwrap_or_else(|| vec![configuration.solver.clone()]))
            .clone()
    }
}
