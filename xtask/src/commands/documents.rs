//! `cargo xtask documents`: writes the parts of documents that are made from records in `results/`
//! and from tables of the solver.

use std::error::Error;
use std::fs;

use super::Ending;
use crate::output;
use crate::tidy::{Repository, repository_root, results};

/// Arguments of `documents`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write nothing; print what would change, and records and figures without each other
    #[arg(long)]
    check: bool,
}

/// Writes what differs, or prints it.
pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = repository_root();
    if !arguments.check {
        let repository = Repository::read(&root)?;
        for (path, text) in results::renewed(&repository)? {
            fs::write(root.join(&path), text)?;
            output::talk(format_args!("{path}: written"));
        }
    }
    let mut findings = Vec::new();
    results::check(&Repository::read(&root)?, &mut findings);
    for finding in &findings {
        output::data(finding);
    }
    Ok(if findings.is_empty() { Ending::Fine } else { Ending::Findings })
}
