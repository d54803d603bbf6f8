//! Wheels, the packages of pip: the version in their names, and extraction of files.
//!
//! An archive is not trusted. It may have any number of members, each with another size than it
//! declares, names that lead elsewhere, and links. So extraction is limited by the declared sizes and
//! again by the bytes written; members are written to new files only, under their last name alone; a
//! link, or an invalid name, is an error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::error::ReleaseError;
use super::folder;

/// How much an archive may hold. The largest wheel of a solver so far unpacks to 140 MB in 60
/// files.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// All members, wanted or not.
    members: usize,
    /// The files that are wanted.
    files: usize,
    /// The bytes of these files.
    bytes: u64,
}

const BOUNDS: Bounds = Bounds { members: 100_000, files: 1000, bytes: 2 << 30 };

/// The version in the name of a wheel: `name-version-….whl`.
pub fn version_in_name(wheel: &Path) -> Option<&str> {
    wheel.file_name()?.to_str()?.split('-').nth(1)
}

/// Writes the files of a wheel whose path matches `pattern` into `folder`, without the folders
/// they are in, and lets them be run. Returns their paths.
pub fn unpack(wheel: &Path, pattern: &str, folder: &Path) -> Result<Vec<PathBuf>, ReleaseError> {
    unpack_within(wheel, pattern, folder, BOUNDS)
}

fn unpack_within(
    wheel: &Path,
    pattern: &str,
    folder: &Path,
    bounds: Bounds,
) -> Result<Vec<PathBuf>, ReleaseError> {
    let invalid = |problem: String| {
        ReleaseError::file(wheel)(io::Error::new(io::ErrorKind::InvalidData, problem))
    };
    let broken = |error: zip::result::ZipError| invalid(error.to_string());
    let too_large = || {
        let Bounds { files, bytes, .. } = bounds;
        invalid(format!("it unpacks to more than {files} files or {bytes} bytes"))
    };
    let file = File::open(wheel).map_err(ReleaseError::file(wheel))?;
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    if archive.len() > bounds.members {
        return Err(invalid(format!("it has {} members", archive.len())));
    }
    folder::make(folder)?;
    let mut unpacked = Vec::new();
    let mut left = bounds.bytes;
    for position in 0..archive.len() {
        let member = archive.by_index(position).map_err(broken)?;
        let whole = member.name().map_err(broken)?.into_owned();
        if member.is_dir() || !matches(pattern, &whole) {
            continue;
        }
        let name = whole.rsplit('/').next().unwrap_or_default();
        if whole.starts_with('/') || whole.split('/').any(is_invalid_name) {
            return Err(invalid(format!("`{whole}` leads out of its folder")));
        }
        if member.is_symlink() {
            return Err(invalid(format!("`{whole}` is a link")));
        }
        // What is declared is checked first, so that nothing is written in vain.
        if unpacked.len() >= bounds.files || member.size() > left {
            return Err(too_large());
        }
        let path = folder.join(name);
        // Two members of one name, or something that was there before, is an error.
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        let mut file = opened.map_err(ReleaseError::file(&path))?;
        let written = io::copy(&mut member.take(left + 1), &mut file);
        match written.map_err(ReleaseError::file(&path))? {
            written if written > left => return Err(too_large()),
            written => left -= written,
        }
        allow_to_run(&file).map_err(ReleaseError::file(&path))?;
        unpacked.push(path);
    }
    Ok(unpacked)
}

/// Whether a part of a path is no name of a file or folder.
fn is_invalid_name(part: &str) -> bool {
    part.is_empty() || part == "." || part == ".." || part.contains(['\0', '\\'])
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

    /// A wheel with these members, and a folder to unpack it into.
    fn wheel(members: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let wheel = folder.path().join("name-1.2-py3-none-any.whl");
        let mut writer = ZipWriter::new(File::create(&wheel).unwrap());
        for (name, content) in members {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        let out = folder.path().join("out");
        (folder, wheel, out)
    }

    #[test]
    fn the_wanted_files_come_out_and_nothing_leaves_the_folder() {
        let members: [(&str, &[u8]); 3] =
            [("x.data/bin/tool", b"tool"), ("x.data/bin/../..", b""), ("other/tool", b"other")];
        let (_folder, wheel, out) = wheel(&members);
        let unpacked = unpack(&wheel, "*.data/bin/*", &out).unwrap();
        assert_eq!(unpacked, [out.join("tool")]);
        assert_eq!(fs::read_to_string(&unpacked[0]).unwrap(), "tool");
        assert_eq!(version_in_name(&wheel), Some("1.2"));
        assert!(unpack(&unpacked[0], "*", &out).is_err(), "that is no archive");
    }

    #[track_caller]
    fn refused(members: &[(&str, &[u8])], bounds: Bounds, problem: &str) {
        let (_folder, wheel, out) = wheel(members);
        let error = unpack_within(&wheel, "*.data/bin/*", &out, bounds).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let zeros = vec![0; 1 << 20];
        let large: [(&str, &[u8]); 2] = [("x.data/bin/a", &zeros), ("x.data/bin/b", b"b")];
        let bounds = Bounds { members: 3, files: 2, bytes: (1 << 20) + 1 };
        let (_folder, path, out) = wheel(&large);
        assert_eq!(unpack_within(&path, "*.data/bin/*", &out, bounds).unwrap().len(), 2);
        refused(&large, Bounds { bytes: 1 << 20, ..bounds }, "more than");
        refused(&large, Bounds { files: 1, ..bounds }, "more than");
        refused(&large, Bounds { members: 1, ..bounds }, "2 members");
    }

    /// The size in the central directory is what the archive says, and it may lie.
    #[test]
    fn a_member_that_is_larger_than_it_says_is_refused() {
        let zeros = vec![0; 1 << 20];
        let (_folder, path, out) = wheel(&[("x.data/bin/a", &zeros)]);
        let mut bytes = fs::read(&path).unwrap();
        let central = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
        // The uncompressed size stands 24 bytes into the header of the central directory.
        bytes[central + 24..central + 28].copy_from_slice(&10_u32.to_le_bytes());
        fs::write(&path, bytes).unwrap();
        let bounds = Bounds { members: 1, files: 1, bytes: 1000 };
        assert!(unpack_within(&path, "*.data/bin/*", &out, bounds).is_err());
        let written = fs::metadata(out.join("a")).map_or(0, |file| file.len());
        assert!(written <= 1001, "{written} bytes were written");
    }

    #[test]
    fn links_and_names_that_lead_elsewhere_are_refused() {
        let bounds = BOUNDS;
        refused(&[("x.data/bin/..", b"x")], bounds, "leads out");
        refused(&[("x.data/bin/.", b"x")], bounds, "leads out");
        refused(&[("x.data/bin/a\\b", b"x")], bounds, "leads out");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.whl");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        let options = SimpleFileOptions::default();
        writer.add_symlink("x.data/bin/tool", "/bin/sh", options).unwrap();
        writer.finish().unwrap();
        let out = folder.path().join("out");
        let error = unpack(&path, "*.data/bin/*", &out).unwrap_err().to_string();
        assert!(error.contains("is a link"), "{error}");
        // A file that is there already is not written to, wherever it may lead.
        #[cfg(unix)]
        {
            let (_folder, path, out) = wheel(&[("x.data/bin/tool", b"new")]);
            fs::create_dir(&out).unwrap();
            let victim = out.join("victim");
            fs::write(&victim, "old").unwrap();
            std::os::unix::fs::symlink(&victim, out.join("tool")).unwrap();
            assert!(unpack(&path, "*.data/bin/*", &out).is_err());
            assert_eq!(fs::read_to_string(victim).unwrap(), "old");
        }
    }
}
