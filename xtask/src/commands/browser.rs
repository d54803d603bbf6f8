//! `cargo xtask browser`: the tests of the pages in a real browser.
//!
//! Installs Debian's Chromium and axe-core (from the npm registry, into `target/`) with the
//! project's own scripts if they are missing, then runs the tests that ordinary test runs leave out
//! because of them. axe-core checks the accessibility of every page inside the browser.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use super::Ending;

/// Tells the tests where the script of axe-core is.
const AXE: &str = "LUTHIER_AXE";

#[derive(clap::Args)]
pub struct Arguments {
    /// Run only tests whose names contain this
    filter: Option<String>,
    /// Do not install anything; the browser and axe-core are here
    #[arg(long)]
    offline: bool,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let axe = root.join("target").join("axe-core");
    if !arguments.offline {
        let tools = root.join("tools");
        if !Command::new(tools.join("install-browser")).status()?.success() {
            return Err("there is no browser to test with; see the lines above".into());
        }
        if !Command::new(tools.join("install-axe")).arg(&axe).status()?.success() {
            return Err("there is no axe-core to test with; see the lines above".into());
        }
    }
    let mut command = Command::new("cargo");
    command.env(AXE, axe.join("node_modules").join("axe-core").join("axe.min.js"));
    command.current_dir(&root).args([
        "test",
        // With one package alone other features of dependencies would be chosen, and all would be
        // built again after a run of all tests.
        "--workspace",
        "--release",
        "--locked",
        "--test",
        "browser",
        "--",
        "--ignored",
        // Two browsers at once are slow enough to make tests wait for each other.
        "--test-threads=1",
    ]);
    command.args(&arguments.filter);
    Ok(if command.status()?.success() { Ending::Fine } else { Ending::Findings })
}
