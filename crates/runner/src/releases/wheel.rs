//! Wheels, the packages of pip: what their names say, and taking files out of them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::error::ReleaseError;

/// The version that the name of a wheel says: `name-version-….whl`.
pub fn version_in_name(wheel: &Path) -> Option<&str> {
    wheel.file_name()?.to_str()?.split('-').nth(1)
}

/// Writes the files of a wheel whose path matches `pattern` into `folder`, without the folders
/// they are in, and lets them be run. Gives their paths.
pub fn unpack(wheel: &Path, pattern: &str, folder: &Path) -> Result<Vec<PathBuf>, ReleaseError> {
    let broken = |error: zip::result::ZipError| {
        ReleaseError::file(wheel)(io::Error::new(io::ErrorKind::InvalidData, error))
    };
    let file = File::open(wheel).map_err(ReleaseError::file(wheel))?;
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    fs::create_dir_all(folder).map_err(ReleaseError::file(folder))?;
    let mut unpacked = Vec::new();
    for position in 0..archive.len() {
        let mut member = archive.by_index(position).map_err(broken)?;
        // A file name cannot lead out of the folder, whatever the archive says.
        let whole = member.name().map_err(broken)?.into_owned();
        let name = match whole.rsplit_once('/') {
            _ if member.is_dir() || !matches(pattern, &whole) => continue,
            Some((_, name)) if !name.is_empty() && name != ".." => name,
            _ => continue,
        };
        let path = folder.join(name);
        let mut write = || {
            let mut file = File::create(&path)?;
            io::copy(&mut member, &mut file)?;
            allow_to_run(&file)
        };
        write().map_err(ReleaseError::file(&path))?;
        unpacked.push(path);
    }
    Ok(unpacked)
}

#[cfg(unix)]
fn allow_to_run(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn allow_to_run(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether a path matches a pattern in which `*`, at most once in each part of the path, stands
/// for anything but a slash.
fn matches(pattern: &str, path: &str) -> bool {
    let (patterns, parts) = (pattern.split('/'), path.split('/'));
    patterns.clone().count() == parts.clone().count()
        && patterns.zip(parts).all(|(pattern, part)| match pattern.split_once('*') {
            Some((before, after)) => {
                let rest = part.strip_prefix(before);
                rest.is_some_and(|rest| rest.ends_with(after))
            }
            None => pattern == part,
        })
}

/// The SHA-256 of a file, in hexadecimal digits.
pub fn sha256(path: &Path) -> Result<String, ReleaseError> {
    let hash = || -> io::Result<String> {
        let mut hasher = HashWriter(Sha256::new());
        io::copy(&mut File::open(path)?, &mut hasher)?;
        let digest = hasher.0.finalize();
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    };
    hash().map_err(ReleaseError::file(path))
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
    use std::io::Write as _;
    use zip::write::{SimpleFileOptions, ZipWriter};

    #[test]
    fn a_star_stands_for_anything_but_a_slash() {
        for (pattern, path, expected) in [
            ("*.data/data/bin/z3", "z3_solver-5.4.0.0.data/data/bin/z3", true),
            ("*.data/data/bin/z3", "z3_solver-5.4.0.0.data/data/bin/z3.exe", false),
            ("*.data/data/bin/z3", "x/y.data/data/bin/z3", false),
            ("cvc5.libs/*", "cvc5.libs/libcvc5-1.so", true),
            ("cvc5.libs/*", "cvc5.libs/more/libcvc5-1.so", false),
            ("ab*bc", "abc", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn the_wanted_files_come_out_and_nothing_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let wheel = folder.path().join("name-1.2-py3-none-any.whl");
        let mut writer = ZipWriter::new(File::create(&wheel).unwrap());
        for name in ["x.data/bin/tool", "x.data/bin/../..", "other/tool"] {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(name.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        let out = folder.path().join("out");
        let unpacked = unpack(&wheel, "*.data/bin/*", &out).unwrap();
        assert_eq!(unpacked, [out.join("tool")]);
        assert_eq!(fs::read_to_string(&unpacked[0]).unwrap(), "x.data/bin/tool");
        assert_eq!(version_in_name(&wheel), Some("1.2"));
        assert!(unpack(&unpacked[0], "*", &out).is_err(), "that is no archive");
    }

    #[test]
    fn hashes_are_those_of_the_standard() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(file.path()).unwrap(), expected);
    }
}
