//! Finds the solver and parser libraries of cvc5 in a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The two libraries of cvc5 that are loaded. The others in their folder are found through them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Libraries {
    /// The solver.
    pub solver: PathBuf,
    /// The parser, which needs the solver.
    pub parser: PathBuf,
}

/// There are no libraries of cvc5.
#[derive(Debug, thiserror::Error)]
pub enum LibrariesError {
    /// The folder cannot be read.
    #[error("{}: {cause}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A library is not in the folder.
    #[error("{}: there is no {name} in this folder", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The library.
        name: &'static str,
    },
}

impl Libraries {
    /// Looks for the libraries in a folder. Packages put a hash into their names
    /// (`libcvc5-558d13ae.so.1.4.2`), builds do not (`libcvc5.so.1`).
    pub fn find(folder: &Path) -> Result<Self, LibrariesError> {
        let failed = |cause| LibrariesError::Folder { folder: folder.to_owned(), cause };
        let entries = fs::read_dir(folder).map_err(failed)?;
        let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
        let mut names = names.map_err(failed)?;
        names.sort();
        let find = |name: &'static str| {
            let found = names.iter().find(|file| {
                let rest = file.to_str().and_then(|file| file.strip_prefix(name));
                rest.is_some_and(|rest| {
                    rest.starts_with(['-', '.'])
                        && (rest.contains(".so") || rest.contains(".dylib"))
                })
            });
            let missing = || LibrariesError::Missing { folder: folder.to_owned(), name };
            found.map(|file| folder.join(file)).ok_or_else(missing)
        };
        Ok(Self { solver: find("libcvc5")?, parser: find("libcvc5parser")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_with_and_without_a_hash_in_their_names() {
        for [solver, parser] in [
            ["libcvc5-558d13ae.so.1.4.2", "libcvc5parser-2f6edf78.so.1.4.2"],
            ["libcvc5.so.1", "libcvc5parser.so.1"],
        ] {
            let folder = tempfile::tempdir().unwrap();
            for name in [solver, parser, "libgmp-97ca9d68.so.10.5.0", "libcvc5.txt"] {
                fs::write(folder.path().join(name), "").unwrap();
            }
            let found = Libraries::find(folder.path()).unwrap();
            assert_eq!(found.solver, folder.path().join(solver));
            assert_eq!(found.parser, folder.path().join(parser));
            fs::remove_file(found.parser).unwrap();
            let error = Libraries::find(folder.path()).unwrap_err().to_string();
            assert!(error.ends_with("there is no libcvc5parser in this folder"), "{error}");
        }
    }
}
