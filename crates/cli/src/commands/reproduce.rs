//! The command that asks a solver again what it was asked in a stored run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use luthier_records::{Configuration, Digest};
use luthier_runner::releases::{Program, Release, ReleaseName, Releases};

use super::user_releases;

/// Makes commands for runs of one database.
pub struct Reproducer {
    database: PathBuf,
    /// Asked for only if there is something to reproduce.
    releases: Option<Option<Releases>>,
    programs: HashMap<Digest, Vec<String>>,
}

impl Reproducer {
    /// For runs of this database.
    pub fn new(database: &Path) -> Self {
        Self { database: database.to_owned(), releases: None, programs: HashMap::new() }
    }

    /// A line for a shell.
    pub fn command(&mut self, run: i64, configuration: &Configuration) -> String {
        let mut words = vec!["luthier".to_owned(), "show".to_owned()];
        words.push(self.database.display().to_string());
        words.extend([run.to_string(), "--copy".to_owned()]);
        let show = shell_words::join(&words);
        let mut solver = self.program(configuration);
        let arguments = configuration.arguments.iter();
        solver.extend(arguments.map(|argument| argument.replace("{file}", "/dev/stdin")));
        format!("{show} | {}", shell_words::join(&solver))
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
                    "luthier".to_owned(),
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
