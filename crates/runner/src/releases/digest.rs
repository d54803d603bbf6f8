//! SHA-256 digests of files, cached for the life of the process.
//!
//! Hashing a program of a hundred megabytes takes a tenth of a second, and one command may need
//! its digest several times. The cache is keyed by file metadata: device, inode, size, and the times
//! at which content and inode last changed. A file with the same key has the same content, unless
//! the clock is set back while we run.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::error::ReleaseError;

/// The metadata of a file that identify its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

static KNOWN: Mutex<Option<HashMap<Key, String>>> = Mutex::new(None);

/// The SHA-256 of a file, in hexadecimal digits.
pub fn sha256(path: &Path) -> Result<String, ReleaseError> {
    let hash = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let key = key(&file.metadata()?);
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = key.and_then(|key| known().get_or_insert_default().get(&key).cloned())
        {
            return Ok(digest);
        }
        let mut hasher = HashWriter(Sha256::new());
        io::copy(&mut file, &mut hasher)?;
        let digest: String = hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        // One that changed while it was read is not remembered.
        if let Some(key) = key.filter(|key| key_of(&file) == Some(*key)) {
            known().get_or_insert_default().insert(key, digest.clone());
        }
        Ok(digest)
    };
    hash().map_err(ReleaseError::file(path))
}

/// The digests of all files in a folder and below it, by their paths from `root`; files whose name
/// is `except` are left out.
pub(crate) fn all_below(root: &Path, except: &str) -> Result<Vec<(PathBuf, String)>, ReleaseError> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(ReleaseError::file(&folder))? {
            let entry = entry.map_err(ReleaseError::file(&folder))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(ReleaseError::file(&path))?;
            if kind.is_dir() {
                folders.push(path);
            } else if entry.file_name() != except {
                let digest = sha256(&path)?;
                found.push((path.strip_prefix(root).unwrap_or(&path).to_owned(), digest));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(unix)]
fn key(file: &Metadata) -> Option<Key> {
    use std::os::unix::fs::MetadataExt as _;
    Some(Key {
        file: (file.dev(), file.ino()),
        size: file.size(),
        modified: (file.mtime(), file.mtime_nsec()),
        changed: (file.ctime(), file.ctime_nsec()),
    })
}

#[cfg(not(unix))]
fn key(_: &Metadata) -> Option<Key> {
    None
}

fn key_of(file: &File) -> Option<Key> {
    file.metadata().ok().as_ref().and_then(key)
}

struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard_and_follow_the_content() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(file.path()).unwrap(), expected);
        assert_eq!(sha256(file.path()).unwrap(), expected);
        // Times of files may be no finer than the clock of the kernel.
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(file.path(), "abd").unwrap();
        assert_ne!(sha256(file.path()).unwrap(), expected, "as long as before, but another one");
    }

    #[test]
    fn all_files_below_a_folder_are_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("lib/deep")).unwrap();
        for name in ["a", "lib/b", "lib/deep/c", "note"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let found = all_below(folder.path(), "note").unwrap();
        let names: Vec<_> = found.iter().map(|(path, _)| path.to_str().unwrap()).collect();
        assert_eq!(names, ["a", "lib/b", "lib/deep/c"]);
    }
}
