//! The two commands of the README share one build.
//!
//! `cargo run` builds the dependencies of one package, `cargo test --workspace` those of all, tests
//! included. A dependency of which the second asks for more features is built twice, with all that
//! uses it. So every feature that any of them needs is always on.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::Command;

type Features = BTreeMap<String, BTreeSet<String>>;

/// The features of each dependency, as cargo resolves them for a choice of packages.
fn features(choice: &[&str]) -> Result<Features, Box<dyn Error>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--prefix", "none", "--format", "{p}|{f}"])
        .args(choice)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let mut all = Features::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') else {
            continue;
        };
        let package = package.replace(" (proc-macro)", "");
        let known = all.entry(package).or_default();
        known.extend(features.split(',').filter(|one| !one.is_empty()).map(str::to_owned));
    }
    Ok(all)
}

#[test]
fn both_commands_of_the_readme_share_one_build() {
    let program = features(&["--package", "luthier", "--edges", "normal,build"]).unwrap();
    let tests = features(&["--workspace", "--edges", "normal,build,dev"]).unwrap();
    assert!(program.len() > 100, "{program:?}");
    for (package, features) in &program {
        let more: Vec<_> = tests[package].difference(features).collect();
        assert!(
            more.is_empty(),
            "tests build {package} with {more:?} in addition; turn these on in the manifest of \
             the program, as those of `syn` in crates/runner/Cargo.toml"
        );
    }
}
