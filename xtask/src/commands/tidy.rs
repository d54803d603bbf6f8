//! `cargo xtask tidy`: prints what is untidy in the repository.

use std::error::Error;
use std::path::PathBuf;

use super::Ending;
use crate::output;
use crate::tidy::{Repository, findings, repository_root};

/// Arguments of `tidy`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The repository to check instead of the one this program was built from
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

/// Prints one line for each finding.
pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = arguments.root.clone().unwrap_or_else(repository_root);
    let repository = Repository::read(&root)?;
    let found = findings(&repository);
    for finding in &found {
        output::data(finding);
    }
    if found.is_empty() {
        output::talk(format_args!("tidy: {} files, nothing to tidy", repository.paths().len()));
        Ok(Ending::Fine)
    } else {
        output::talk(format_args!("tidy: {} finding(s)", found.len()));
        Ok(Ending::Findings)
    }
}
