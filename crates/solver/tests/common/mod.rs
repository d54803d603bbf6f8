//! What several tests need: a real arithmetic solver.

use std::env;
use std::fs;
use std::path::PathBuf;

use luthier_solver::arithmetic::Backend;

/// The Z3 of `LUTHIER_Z3`, of the folder where `luthier solvers install z3` puts it (the highest
/// version), or of the PATH. Without one the test fails: it would test nothing.
pub fn backend() -> Backend {
    let program = from_variable().or_else(from_cache).or_else(from_path);
    let program = program.expect(
        "these tests need Z3: run `luthier solvers install z3`, put `z3` on the PATH, or name \
         the executable in LUTHIER_Z3",
    );
    Backend { program, arguments: Vec::new() }
}

fn from_variable() -> Option<PathBuf> {
    let program = PathBuf::from(env::var_os("LUTHIER_Z3")?);
    assert!(program.is_file(), "LUTHIER_Z3 names no file: {}", program.display());
    Some(program)
}

fn from_cache() -> Option<PathBuf> {
    let cache = match env::var_os("XDG_CACHE_HOME") {
        Some(cache) => PathBuf::from(cache),
        None => PathBuf::from(env::var_os("HOME")?).join(".cache"),
    };
    let releases = fs::read_dir(cache.join("luthier/solvers/z3")).ok()?;
    let installed = releases.filter_map(Result::ok).filter_map(|release| {
        let version = release.file_name().into_string().ok()?;
        let numbers: Option<Vec<u32>> =
            version.split('.').map(|number| number.parse().ok()).collect();
        let program = release.path().join("bin/z3");
        program.is_file().then_some((numbers?, program))
    });
    installed.max().map(|(_, program)| program)
}

fn from_path() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join("z3")).find(|program| program.is_file())
}
