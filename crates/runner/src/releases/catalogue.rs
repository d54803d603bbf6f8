//! The catalogue of solver descriptions: the embedded ones of `solvers/`, and the user's own
//! (`luthier/solvers/*.toml` in the folder of settings), which replace embedded ones of the same name.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::description::Description;
use super::error::ReleaseError;

/// The descriptions that come with Luthier, by their file names: all of `solvers/`.
const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/solvers.rs"));

/// The solvers that are known.
#[derive(Clone, Debug)]
pub struct Catalogue {
    descriptions: Vec<Arc<Description>>,
}

impl Catalogue {
    /// The solvers that come with Luthier.
    pub fn built_in() -> Result<Self, ReleaseError> {
        let mut catalogue = Self { descriptions: Vec::new() };
        for (file, text) in BUILT_IN.iter().copied() {
            catalogue.add(parse(Path::new(file), text)?);
        }
        Ok(catalogue)
    }

    /// The solvers that come with Luthier and those in the user's settings.
    pub fn of_user() -> Result<Self, ReleaseError> {
        let mut catalogue = Self::built_in()?;
        if let Some(folder) = settings_folder(|name| std::env::var_os(name)) {
            catalogue.add_folder(&folder)?;
        }
        Ok(catalogue)
    }

    /// Adds the `*.toml` of a folder; a solver that is known already is described anew. A folder
    /// that does not exist has none.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), ReleaseError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(ReleaseError::file(folder)(error)),
        };
        let files: Result<Vec<PathBuf>, io::Error> =
            entries.map(|entry| Ok(entry?.path())).collect();
        let mut files = files.map_err(ReleaseError::file(folder))?;
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        // The order of a folder is arbitrary, and of two descriptions the later one counts.
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).map_err(ReleaseError::file(&file))?;
            self.add(parse(&file, &text)?);
        }
        Ok(())
    }

    /// All solvers, those that come with Luthier first.
    pub fn descriptions(&self) -> &[Arc<Description>] {
        &self.descriptions
    }

    /// A solver by its name.
    pub fn get(&self, name: &str) -> Result<&Arc<Description>, ReleaseError> {
        self.descriptions.iter().find(|one| one.name == name).ok_or_else(|| {
            ReleaseError::UnknownSolver {
                name: name.to_owned(),
                known: self.descriptions.iter().map(|one| one.name.clone()).collect(),
            }
        })
    }

    fn add(&mut self, description: Description) {
        let description = Arc::new(description);
        match self.descriptions.iter_mut().find(|one| one.name == description.name) {
            Some(known) => *known = description,
            None => self.descriptions.push(description),
        }
    }
}

/// Reads a description.
fn parse(file: &Path, text: &str) -> Result<Description, ReleaseError> {
    let wrong = |offset: usize, message: String| {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |position| position + 1);
        ReleaseError::Description {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
        }
    };
    let description: Description = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        wrong(offset, error.message().trim_end().to_owned())
    })?;
    match description.problem() {
        Some(problem) => Err(wrong(0, problem)),
        None => Ok(description),
    }
}

/// The folder of the user's descriptions.
fn settings_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(settings.join("luthier").join("solvers"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::releases::{Placeholder, VersionRange};

    const MINIMAL: &str = "name = \"mine\"\ntitle = \"Mine\"\nprograms = [\"mine\"]\n\
                           [run]\narguments = [\"{file}\"]\n[[dialects]]\nname = \"2.6\"\n";

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = parse(Path::new("mine.toml"), text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn the_built_in_descriptions_can_be_read() {
        let catalogue = Catalogue::built_in().unwrap();
        let names: Vec<_> = catalogue.descriptions().iter().map(|one| &one.name).collect();
        assert_eq!(names, ["cvc4", "cvc5", "luthier", "ostrich", "z3", "z3-noodler"]);
    }

    #[test]
    fn together_the_built_in_descriptions_use_every_field() {
        let catalogue = Catalogue::built_in().unwrap();
        let some = |test: &dyn Fn(&Description) -> bool| {
            assert!(catalogue.descriptions().iter().any(|one| test(one)));
        };
        some(&|one| one.get_it.is_some());
        some(&|one| one.version.as_ref().is_some_and(|question| question.mark.is_some()));
        some(&|one| one.version.is_none());
        some(&|one| !one.options.is_empty());
        some(&|one| one.dialects.len() > 1);
        some(&|one| one.option_sets.values().any(|set| set.versions != VersionRange::default()));
        let install = |test: &dyn Fn(&crate::releases::Install) -> bool| {
            some(&|one| one.install.as_ref().is_some_and(test));
        };
        install(&|install| !install.exceptions.is_empty() && install.executable.is_some());
        install(&|install| install.cvc5_libraries.is_some());
        install(&|install| install.versions != VersionRange::default());
        install(&|install| !install.pip_arguments.is_empty());
        install(&|install| install.cvc5_binding.is_some());
        for one in catalogue.descriptions() {
            assert!(one.install.is_some() || one.get_it.is_some(), "{}", one.name);
            assert!(!one.ask.models.is_empty() && !one.ask.cores.is_empty());
            assert!(!one.ask.time_limit.is_empty() && !one.ask.incremental.is_empty());
        }
        some(&|one| !one.ask.seed.is_empty() && !one.ask.minimal_cores.is_empty());
        some(&|one| !one.ask.query_limit.is_empty());
    }

    #[test]
    fn versions_of_packages_and_of_solvers_are_translated_both_ways() {
        let catalogue = Catalogue::built_in().unwrap();
        let z3 = catalogue.get("z3").unwrap().install.clone().unwrap();
        for (version, package) in
            [("5.4.0", "5.4.0.0"), ("4.8.9", "4.8.9.0"), ("4.5.1", "4.5.1.0.post2")]
        {
            let version = version.parse().unwrap();
            assert_eq!(z3.package_version_of(&version), package);
            assert_eq!(z3.version_of_package(package), Some(version));
        }
        for package in ["4.5.1.0", "4.5.1.0.post1", "4.4.2.1", "nonsense"] {
            assert_eq!(z3.version_of_package(package), None, "{package}");
        }
        let cvc5 = catalogue.get("cvc5").unwrap().install.clone().unwrap();
        assert_eq!(cvc5.version_of_package("1.0.8"), None, "it has no parser");
        for (version, inside_python) in [("1.0.9", true), ("1.1.2", true), ("1.2.0", false)] {
            let version = cvc5.version_of_package(version).unwrap();
            assert_eq!(cvc5.binding_of(&version).is_some(), inside_python, "{version}");
        }
        assert_eq!(cvc5.ranges(), ">=1.0.9, <1.2.0 and >=1.2.0");
    }

    #[test]
    fn a_minimal_description_is_enough_and_errors_name_their_line() {
        assert!(parse(Path::new("mine.toml"), MINIMAL).is_ok());
        check_error(&format!("{MINIMAL}color = 1\n"), "mine.toml:8:1: unknown field `color`");
        let range = format!("{MINIMAL}versions = \"1.4\"\n");
        check_error(&range, "mine.toml:8:12: `1.4` is no range of versions");
        let placeholder = MINIMAL.replace("{file}", "{fil}");
        check_error(&placeholder, "mine.toml:5:13: `{fil}`: {fil} is no placeholder");
        check_error("name = \"mine\"\n", "mine.toml:1:1: missing field `title`");
        check_error("name = \n", "mine.toml:1:");
    }

    #[test]
    fn what_makes_no_sense_is_an_error() {
        for (from, to, expected) in [
            ("\"mine\"\nt", "\"my own\"\nt", "`my own` cannot be the name"),
            ("{file}", "file", "run.arguments has no {file}"),
            ("[\"{file}\"]", "[\"{file}\", \"{seed}\"]", "{seed} means nothing in run.arguments"),
            ("[[dialects]]\n", "[[dialects]]\nversions = \"<1\"\n", "dialects must end"),
            ("[run]", "[version]\narguments = []\nanswer = \"v\"\n[run]", "version.answer has no"),
        ] {
            assert!(MINIMAL.contains(from));
            check_error(&MINIMAL.replacen(from, to, 1), &format!("mine.toml:1:1: {expected}"));
        }
        let install =
            "[install]\npackage = \"p\"\npackage-version = \"{version}\"\nplatforms = {}\n";
        check_error(&format!("{MINIMAL}{install}"), "mine.toml:1:1: install needs either");
        let binding =
            "executable = \"e\"\n[install.cvc5-binding]\nversions = \"<1\"\nmodule = \"m\"\n";
        let expected = "mine.toml:1:1: install.cvc5-binding needs install.cvc5-libraries";
        check_error(&format!("{MINIMAL}{install}{binding}"), expected);
        let seed = "[[ask.seed]]\narguments = [\"{file}\"]\n";
        check_error(&format!("{MINIMAL}{seed}"), "mine.toml:1:1: {file} means nothing in ask.seed");
    }

    #[test]
    fn a_folder_adds_solvers_and_describes_known_ones_anew() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mine.toml"), MINIMAL).unwrap();
        let changed = MINIMAL.replace("\"mine\"\ntitle", "\"z3\"\ntitle");
        fs::write(folder.path().join("z3.toml"), changed).unwrap();
        fs::write(folder.path().join("notes.txt"), "no description").unwrap();
        let mut catalogue = Catalogue::built_in().unwrap();
        let before = catalogue.descriptions().len();
        catalogue.add_folder(folder.path()).unwrap();
        assert_eq!(catalogue.descriptions().len(), before + 1);
        assert_eq!(catalogue.get("z3").unwrap().title, "Mine");
        let run = &catalogue.get("mine").unwrap().run.arguments[0];
        assert_eq!(run.fill(&[(Placeholder::File, "a.smt2")]), "a.smt2");
        catalogue.add_folder(&folder.path().join("missing")).unwrap();
        let error = catalogue.get("nobody").unwrap_err().to_string();
        assert!(error.contains("`nobody`") && error.contains("mine"), "{error}");
    }

    #[test]
    fn the_settings_are_where_the_environment_says() {
        let with = |set: &'static str| {
            settings_folder(move |name| (name == set).then(|| OsString::from("/folder")))
        };
        assert_eq!(with("XDG_CONFIG_HOME"), Some("/folder/luthier/solvers".into()));
        assert_eq!(with("HOME"), Some("/folder/.config/luthier/solvers".into()));
        assert_eq!(with("PATH"), None);
    }
}
