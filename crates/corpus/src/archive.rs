//! Streams the members of one tar archive, without unpacking it to disk.
//!
//! `tar::Archive` lends its members for as long as it is itself borrowed, which an iterator that
//! owns the archive cannot express. So a fresh `tar::Archive` reads each member from where the last
//! one ended, and this module keeps the position. The archive format allows that: every member has
//! its own headers and begins at a multiple of 512 bytes.
//!
//! An archive without its end marker is reported as damaged, because members may be missing.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::format::{Compression, Decoded, FileKind, classify};
use crate::instances::{Instance, ReadFault, read_whole};
use crate::metered::{Meter, Metered};
use crate::{CorpusError, Options, SkipReason, Skipped};

const BLOCK: u64 = 512;

/// Headers are read in blocks of 512 bytes; without a buffer each would be a call of the
/// decompressor.
const BUFFER: usize = 1 << 18;

type Unpacked = Metered<BufReader<Decoded<Metered<File>>>>;

/// An archive that is being read.
pub(crate) struct Archive {
    path: PathBuf,
    compression: Compression,
    unpacked: Unpacked,
    position: Meter,
    /// Where the next member begins.
    next_member: u64,
    members_read: u64,
    /// If set, only the member of this name is read.
    wanted: Option<String>,
    /// The wanted member was found, or cannot be.
    is_found: bool,
}

/// A member after reading it.
enum Member {
    Instance(Vec<u8>),
    Skipped(SkipReason),
    /// Directories and headers about other members, which are not counted.
    Ignored,
    Fault(CorpusError),
}

impl Archive {
    pub(crate) fn new(
        path: &Path,
        compression: Compression,
        file: Metered<File>,
        wanted: Option<String>,
    ) -> Result<Self, CorpusError> {
        let decoded = Decoded::new(compression, file)
            .map_err(|cause| CorpusError::Unreadable { path: path.to_owned(), cause })?;
        let position = Meter::default();
        Ok(Archive {
            path: path.to_owned(),
            compression,
            unpacked: Metered::new(BufReader::with_capacity(BUFFER, decoded), position.clone()),
            position,
            next_member: 0,
            members_read: 0,
            wanted,
            is_found: false,
        })
    }

    /// The next instance. A member that cannot be read is an error and the members after it
    /// follow; damage to the archive itself is its last item.
    pub(crate) fn next(
        &mut self,
        options: &Options,
        skipped: &mut Skipped,
    ) -> Option<Result<Instance, CorpusError>> {
        if self.wanted.is_some() && self.is_found {
            return None;
        }
        loop {
            match self.read_member(options) {
                Ok(None) => {
                    let name = self.wanted.clone()?;
                    let archive = self.path.clone();
                    self.is_found = true;
                    return Some(Err(CorpusError::NoSuchMember { name, archive }));
                }
                Ok(Some((_, Member::Ignored))) => {}
                Ok(Some((name, Member::Skipped(reason)))) => skipped.record(reason, || name),
                Ok(Some((_, Member::Fault(error)))) => {
                    self.is_found = true;
                    return Some(Err(error));
                }
                Ok(Some((name, Member::Instance(bytes)))) => {
                    self.is_found = true;
                    return Some(Ok(Instance { name, bytes }));
                }
                Err(cause) => {
                    return Some(Err(CorpusError::DamagedArchive {
                        archive: self.path.clone(),
                        format: self.compression.archive_name(),
                        members: self.members_read,
                        cause,
                    }));
                }
            }
        }
    }

    fn read_member(&mut self, options: &Options) -> io::Result<Option<(String, Member)>> {
        self.go_to_next_member()?;
        let start = self.position.bytes();
        let mut archive = tar::Archive::new(&mut self.unpacked);
        let Some(entry) = archive.entries()?.next() else {
            let marker_was_read = self.position.bytes() > start;
            return self.finish(marker_was_read).map(|()| None);
        };
        let mut entry = entry?;
        // A sparse member is larger unpacked than in the archive; `size` is the unpacked size.
        let packed_size = if entry.header().entry_type().is_gnu_sparse() {
            entry.header().entry_size()?
        } else {
            entry.size()
        };
        self.next_member = self
            .position
            .bytes()
            .checked_add(packed_size)
            .and_then(|end| end.checked_next_multiple_of(BLOCK))
            .ok_or_else(|| io::Error::other("a member claims an impossible size"))?;
        let member_path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let member_path = member_path.strip_prefix("./").unwrap_or(&member_path);
        let name = format!("{}!{member_path}", self.path.display());
        if self.wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            self.members_read += 1;
            return Ok(Some((name, Member::Ignored)));
        }
        let member = match member_kind(entry.header().entry_type(), member_path, options) {
            Ok(compression) => {
                let size = entry.size();
                match read_whole(&mut entry, compression, size, options.max_instance_bytes) {
                    Ok(bytes) if compression == Compression::None && bytes.len() as u64 != size => {
                        return Err(cut_short());
                    }
                    Ok(bytes) => Member::Instance(bytes),
                    Err(fault) => member_fault(fault, &name, compression, options)?,
                }
            }
            Err(member) => member,
        };
        self.members_read += 1;
        Ok(Some((name, member)))
    }

    /// Skips what is left of the last member and its padding.
    fn go_to_next_member(&mut self) -> io::Result<()> {
        let rest = self.next_member.saturating_sub(self.position.bytes());
        let skipped = io::copy(&mut (&mut self.unpacked).take(rest), &mut io::sink())?;
        if skipped < rest { Err(cut_short()) } else { Ok(()) }
    }

    /// Reads to the end of the file, where the checksum of the compressed data is, and requires the end
    /// marker, because without it members may be missing.
    fn finish(&mut self, marker_was_read: bool) -> io::Result<()> {
        io::copy(&mut self.unpacked, &mut io::sink())?;
        if marker_was_read {
            Ok(())
        } else {
            Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the end-of-archive marker is missing",
            ))
        }
    }
}

fn cut_short() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the data of a member is cut short")
}

/// The compression of a member that is an instance; otherwise how it is treated.
fn member_kind(
    entry_type: tar::EntryType,
    member_path: &str,
    options: &Options,
) -> Result<Compression, Member> {
    // Some old archivers mark directories only by the slash.
    if entry_type.is_dir() || entry_type.is_pax_global_extensions() || member_path.ends_with('/') {
        return Err(Member::Ignored);
    }
    if !(entry_type.is_file() || entry_type.is_contiguous() || entry_type.is_gnu_sparse()) {
        return Err(Member::Skipped(SkipReason::NotAFile));
    }
    let hidden = |component: &str| component.starts_with('.') && !matches!(component, "." | "..");
    if member_path.split('/').any(hidden) {
        return Err(Member::Skipped(SkipReason::Hidden));
    }
    let file_name = member_path.rsplit('/').next().unwrap_or(member_path);
    match classify(file_name, options) {
        FileKind::Instance(compression) => Ok(compression),
        FileKind::Archive(_) => Err(Member::Skipped(SkipReason::NestedArchive)),
        FileKind::Foreign(_) => Err(Member::Skipped(SkipReason::ForeignArchive)),
        FileKind::Other(_) => Err(Member::Skipped(SkipReason::Ending)),
    }
}

/// An `Err` is a fault of the archive itself, after which nothing more can be read from it.
fn member_fault(
    fault: ReadFault,
    name: &str,
    compression: Compression,
    options: &Options,
) -> io::Result<Member> {
    let name = name.to_owned();
    match fault {
        ReadFault::TooLarge => {
            Ok(Member::Fault(CorpusError::TooLarge { name, limit: options.max_instance_bytes }))
        }
        ReadFault::Io(cause) if compression == Compression::None => Err(cause),
        ReadFault::Io(cause) => Ok(Member::Fault(CorpusError::DamagedInstance {
            name,
            format: compression.name(),
            cause,
        })),
    }
}
