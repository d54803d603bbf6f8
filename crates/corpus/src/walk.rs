//! The walk over the named paths and the folders below them: which files are read, in which order.
//! It uses names and metadata and opens no file.
//!
//! The entries of a folder are visited in the order of their names, whatever order the file system
//! has. Folders are identified by their canonical paths, so that symbolic links cannot loop.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::format::{Compression, FileKind, classify};
use crate::{CorpusError, Options, SkipReason, Skipped};

/// A file that holds one instance or many.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) content: Content,
    pub(crate) bytes: u64,
    /// If set, only this member of the archive is read; its whole name, `ARCHIVE!member`.
    pub(crate) member: Option<String>,
}

/// What is in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Instance(Compression),
    Archive(Compression),
}

/// The sources in order: the named paths as named, the files of a folder by path.
#[derive(Debug)]
pub(crate) struct Walk {
    named: VecDeque<PathBuf>,
    /// What is still to be visited of the current folder and those above it, the next one last.
    pending: Vec<PathBuf>,
    /// The folders read below the current named path, by their real paths.
    folders_read: HashSet<PathBuf>,
}

impl Walk {
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        Walk {
            named: paths.iter().cloned().collect(),
            pending: Vec::new(),
            folders_read: HashSet::new(),
        }
    }

    /// The next source, or a path that cannot be visited.
    pub(crate) fn next(
        &mut self,
        options: &Options,
        skipped: &mut Skipped,
    ) -> Option<Result<Source, CorpusError>> {
        loop {
            let step = match self.pending.pop() {
                Some(path) => self.visit_found(path, options, skipped),
                None => {
                    let path = self.named.pop_front()?;
                    self.folders_read.clear();
                    self.visit_named(path, options, skipped)
                }
            };
            if let Some(source) = step.transpose() {
                return Some(source);
            }
        }
    }

    fn visit_named(
        &mut self,
        path: PathBuf,
        options: &Options,
        skipped: &mut Skipped,
    ) -> Result<Option<Source>, CorpusError> {
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(cause) => {
                return match named_member(&path, options) {
                    Some(source) => Ok(Some(source)),
                    None => Err(CorpusError::for_named_path(&path, cause)),
                };
            }
        };
        if metadata.is_dir() {
            self.enter_folder(path, skipped)?;
            return Ok(None);
        }
        let content = match classify(&file_name(&path), options) {
            FileKind::Instance(compression) | FileKind::Other(compression) => {
                Content::Instance(compression)
            }
            FileKind::Archive(compression) => Content::Archive(compression),
            FileKind::Foreign(ending) => return Err(CorpusError::ForeignArchive { path, ending }),
        };
        Ok(Some(Source { path, content, bytes: metadata.len(), member: None }))
    }

    fn visit_found(
        &mut self,
        path: PathBuf,
        options: &Options,
        skipped: &mut Skipped,
    ) -> Result<Option<Source>, CorpusError> {
        let name = file_name(&path);
        if name.starts_with('.') {
            skipped.record(SkipReason::Hidden, || path.display().to_string());
            return Ok(None);
        }
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(cause) => return Err(CorpusError::Unreadable { path, cause }),
        };
        if metadata.is_dir() {
            self.enter_folder(path, skipped)?;
            return Ok(None);
        }
        let content = if !metadata.is_file() {
            Err(SkipReason::NotAFile)
        } else {
            match classify(&name, options) {
                FileKind::Instance(compression) => Ok(Content::Instance(compression)),
                FileKind::Archive(compression) => Ok(Content::Archive(compression)),
                FileKind::Foreign(_) => Err(SkipReason::ForeignArchive),
                FileKind::Other(_) => Err(SkipReason::Ending),
            }
        };
        match content {
            Ok(content) => Ok(Some(Source { path, content, bytes: metadata.len(), member: None })),
            Err(reason) => {
                skipped.record(reason, || path.display().to_string());
                Ok(None)
            }
        }
    }

    /// Puts the entries of a folder on the stack, so that they are visited in the order of their
    /// names whatever order the file system has.
    fn enter_folder(&mut self, path: PathBuf, skipped: &mut Skipped) -> Result<(), CorpusError> {
        let entries = self.list_unread_folder(&path);
        match entries {
            Ok(Some(mut entries)) => {
                entries.sort_unstable();
                self.pending.extend(entries.into_iter().rev());
                Ok(())
            }
            Ok(None) => {
                skipped.record(SkipReason::FolderSeenBefore, || path.display().to_string());
                Ok(())
            }
            Err(cause) => Err(CorpusError::Unreadable { path, cause }),
        }
    }

    fn list_unread_folder(&mut self, path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
        if !self.folders_read.insert(fs::canonicalize(path)?) {
            return Ok(None);
        }
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().map(Some)
    }
}

/// Whether a path exists: a file, a folder, or the archive of a name such as `ARCHIVE!member`.
pub fn exists(path: &Path) -> bool {
    path.exists() || named_member(path, &Options::default()).is_some()
}

/// The archive of a name such as `ARCHIVE!member`, which no file has.
fn named_member(path: &Path, options: &Options) -> Option<Source> {
    let name = path.to_str()?;
    let mut archives = name.match_indices('!').map(|(position, _)| Path::new(&name[..position]));
    archives.find_map(|archive| {
        let metadata = fs::metadata(archive).ok().filter(fs::Metadata::is_file)?;
        let FileKind::Archive(compression) = classify(&file_name(archive), options) else {
            return None;
        };
        Some(Source {
            path: archive.to_owned(),
            content: Content::Archive(compression),
            bytes: metadata.len(),
            member: Some(name.to_owned()),
        })
    })
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
