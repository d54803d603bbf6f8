//! The invocation of a release: command line and script prefix for the requested options.
//!
//! A description has a list of rules for each capability (time limit, seed, models, cores, several
//! queries). The first rule whose version range contains the release applies; a capability without
//! such a rule is reported in [`Invocation::not_asked`]. The order of arguments is: subcommand,
//! general options, capabilities, option sets, the user's arguments, then those with the script.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::description::{Description, Placeholder, Rule, Template};
use super::error::ReleaseError;
use super::find::{Program, Release};

/// Options of an invocation.
#[derive(Clone, Debug, Default)]
pub struct InvocationOptions {
    /// The solver is to stop by itself after this time.
    pub time_limit: Option<Duration>,
    /// The solver is to answer `unknown` to a query on which it has worked this long, and to go
    /// on with the next. It keeps the limit itself and may be late.
    pub query_limit: Option<Duration>,
    /// The seed for its decisions.
    pub seed: Option<u64>,
    /// Request models.
    pub models: bool,
    /// Request unsatisfiable cores.
    pub cores: bool,
    /// Request minimal unsatisfiable cores.
    pub minimal_cores: bool,
    /// The script has several queries.
    pub incremental: bool,
    /// Named option sets of its description.
    pub option_sets: Vec<String>,
    /// Further arguments, as they are.
    pub arguments: Vec<String>,
}

/// An optional feature of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// A time limit.
    TimeLimit,
    /// A time limit for each query.
    QueryLimit,
    /// A seed.
    Seed,
    /// Models.
    Models,
    /// Cores.
    Cores,
    /// Minimal cores.
    MinimalCores,
    /// Several queries.
    Incremental,
}

/// How to start a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments, the script included.
    pub arguments: Vec<OsString>,
    /// Lines to put before the first line of the script.
    pub script: Vec<String>,
    /// Requested capabilities for which this release has no option.
    pub not_asked: Vec<Capability>,
}

impl InvocationOptions {
    /// Every capability, with the rules that fulfil it and the values of its placeholders.
    fn requested<'a>(&self, description: &'a Description) -> Vec<(Capability, &'a [Rule], Values)> {
        let ask = &description.ask;
        let mut requested: Vec<(Capability, &[Rule], Values)> = Vec::new();
        if let Some(limit) = self.time_limit {
            requested.push((Capability::TimeLimit, &ask.time_limit, times(limit)));
        }
        if let Some(limit) = self.query_limit {
            requested.push((Capability::QueryLimit, &ask.query_limit, times(limit)));
        }
        if let Some(seed) = self.seed {
            let values = vec![(Placeholder::Seed, seed.to_string())];
            requested.push((Capability::Seed, &ask.seed, values));
        }
        let plain: [(bool, Capability, &[Rule]); 4] = [
            (self.models, Capability::Models, &ask.models),
            // Minimal cores are cores.
            (self.cores && !self.minimal_cores, Capability::Cores, &ask.cores),
            (self.minimal_cores, Capability::MinimalCores, &ask.minimal_cores),
            (self.incremental, Capability::Incremental, &ask.incremental),
        ];
        let selector = plain.into_iter().filter(|(selector, ..)| *selector);
        requested.extend(selector.map(|(_, capability, rules)| (capability, rules, Vec::new())));
        requested
    }
}

type Values = Vec<(Placeholder, String)>;

/// A time in the units that descriptions may use. Rounded up: a limit of zero would mean no limit
/// to most solvers.
fn times(limit: Duration) -> Values {
    let milliseconds = limit.as_nanos().div_ceil(1_000_000).max(1);
    let seconds = milliseconds.div_ceil(1000);
    vec![
        (Placeholder::Seconds, seconds.to_string()),
        (Placeholder::Milliseconds, milliseconds.to_string()),
    ]
}

impl Release {
    /// The name of the dialect that it reads and writes.
    pub fn dialect(&self) -> &str {
        self.description.dialect_of(self.version.as_ref())
    }

    /// The names and summaries of the option sets that it has.
    pub fn option_sets(&self) -> impl Iterator<Item = (&str, &str)> {
        let version = self.version.as_ref();
        let sets = self.description.option_sets.iter();
        sets.filter(move |(_, set)| set.versions.contains(version))
            .map(|(name, set)| (name.as_str(), set.summary.as_str()))
    }

    /// How to run it on a script. `luthier` is the binary of Luthier, which runs releases that
    /// are libraries.
    pub fn invocation(
        &self,
        luthier: &Path,
        file: &Path,
        options: &InvocationOptions,
    ) -> Result<Invocation, ReleaseError> {
        let version = self.version.as_ref();
        let description = &*self.description;
        let mut invocation = self.start(luthier);
        invocation.arguments.extend(description.run.subcommand.iter().map(OsString::from));
        let mut add = |arguments: &[Template], script: &[Template], values: &Values| {
            let values: Vec<(Placeholder, &str)> =
                values.iter().map(|(placeholder, value)| (*placeholder, value.as_str())).collect();
            invocation.arguments.extend(arguments.iter().map(|one| one.fill(&values).into()));
            for line in script {
                let line = line.fill(&values);
                // Two capabilities may need the same line, and a solver may refuse it twice.
                if !invocation.script.contains(&line) {
                    invocation.script.push(line);
                }
            }
        };
        for rule in description.options.iter().filter(|rule| rule.versions.contains(version)) {
            add(&rule.arguments, &rule.script, &Vec::new());
        }
        let mut not_asked = Vec::new();
        for (capability, rules, values) in options.requested(description) {
            match rules.iter().find(|rule| rule.versions.contains(version)) {
                Some(rule) => add(&rule.arguments, &rule.script, &values),
                None => not_asked.push(capability),
            }
        }
        for name in &options.option_sets {
            let set = description.option_sets.get(name);
            let set = set.filter(|set| set.versions.contains(version));
            let set = set.ok_or_else(|| ReleaseError::NoOptionSet {
                release: self.label(),
                name: name.clone(),
                known: self.option_sets().map(|(name, _)| name.to_owned()).collect(),
            })?;
            add(&set.arguments, &set.script, &Vec::new());
        }
        invocation.not_asked = not_asked;
        invocation.arguments.extend(options.arguments.iter().map(OsString::from));
        for argument in &description.run.arguments {
            invocation.arguments.push(with_file(argument, file));
        }
        Ok(invocation)
    }

    /// The program with the arguments that come before all others.
    pub(crate) fn start(&self, luthier: &Path) -> Invocation {
        let (program, arguments) = self.program.start(luthier);
        Invocation { program, arguments, script: Vec::new(), not_asked: Vec::new() }
    }
}

impl Program {
    /// What to start, and its first arguments.
    pub(crate) fn start(&self, luthier: &Path) -> (PathBuf, Vec<OsString>) {
        match self {
            Self::Executable(path) => (path.clone(), Vec::new()),
            Self::Cvc5Libraries(folder) => {
                let arguments = vec!["cvc5-shell".into(), "--library".into(), folder.into()];
                (luthier.to_owned(), arguments)
            }
        }
    }
}

/// Fills in the path of the script, which need not be text.
fn with_file(argument: &Template, file: &Path) -> OsString {
    match file.to_str() {
        Some(file) => argument.fill(&[(Placeholder::File, file)]).into(),
        None if argument.to_string() == "{file}" => file.into(),
        None => argument.fill(&[(Placeholder::File, &file.to_string_lossy())]).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::releases::{Catalogue, Origin};

    fn release(solver: &str, version: Option<&str>) -> Release {
        Release {
            description: Catalogue::built_in().unwrap().get(solver).unwrap().clone(),
            version: version.map(|version| version.parse().unwrap()),
            origin: Origin::Path,
            program: Program::Executable(solver.into()),
        }
    }

    #[track_caller]
    fn check(release: &Release, options: &InvocationOptions, arguments: &str, script: &[&str]) {
        let found = release.invocation("luthier".as_ref(), "a.smt2".as_ref(), options).unwrap();
        let joined: Vec<_> = found.arguments.iter().map(|one| one.to_string_lossy()).collect();
        assert_eq!(joined.join(" "), arguments);
        assert_eq!(found.script, script);
    }

    #[test]
    fn what_a_release_needs_depends_on_its_version() {
        let options = InvocationOptions::default();
        check(&release("z3", Some("5.4.0")), &options, "-smt2 a.smt2", &[]);
        let old = release("cvc5", Some("1.3.4"));
        check(&old, &options, "--strings-exp --lang=smt2 a.smt2", &[]);
        check(&release("cvc5", Some("1.4.2")), &options, "--lang=smt2 a.smt2", &[]);
        check(&release("cvc5", None), &options, "--lang=smt2 a.smt2", &[]);
        let cvc4 = release("cvc4", Some("1.6"));
        check(&cvc4, &options, "--strings-exp --lang=smt2.6 a.smt2", &[]);
    }

    #[test]
    fn dialects_follow_the_version() {
        for (solver, version, dialect) in [
            ("z3", Some("4.5.1"), "z3-4.6.0"),
            ("z3", Some("4.8.8"), "z3-4.8.8"),
            ("z3", Some("4.8.10"), "z3-4.8.10"),
            ("z3", Some("4.8.11"), "z3"),
            ("z3", None, "z3"),
            ("cvc4", Some("1.6"), "cvc4-1.6"),
            ("cvc4", Some("1.8"), "cvc4-1.8"),
            ("cvc5", Some("1.0.3"), "cvc5"),
        ] {
            assert_eq!(release(solver, version).dialect(), dialect, "{solver} {version:?}");
        }
    }

    #[test]
    fn wishes_become_arguments_and_lines() {
        let options = InvocationOptions {
            time_limit: Some(Duration::from_millis(1500)),
            query_limit: None,
            seed: Some(7),
            models: true,
            cores: true,
            minimal_cores: true,
            incremental: true,
            option_sets: vec!["z3str3".to_owned()],
            arguments: vec!["-v:1".to_owned()],
        };
        let models = "(set-option :produce-models true)";
        let cores = "(set-option :produce-unsat-cores true)";
        check(
            &release("z3", Some("4.8.9")),
            &options,
            "-T:2 smt.random_seed=7 sat.random_seed=7 smt.core.minimize=true \
             smt.string_solver=z3str3 -v:1 -smt2 a.smt2",
            &[models, cores],
        );
        let options =
            InvocationOptions { option_sets: Vec::new(), arguments: Vec::new(), ..options };
        check(
            &release("cvc5", Some("1.4.2")),
            &options,
            "--tlimit=1500 --seed=7 --minimal-unsat-cores --incremental --lang=smt2 a.smt2",
            &[models, cores],
        );
    }

    #[test]
    fn a_query_may_have_a_limit_of_its_own() {
        let limit = Some(Duration::from_micros(1_500_001));
        let options = InvocationOptions {
            query_limit: limit,
            incremental: true,
            ..InvocationOptions::default()
        };
        for (solver, version, expected) in [
            ("z3", "4.5.1", "-t:1501 -smt2 a.smt2"),
            ("z3", "4.8.12", "-t:1501 -smt2 a.smt2"),
            ("z3", "5.4.0", "-t:1501 rlimit=1501000 -smt2 a.smt2"),
            ("z3-noodler", "4.13.4", "-t:1501 -smt2 smt.string_solver=noodler a.smt2"),
            ("cvc4", "1.6", "--strings-exp --lang=smt2.6 --tlimit-per=1501 --incremental a.smt2"),
            ("cvc5", "1.4.2", "--tlimit-per=1501 --incremental --lang=smt2 a.smt2"),
            ("luthier", "0.1.0", "solve --timeout=1501ms --dialect=2.7 a.smt2"),
        ] {
            let script: &[&str] = match solver {
                "cvc5" => &["(set-option :tlimit-per 1501)", "(set-option :incremental true)"],
                _ => &[],
            };
            check(&release(solver, Some(version)), &options, expected, script);
        }
        let ostrich = release("ostrich", None);
        let found = ostrich.invocation("".as_ref(), "a.smt2".as_ref(), &options).unwrap();
        assert_eq!(found.not_asked, [Capability::QueryLimit]);
    }

    #[test]
    fn what_cannot_be_asked_for_is_said() {
        let options = InvocationOptions {
            seed: Some(7),
            minimal_cores: true,
            ..InvocationOptions::default()
        };
        let ostrich = release("ostrich", None);
        let found = ostrich.invocation("".as_ref(), "a.smt2".as_ref(), &options).unwrap();
        assert_eq!(found.not_asked, [Capability::Seed, Capability::MinimalCores]);
    }

    #[test]
    fn option_sets_of_other_versions_are_refused() {
        let options = InvocationOptions {
            option_sets: vec!["z3str3".to_owned()],
            ..InvocationOptions::default()
        };
        let new = release("z3", Some("4.15.3"));
        let error = new.invocation("".as_ref(), "a.smt2".as_ref(), &options).unwrap_err();
        assert_eq!(error.to_string(), "z3@4.15.3 has no option set `z3str3`");
        assert_eq!(
            error.hint().as_deref(),
            Some("it has no-length-splits, no-relevancy, seq, simplex")
        );
    }

    #[test]
    fn a_library_is_run_by_luthier_itself() {
        let cvc5 = Release {
            program: Program::Cvc5Libraries("lib".into()),
            ..release("cvc5", Some("1.4.2"))
        };
        check(
            &cvc5,
            &InvocationOptions::default(),
            "cvc5-shell --library lib --lang=smt2 a.smt2",
            &[],
        );
    }
}
