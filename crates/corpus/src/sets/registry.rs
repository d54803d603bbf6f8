//! Where benchmark sets lie on this machine: `luthier/benchmarks.toml` in the folder of settings, a table
//! for each set with path, number of files and the digest that its contents had when it was added.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use luthier_records::Digest;
use serde::Deserialize;

use super::SetError;
use super::description::is_name;

/// A set that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Its name.
    pub name: String,
    /// A folder or an archive.
    pub path: PathBuf,
    /// How many files it had when it was added.
    pub files: usize,
    /// The digest of its contents at that time.
    pub digest: Digest,
}

/// All sets that were added.
#[derive(Clone, Debug)]
pub struct Registry {
    file: PathBuf,
    sets: BTreeMap<String, Registered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    path: PathBuf,
    files: usize,
    sha256: String,
}

impl Registry {
    /// The registry of the user.
    pub fn of_user() -> Result<Self, SetError> {
        let folder = settings_folder(|name| std::env::var_os(name));
        // Without settings there are no sets; adding one is an error then.
        folder.map_or_else(
            |_| Ok(Self { file: PathBuf::new(), sets: BTreeMap::new() }),
            |folder| Self::read(&folder.join("benchmarks.toml")),
        )
    }

    /// Reads a registry; a file that does not exist is an empty one.
    pub fn read(file: &Path) -> Result<Self, SetError> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(SetError::file(file)(error)),
        };
        let tables: BTreeMap<String, Table> =
            toml::from_str(&text).map_err(|error| SetError::toml(file, &text, &error))?;
        let mut sets = BTreeMap::new();
        for (name, Table { path, files, sha256 }) in tables {
            let digest = sha256.parse().map_err(|error| SetError::Syntax {
                path: file.to_owned(),
                line: 1,
                message: format!("the digest of `{name}`: {error}"),
            })?;
            sets.insert(name.clone(), Registered { name, path, files, digest });
        }
        Ok(Self { file: file.to_owned(), sets })
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sets.keys().map(String::as_str)
    }

    /// A set.
    pub fn get(&self, name: &str) -> Option<&Registered> {
        self.sets.get(name)
    }

    /// Whether a set can be added under this name, from this path.
    pub fn check(&self, name: &str, path: &Path) -> Result<(), SetError> {
        if !is_name(name) {
            return Err(SetError::Name { name: name.to_owned() });
        }
        // The file is text.
        if path.to_str().is_none() {
            return Err(SetError::NotText { path: path.to_owned() });
        }
        Ok(())
    }

    /// Adds a set, or says anew where it is, and writes the file.
    pub fn add(&mut self, set: Registered) -> Result<(), SetError> {
        self.check(&set.name, &set.path)?;
        self.sets.insert(set.name.clone(), set);
        self.write()
    }

    fn write(&self) -> Result<(), SetError> {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.ok_or(SetError::NoSettings)?;
        fs::create_dir_all(folder).map_err(SetError::file(folder))?;
        let mut text = String::from("# Where benchmark sets are: `luthier bench add NAME PATH`.\n");
        for set in self.sets.values() {
            let path = toml_string(&set.path.to_string_lossy());
            text.push_str(&format!(
                "\n[{}]\npath = {path}\nfiles = {}\nsha256 = \"{}\"\n",
                toml_string(&set.name),
                set.files,
                set.digest
            ));
        }
        // Another process sees the old file or the new one, never a part.
        let part = self.file.with_extension(format!("toml.{}", std::process::id()));
        let written = fs::File::create(&part)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| fs::rename(&part, &self.file));
        written.map_err(SetError::file(&self.file))
    }
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The folder of Luthier's settings.
pub(super) fn settings_folder(
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, SetError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")));
    Ok(settings.ok_or(SetError::NoSettings)?.join("luthier"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn what_is_added_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings/benchmarks.toml");
        let mut registry = Registry::read(&file).unwrap();
        assert_eq!(registry.names().count(), 0);
        let set = Registered {
            name: "odd.name-1".to_owned(),
            path: PathBuf::from("/a \"b\"\\c\n/d"),
            files: 3,
            digest: Digest::of(b"x"),
        };
        registry.add(set.clone()).unwrap();
        registry.add(Registered { name: "other".to_owned(), ..set.clone() }).unwrap();
        let again = Registry::read(&file).unwrap();
        assert_eq!(again.get("odd.name-1"), Some(&set));
        assert_eq!(again.names().count(), 2);
        let wrong = registry.add(Registered { name: "a/b".to_owned(), ..set }).unwrap_err();
        assert!(wrong.to_string().contains("`a/b` cannot be the name"), "{wrong}");
        let odd = std::ffi::OsStr::from_bytes(b"/caf\xe9");
        let wrong = registry.check("set", Path::new(odd)).unwrap_err();
        assert!(wrong.to_string().contains("is not UTF-8"), "{wrong}");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_registry_is_an_error_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("benchmarks.toml");
        fs::write(&file, "[a]\npath = \"x\"\nfiles = 1\nsha256 = \"12\"\n").unwrap();
        let error = Registry::read(&file).unwrap_err().to_string();
        assert!(error.contains("the digest of `a`"), "{error}");
        fs::write(&file, "[a]\npath = 3\n").unwrap();
        let error = Registry::read(&file).unwrap_err().to_string();
        assert!(error.contains("benchmarks.toml:2: "), "{error}");
    }

    #[test]
    fn the_settings_are_where_the_environment_says() {
        let with = |set: &'static str| {
            settings_folder(move |name| (name == set).then(|| OsString::from("/folder"))).ok()
        };
        assert_eq!(with("XDG_CONFIG_HOME"), Some("/folder/luthier".into()));
        assert_eq!(with("HOME"), Some("/folder/.config/luthier".into()));
        assert_eq!(with("PATH"), None);
    }
}
