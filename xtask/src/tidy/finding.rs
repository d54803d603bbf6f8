//! A violation of a rule of the repository: where, what, and what to do about it.

use std::fmt::{self, Display, Formatter};

/// The rules, by the names under which exceptions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Dependencies between the crates of the workspace.
    Layers,
    /// What the manifest of every crate must have.
    Manifest,
    /// How long a Rust file may be.
    Length,
    /// The `//!` header of a Rust file.
    Header,
    /// Unfinished code and switched-off tests.
    Unfinished,
    /// Line endings, tabs, white space.
    Whitespace,
    /// Paths that exist on one machine only.
    MachinePath,
    /// Names of hosts from which packages are downloaded.
    PackageHost,
    /// Links in Markdown files.
    Links,
    /// The exceptions themselves.
    Exceptions,
}

/// One thing that is untidy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the root of the repository.
    pub path: String,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// The rule that is broken.
    pub rule: Rule,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub remedy: String,
}

impl Finding {
    /// A finding; `line` is 0 if it concerns the whole file.
    pub fn new(
        rule: Rule,
        path: &str,
        line: usize,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (path, problem, remedy) = (path.to_owned(), problem.into(), remedy.into());
        Finding { path, line, rule, problem, remedy }
    }
}

impl Display for Finding {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.path)?;
        if self.line > 0 {
            write!(formatter, "{}:", self.line)?;
        }
        write!(formatter, " {}: {} [{:?}]", self.problem, self.remedy, self.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Rule};

    #[test]
    fn a_finding_names_place_problem_remedy_and_rule() {
        let finding = Finding::new(Rule::Header, "a.rs", 1, "no header", "write one");
        assert_eq!(finding.to_string(), "a.rs:1: no header: write one [Header]");
        let finding = Finding::new(Rule::Manifest, "Cargo.lock", 0, "missing", "commit it");
        assert_eq!(finding.to_string(), "Cargo.lock: missing: commit it [Manifest]");
    }
}
