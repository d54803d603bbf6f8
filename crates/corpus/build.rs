//! Generates the list of the embedded descriptions of benchmark sets, `benchmarks/*.toml`, for `include!`
//! in `sets/catalogue.rs`: describing a set is adding a file.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let folder = root.join("../../benchmarks").canonicalize()?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    // The order of a folder is arbitrary.
    files.sort_by_key(|path| path.file_stem().map(std::ffi::OsStr::to_owned));
    let mut list = String::from("[\n");
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        list.push_str(&format!("    (\"benchmarks/{name}\", include_str!({path:?})),\n"));
    }
    list.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("benchmarks.rs"), list)?;
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(())
}
