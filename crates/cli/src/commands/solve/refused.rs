//! Candidate models that the referee rejected: an internal error, stored with the script for a bug
//! report.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use luthier_records::Digest;

/// Keeps a script in the folder of the user's state; says where.
pub fn keep(source: &[u8], mistakes: &[String]) -> io::Result<PathBuf> {
    let folder = folder_of_user(|name| std::env::var_os(name)).ok_or_else(|| {
        io::Error::other("there is no folder: neither XDG_STATE_HOME nor HOME is set")
    })?;
    keep_in(&folder, source, mistakes)
}

fn folder_of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    Some(state.join("luthier").join("refused-models"))
}

/// Writes comments with what is wrong, then the script as it was. A script has one file however
/// often it is solved.
fn keep_in(folder: &Path, source: &[u8], mistakes: &[String]) -> io::Result<PathBuf> {
    let mut text = format!("; luthier {}\n", env!("CARGO_PKG_VERSION"));
    for mistake in mistakes {
        // A comment ends with its line.
        let _ = writeln!(text, "; refused model: {}", mistake.replace(['\n', '\r'], " "));
    }
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}.smt2", Digest::of(source)));
    fs::write(&path, [text.as_bytes(), source].concat())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_kept_with_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let mistakes = ["flat: assertion 1 is not true\n(assert false)".to_owned()];
        let path = keep_in(&folder, b"(check-sat)\n", &mistakes).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "; refused model: flat: assertion 1 is not true (assert false)");
        assert_eq!(lines[2..], ["(check-sat)"]);
        assert_eq!(keep_in(&folder, b"(check-sat)\n", &mistakes).unwrap(), path);
    }

    #[test]
    fn the_folder_is_that_of_the_state() {
        let with = |name: &'static str| {
            folder_of_user(move |asked| (asked == name).then(|| "/folder".into()))
        };
        assert_eq!(with("XDG_STATE_HOME"), Some("/folder/luthier/refused-models".into()));
        assert_eq!(with("HOME"), Some("/folder/.local/state/luthier/refused-models".into()));
        assert_eq!(with("OTHER"), None);
    }
}
