//! The format of solver descriptions: the TOML of `solvers/*.toml`, field by field.
//!
//! Parsing is strict: a misspelt key, a wrong range or an unknown placeholder is an error with its
//! line, because a description that is silently misread makes wrong experiments.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use super::name::is_solver_name;
use super::quirks::QuirkRule;
use super::version::{Version, VersionRange};

/// A solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Description {
    /// What it is called on the command line.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The solvers with which it shares its history; its own name if nothing is said. Agreement
    /// within a family is no evidence.
    pub family: Option<String>,
    /// The names under which it is on the search path.
    pub programs: Vec<String>,
    /// It is this very program, wherever that is.
    #[serde(default)]
    pub itself: bool,
    /// How to obtain it, if Luthier cannot install it.
    pub get_it: Option<String>,
    /// How to query its version. Without this the version is unknown.
    pub version: Option<VersionQuestion>,
    /// How to install it. Without this it is found by its path only.
    pub install: Option<Install>,
    /// How to run it.
    pub run: Run,
    /// What some releases need on the command line; all that fit are given.
    #[serde(default)]
    pub options: Vec<Rule>,
    /// The dialect that a release reads and writes; the first that fits decides.
    pub dialects: Vec<DialectRule>,
    /// The options of optional capabilities.
    #[serde(default)]
    pub ask: Ask,
    /// Options that people may choose, by name.
    #[serde(default)]
    pub option_sets: BTreeMap<String, OptionSet>,
    /// Its deviations from the standard.
    #[serde(default)]
    pub quirks: Vec<QuirkRule>,
}

/// How to query the version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VersionQuestion {
    /// The command line.
    pub arguments: Vec<String>,
    /// What stands in the answer, with `{version}` in the place of the version.
    pub answer: Template,
    /// A further text that distinguishes it from solvers with the same reply.
    pub mark: Option<String>,
}

/// How to install a solver with pip.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Install {
    /// The package.
    pub package: String,
    /// The version of the package that has a version of the solver, with `{version}` in it.
    pub package_version: Template,
    /// Versions to which that does not apply.
    #[serde(default)]
    pub exceptions: BTreeMap<String, String>,
    /// The versions that can be installed.
    #[serde(default)]
    pub versions: VersionRange,
    /// What pip needs, apart from the platforms.
    #[serde(default)]
    pub pip_arguments: Vec<String>,
    /// The platforms that pip is to accept, for each kind of machine (`linux-x86_64`).
    pub platforms: BTreeMap<String, Vec<String>>,
    /// Where the executable lies in the package; `*` stands for anything but a slash.
    pub executable: Option<String>,
    /// Where the libraries of cvc5 lie in the package, if there is no executable.
    pub cvc5_libraries: Option<String>,
    /// Releases of cvc5 whose libraries run only inside Python.
    pub cvc5_binding: Option<Cvc5Binding>,
}

/// How to install releases of cvc5 that run only inside Python. pip fetches them for the version
/// of the user's Python; the libraries lie where [`Install::cvc5_libraries`] says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cvc5Binding {
    /// The releases.
    pub versions: VersionRange,
    /// Where the files of the Python module lie in the package.
    pub module: String,
}

/// How to run a solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    /// What comes before all other arguments, in programs that do more than solve.
    #[serde(default)]
    pub subcommand: Vec<String>,
    /// The command line, with `{file}` in the place of the script.
    pub arguments: Vec<Template>,
}

/// What to put on the command line or into the script for some releases.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// The releases.
    #[serde(default)]
    pub versions: VersionRange,
    /// On the command line, before the arguments of [`Run`].
    #[serde(default)]
    pub arguments: Vec<Template>,
    /// Lines at the top of the script, again after every reset.
    #[serde(default)]
    pub script: Vec<Template>,
}

/// The dialect of some releases.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DialectRule {
    /// The releases.
    #[serde(default)]
    pub versions: VersionRange,
    /// The name of the dialect.
    pub name: String,
}

/// The options of optional capabilities. In each list the first rule that fits decides;
/// a list without such a rule means that the solver cannot do it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ask {
    /// A time limit that the solver keeps itself, with `{seconds}` or `{milliseconds}`.
    #[serde(default)]
    pub time_limit: Vec<Rule>,
    /// A time limit for each query, with `{seconds}` or `{milliseconds}`: the solver answers
    /// `unknown` and goes on with the script.
    #[serde(default)]
    pub query_limit: Vec<Rule>,
    /// A seed, with `{seed}`.
    #[serde(default)]
    pub seed: Vec<Rule>,
    /// Models.
    #[serde(default)]
    pub models: Vec<Rule>,
    /// Unsatisfiable cores.
    #[serde(default)]
    pub cores: Vec<Rule>,
    /// Minimal unsatisfiable cores.
    #[serde(default)]
    pub minimal_cores: Vec<Rule>,
    /// Several queries in one script.
    #[serde(default)]
    pub incremental: Vec<Rule>,
}

/// Options that people may choose.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OptionSet {
    /// What they do, in a few words.
    pub summary: String,
    /// For experts: the solver does not promise to work with them.
    #[serde(default)]
    pub expert: bool,
    /// The releases that have them.
    #[serde(default)]
    pub versions: VersionRange,
    /// On the command line.
    #[serde(default)]
    pub arguments: Vec<Template>,
    /// Lines at the top of the script, again after every reset.
    #[serde(default)]
    pub script: Vec<Template>,
}

impl Description {
    /// The family to which it belongs.
    pub fn family(&self) -> &str {
        self.family.as_deref().unwrap_or(&self.name)
    }

    /// The name of the dialect of a version, or of one that is not known.
    pub fn dialect_of(&self, version: Option<&Version>) -> &str {
        let rule = self.dialects.iter().find(|rule| rule.versions.contains(version));
        // A description without a rule for every version is not accepted.
        rule.map_or("2.6", |rule| &rule.name)
    }

    /// The first problem that the TOML types do not exclude.
    pub(crate) fn problem(&self) -> Option<String> {
        if !is_solver_name(&self.name) {
            return Some(format!("`{}` cannot be the name of a solver", self.name));
        }
        if !self.run.arguments.iter().any(|argument| argument.has(Placeholder::File)) {
            return Some("run.arguments has no {file}".to_owned());
        }
        if self.dialects.last().is_none_or(|rule| rule.versions != VersionRange::default()) {
            return Some("dialects must end with an entry for all versions".to_owned());
        }
        if let Some(question) = &self.version
            && !question.answer.has(Placeholder::Version)
        {
            return Some("version.answer has no {version}".to_owned());
        }
        let of_quirks = || self.quirks.iter().find_map(QuirkRule::problem);
        let of_install = self.install.as_ref().and_then(Install::problem);
        of_install.or_else(of_quirks).or_else(|| self.misplaced())
    }

    /// A placeholder that has no meaning where it stands.
    fn misplaced(&self) -> Option<String> {
        let asked = &self.ask;
        let times: &[_] = &[Placeholder::Seconds, Placeholder::Milliseconds];
        let rules: [(&str, &[Rule], &[Placeholder]); 8] = [
            ("options", &self.options, &[]),
            ("ask.time-limit", &asked.time_limit, times),
            ("ask.query-limit", &asked.query_limit, times),
            ("ask.seed", &asked.seed, &[Placeholder::Seed]),
            ("ask.models", &asked.models, &[]),
            ("ask.cores", &asked.cores, &[]),
            ("ask.minimal-cores", &asked.minimal_cores, &[]),
            ("ask.incremental", &asked.incremental, &[]),
        ];
        let in_rules = rules.iter().flat_map(|&(key, rules, allowed)| {
            rules.iter().flat_map(|rule| &rule.arguments).map(move |one| (key, one, allowed))
        });
        let in_run = self.run.arguments.iter().map(|one| {
            let allowed: &[Placeholder] = &[Placeholder::File];
            ("run.arguments", one, allowed)
        });
        let in_sets = self.option_sets.values().flat_map(|set| &set.arguments).map(|one| {
            let allowed: &[Placeholder] = &[];
            ("option-sets", one, allowed)
        });
        in_rules.chain(in_run).chain(in_sets).find_map(|(key, template, allowed)| {
            let wrong = template.placeholders().find(|one| !allowed.contains(one))?;
            Some(format!("{{{}}} means nothing in {key}", wrong.name()))
        })
    }
}

impl Install {
    fn problem(&self) -> Option<String> {
        if !self.package_version.has(Placeholder::Version) {
            return Some("install.package-version has no {version}".to_owned());
        }
        if self.executable.is_some() == self.cvc5_libraries.is_some() {
            return Some("install needs either executable or cvc5-libraries".to_owned());
        }
        if self.cvc5_binding.is_some() && self.cvc5_libraries.is_none() {
            return Some("install.cvc5-binding needs install.cvc5-libraries".to_owned());
        }
        let wrong = self.exceptions.keys().find(|version| version.parse::<Version>().is_err());
        wrong.map(|version| format!("install.exceptions: `{version}` is no version"))
    }

    /// How a version is installed that runs only inside Python.
    pub fn binding_of(&self, version: &Version) -> Option<&Cvc5Binding> {
        self.cvc5_binding.as_ref().filter(|binding| binding.versions.contains(Some(version)))
    }

    /// Whether a version can be installed.
    pub fn has(&self, version: &Version) -> bool {
        self.versions.contains(Some(version)) || self.binding_of(version).is_some()
    }

    /// The versions that can be installed, for people.
    pub fn ranges(&self) -> String {
        match &self.cvc5_binding {
            Some(binding) => format!("{} and {}", binding.versions, self.versions),
            None => self.versions.to_string(),
        }
    }

    /// The version of the package that has this version of the solver.
    pub fn package_version_of(&self, version: &Version) -> String {
        let exception = self.exceptions.iter().find(|(key, _)| key.parse().as_ref() == Ok(version));
        match exception {
            Some((_, package_version)) => package_version.clone(),
            None => self.package_version.fill(&[(Placeholder::Version, &version.to_string())]),
        }
    }

    /// The version of the solver in this version of the package, if that can be installed.
    pub fn version_of_package(&self, package_version: &str) -> Option<Version> {
        let version = match self.exceptions.iter().find(|(_, value)| *value == package_version) {
            Some((version, _)) => version.parse().ok()?,
            None => self.package_version.extract(Placeholder::Version, package_version)?,
        };
        // A package that a listed exception replaces, such as one that was published again.
        let again = self.package_version_of(&version);
        (again == package_version && self.has(&version)).then_some(version)
    }
}

/// Something in braces that is filled in later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// The path of the script.
    File,
    /// A time in whole seconds.
    Seconds,
    /// A time in milliseconds.
    Milliseconds,
    /// A seed.
    Seed,
    /// A version.
    Version,
}

impl Placeholder {
    const ALL: [Self; 5] =
        [Self::File, Self::Seconds, Self::Milliseconds, Self::Seed, Self::Version];

    /// Its name between the braces.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
            Self::Seed => "seed",
            Self::Version => "version",
        }
    }
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Placeholder(Placeholder),
}

impl Template {
    /// Its placeholders.
    pub fn placeholders(&self) -> impl Iterator<Item = Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder(placeholder) => Some(*placeholder),
            Part::Text(_) => None,
        })
    }

    fn has(&self, placeholder: Placeholder) -> bool {
        self.placeholders().any(|one| one == placeholder)
    }

    /// The text with values for its placeholders. One without a value stays as it is written.
    pub fn fill(&self, values: &[(Placeholder, &str)]) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Placeholder(placeholder) => {
                let value = values.iter().find(|(one, _)| one == placeholder);
                value.map_or_else(|| format!("{{{}}}", placeholder.name()), |v| v.1.to_owned())
            }
        });
        parts.collect()
    }

    /// The version for which [`Self::fill`] gives exactly this text.
    fn extract(&self, placeholder: Placeholder, text: &str) -> Option<Version> {
        let (before, after) = self.around(placeholder)?;
        text.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?.parse().ok()
    }

    /// The version in a longer answer in which this text stands.
    pub fn find_version(&self, answer: &str) -> Option<Version> {
        let (before, _) = self.around(Placeholder::Version)?;
        let start = answer.find(before.as_str())? + before.len();
        Version::at_start_of(&answer[start..])
    }

    /// The text before and after a placeholder.
    fn around(&self, placeholder: Placeholder) -> Option<(String, String)> {
        let here = Part::Placeholder(placeholder);
        let position = self.parts.iter().position(|part| *part == here)?;
        let text = |parts: &[Part]| Self { parts: parts.to_vec() }.fill(&[]);
        Some((text(&self.parts[..position]), text(&self.parts[position + 1..])))
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fill(&[]))
    }
}

impl TryFrom<String> for Template {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let (name, after) = after.split_once('}').ok_or(format!("`{text}`: a {{ is open"))?;
            let placeholder = Placeholder::ALL.into_iter().find(|one| one.name() == name);
            let known = Placeholder::ALL.map(|one| format!("{{{}}}", one.name())).join(", ");
            let placeholder = placeholder
                .ok_or(format!("`{text}`: {{{name}}} is no placeholder; there are {known}"))?;
            parts.push(Part::Placeholder(placeholder));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self { parts })
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    /// The keys that a table may have, as the reader lists them when it meets another one.
    fn fields<T: DeserializeOwned>() -> Vec<String> {
        let error = toml::from_str::<T>("no-such-field = 1").err().map(|error| error.to_string());
        let message = error.unwrap();
        let (_, expected) = message.split_once("expected").unwrap();
        expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_reference_has_every_field() {
        let page = include_str!("../../../../docs/solvers.md");
        let tables = [
            ("### Top level", fields::<Description>()),
            ("### `[version]`", fields::<VersionQuestion>()),
            ("### `[install]`", fields::<Install>()),
            ("### `[install]`", fields::<Cvc5Binding>()),
            ("### `[run]`", fields::<Run>()),
            ("### Rules", fields::<Rule>()),
            ("### Rules", fields::<OptionSet>()),
            ("### Rules", fields::<Ask>()),
            ("### `[[dialects]]`", fields::<DialectRule>()),
            ("### `[[quirks]]`", fields::<QuirkRule>()),
        ];
        for (heading, fields) in tables {
            let (_, section) = page.split_once(heading).unwrap();
            let section = section.split("\n##").next().unwrap();
            assert!(!fields.is_empty(), "{heading}");
            for field in fields {
                assert!(section.contains(&format!("`{field}`")), "{field} in {heading}");
            }
        }
    }
}
