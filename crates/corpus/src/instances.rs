//! The stream of instances: opens the files and archives of the walk one after the other, and reads
//! one instance at a time, each up to a limit of bytes.

use std::fs::File;
use std::io::{self, Read};
use std::iter::FusedIterator;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::format::{Compression, Decoded};
use crate::metered::{Meter, Metered};
use crate::walk::{Content, Source, Walk};
use crate::{CorpusError, Options, Skipped};

/// One benchmark instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Where it is: the path as given, or `ARCHIVE!member/path`. Bytes that are not UTF-8 show as
    /// replacement characters.
    pub name: String,
    /// Its text, decompressed.
    pub bytes: Vec<u8>,
}

/// Streams the instances under `paths`, in an order that depends only on names. The crate's
/// documentation says what is read.
pub fn instances(paths: &[PathBuf], options: &Options) -> Instances {
    Instances {
        walk: Walk::new(paths),
        options: options.clone(),
        skipped: Skipped::keeping(options.skipped_names_kept),
        archive: None,
        bytes_of_finished_sources: 0,
        bytes_of_source: 0,
        meter: Meter::default(),
    }
}

/// The iterator of [`instances`]. After an `Err` it continues with the next instance.
pub struct Instances {
    walk: Walk,
    options: Options,
    skipped: Skipped,
    archive: Option<Archive>,
    bytes_of_finished_sources: u64,
    bytes_of_source: u64,
    meter: Meter,
}

impl Instances {
    /// What was found and left out so far.
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// How many bytes of the files on disk are processed, out of
    /// [`Survey::bytes`](crate::Survey::bytes). This also measures progress within an archive, whose
    /// number of members is not known before it is read.
    pub fn bytes_done(&self) -> u64 {
        self.bytes_of_finished_sources + self.meter.bytes().min(self.bytes_of_source)
    }

    /// Opens a source; `None` if it is an archive, whose members come next.
    fn open(&mut self, source: Source) -> Option<Result<Instance, CorpusError>> {
        self.bytes_of_finished_sources += self.bytes_of_source;
        self.bytes_of_source = source.bytes;
        self.meter = Meter::default();
        let file = match File::open(&source.path) {
            Ok(file) => Metered::new(file, self.meter.clone()),
            Err(cause) => return Some(Err(CorpusError::for_named_path(&source.path, cause))),
        };
        match source.content {
            Content::Instance(compression) => {
                Some(read_instance(source, compression, file, self.options.max_instance_bytes))
            }
            Content::Archive(compression) => {
                match Archive::new(&source.path, compression, file, source.member) {
                    Ok(archive) => {
                        self.archive = Some(archive);
                        None
                    }
                    Err(error) => Some(Err(error)),
                }
            }
        }
    }
}

impl Iterator for Instances {
    type Item = Result<Instance, CorpusError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(archive) = &mut self.archive {
                let item = archive.next(&self.options, &mut self.skipped);
                if matches!(item, None | Some(Err(CorpusError::DamagedArchive { .. }))) {
                    self.archive = None;
                }
                if item.is_some() {
                    return item;
                }
            }
            let item = match self.walk.next(&self.options, &mut self.skipped) {
                Some(Ok(source)) => self.open(source),
                Some(Err(error)) => Some(Err(error)),
                None => {
                    self.bytes_of_finished_sources += std::mem::take(&mut self.bytes_of_source);
                    return None;
                }
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

impl FusedIterator for Instances {}

/// Why a reader could not be read to its end.
pub(crate) enum ReadFault {
    TooLarge,
    Io(io::Error),
}

/// The largest buffer that is allocated because a header claims a size.
const TRUSTED_SIZE: u64 = 16 << 20;

/// Reads everything, but never more than the limit and one byte.
///
/// `packed_size` is the size before decompression: what is too large already is not read at all.
pub(crate) fn read_whole(
    reader: impl Read,
    compression: Compression,
    packed_size: u64,
    limit: u64,
) -> Result<Vec<u8>, ReadFault> {
    if compression == Compression::None && packed_size > limit {
        return Err(ReadFault::TooLarge);
    }
    let mut bytes = Vec::with_capacity(packed_size.min(TRUSTED_SIZE) as usize);
    Decoded::new(compression, reader)
        .and_then(|decoded| decoded.take(limit.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(ReadFault::Io)?;
    if bytes.len() as u64 > limit { Err(ReadFault::TooLarge) } else { Ok(bytes) }
}

fn read_instance(
    source: Source,
    compression: Compression,
    file: Metered<File>,
    limit: u64,
) -> Result<Instance, CorpusError> {
    let Source { path, bytes: packed_size, .. } = source;
    let name = path.display().to_string();
    match read_whole(file, compression, packed_size, limit) {
        Ok(bytes) => Ok(Instance { name, bytes }),
        Err(ReadFault::TooLarge) => Err(CorpusError::TooLarge { name, limit }),
        Err(ReadFault::Io(cause)) if compression == Compression::None => {
            Err(CorpusError::Unreadable { path, cause })
        }
        Err(ReadFault::Io(cause)) => {
            Err(CorpusError::DamagedInstance { name, format: compression.name(), cause })
        }
    }
}

/// The name of an instance relative to the path of its set, which is the same on every machine; for a path
/// that is the file itself, the file name.
pub fn name_below(path: &Path, name: &str) -> String {
    let below = name.strip_prefix(&*path.to_string_lossy()).unwrap_or(name);
    let below = below.trim_start_matches(['/', '!']).trim_start_matches("./");
    match below {
        "" => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        below => below.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_depend_on_where_a_set_lies() {
        let check = |path: &str, name: &str, expected: &str| {
            assert_eq!(name_below(Path::new(path), name), expected);
        };
        check("bench", "bench/a.smt2", "a.smt2");
        check("/data/bench/", "/data/bench/x/y/a.smt2", "x/y/a.smt2");
        check("b.tar.gz", "b.tar.gz!x/a.smt2", "x/a.smt2");
        check("b.tar.gz", "b.tar.gz!./a.smt2", "a.smt2");
        check("x/a.smt2", "x/a.smt2", "a.smt2");
    }
}
