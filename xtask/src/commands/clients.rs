//! `cargo xtask clients`: client libraries of other projects talk to `luthier solve` over a pipe.
//!
//! pysmt's generic SMT-LIB solver, which is installed into a folder of its own under the target
//! folder, and the crates easy-smt and rsmt2, which `clients/` builds. Each asks queries with known
//! answers, in levels, and reads models.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Ending;
use super::agree::build_luthier;
use super::schemathesis::install_package;

/// The release that is known to work.
const PYSMT: &str = "pysmt==0.9.6";

#[derive(clap::Args)]
pub struct Arguments {
    /// The program luthier, if it is not to be built
    #[arg(long)]
    luthier: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = match &arguments.luthier {
        Some(luthier) => luthier.canonicalize()?,
        None => build_luthier()?,
    };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients");
    let packages = install_package(PYSMT, "pysmt")?;
    let target = std::env::current_exe()?.with_file_name("clients");
    let python = Command::new("python3")
        .env("PYTHONPATH", &packages)
        .arg(sources.join("pysmt_client.py"))
        .arg(&luthier)
        .status()?;
    let rust = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(sources.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .arg("--")
        .arg(&luthier)
        .status()?;
    Ok(if python.success() && rust.success() { Ending::Fine } else { Ending::Findings })
}
