//! The inputs of commands: one file, standard input, or one member of an archive.

use std::io::{self, Read as _};
use std::path::Path;

use luthier_corpus::{Instance, Options, instances};

use crate::error::CliError;

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Both inputs of a command cannot be standard input.
pub fn forbid_stdin_twice(script: &Path, model: &Path) -> Result<(), CliError> {
    if is_stdin(script) && is_stdin(model) {
        return Err(CliError::usage("the script and the model cannot both be standard input")
            .with_hint("give one of them as a file"));
    }
    Ok(())
}

/// Reads one input. Compressed files are decompressed, and a member of an archive is named as
/// `luthier parse` names it: `ARCHIVE!member`.
pub fn read_one(path: &Path) -> Result<Instance, CliError> {
    if is_stdin(path) {
        return read_stdin();
    }
    if path.is_dir() {
        let message = format!("{}: expected a file, found a folder", path.display());
        return Err(CliError::usage(message).with_hint("name one file in it"));
    }
    let mut found = instances(&[path.to_owned()], &Options::default());
    let first = match found.next() {
        Some(Ok(instance)) => instance,
        Some(Err(error)) => return Err(CliError::usage(error.to_string())),
        None => return Err(choose_member(path, "there is no script in this archive")),
    };
    match found.next() {
        None => Ok(first),
        Some(_) => Err(choose_member(path, "expected one file, found an archive")),
    }
}

fn read_stdin() -> Result<Instance, CliError> {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Instance { name: "<stdin>".to_owned(), bytes }),
        Err(error) => Err(CliError::usage(format!("standard input cannot be read: {error}"))),
    }
}

fn choose_member(path: &Path, problem: &str) -> CliError {
    let path = path.display();
    CliError::usage(format!("{path}: {problem}"))
        .with_hint(format!("name one member of it as {path}!folder/file.smt2"))
}
