//! File formats by file name, and decompression.
//!
//! A file is an instance, an archive, an archive of an unsupported kind, or anything else, by its
//! extensions (`.smt2`, `.smt2.gz`, `.tar.zst`, `.zip`, …). Contents are not sniffed: a file whose
//! contents do not match its name is an error that should be reported.

use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use liblzma::bufread::XzDecoder;

use crate::Options;

/// `zstd --long=27` compresses with a window of 2^27 bytes; decompression needs as much memory.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

/// `xz -9` needs 65 MiB to decompress; this leaves room for larger dictionaries.
const XZ_MEMORY_LIMIT: u64 = 512 << 20;

/// Extensions of archives and compressed files that are not supported.
const FOREIGN_ENDINGS: [&str; 9] =
    [".zip", ".7z", ".rar", ".bz2", ".tbz2", ".tbz", ".lz4", ".lz", ".lzma"];

/// How bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
}

/// What a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// An instance by its extension, perhaps compressed.
    Instance(Compression),
    /// A tar archive, perhaps compressed.
    Archive(Compression),
    /// An archive of an unsupported kind.
    Foreign(&'static str),
    /// Anything else, perhaps compressed: read only if the user names it.
    Other(Compression),
}

impl Compression {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Compression::None => "plain",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
        }
    }

    pub(crate) fn archive_name(self) -> &'static str {
        match self {
            Compression::None => "tar archive",
            Compression::Gzip => "tar archive compressed with gzip",
            Compression::Xz => "tar archive compressed with xz",
            Compression::Zstd => "tar archive compressed with zstd",
        }
    }
}

/// The kind of a file, by the last component of its path.
pub(crate) fn classify(file_name: &str, options: &Options) -> FileKind {
    let name = file_name.to_lowercase();
    for (ending, compression) in
        [(".tgz", Compression::Gzip), (".txz", Compression::Xz), (".tzst", Compression::Zstd)]
    {
        if name.ends_with(ending) {
            return FileKind::Archive(compression);
        }
    }
    if let Some(ending) = FOREIGN_ENDINGS.into_iter().find(|ending| name.ends_with(ending)) {
        return FileKind::Foreign(ending);
    }
    let (stem, compression) = strip_compression(&name);
    if stem.ends_with(".tar") {
        FileKind::Archive(compression)
    } else if options.counts(stem) {
        FileKind::Instance(compression)
    } else {
        FileKind::Other(compression)
    }
}

fn strip_compression(name: &str) -> (&str, Compression) {
    for (ending, compression) in
        [(".gz", Compression::Gzip), (".xz", Compression::Xz), (".zst", Compression::Zstd)]
    {
        if let Some(stem) = name.strip_suffix(ending) {
            return (stem, compression);
        }
    }
    (name, Compression::None)
}

/// The bytes of `R`, decompressed.
pub(crate) enum Decoded<R: Read> {
    Plain(R),
    Gzip(Box<MultiGzDecoder<BufReader<R>>>),
    Xz(XzDecoder<BufReader<R>>),
    Zstd(zstd::Decoder<'static, BufReader<R>>),
}

impl<R: Read> Decoded<R> {
    /// Concatenated compressed streams are read as one, as the tools do.
    pub(crate) fn new(compression: Compression, reader: R) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Decoded::Plain(reader),
            Compression::Gzip => {
                Decoded::Gzip(Box::new(MultiGzDecoder::new(BufReader::new(reader))))
            }
            Compression::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(
                    XZ_MEMORY_LIMIT,
                    liblzma::stream::CONCATENATED,
                )?;
                Decoded::Xz(XzDecoder::new_stream(BufReader::new(reader), stream))
            }
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(BufReader::new(reader))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
                Decoded::Zstd(decoder)
            }
        })
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Decoded::Plain(reader) => reader.read(buffer),
            Decoded::Gzip(reader) => reader.read(buffer),
            Decoded::Xz(reader) => reader.read(buffer),
            Decoded::Zstd(reader) => reader.read(buffer).map_err(explain_zstd_window),
        }
    }
}

/// Replaces zstd's error about a window above the limit, which speaks of memory, by one that names the
/// option.
fn explain_zstd_window(cause: io::Error) -> io::Error {
    if cause.to_string().contains("requires too much memory") {
        io::Error::other("packed with a window above 128 MiB: use `zstd --long=27` or less")
    } else {
        cause
    }
}

#[cfg(test)]
mod tests {
    use super::{Compression, FileKind, classify};
    use crate::Options;

    #[track_caller]
    fn check(name: &str, expected: FileKind) {
        assert_eq!(classify(name, &Options::default()), expected, "{name}");
    }

    #[test]
    fn instances_are_recognised_by_their_extension_compressed_or_not() {
        check("a.smt2", FileKind::Instance(Compression::None));
        check("A.SMT25", FileKind::Instance(Compression::None));
        check("a.smt2.gz", FileKind::Instance(Compression::Gzip));
        check("a.smt.xz", FileKind::Instance(Compression::Xz));
        check("a.b.smt20.ZST", FileKind::Instance(Compression::Zstd));
    }

    #[test]
    fn archives_are_recognised_by_long_and_short_extensions() {
        check("a.tar", FileKind::Archive(Compression::None));
        check("a.tar.gz", FileKind::Archive(Compression::Gzip));
        check("a.TGZ", FileKind::Archive(Compression::Gzip));
        check("a.tar.xz", FileKind::Archive(Compression::Xz));
        check("a.txz", FileKind::Archive(Compression::Xz));
        check("a.smt2.tar.zst", FileKind::Archive(Compression::Zstd));
        check("a.tzst", FileKind::Archive(Compression::Zstd));
    }

    #[test]
    fn other_files_are_foreign_or_other() {
        check("a.zip", FileKind::Foreign(".zip"));
        check("a.smt2.bz2", FileKind::Foreign(".bz2"));
        check("README", FileKind::Other(Compression::None));
        check("README.gz", FileKind::Other(Compression::Gzip));
        check("atar", FileKind::Other(Compression::None));
    }
}
