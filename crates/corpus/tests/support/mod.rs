//! Temporary folders and archives for the tests of the stream.
#![allow(dead_code, reason = "every test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a helper of tests may fail as a test does")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use luthier_corpus::{CorpusError, Options, SkipReason, instances};
use tempfile::TempDir;

/// What came out of a stream: names relative to the temporary folder, with the bytes as text.
#[derive(Debug)]
pub struct Seen {
    pub instances: Vec<(String, String)>,
    pub errors: Vec<CorpusError>,
    pub skipped: Vec<(String, SkipReason)>,
}

impl Seen {
    pub fn names(&self) -> Vec<&str> {
        self.instances.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// A temporary folder with short ways to fill and to read it.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, relative: &[&str]) -> Seen {
        self.read_with(relative, &Options::default())
    }

    pub fn read_with(&self, relative: &[&str], options: &Options) -> Seen {
        let paths: Vec<PathBuf> = relative.iter().map(|path| self.path(path)).collect();
        let mut stream = instances(&paths, options);
        let mut seen = Seen { instances: Vec::new(), errors: Vec::new(), skipped: Vec::new() };
        for item in &mut stream {
            match item {
                Ok(instance) => seen.instances.push((
                    self.shorten(&instance.name),
                    String::from_utf8_lossy(&instance.bytes).into_owned(),
                )),
                Err(error) => seen.errors.push(error),
            }
        }
        let skipped = stream.skipped().files().iter();
        seen.skipped = skipped.map(|file| (self.shorten(&file.name), file.reason)).collect();
        assert_eq!(stream.skipped().count(), seen.skipped.len() as u64);
        seen
    }

    fn shorten(&self, name: &str) -> String {
        let root = format!("{}/", self.0.path().display());
        name.strip_prefix(&root).unwrap_or(name).to_owned()
    }
}

/// An uncompressed archive of regular files.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A header of any type and name, for members that the builder would refuse or make otherwise.
pub fn raw_header(name: &[u8], entry_type: tar::EntryType, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(entry_type);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd_with_window(bytes, 20)
}

/// As `zstd --long=LOG` does: the window is written in the frame, so the reader must allow it.
pub fn zstd_with_window(bytes: &[u8], log: u32) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.long_distance_matching(true).unwrap();
    encoder.window_log(log).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Bytes that compress badly, so that cutting an archive in half cuts its data.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

pub fn symlink(target: &Path, link: &Path) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, link).unwrap();
    #[cfg(not(unix))]
    let _ = (target, link);
}
