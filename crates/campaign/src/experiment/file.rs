//! Experiments as TOML files, read strictly (an unknown key is an error) and written so that
//! reading gives the same experiment. Relative paths count from the folder of the file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use luthier_ask::dialect_named;
use luthier_records::{Bytes, Cores};
use luthier_smtlib::Dialect;
use serde::Deserialize;
use serde::de::Error as _;

use super::{ConfigurationSpec, Experiment, Order, SetSpec, TrackSpec};
use crate::CampaignError;
use crate::shard::Shard;
use luthier_records::{parse_bytes, parse_duration, show_bytes, show_duration};

/// The file, field by field. A misspelt key is an error, since it would give another experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct File {
    database: Option<PathBuf>,
    #[serde(deserialize_with = "duration")]
    timeout: Duration,
    #[serde(deserialize_with = "optional_duration")]
    wall_timeout: Option<Duration>,
    #[serde(deserialize_with = "size")]
    memory: Bytes,
    #[serde(deserialize_with = "size")]
    output_limit: Bytes,
    repetitions: u32,
    jobs: Option<usize>,
    order: Order,
    seeds: Vec<u64>,
    limit: Option<usize>,
    sample: bool,
    #[serde(deserialize_with = "shard")]
    shard: Option<Shard>,
    #[serde(deserialize_with = "dialect")]
    dialect: Option<Dialect>,
    models: bool,
    #[serde(deserialize_with = "cores")]
    cores: Cores,
    verify_with: Vec<String>,
    confirm_cores_with: Vec<String>,
    selections: Vec<PathBuf>,
    set: Vec<SetTable>,
    configuration: Vec<ConfigurationTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetTable {
    name: String,
    #[serde(default = "yes")]
    trust_status: bool,
    #[serde(default)]
    paths: Vec<PathBuf>,
    #[serde(default)]
    suites: Vec<String>,
    /// For all tracks of the set.
    #[serde(default)]
    labels: Vec<PathBuf>,
    /// For all tracks of the set.
    selection: Option<PathBuf>,
    #[serde(default)]
    track: Vec<TrackTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TrackTable {
    name: String,
    #[serde(default)]
    paths: Vec<PathBuf>,
    #[serde(default)]
    suites: Vec<String>,
    #[serde(default)]
    labels: Vec<PathBuf>,
    /// Instead of that of the set.
    selection: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ConfigurationTable {
    name: Option<String>,
    solver: String,
    #[serde(default)]
    arguments: Vec<String>,
    seed: Option<u64>,
}

impl Default for File {
    fn default() -> Self {
        let experiment = Experiment::default();
        Self {
            database: None,
            timeout: experiment.cpu_limit,
            wall_timeout: None,
            memory: experiment.memory_limit,
            output_limit: experiment.output_limit,
            repetitions: experiment.repetitions,
            jobs: None,
            order: experiment.order,
            seeds: Vec::new(),
            limit: None,
            sample: false,
            shard: None,
            dialect: None,
            models: experiment.models,
            cores: experiment.cores,
            verify_with: Vec::new(),
            confirm_cores_with: Vec::new(),
            selections: Vec::new(),
            set: Vec::new(),
            configuration: Vec::new(),
        }
    }
}

impl Experiment {
    /// Reads a file. Relative paths in it count from the folder of the file.
    pub fn read(path: &Path) -> Result<Self, CampaignError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| CampaignError::File { path: path.to_owned(), cause })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(path, &text).map(|experiment| experiment.relative_to(folder))
    }

    /// Reads the text of a file; the path is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, CampaignError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |position| position + 1);
            CampaignError::Experiment {
                path: path.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                message: error.message().trim_end().to_owned(),
            }
        })?;
        Ok(file.into())
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        for track in self.sets.iter_mut().flat_map(|set| &mut set.tracks) {
            for path in track.paths.iter_mut().chain(&mut track.labels).chain(&mut track.selection)
            {
                *path = folder.join(&*path);
            }
        }
        for path in &mut self.selections {
            *path = folder.join(&*path);
        }
        self.database = self.database.map(|path| folder.join(path));
        self
    }

    /// The experiment as a file that [`Experiment::parse`] reads as the same experiment.
    pub fn to_toml(&self) -> String {
        let mut lines = vec![
            format!("timeout = \"{}\"", show_duration(self.cpu_limit)),
            format!("memory = \"{}\"", show_bytes(self.memory_limit)),
            format!("output-limit = \"{}\"", show_bytes(self.output_limit)),
            format!("repetitions = {}", self.repetitions),
            format!("order = \"{}\"", self.order.name()),
            format!("models = {}", self.models),
            format!("cores = \"{}\"", self.cores.name()),
            format!("sample = {}", self.sample),
        ];
        let wall = self.wall_limit.map(|wall| quoted(&show_duration(wall)));
        let dialect = self.dialect.map(|dialect| quoted(dialect.name()));
        let database = self.database.as_ref().map(|path| quoted(&path.to_string_lossy()));
        let seeds: Vec<String> = self.seeds.iter().map(u64::to_string).collect();
        let optional = [
            ("database", database),
            ("wall-timeout", wall),
            ("jobs", self.jobs.map(|jobs| jobs.to_string())),
            ("limit", self.limit.map(|limit| limit.to_string())),
            ("shard", self.shard.map(|shard| quoted(&shard.to_string()))),
            ("dialect", dialect),
            ("seeds", (!seeds.is_empty()).then(|| format!("[{}]", seeds.join(", ")))),
            ("verify-with", list(&self.verify_with)),
            ("confirm-cores-with", list(&self.confirm_cores_with)),
            ("selections", list_of_paths(&self.selections)),
        ];
        let set = optional.into_iter().filter_map(|(key, value)| Some((key, value?)));
        lines.extend(set.map(|(key, value)| format!("{key} = {value}")));
        for set in &self.sets {
            lines.push(format!("\n[[set]]\nname = {}", quoted(&set.name)));
            lines.push(format!("trust-status = {}", set.trust_status));
            for track in &set.tracks {
                if let Some(name) = &track.name {
                    lines.push(format!("[[set.track]]\nname = {}", quoted(name)));
                }
                lines.extend(list_of_paths(&track.paths).map(|paths| format!("paths = {paths}")));
                lines.extend(list(&track.suites).map(|suites| format!("suites = {suites}")));
                let labels = list_of_paths(&track.labels);
                lines.extend(labels.map(|labels| format!("labels = {labels}")));
                let selection = track.selection.as_ref().map(|path| path.to_string_lossy());
                lines.extend(selection.map(|path| format!("selection = {}", quoted(&path))));
            }
        }
        for configuration in &self.configurations {
            lines.push(format!("\n[[configuration]]\nsolver = {}", quoted(&configuration.solver)));
            let name = configuration.name.as_deref();
            lines.extend(name.map(|name| format!("name = {}", quoted(name))));
            lines.extend(list(&configuration.arguments).map(|all| format!("arguments = {all}")));
            lines.extend(configuration.seed.map(|seed| format!("seed = {seed}")));
        }
        lines.join("\n") + "\n"
    }
}

impl From<File> for Experiment {
    fn from(file: File) -> Self {
        Self {
            sets: file.set.into_iter().map(SetSpec::from).collect(),
            configurations: file.configuration.into_iter().map(ConfigurationSpec::from).collect(),
            cpu_limit: file.timeout,
            wall_limit: file.wall_timeout,
            memory_limit: file.memory,
            output_limit: file.output_limit,
            repetitions: file.repetitions,
            jobs: file.jobs,
            order: file.order,
            seeds: file.seeds,
            limit: file.limit,
            sample: file.sample,
            shard: file.shard,
            dialect: file.dialect,
            models: file.models,
            cores: file.cores,
            verify_with: file.verify_with,
            confirm_cores_with: file.confirm_cores_with,
            database: file.database,
            selections: file.selections,
        }
    }
}

impl From<SetTable> for SetSpec {
    fn from(set: SetTable) -> Self {
        let (of_set, selection) = (&set.labels, &set.selection);
        let named = set.track.into_iter().map(|track| TrackSpec {
            name: Some(track.name),
            paths: track.paths,
            suites: track.suites,
            labels: of_set.iter().cloned().chain(track.labels).collect(),
            selection: track.selection.or_else(|| selection.clone()),
        });
        let (labels, selection) = (of_set.clone(), selection.clone());
        let own = TrackSpec { name: None, paths: set.paths, suites: set.suites, labels, selection };
        let is_selected = named.len() == 0 && (own.selection.is_some() || !own.labels.is_empty());
        let has_own = !own.paths.is_empty() || !own.suites.is_empty() || is_selected;
        let tracks = has_own.then_some(own).into_iter().chain(named).collect();
        Self { name: set.name, tracks, trust_status: set.trust_status }
    }
}

impl From<ConfigurationTable> for ConfigurationSpec {
    fn from(table: ConfigurationTable) -> Self {
        let ConfigurationTable { name, solver, arguments, seed } = table;
        Self { name, solver, arguments, seed }
    }
}

fn yes() -> bool {
    true
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn list(texts: &[String]) -> Option<String> {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    (!texts.is_empty()).then(|| format!("[{}]", quoted.join(", ")))
}

fn list_of_paths(paths: &[PathBuf]) -> Option<String> {
    let texts: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    list(&texts)
}

fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    parse_duration(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn optional_duration<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    duration(deserializer).map(Some)
}

fn size<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    parse_bytes(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn dialect<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Dialect>, D::Error> {
    dialect_named(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

fn shard<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Shard>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

fn cores<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cores, D::Error> {
    let name = String::deserialize(deserializer)?;
    let found = Cores::ALL.into_iter().find(|cores| cores.name() == name);
    found.ok_or_else(|| {
        let names = Cores::ALL.map(Cores::name).join(", ");
        D::Error::custom(format!("`{name}` is no policy for cores; there are {names}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
timeout = "2s"
wall-timeout = "9s"
memory = "1GiB"
jobs = 2
seeds = [1, 2]
order = "random"
cores = "always"
dialect = "2.5"
shard = "3/8"
verify-with = ["cvc5@1.4.2"]
database = "out.db"
selections = ["all.tsv"]

[[set]]
name = "woorpje"
trust-status = false
[[set.track]]
name = "track \"01\""
paths = ["bench/track01"]
suites = ["demo"]
labels = ["bench/labels.tsv"]
selection = "some.tsv"

[[set]]
name = "plain"
paths = ["a.smt2", "b.tar.gz"]

[[set]]
name = "kaluza"
selection = "hard.tsv"

[[configuration]]
solver = "z3@4.8.12+z3str3"
name = "z3str3"
arguments = ["smt.x=1"]
seed = 7

[[configuration]]
solver = "cvc5"
"#;

    #[test]
    fn a_file_is_read_and_written_back() {
        let experiment = Experiment::parse(Path::new("e.toml"), TEXT).unwrap();
        assert_eq!(experiment.cpu_limit, Duration::from_secs(2));
        assert_eq!(experiment.memory_limit, Bytes(1 << 30));
        assert_eq!(experiment.sets[0].tracks[0].name.as_deref(), Some("track \"01\""));
        assert!(!experiment.sets[0].trust_status && experiment.sets[1].trust_status);
        assert_eq!(experiment.configurations[0].seed, Some(7));
        assert_eq!(experiment.sets[0].tracks[0].labels, [Path::new("bench/labels.tsv")]);
        let again = Experiment::parse(Path::new("e.toml"), &experiment.to_toml()).unwrap();
        assert_eq!(again, experiment);
        let empty = Experiment::default();
        assert_eq!(Experiment::parse(Path::new("e.toml"), &empty.to_toml()).unwrap(), empty);
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        for (text, expected) in [
            ("timout = \"2s\"\n", "e.toml:1:1: unknown field `timout`"),
            ("jobs = 2\ntimeout = \"2 parsecs\"\n", "e.toml:2:11: `2 parsecs` is no time"),
            ("shard = \"9/8\"\n", "e.toml:1:9: `9/8` is no shard"),
            ("cores = \"often\"\n", "e.toml:1:9: `often` is no policy for cores"),
            ("[[set]]\npaths = []\n", "e.toml:1:1: missing field `name`"),
        ] {
            let error = Experiment::parse(Path::new("e.toml"), text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn paths_count_from_the_folder_of_the_file() {
        let experiment = Experiment::parse(Path::new("e.toml"), TEXT).unwrap();
        let experiment = experiment.relative_to(Path::new("folder"));
        assert_eq!(experiment.sets[1].tracks[0].paths[0], Path::new("folder/a.smt2"));
        assert_eq!(experiment.sets[0].tracks[0].labels[0], Path::new("folder/bench/labels.tsv"));
        assert_eq!(experiment.database.as_deref(), Some(Path::new("folder/out.db")));
        assert_eq!(experiment.selections, [Path::new("folder/all.tsv")]);
        let selection = experiment.sets[2].tracks[0].selection.as_deref();
        assert_eq!(selection, Some(Path::new("folder/hard.tsv")));
    }
}
