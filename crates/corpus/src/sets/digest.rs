//! The digest of a set: the same for a folder and for an archive of it, compressed or not.
//!
//! It is the SHA-256 of one line for each file, in the order of the bytes of the names: the SHA-256 of its
//! decompressed bytes in hexadecimal digits, two blanks, its name, a line feed. (So `sha256sum` prints these
//! lines for a plain folder.) Names have slashes, begin below the deepest folder that contains all files, and lack
//! `.gz`, `.xz` and `.zst`. What is no instance (a README, a hidden file) does not count.

use std::path::Path;

use luthier_records::{Digest, DigestBuilder};

use super::SetError;
use crate::parallel::Flow;
use crate::{Options, instances, name_below};

/// The contents of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentDigest {
    /// How many files it has.
    pub files: usize,
    /// The digest over all of them.
    pub digest: Digest,
}

/// Reads a set and computes its digest. `observe` sees the number of files and the bytes on disk so far;
/// `None` if it stopped the reading. A file that cannot be read is an error, since the digest needs all.
pub fn content_digest(
    path: &Path,
    mut observe: impl FnMut(usize, u64) -> Flow,
) -> Result<Option<ContentDigest>, SetError> {
    let mut found = instances(&[path.to_owned()], &Options::default());
    let mut files: Vec<(String, Digest)> = Vec::new();
    while let Some(next) = found.next() {
        let instance = next?;
        let mut name = name_below(path, &instance.name);
        for ending in [".gz", ".xz", ".zst"] {
            if let Some(stem) = name.strip_suffix(ending) {
                name.truncate(stem.len());
                break;
            }
        }
        files.push((name, Digest::of(&instance.bytes)));
        if observe(files.len(), found.bytes_done()) == Flow::Stop {
            return Ok(None);
        }
    }
    if files.is_empty() {
        return Err(SetError::Empty { path: path.to_owned() });
    }
    let common = common_folder(files.iter().map(|(name, _)| name.as_str())).len();
    files.sort_unstable();
    let mut digest = DigestBuilder::default();
    for (name, content) in &files {
        digest.add(format!("{content}  {}\n", &name[common..]).as_bytes());
    }
    Ok(Some(ContentDigest { files: files.len(), digest: digest.finish() }))
}

/// The deepest folder that contains all files, with the slash behind it; empty if there is none.
pub fn common_folder<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut common: Option<&str> = None;
    for name in names {
        let folder = &name[..name.rfind('/').map_or(0, |slash| slash + 1)];
        common = Some(match common {
            None => folder,
            Some(common) => {
                let equal = common.bytes().zip(folder.bytes()).take_while(|(a, b)| a == b).count();
                &common[..common.as_bytes()[..equal]
                    .iter()
                    .rposition(|&b| b == b'/')
                    .map_or(0, |slash| slash + 1)]
            }
        });
        if common == Some("") {
            break;
        }
    }
    common.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Writer;

    fn digest(path: &Path) -> ContentDigest {
        content_digest(path, |_, _| Flow::Continue).unwrap().unwrap()
    }

    #[test]
    fn a_folder_and_an_archive_of_it_have_the_same_digest() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, top: &str, texts: [&str; 3]| {
            let path = place.path().join(name);
            let mut writer = Writer::create(&path).unwrap();
            for (file, text) in ["b/two.smt2", "a/one.smt2", "a/three.smt2"].iter().zip(texts) {
                writer.add(&format!("{top}{file}"), text.as_bytes()).unwrap();
            }
            writer.finish().unwrap();
            path
        };
        let folder = digest(&write("folder", "", ["(check-sat)", "x", "y"]));
        assert_eq!(folder.files, 3);
        assert_eq!(digest(&write("s.tar.zst", "set/", ["(check-sat)", "x", "y"])), folder);
        assert_eq!(digest(&write("s.tar", "deep/set/", ["(check-sat)", "x", "y"])), folder);
        std::fs::write(place.path().join("folder/README"), "no instance").unwrap();
        assert_eq!(digest(&place.path().join("folder")), folder);
        assert_ne!(digest(&write("t.tar", "", ["(check-sat)", "y", "x"])), folder);
        assert_ne!(digest(&write("u.tar", "", ["(check-sat) ", "x", "y"])), folder);
    }

    #[test]
    fn nothing_and_damage_have_no_digest() {
        let place = tempfile::tempdir().unwrap();
        let observe = |_: usize, _: u64| Flow::Continue;
        let empty = content_digest(place.path(), observe).unwrap_err().to_string();
        assert!(empty.contains("there is no instance here"), "{empty}");
        assert!(content_digest(&place.path().join("missing"), observe).is_err());
        std::fs::write(place.path().join("cut.tar.zst"), b"no archive").unwrap();
        assert!(content_digest(&place.path().join("cut.tar.zst"), observe).is_err());
        std::fs::write(place.path().join("a.smt2"), "").unwrap();
        let stopped = content_digest(&place.path().join("a.smt2"), |_, _| Flow::Stop);
        assert_eq!(stopped.unwrap(), None);
    }

    #[test]
    fn the_common_folder_ends_at_a_slash() {
        let of = |names: &[&str]| common_folder(names.iter().copied());
        assert_eq!(of(&["a/b/x", "a/b/y"]), "a/b/");
        assert_eq!(of(&["a/bc/x", "a/bd/y"]), "a/");
        assert_eq!(of(&["a/x", "b/y"]), "");
        assert_eq!(of(&["x"]), "");
        assert_eq!(of(&[]), "");
    }
}
