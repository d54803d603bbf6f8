//! Writes many small files into a folder or into one archive.
//!
//! A file system creates some ten thousand files a second; an archive takes hundreds of thousands,
//! and this crate reads archives like folders. An archive has a temporary name until it is
//! complete, and no times or owners, so that equal files give equal archives.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

use crate::format::{Compression, FileKind, classify};
use crate::{CorpusError, Options};

/// Where files are written.
pub struct Writer {
    path: PathBuf,
    target: Target,
}

enum Target {
    Folder { last: Option<PathBuf> },
    Archive(tar::Builder<Packed>),
}

/// The compressed output of an archive.
enum Packed {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl Writer {
    /// A new folder, or a new archive if the name ends like one: `.tar`, `.tar.gz`, `.tar.zst`.
    /// A folder may exist if it is empty; an archive may not.
    pub fn create(path: &Path) -> Result<Self, CorpusError> {
        let failed = |cause| CorpusError::for_writing(path, cause);
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let target = match classify(&name, &Options::default()) {
            FileKind::Foreign(_) | FileKind::Archive(Compression::Xz) => {
                return Err(CorpusError::UnwritableArchive { path: path.to_owned() });
            }
            FileKind::Archive(compression) => {
                if path.exists() {
                    return Err(CorpusError::Occupied { path: path.to_owned() });
                }
                let file = BufWriter::new(File::create(unfinished(path)).map_err(failed)?);
                Target::Archive(tar::Builder::new(Packed::new(file, compression).map_err(failed)?))
            }
            FileKind::Instance(_) | FileKind::Other(_) => {
                fs::create_dir_all(path).map_err(failed)?;
                if fs::read_dir(path).map_err(failed)?.next().is_some() {
                    return Err(CorpusError::Occupied { path: path.to_owned() });
                }
                Target::Folder { last: None }
            }
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Adds a file. Its name is relative, with slashes.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), CorpusError> {
        match &mut self.target {
            Target::Folder { last } => {
                let path = self.path.join(name);
                let folder = path.parent().unwrap_or(&self.path);
                if last.as_deref() != Some(folder) {
                    fs::create_dir_all(folder)
                        .map_err(|cause| CorpusError::for_writing(folder, cause))?;
                    *last = Some(folder.to_owned());
                }
                fs::write(&path, bytes).map_err(|cause| CorpusError::for_writing(&path, cause))
            }
            Target::Archive(archive) => {
                // No time and no owner, so that equal files give equal archives.
                let mut header = tar::Header::new_gnu();
                header.set_size(bytes.len() as u64);
                header.set_mode(0o644);
                archive
                    .append_data(&mut header, name, bytes)
                    .map_err(|cause| CorpusError::for_writing(&self.path, cause))
            }
        }
    }

    /// Completes the archive. Until then it has a temporary name, so that an incomplete archive is not
    /// mistaken for a complete one.
    pub fn finish(self) -> Result<(), CorpusError> {
        let failed = |cause| CorpusError::for_writing(&self.path, cause);
        match self.target {
            Target::Folder { .. } => Ok(()),
            Target::Archive(archive) => {
                archive.into_inner().and_then(Packed::finish).map_err(failed)?;
                fs::rename(unfinished(&self.path), &self.path).map_err(failed)
            }
        }
    }
}

/// The name of an archive while it is written.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl Packed {
    fn new(file: BufWriter<File>, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::Gzip => Self::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Zstd => {
                Self::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
            Compression::None | Compression::Xz => Self::Plain(file),
        })
    }

    fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        };
        file.flush()
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Writer;
    use crate::{CorpusError, Options, instances};

    /// What is written is read again, from a folder and from archives of each kind.
    #[test]
    fn what_is_written_is_read_again() {
        let place = tempfile::tempdir().unwrap();
        let files = [("a/one.smt2", "(check-sat)"), ("a/two.smt2", ""), ("b/c/one.smt2", "x")];
        for name in ["folder", "x.tar", "x.tar.gz", "x.tgz", "x.tar.zst"] {
            let path = place.path().join(name);
            let mut writer = Writer::create(&path).unwrap();
            for (name, text) in files {
                writer.add(name, text.as_bytes()).unwrap();
            }
            writer.finish().unwrap();
            let paths = [path];
            let read: Vec<_> = instances(&paths, &Options::default()).map(Result::unwrap).collect();
            assert_eq!(read.len(), files.len(), "{name}");
            for (instance, (file, text)) in read.iter().zip(files) {
                assert!(instance.name.ends_with(file), "{} {file}", instance.name);
                assert_eq!(instance.bytes, text.as_bytes());
            }
            let again = Writer::create(&paths[0]);
            assert!(matches!(again, Err(CorpusError::Occupied { .. })), "{name}");
        }
    }

    #[test]
    fn the_same_files_are_the_same_archive() {
        let place = tempfile::tempdir().unwrap();
        let bytes = ["a.tar.zst", "b.tar.zst"].map(|name| {
            let path = place.path().join(name);
            let mut writer = Writer::create(&path).unwrap();
            writer.add("one.smt2", b"(check-sat)").unwrap();
            writer.finish().unwrap();
            fs::read(path).unwrap()
        });
        assert_eq!(bytes[0], bytes[1]);
    }

    #[test]
    fn an_archive_that_was_not_finished_does_not_have_its_name() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.tar");
        let mut writer = Writer::create(&path).unwrap();
        writer.add("one.smt2", b"(check-sat)").unwrap();
        drop(writer);
        assert!(!path.exists() && place.path().join("a.tar.part").exists());
        Writer::create(&path).unwrap().finish().unwrap();
        assert!(path.exists() && !place.path().join("a.tar.part").exists());
    }

    #[test]
    fn archives_that_are_not_written_are_refused() {
        let place = tempfile::tempdir().unwrap();
        for name in ["x.zip", "x.tar.xz"] {
            let refused = Writer::create(&place.path().join(name));
            assert!(matches!(refused, Err(CorpusError::UnwritableArchive { .. })), "{name}");
        }
    }
}
