//! `cargo xtask schemathesis`: tests the running server against its OpenAPI document.
//!
//! Schemathesis generates valid and invalid requests from the document, and checks that no response is
//! a server error, that statuses, media types, headers and bodies are as described, that valid requests
//! are answered and invalid ones refused. It is a Python program, which is installed into a folder of
//! its own under the target folder.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Ending;
use super::agree::build_luthier;
use super::server::Server;
use crate::output;

/// The release that is known to work.
const RELEASE: &str = "schemathesis==4.32.5";

/// A question that is too long for the server is refused with a status of its own, which Schemathesis
/// does not count as a refusal by itself.
const SETTINGS: &str = "[checks]\nnegative_data_rejection.expected-statuses = [400, 404, 414]\n";

#[derive(clap::Args)]
pub struct Arguments {
    /// How many questions are made up for each endpoint
    #[arg(long, default_value_t = 40)]
    examples: u32,
    /// What decides about the questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For how many seconds at most
    #[arg(long, default_value_t = 180)]
    seconds: u32,
    /// Ask this database instead of a small one that is made up
    #[arg(long)]
    database: Option<PathBuf>,
    /// The program that serves; built if it is not given
    #[arg(long)]
    luthier: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = match &arguments.luthier {
        Some(luthier) => luthier.canonicalize()?,
        None => build_luthier()?,
    };
    let folder = tempfile::tempdir()?;
    let database = match &arguments.database {
        Some(database) => database.clone(),
        None => made_up(folder.path())?,
    };
    let settings = folder.path().join("schemathesis.toml");
    std::fs::write(&settings, SETTINGS)?;
    let packages = install_package(RELEASE, "bin/schemathesis")?;
    let server = Server::start(&luthier, &database)?;
    let status = Command::new("python3")
        .env("PYTHONPATH", &packages)
        .arg(packages.join("bin").join("schemathesis"))
        .current_dir(folder.path())
        .arg("--config-file")
        .arg(settings)
        .arg("run")
        .arg(format!("http://{}/api/v1/openapi.json", server.address))
        .args(["--checks", "all", "--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", &arguments.examples.to_string()])
        .args(["--seed", &arguments.seed.to_string()])
        .args(["--max-time", &arguments.seconds.to_string()])
        .args(["--request-timeout", "30", "--continue-on-failure", "--no-color"])
        .status()?;
    Ok(if status.success() { Ending::Fine } else { Ending::Findings })
}

/// A small database with some of everything.
fn made_up(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let database = folder.join("sample.db");
    let made = Command::new(std::env::current_exe()?)
        .arg("sample-db")
        .arg(&database)
        .args(["--instances", "300"])
        .status()?;
    if !made.success() {
        return Err("the database to ask about could not be made".into());
    }
    Ok(database)
}

/// The folder of Python packages beside this program that has a release, and in it this file. No
/// environment is made for it, since not every Python comes with the means to make one.
pub(super) fn install_package(release: &str, file: &str) -> Result<PathBuf, Box<dyn Error>> {
    let ours = std::env::current_exe()?;
    let folder = ours.with_file_name(release.replace("==", "-"));
    if !folder.join(file).exists() {
        output::talk(format!("installing {release}"));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        // Into another folder first, so that one that is there is always whole.
        let parent = folder.parent().ok_or("this program is nowhere")?;
        let fresh = tempfile::tempdir_in(parent)?;
        let installed = Command::new("python3")
            .args(pip)
            .args(["--root-user-action", "ignore", "--target"])
            .arg(fresh.path())
            .arg(release)
            .status()
            .is_ok_and(|status| status.success());
        if !installed {
            return Err(
                format!("{release} could not be installed; it needs Python 3 with pip").into()
            );
        }
        std::fs::rename(fresh.keep(), &folder)?;
    }
    Ok(folder)
}
