//! Atomic output files: written beside their place and renamed when they are complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::CliError;

/// A file on its way to the disk: written beside its place, then renamed. What is not finished
/// leaves nothing behind.
pub struct WholeFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    Beside(BufWriter<NamedTempFile>),
    /// A device or a pipe, which must not be replaced by a file.
    Directly(BufWriter<std::fs::File>),
}

impl WholeFile {
    /// A file that will be at this path.
    pub fn create(path: &Path) -> Result<Self, CliError> {
        let failed = |error: io::Error| cannot_write(path, &error);
        let is_special = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
        let target = if is_special {
            Target::Directly(BufWriter::new(std::fs::File::create(path).map_err(failed)?))
        } else {
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let mut builder = tempfile::Builder::new();
            builder.prefix(".luthier-");
            // As for any other file: what the user's mask allows.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                builder.permissions(std::fs::Permissions::from_mode(0o666));
            }
            Target::Beside(BufWriter::new(builder.tempfile_in(folder).map_err(failed)?))
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Writes what comes next.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let written = match &mut self.target {
            Target::Beside(file) => file.write_all(bytes),
            Target::Directly(file) => file.write_all(bytes),
        };
        written.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Gives it its name.
    pub fn finish(self) -> Result<(), CliError> {
        let Self { path, target } = self;
        let failed = |error: &io::Error| cannot_write(&path, error);
        match target {
            Target::Directly(mut file) => file.flush().map_err(|error| failed(&error)),
            Target::Beside(file) => {
                let file = file.into_inner().map_err(|error| failed(error.error()))?;
                file.persist(&path).map(drop).map_err(|error| failed(&error.error))
            }
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("{}: cannot be written: {error}", path.display()))
        .with_hint("is there such a folder, may you write to it, and is there room?")
}
