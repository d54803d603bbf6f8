//! Specifications of solvers as users write them: `z3@4.8.9+z3str3 smt.x=1`.
//!
//! A specification is a release with option sets of its description, followed by arguments as in a
//! shell. It is only parsed here; [`Solver::find`](crate::Solver::find) looks the release up.

use luthier_runner::releases::{ConfigurationName, ReleaseName};

use crate::AskError;

/// A solver release with options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigurationSpec {
    /// Its name in tables; by default made from the rest.
    pub name: Option<String>,
    /// The release and its option sets, `z3@4.8.9+z3str3`.
    pub solver: String,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// A seed that overrides those of the experiment.
    pub seed: Option<u64>,
}

impl ConfigurationSpec {
    /// Parses the value of `--solver`: a release with option sets, and then arguments
    /// as in a shell: `z3@4.8.9+z3str3 smt.str.fast_length_tester_cache=true`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = shell_words::split(text)
            .map_err(|_| format!("`{text}`: a quotation mark is not closed"))?
            .into_iter();
        let solver = words.next().ok_or("a solver is missing, such as z3@5.4.0")?;
        Ok(Self { solver, arguments: words.collect(), ..Self::default() })
    }

    /// The release with its option sets.
    pub fn configuration_name(&self) -> Result<ConfigurationName, AskError> {
        self.solver.parse().map_err(|error| AskError::NoSolver(format!("{error}")))
    }
}

/// The releases among these that can be installed, each once.
pub fn installable<'a>(
    specs: impl IntoIterator<Item = &'a ConfigurationSpec>,
) -> Result<Vec<ReleaseName>, AskError> {
    let mut names: Vec<ReleaseName> = Vec::new();
    for spec in specs {
        let name = spec.configuration_name()?.release;
        if matches!(name, ReleaseName::Cached { .. }) && !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_on_the_command_line_may_have_arguments() {
        let spec = ConfigurationSpec::parse("z3@4.8.9+z3str3 'a b' c").unwrap();
        assert_eq!(spec.solver, "z3@4.8.9+z3str3");
        assert_eq!(spec.arguments, ["a b", "c"]);
        assert!(ConfigurationSpec::parse("").is_err());
        assert!(ConfigurationSpec::parse("z3 'a").unwrap_err().contains("not closed"));
    }

    #[test]
    fn only_releases_with_a_version_can_be_installed_and_each_is_named_once() {
        let specs = ["z3@4.8.9", "z3@4.8.9+z3str3", "./z3", "cvc5"];
        let specs = specs.map(|text| ConfigurationSpec::parse(text).unwrap());
        let names: Vec<String> =
            installable(&specs).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(names, ["z3@4.8.9"]);
    }
}
