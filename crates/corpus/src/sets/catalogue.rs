//! The descriptions of benchmark sets: the embedded ones of `benchmarks/`, and the user's own
//! (`luthier/benchmarks/*.toml` in the folder of settings), which replace embedded ones of the same name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::registry::settings_folder;
use super::{Description, SetError};

/// The descriptions that come with Luthier, by their file names: all of `benchmarks/`.
const BUILT_IN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/benchmarks.rs"));

/// The described sets.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    descriptions: Vec<Description>,
}

impl Catalogue {
    /// The sets that come with Luthier.
    pub fn built_in() -> Result<Self, SetError> {
        let mut catalogue = Self::default();
        for (file, text) in BUILT_IN.iter().copied() {
            catalogue.add(parse(Path::new(file), text)?);
        }
        Ok(catalogue)
    }

    /// The sets that come with Luthier and those in the user's settings.
    pub fn of_user() -> Result<Self, SetError> {
        let mut catalogue = Self::built_in()?;
        if let Ok(folder) = settings_folder(|name| std::env::var_os(name)) {
            catalogue.add_folder(&folder.join("benchmarks"))?;
        }
        Ok(catalogue)
    }

    /// Adds the `*.toml` of a folder; a set that is known already is described anew. A folder that does not
    /// exist has none.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), SetError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(SetError::file(folder)(error)),
        };
        let files: Result<Vec<PathBuf>, io::Error> =
            entries.map(|entry| Ok(entry?.path())).collect();
        let mut files = files.map_err(SetError::file(folder))?;
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        // The order of a folder is arbitrary, and of two descriptions the later one counts.
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).map_err(SetError::file(&file))?;
            self.add(parse(&file, &text)?);
        }
        Ok(())
    }

    /// All descriptions.
    pub fn descriptions(&self) -> &[Description] {
        &self.descriptions
    }

    /// The description of a set.
    pub fn get(&self, name: &str) -> Option<&Description> {
        self.descriptions.iter().find(|one| one.name == name)
    }

    fn add(&mut self, description: Description) {
        match self.descriptions.iter_mut().find(|one| one.name == description.name) {
            Some(known) => *known = description,
            None => self.descriptions.push(description),
        }
    }
}

fn parse(file: &Path, text: &str) -> Result<Description, SetError> {
    let description: Description =
        toml::from_str(text).map_err(|error| SetError::toml(file, text, &error))?;
    match description.problem() {
        Some(message) => Err(SetError::Syntax { path: file.to_owned(), line: 1, message }),
        None => Ok(description),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_descriptions_are_complete() {
        let catalogue = Catalogue::built_in().unwrap();
        let all = catalogue.descriptions();
        assert!(all.len() >= 20);
        for one in all {
            assert!(
                one.digest().is_some() && one.files > 0 && !one.tracks.is_empty(),
                "{}",
                one.name
            );
            let texts =
                [&one.title, &one.summary, &one.source, &one.licence, &one.citation, &one.get];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", one.name);
        }
        let paper: Vec<_> = all.iter().filter_map(|one| one.zaligvinder.as_ref()).collect();
        assert_eq!(paper.len(), 19);
        assert_eq!(paper.iter().map(|row| row.instances).sum::<usize>(), 114_475);
        assert_eq!(paper.iter().map(|row| row.sets).sum::<usize>(), 152);
    }

    #[test]
    fn a_faulty_description_is_an_error_with_its_line() {
        let good = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"s\"\ntracks = []\nfiles = 1\nsource = \"s\"\n\
                    licence = \"l\"\ncitation = \"c\"\nget = \"g\"\n";
        let check = |text: &str, expected: &str| {
            let error = parse(Path::new("mine.toml"), text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        assert!(parse(Path::new("mine.toml"), good).is_ok());
        check(&format!("{good}colour = 1\n"), "mine.toml:10: unknown field `colour`");
        check(&good.replace("\"mine\"", "\"my/set\""), "mine.toml:1: `my/set` cannot be the name");
        check(&format!("{good}sha256 = \"12\"\n"), "mine.toml:1: sha256 has 64");
        let claim = "[[claim]]\nfolder = \"a\"\nlabel = \"maybe\"\n";
        check(&format!("{good}{claim}"), "mine.toml:1: `maybe` is no label");
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.toml"), good).unwrap();
        let mut catalogue = Catalogue::default();
        catalogue.add_folder(folder.path()).unwrap();
        catalogue.add_folder(&folder.path().join("missing")).unwrap();
        assert_eq!(catalogue.get("mine").unwrap().title, "Mine");
    }
}
