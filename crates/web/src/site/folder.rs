//! The folder of a site: which one may be written, and how it changes from one export to the next.
//!
//! A folder is taken if it is new, empty or an earlier export, which the file [`MANIFEST`] (or, if that
//! export was cut off, [`JOURNAL`]) says. Otherwise nothing is touched. While an export is under way, the
//! journal lists every file of both exports, and there is no `index.html`: whoever looks at a half site
//! sees that it is none. Files that would not change are left alone, those of the earlier export that are
//! no longer wanted are removed, files of others stay. The last steps are the first page, the manifest, and
//! the end of the journal.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::SiteError;

/// Lists the files of a whole site.
pub(super) const MANIFEST: &str = "luthier-site.json";
/// Lists the files of a site that is being written.
pub(super) const JOURNAL: &str = "luthier-site.unfinished";
/// The first page, which is written last.
pub(super) const FIRST_PAGE: &str = "index.html";
/// The first page of the earlier export, until there is another.
const EARLIER: &str = "index.html.earlier";
/// The first line of a journal.
const JOURNAL_HEAD: &str = "luthier site, not finished: export it again";
const FORMAT: u32 = 1;

/// The manifest.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    luthier_site: u32,
    files: BTreeMap<String, Listed>,
}

/// A file in the manifest.
#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    /// Its length.
    bytes: u64,
    /// The address at which the server shows the same; none for data that only the script reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

/// What an export wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// All files of the site.
    pub files: usize,
    /// Their lengths together.
    pub bytes: u64,
    /// How many of them are new or different.
    pub changed: usize,
    /// How many files of the earlier export were removed.
    pub removed: usize,
}

/// A folder that is being written.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    journal: BufWriter<File>,
    /// Files of the earlier export, and of one that was cut off.
    earlier: Vec<String>,
    files: BTreeMap<String, Listed>,
    changed: usize,
}

/// An error if a folder may not be written.
pub(super) fn check(path: &Path) -> Result<(), SiteError> {
    if path.exists() { earlier_files(path).map(drop) } else { Ok(()) }
}

impl Folder {
    /// Takes a folder, and marks what is in it as unfinished.
    pub fn open(path: &Path) -> Result<Self, SiteError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |cause| SiteError::Write { path, cause }
        };
        fs::create_dir_all(path).map_err(at(path))?;
        let earlier = earlier_files(path)?;
        let journal_path = path.join(JOURNAL);
        let mut journal = BufWriter::new(File::create(&journal_path).map_err(at(&journal_path))?);
        let mut head = format!("{JOURNAL_HEAD}\n");
        for name in &earlier {
            head.push_str(name);
            head.push('\n');
        }
        journal.write_all(head.as_bytes()).map_err(at(&journal_path))?;
        journal.flush().map_err(at(&journal_path))?;
        let first = path.join(FIRST_PAGE);
        if first.is_file() {
            fs::rename(&first, path.join(EARLIER)).map_err(at(&first))?;
        }
        Ok(Self { path: path.to_owned(), journal, earlier, files: BTreeMap::new(), changed: 0 })
    }

    /// Writes a file, unless it is there already.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), SiteError> {
        self.write_page(name, None, bytes)
    }

    /// Writes what the server shows at an address.
    pub fn write_page(
        &mut self,
        name: &str,
        address: Option<&str>,
        bytes: &[u8],
    ) -> Result<(), SiteError> {
        debug_assert!(name != FIRST_PAGE, "the first page is written by `finish`");
        self.record(name, address, bytes)?;
        self.replace(name, name, bytes)
    }

    /// Writes the first page and ends the export.
    pub fn finish(mut self, first_page: &[u8]) -> Result<Written, SiteError> {
        self.record(FIRST_PAGE, Some("/"), first_page)?;
        let mut removed = 0;
        for name in &self.earlier {
            if !self.files.contains_key(name) {
                removed += usize::from(self.remove(name)?);
            }
        }
        let manifest = Manifest { luthier_site: FORMAT, files: std::mem::take(&mut self.files) };
        let mut text = serde_json::to_string_pretty(&manifest).map_err(|error| {
            SiteError::Page { address: MANIFEST.to_owned(), cause: error.to_string() }
        })?;
        text.push('\n');
        self.replace(MANIFEST, MANIFEST, text.as_bytes())?;
        self.replace(EARLIER, FIRST_PAGE, first_page)?;
        let journal = self.path.join(JOURNAL);
        fs::remove_file(&journal).map_err(|cause| SiteError::Write { path: journal, cause })?;
        let bytes = manifest.files.values().map(|file| file.bytes).sum::<u64>() + text.len() as u64;
        Ok(Written { files: manifest.files.len() + 1, bytes, changed: self.changed, removed })
    }

    /// Says in the journal that there will be such a file.
    fn record(&mut self, name: &str, address: Option<&str>, bytes: &[u8]) -> Result<(), SiteError> {
        let is_plain = |part: &str| {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            !part.is_empty() && !part.starts_with('.') && part.bytes().all(allowed)
        };
        if !name.split('/').all(is_plain) || self.files.contains_key(name) {
            let cause = "its file name is wrong or taken".to_owned();
            return Err(SiteError::Page { address: name.to_owned(), cause });
        }
        let listed = Listed { bytes: bytes.len() as u64, address: address.map(str::to_owned) };
        self.files.insert(name.to_owned(), listed);
        let path = self.path.join(JOURNAL);
        let written = writeln!(self.journal, "{name}").and_then(|()| self.journal.flush());
        written.map_err(|cause| SiteError::Write { path, cause })
    }

    /// Makes `name` a file with these bytes. If `earlier` has them already, that is it.
    fn replace(&mut self, earlier: &str, name: &str, bytes: &[u8]) -> Result<(), SiteError> {
        let path = self.path.join(name);
        let write = || -> io::Result<bool> {
            if let Some((folder, _)) = name.rsplit_once('/') {
                self.make_folder(folder)?;
            }
            let before = self.path.join(earlier);
            let is_same = is_file_with(&before, bytes)?;
            if is_same && before != path {
                fs::rename(&before, &path)?;
            } else if !is_same {
                // A reader sees the old file or the new one.
                let part = path.with_added_extension("part");
                fs::write(&part, bytes)?;
                fs::rename(&part, &path)?;
                if before != path && before.is_file() {
                    fs::remove_file(&before)?;
                }
            }
            Ok(!is_same)
        };
        let is_changed = write().map_err(|cause| SiteError::Write { path, cause })?;
        self.changed += usize::from(is_changed);
        Ok(())
    }

    /// Makes a folder below the site; a link there could lead out of it.
    fn make_folder(&self, name: &str) -> io::Result<()> {
        let mut path = self.path.clone();
        for part in name.split('/') {
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(io::Error::other(
                        "something that is no folder stands in its place",
                    ));
                }
                Err(_) => fs::create_dir(&path)?,
            }
        }
        Ok(())
    }

    /// Removes a file of the earlier export, and its folder if that is empty then.
    fn remove(&self, name: &str) -> Result<bool, SiteError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(cause) => return Err(SiteError::Write { path, cause }),
        }
        if let Some((folder, _)) = name.rsplit_once('/') {
            // It stays as long as something is in it.
            let _ = fs::remove_dir(self.path.join(folder));
        }
        Ok(true)
    }
}

/// The files of the earlier export; an error if the folder is not one.
fn earlier_files(path: &Path) -> Result<Vec<String>, SiteError> {
    let read = |name: &str| match fs::read_to_string(path.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(SiteError::Write { path: path.join(name), cause }),
    };
    let foreign = || SiteError::NotOurs { path: path.to_owned() };
    let mut files = Vec::new();
    let (manifest, journal) = (read(MANIFEST)?, read(JOURNAL)?);
    if manifest.is_none() && journal.is_none() {
        let mut entries = fs::read_dir(path)
            .map_err(|cause| SiteError::Write { path: path.to_owned(), cause })?;
        return if entries.next().is_none() { Ok(files) } else { Err(foreign()) };
    }
    if let Some(text) = manifest {
        let manifest: Manifest = serde_json::from_str(&text).map_err(|_| foreign())?;
        if manifest.luthier_site != FORMAT {
            return Err(foreign());
        }
        files.extend(manifest.files.into_keys());
    }
    if let Some(text) = journal {
        let mut lines = text.lines();
        if lines.next().is_some_and(|head| head != JOURNAL_HEAD) {
            return Err(foreign());
        }
        // The last line may have been cut off.
        files.extend(
            text.split_inclusive('\n')
                .skip(1)
                .filter_map(|line| line.strip_suffix('\n'))
                .map(str::to_owned),
        );
    }
    // A manifest comes from anybody who can write to the folder; names that lead out of it do not count.
    let is_inside = |name: &String| {
        !name.is_empty()
            && name.split('/').all(|part| !part.is_empty() && part != ".." && part != ".")
    };
    files.retain(is_inside);
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

fn is_file_with(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && found.len() == bytes.len() as u64 => {
            Ok(fs::read(path)? == bytes)
        }
        Ok(found) if found.is_dir() => Err(io::Error::other("a folder stands in its place")),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_PAGE, Folder, JOURNAL, MANIFEST};
    use crate::site::SiteError;

    fn export(path: &std::path::Path, files: &[(&str, &str)]) -> super::Written {
        let mut folder = Folder::open(path).unwrap();
        for (name, text) in files {
            folder.write(name, text.as_bytes()).unwrap();
        }
        folder.finish(b"first").unwrap()
    }

    #[test]
    fn a_second_export_replaces_what_differs_and_removes_what_is_gone() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("site");
        let first = export(&path, &[("set/1.html", "one"), ("set/2.html", "two"), ("x.csv", "x")]);
        assert_eq!((first.files, first.changed, first.removed), (5, 5, 0));
        std::fs::write(path.join("CNAME"), "of the user").unwrap();
        let when = |name: &str| std::fs::metadata(path.join(name)).unwrap().modified().unwrap();
        let before = (when("x.csv"), when(FIRST_PAGE));
        let second = export(&path, &[("set/1.html", "ONE"), ("x.csv", "x")]);
        // The manifest is different too.
        assert_eq!((second.files, second.changed, second.removed), (4, 2, 1));
        assert_eq!(before, (when("x.csv"), when(FIRST_PAGE)));
        assert!(!path.join("set/2.html").exists() && path.join("CNAME").exists());
        assert_eq!(std::fs::read(path.join("set/1.html")).unwrap(), b"ONE");
    }

    #[test]
    fn a_half_export_has_no_first_page_and_the_next_one_clears_up() {
        let place = tempfile::TempDir::new().unwrap();
        export(place.path(), &[("a.html", "a"), ("b.html", "b")]);
        let mut folder = Folder::open(place.path()).unwrap();
        folder.write("c.html", b"c").unwrap();
        drop(folder);
        assert!(!place.path().join(FIRST_PAGE).exists());
        assert!(place.path().join(JOURNAL).exists());
        let whole = export(place.path(), &[("a.html", "a")]);
        assert_eq!(whole.removed, 2);
        assert!(place.path().join(FIRST_PAGE).exists() && !place.path().join(JOURNAL).exists());
        assert!(!place.path().join("c.html").exists() && !place.path().join("b.html").exists());
    }

    #[test]
    fn folders_that_are_no_earlier_export_are_refused_and_stay() {
        let place = tempfile::TempDir::new().unwrap();
        std::fs::write(place.path().join("thesis.tex"), "years of work").unwrap();
        assert!(matches!(Folder::open(place.path()), Err(SiteError::NotOurs { .. })));
        for text in ["{}", "not JSON", "{\"luthier_site\": 99, \"files\": {}}"] {
            std::fs::write(place.path().join(MANIFEST), text).unwrap();
            assert!(matches!(Folder::open(place.path()), Err(SiteError::NotOurs { .. })), "{text}");
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
        assert!(matches!(
            Folder::open(&place.path().join("thesis.tex")),
            Err(SiteError::Write { .. })
        ));
    }

    #[test]
    fn nothing_outside_of_the_folder_is_removed_or_written() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("site");
        export(&path, &[("a.html", "a")]);
        std::fs::write(place.path().join("mine"), "mine").unwrap();
        let manifest = "{\"luthier_site\": 1, \"files\": {\"../mine\": {\"bytes\": 4}, \"/etc/x\": {\"bytes\": 1}}}";
        std::fs::write(path.join(MANIFEST), manifest).unwrap();
        export(&path, &[("a.html", "a")]);
        assert!(place.path().join("mine").exists());
        std::os::unix::fs::symlink(place.path(), path.join("set")).unwrap();
        let mut folder = Folder::open(&path).unwrap();
        assert!(folder.write("set/1.html", b"x").is_err());
        assert!(folder.write("../x", b"x").is_err() && folder.write("a b", b"x").is_err());
        assert!(!place.path().join("1.html").exists());
    }
}
