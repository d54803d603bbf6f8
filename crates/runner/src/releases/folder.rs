//! Permissions of folders that contain programs we execute: only their owner may write to them.
//!
//! Where the umask lets a group write, as is usual where every user has a group of his own, a
//! cache that follows it lets everybody in that group replace programs that we execute. So our
//! folders are created for their owner alone, and an older one of ours that others can write to is
//! restricted before it is used. One of another user that others can write to is refused.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::Path;

use super::error::ReleaseError;

/// Makes a folder and those above it that are missing, for us alone.
pub(crate) fn make(path: &Path) -> Result<(), ReleaseError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(ReleaseError::file(path))
}

/// Restricts write access to a folder to its owner. A missing folder is no error.
#[cfg(unix)]
pub(crate) fn restrict_to_owner(path: &Path) -> Result<(), ReleaseError> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => return Err(ReleaseError::file(path)(error)),
    };
    if found.mode() & 0o022 == 0 {
        return Ok(());
    }
    let refused = || ReleaseError::OpenToOthers { path: path.to_owned() };
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).map_err(|_| refused())
}

#[cfg(not(unix))]
pub(crate) fn restrict_to_owner(_: &Path) -> Result<(), ReleaseError> {
    Ok(())
}

pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn folders_are_ours_alone_and_become_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        make(&path).unwrap();
        assert_eq!((mode(&folder.path().join("a")), mode(&path)), (0o700, 0o700));
        for (before, after) in [(0o755, 0o755), (0o775, 0o700), (0o757, 0o700)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
            restrict_to_owner(&path).unwrap();
            assert_eq!(mode(&path), after, "{before:o}");
        }
        restrict_to_owner(&path.join("missing")).unwrap();
    }

    /// Only root can make a folder that belongs to somebody else.
    #[test]
    fn a_folder_of_somebody_else_that_others_can_write_to_is_refused() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("theirs");
        fs::create_dir(&path).unwrap();
        std::os::unix::fs::chown(&path, Some(12_345), Some(12_345)).unwrap();
        restrict_to_owner(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
        let error = restrict_to_owner(&path).unwrap_err();
        assert!(error.to_string().contains("theirs"), "{error}");
        assert!(error.hint().unwrap().contains("chmod go-w"));
        assert_eq!(mode(&path), 0o777, "it is not ours to change");
    }
}
