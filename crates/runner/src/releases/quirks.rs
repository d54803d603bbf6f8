//! Quirks: how a release deviates from the standard in what it reads and prints.
//!
//! A solver that follows SMT-LIB 2.7 needs none. The deviations of others stand in the `[[quirks]]`
//! entries of their descriptions, so that no caller, for a single formula or for a batch, knows a
//! solver by name. For each field, the first entry decides whose version range contains the release
//! and that has the field.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::find::Release;
use super::version::VersionRange;

/// What stands between two formulas that share a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Separator {
    /// The reset command, then options and logic again. Formulas are as if alone.
    #[default]
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// Each formula stands between `push` and `pop`.
    Scopes,
}

/// The quirks of some releases, as they are written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct QuirkRule {
    /// The releases.
    #[serde(default)]
    pub versions: VersionRange,
    /// The cheapest separator with which formulas do not influence each other.
    pub separator: Option<Separator>,
    /// The separator of every fourth batch of a hunt, so that another mode is tested as well.
    pub other_separator: Option<Separator>,
    /// The separator of formulas with a request for a core, whatever the batch uses.
    pub core_separator: Option<Separator>,
    /// Whether it supports `push` and `pop`.
    pub scopes: Option<bool>,
    /// The command that takes everything back, options included.
    pub reset: Option<String>,
    /// Whether declarations survive a `(reset-assertions)`, so that they must not be repeated.
    pub keeps_declarations: Option<bool>,
    /// Whether it goes on after `get-model` where there is no model; otherwise its process ends.
    pub forgives_requests: Option<bool>,
    /// Whether it answers `unknown` to queries that it can solve after one that it gave up.
    pub unknown_spoils: Option<bool>,
    /// Lines of its output that begin with one of these are no reply to anything.
    pub ignored_output: Option<Vec<String>>,
    /// Logics that stand in for others in scripts with integers, which it refuses otherwise.
    pub integer_logics: Option<BTreeMap<String, String>>,
    /// Commands that print a term with the same value in every model; `{term}` is the term. A hunt
    /// uses the first one in every second batch of terms, and the others in turn.
    pub simplify: Option<Vec<String>>,
    /// Tactics that keep equivalence: the goals that `(apply TACTIC)` prints are together equivalent
    /// to the assertion.
    pub tactics: Option<Vec<String>>,
    /// Commands with the meaning of `(check-sat)`: `(check-sat-using TACTIC)` with tactics that keep
    /// the answer. A hunt uses them in some batches, in turn.
    pub check_with: Option<Vec<String>>,
    /// Names of its own functions in printed terms, and the functions of the theory with the same
    /// values wherever the theory defines one.
    pub printed_names: Option<BTreeMap<String, String>>,
}

/// The quirks of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quirks {
    /// See [`QuirkRule::separator`].
    pub separator: Separator,
    /// See [`QuirkRule::other_separator`].
    pub other_separator: Separator,
    /// See [`QuirkRule::core_separator`]; `None`: that of the batch.
    pub core_separator: Option<Separator>,
    /// See [`QuirkRule::scopes`].
    pub scopes: bool,
    /// See [`QuirkRule::reset`].
    pub reset: String,
    /// See [`QuirkRule::keeps_declarations`].
    pub keeps_declarations: bool,
    /// See [`QuirkRule::forgives_requests`].
    pub forgives_requests: bool,
    /// See [`QuirkRule::unknown_spoils`].
    pub unknown_spoils: bool,
    /// See [`QuirkRule::ignored_output`].
    pub ignored_output: Vec<String>,
    /// See [`QuirkRule::integer_logics`].
    pub integer_logics: BTreeMap<String, String>,
    /// See [`QuirkRule::simplify`]; empty if it has no such command.
    pub simplify: Vec<String>,
    /// See [`QuirkRule::tactics`]; empty if it has none.
    pub tactics: Vec<String>,
    /// See [`QuirkRule::check_with`]; empty if it has none.
    pub check_with: Vec<String>,
    /// See [`QuirkRule::printed_names`].
    pub printed_names: BTreeMap<String, String>,
}

impl Default for Quirks {
    /// A solver that does what the standard says, of which nothing more is known.
    fn default() -> Self {
        Self {
            separator: Separator::Reset,
            other_separator: Separator::Scopes,
            core_separator: None,
            scopes: true,
            reset: "(reset)".to_owned(),
            keeps_declarations: false,
            forgives_requests: false,
            unknown_spoils: false,
            ignored_output: Vec::new(),
            integer_logics: BTreeMap::new(),
            simplify: Vec::new(),
            tactics: Vec::new(),
            check_with: Vec::new(),
            printed_names: BTreeMap::new(),
        }
    }
}

impl Quirks {
    /// `push` and `pop` where the release supports them, and otherwise its usual separator.
    pub fn scopes_if_any(&self) -> Separator {
        if self.scopes { Separator::Scopes } else { self.separator }
    }

    /// An output without the lines that are no reply.
    pub fn replies<'a>(&self, output: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        if self.ignored_output.is_empty() {
            return output.into();
        }
        let is_ignored = |line: &&[u8]| {
            let line = line.trim_ascii_start();
            self.ignored_output.iter().any(|start| line.starts_with(start.as_bytes()))
        };
        let lines = output.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_ignored(line));
        lines.collect::<Vec<&[u8]>>().concat().into()
    }
}

impl QuirkRule {
    /// What is wrong with it, if it is.
    pub(super) fn problem(&self) -> Option<String> {
        let separators = [self.separator, self.other_separator, self.core_separator];
        if self.scopes == Some(false) && separators.contains(&Some(Separator::Scopes)) {
            return Some("quirks: a separator is scopes where scopes = false".to_owned());
        }
        let reset = self.reset.as_deref().unwrap_or("(reset)");
        if !(reset.starts_with('(') && reset.ends_with(')')) || reset.contains('\n') {
            return Some(format!("quirks.reset: `{reset}` is no command on one line"));
        }
        let blank = |text: &String| text.trim().is_empty();
        if self.ignored_output.iter().flatten().any(blank) {
            return Some("quirks.ignored-output: an empty text begins every line".to_owned());
        }
        let is_command =
            |text: &String| text.starts_with('(') && text.ends_with(')') && !text.contains('\n');
        let simplifies = |text: &String| is_command(text) && text.matches("{term}").count() == 1;
        if let Some(text) = self.simplify.iter().flatten().find(|text| !simplifies(text)) {
            return Some(format!("quirks.simplify: `{text}` is no command with one {{term}}"));
        }
        None
    }
}

impl Release {
    /// Its quirks.
    pub fn quirks(&self) -> Quirks {
        let version = self.version.as_ref();
        let rules = || self.description.quirks.iter().filter(|one| one.versions.contains(version));
        fn first<'a, T: Clone + 'a>(
            mut rules: impl Iterator<Item = &'a QuirkRule>,
            field: fn(&QuirkRule) -> &Option<T>,
        ) -> Option<T> {
            rules.find_map(|rule| field(rule).clone())
        }
        let usual = Quirks::default();
        let scopes = first(rules(), |one| &one.scopes).unwrap_or(usual.scopes);
        let separator = first(rules(), |one| &one.separator).unwrap_or(usual.separator);
        let other = first(rules(), |one| &one.other_separator);
        let other = other.unwrap_or(if scopes { usual.other_separator } else { separator });
        Quirks {
            separator,
            other_separator: other,
            core_separator: first(rules(), |one| &one.core_separator),
            scopes,
            reset: first(rules(), |one| &one.reset).unwrap_or(usual.reset),
            keeps_declarations: first(rules(), |one| &one.keeps_declarations).unwrap_or(false),
            forgives_requests: first(rules(), |one| &one.forgives_requests).unwrap_or(false),
            unknown_spoils: first(rules(), |one| &one.unknown_spoils).unwrap_or(false),
            ignored_output: first(rules(), |one| &one.ignored_output).unwrap_or_default(),
            integer_logics: first(rules(), |one| &one.integer_logics).unwrap_or_default(),
            simplify: first(rules(), |one| &one.simplify).unwrap_or_default(),
            tactics: first(rules(), |one| &one.tactics).unwrap_or_default(),
            check_with: first(rules(), |one| &one.check_with).unwrap_or_default(),
            printed_names: first(rules(), |one| &one.printed_names).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::releases::{Catalogue, Origin, Program};

    fn quirks(solver: &str, version: &str) -> Quirks {
        let release = Release {
            description: Catalogue::built_in().unwrap().get(solver).unwrap().clone(),
            version: Some(version.parse().unwrap()),
            origin: Origin::Path,
            program: Program::Executable(solver.into()),
        };
        release.quirks()
    }

    #[test]
    fn quirks_follow_the_version() {
        use Separator::{Reset, ResetAssertions, Scopes};
        for (solver, version, separator, other, core) in [
            ("z3", "4.5.1", Scopes, Reset, Some(Reset)),
            ("z3", "4.8.10", Scopes, Reset, Some(Reset)),
            ("z3", "4.8.11", ResetAssertions, Scopes, Some(Reset)),
            ("z3", "5.4.0", ResetAssertions, Scopes, Some(Reset)),
            ("z3-noodler", "4.13.4", ResetAssertions, Scopes, Some(Reset)),
            ("cvc4", "1.6", Reset, Scopes, None),
            ("cvc5", "1.4.2", ResetAssertions, Scopes, None),
            ("luthier", "0.1.0", Reset, Scopes, None),
            ("ostrich", "1.4", Reset, Scopes, None),
        ] {
            let found = quirks(solver, version);
            let found = (found.separator, found.other_separator, found.core_separator);
            assert_eq!(found, (separator, other, core), "{solver} {version}");
        }
        let logics = |solver, version| quirks(solver, version).integer_logics.len();
        let found = [logics("cvc4", "1.6"), logics("cvc4", "1.8"), logics("cvc5", "1.0.3")];
        assert_eq!(found, [0, 4, 4]);
        assert!(quirks("cvc4", "1.8").unknown_spoils && !quirks("cvc5", "1.4.2").unknown_spoils);
    }

    #[test]
    fn ignored_lines_are_no_replies() {
        let ignored_output = vec!["(error \"licence".to_owned()];
        let quirks = Quirks { ignored_output, ..Quirks::default() };
        let output =
            b"(error \"licence ends soon\")\nsat\n  (error \"licence\")\n(error \"other\")\n";
        assert_eq!(&*quirks.replies(output), b"sat\n(error \"other\")\n");
        assert_eq!(&*Quirks::default().replies(output), output);
    }

    #[test]
    fn nonsense_is_refused() {
        let rule = |text: &str| toml::from_str::<QuirkRule>(text).unwrap().problem();
        assert_eq!(rule("reset = \"(restart)\"\nscopes = false"), None);
        assert!(rule("scopes = false\nseparator = \"scopes\"").is_some());
        assert!(rule("reset = \"reset\"").is_some());
        assert!(rule("ignored-output = [\" \"]").is_some());
        assert_eq!(rule("simplify = [\"(simplify {term})\"]"), None);
        assert!(rule("simplify = [\"(simplify term)\"]").is_some());
        assert!(rule("simplify = [\"simplify {term}\"]").is_some());
        assert!(toml::from_str::<QuirkRule>("separator = \"nothing\"").is_err());
    }
}
