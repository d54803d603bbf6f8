//! The rules of the repository that neither the compiler nor clippy nor rustfmt checks.
//!
//! Every rule is a function from the repository to findings, tested on small repositories that
//! exist only in memory. `cargo xtask tidy` prints the findings, and the test
//! `the_repository_is_tidy` fails on them.

mod exceptions;
mod finding;
mod layers;
mod links;
mod manifest;
#[cfg(test)]
mod one_build;
mod paths;
mod repository;
pub mod results;
mod rust_files;
mod text;

pub use finding::{Finding, Rule};
pub use repository::{Repository, repository_root};

/// Everything that is untidy, by path and line.
pub fn findings(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    layers::check(repository, &mut findings);
    rust_files::check(repository, &mut findings);
    text::check(repository, &mut findings);
    links::check(repository, &mut findings);
    paths::check(repository, &mut findings);
    results::check(repository, &mut findings);
    let mut findings = exceptions::apply(exceptions::EXCEPTIONS, findings);
    findings.sort();
    findings
}

#[cfg(test)]
mod tests {
    use super::{Repository, findings, repository_root};

    #[test]
    fn the_repository_is_tidy() {
        let repository = Repository::read(&repository_root()).unwrap();
        let found: Vec<String> = findings(&repository).iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "run `cargo xtask tidy`:\n{}", found.join("\n"));
    }
}
