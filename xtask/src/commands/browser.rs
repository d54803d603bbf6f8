//! `cargo xtask browser`: the tests of the pages in a real browser.
//!
//! Installs Debian's Chromium with the project's own script if it is missing, then runs the tests
//! that ordinary test runs leave out because of it.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use super::Ending;

#[derive(clap::Args)]
pub struct Arguments {
    /// Run only tests whose names contain this
    filter: Option<String>,
    /// Do not install anything; the browser is here
    #[arg(long)]
    offline: bool,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !arguments.offline {
        let script = root.join("tools").join("install-browser");
        if !Command::new(&script).status()?.success() {
            return Err("there is no browser to test with; see the lines above".into());
        }
    }
    let mut command = Command::new("cargo");
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
