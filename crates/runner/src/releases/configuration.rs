//! Names of configurations: a release with option sets, `z3@4.8.9+z3str3`, `cvc5+finite-models`.
//!
//! The grammar is `RELEASE[+OPTIONSET…]`, where RELEASE is a [`ReleaseName`].
//! * A name of solver and version has no plus sign of its own, so the first one ends it.
//! * A path may have plus signs. Only those after its last slash count, and of these only the ones
//!   at its end that a possible name of an option set follows: `./c++/z3+seq` is `./c++/z3` with
//!   `seq`, and `./z3++` is a program called `z3++`. A program that is called `z3+new` itself has
//!   to be named through a link or a folder of another name.

use std::fmt;
use std::path::MAIN_SEPARATOR;
use std::str::FromStr;

use super::name::{InvalidReleaseName, ReleaseName, is_solver_name};

/// The name of a release with the option sets that it is to be run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationName {
    /// The release.
    pub release: ReleaseName,
    /// The names of option sets of its description, in the order in which they are given.
    pub option_sets: Vec<String>,
}

/// Why a text is no name of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConfigurationName {
    /// The part before the option sets names no release.
    #[error(transparent)]
    Release(#[from] InvalidReleaseName),
    /// Something after a plus sign cannot be the name of an option set.
    #[error(
        "`{text}`: `{name}` cannot be an option set; write a release and the names of option \
         sets, as in z3@4.8.9+z3str3"
    )]
    OptionSet {
        /// The whole text.
        text: String,
        /// What stands in the place of a name.
        name: String,
    },
    /// An option set stands there twice.
    #[error("`{text}` has the option set `{name}` twice")]
    Repeated {
        /// The whole text.
        text: String,
        /// The option set.
        name: String,
    },
}

impl ConfigurationName {
    /// The release as it is, without option sets.
    pub fn plain(release: ReleaseName) -> Self {
        Self { release, option_sets: Vec::new() }
    }
}

impl FromStr for ConfigurationName {
    type Err = InvalidConfigurationName;

    fn from_str(text: &str) -> Result<Self, InvalidConfigurationName> {
        let (release, option_sets) = match end_of_folders(text) {
            Some(end) => split_path(text, end),
            None => split_name(text),
        };
        for (position, name) in option_sets.iter().enumerate() {
            let (text, name) = (text.to_owned(), (*name).to_owned());
            if !is_option_set_name(&name) {
                return Err(InvalidConfigurationName::OptionSet { text, name });
            }
            if option_sets[..position].contains(&name.as_str()) {
                return Err(InvalidConfigurationName::Repeated { text, name });
            }
        }
        let option_sets = option_sets.into_iter().map(str::to_owned).collect();
        Ok(Self { release: release.parse()?, option_sets })
    }
}

impl fmt::Display for ConfigurationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.release.fmt(f)?;
        self.option_sets.iter().try_for_each(|name| write!(f, "+{name}"))
    }
}

impl From<ReleaseName> for ConfigurationName {
    fn from(release: ReleaseName) -> Self {
        Self::plain(release)
    }
}

/// Where the name of the program begins in a path; `None` for a text that is no path.
fn end_of_folders(text: &str) -> Option<usize> {
    let path = match text.split_once('=') {
        Some((solver, _)) if is_solver_name(solver) => solver.len() + 1,
        _ => 0,
    };
    match text.rfind(['/', MAIN_SEPARATOR]) {
        Some(slash) => Some(path.max(slash + 1)),
        None => (path > 0).then_some(path),
    }
}

/// Takes option sets from the end of a path as long as there are some.
fn split_path(text: &str, end_of_folders: usize) -> (&str, Vec<&str>) {
    let mut release = text;
    let mut option_sets = Vec::new();
    while let Some((before, name)) = release.rsplit_once('+') {
        if before.len() <= end_of_folders || !is_option_set_name(name) {
            break;
        }
        option_sets.push(name);
        release = before;
    }
    option_sets.reverse();
    (release, option_sets)
}

fn split_name(text: &str) -> (&str, Vec<&str>) {
    let mut parts = text.split('+');
    (parts.next().unwrap_or(text), parts.collect())
}

/// The same characters as in names of solvers, and dots: keys of a description.
fn is_option_set_name(text: &str) -> bool {
    text.split('.').all(is_solver_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, release: &str, option_sets: &[&str]) {
        let name: ConfigurationName = text.parse().unwrap();
        assert_eq!(name.release, release.parse().unwrap(), "{text}");
        assert_eq!(name.option_sets, option_sets, "{text}");
        assert_eq!(name.to_string(), text);
    }

    #[test]
    fn option_sets_follow_solver_and_version() {
        check("z3", "z3", &[]);
        check("z3+seq", "z3", &["seq"]);
        check("z3@4.8.9+z3str3", "z3@4.8.9", &["z3str3"]);
        check("cvc5@latest+finite-models+other", "cvc5@latest", &["finite-models", "other"]);
    }

    #[test]
    fn the_plus_signs_of_a_path_are_its_own_unless_a_name_follows_the_last_ones() {
        check("./my-z3+seq", "./my-z3", &["seq"]);
        check("./c++/z3+seq+other", "./c++/z3", &["seq", "other"]);
        check("./a+b/z3", "./a+b/z3", &[]);
        check("./z3++", "./z3++", &[]);
        check("./z3+++seq", "./z3++", &["seq"]);
        check("./z3+new stuff", "./z3+new stuff", &[]);
        check("./z3+new stuff+seq", "./z3+new stuff", &["seq"]);
        check("./+seq", "./+seq", &[]);
        check("folder+seq/", "folder+seq/", &[]);
    }

    #[test]
    fn a_named_solver_at_a_path_has_option_sets_too() {
        check("z3=./z3+seq", "z3=./z3", &["seq"]);
        check("z3=z3+seq", "z3=z3", &["seq"]);
        check("z3=z3++", "z3=z3++", &[]);
        check("z3-noodler=./c++/z3", "z3-noodler=./c++/z3", &[]);
    }

    #[test]
    fn a_release_alone_is_a_configuration() {
        let release: ReleaseName = "z3@5.4.0".parse().unwrap();
        assert_eq!(ConfigurationName::from(release).to_string(), "z3@5.4.0");
    }

    #[test]
    fn what_names_no_configuration_is_rejected() {
        for (wrong, expected) in [
            ("", "`` names no release"),
            ("z3@x+seq", "`z3@x` names no release"),
            ("+seq", "`` names no release"),
            ("z3=", "`z3=` names no release"),
            ("z3+", "`z3+`: `` cannot be an option set"),
            ("z3++seq", "`z3++seq`: `` cannot be an option set"),
            ("z3@4.8.9+a b", "`z3@4.8.9+a b`: `a b` cannot be an option set"),
            ("z3+seq+seq", "`z3+seq+seq` has the option set `seq` twice"),
            ("./z3+seq+seq", "`./z3+seq+seq` has the option set `seq` twice"),
        ] {
            let error = wrong.parse::<ConfigurationName>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{wrong}: {error}");
        }
    }
}
