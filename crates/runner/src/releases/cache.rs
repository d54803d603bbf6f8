//! The cache of installed releases: `luthier/solvers/NAME/VERSION/` in the user's cache folder.
//!
//! A release exists if its folder does, because a folder is renamed into place only when it is
//! complete. Programs from here are executed, so no other user may write to these folders
//! (`folder.rs`), and before a release is used, its files are compared with the SHA-256 digests
//! recorded at installation ([`Cache::check`]). That detects accidental damage, replacement and
//! additions; it is no protection against who can write to the folder, and so to the list of digests.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::digest;
use super::error::ReleaseError;
use super::find::Program;
use super::folder::{self, is_missing};
use super::python::Python;
use super::version::Version;

const MANIFEST: &str = "release.json";
const STAGING: &str = ".staging";
const LOCKS: &str = ".locks";
/// No installation takes longer; what is older was left behind by one that was killed.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The cache.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Where a release comes from, so that a result can be traced to the program that gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The solver.
    pub solver: String,
    /// Its version.
    pub version: String,
    /// Its reply to the question for its version.
    pub answer: String,
    /// The package.
    pub package: String,
    /// The version of the package.
    pub package_version: String,
    /// The file that pip fetched.
    pub wheel: String,
    /// The SHA-256 of that file.
    pub wheel_sha256: String,
    /// The executable or library, from the folder of the release.
    pub file: PathBuf,
    /// The SHA-256 of the executable or library.
    pub sha256: String,
    /// The SHA-256 of every file in the folder of the release, by its path from there. Releases
    /// that were installed before these were recorded have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<PathBuf, String>,
    /// Whether it is a library, which Luthier itself runs.
    pub library: bool,
    /// The Python that runs it, if it runs only inside one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<Python>,
}

impl Manifest {
    /// The name of the release.
    pub fn label(&self) -> String {
        format!("{}@{}", self.solver, self.version)
    }

    /// The program, in the folder of the release.
    pub fn program(&self, folder: &Path) -> Program {
        let file = folder.join(&self.file);
        // Inside Python the libraries lie beside the module, one folder deeper.
        let depth = if self.python.is_some() { 2 } else { 1 };
        match (self.library, file.ancestors().nth(depth)) {
            (true, Some(libraries)) => Program::Cvc5Libraries(libraries.to_owned()),
            _ => Program::Executable(file),
        }
    }
}

impl Cache {
    /// The cache of the user.
    pub fn of_user() -> Result<Self, ReleaseError> {
        let folder = folder_of_user(|name| std::env::var_os(name));
        folder.map(|folder| Self { folder }).ok_or(ReleaseError::NoCacheFolder)
    }

    /// A cache in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a release, whether it is there or not.
    pub fn folder_of(&self, solver: &str, version: &str) -> PathBuf {
        self.folder.join(solver).join(version)
    }

    /// What is known of a release, if it is there.
    pub fn get(&self, solver: &str, version: &str) -> Result<Option<Manifest>, ReleaseError> {
        let folder = self.folder_of(solver, version);
        for folder in [&self.folder, &self.folder.join(solver), &folder] {
            folder::restrict_to_owner(folder)?;
        }
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(ReleaseError::file(path)(error)),
        };
        let manifest = serde_json::from_slice(&text).map_err(|error| {
            ReleaseError::file(path)(io::Error::new(io::ErrorKind::InvalidData, error))
        })?;
        Ok(Some(manifest))
    }

    /// The installed releases of a solver, newest first.
    pub fn installed(&self, solver: &str) -> Result<Vec<Manifest>, ReleaseError> {
        let folder = self.folder.join(solver);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => return Ok(Vec::new()),
            Err(error) => return Err(ReleaseError::file(folder)(error)),
        };
        let mut found: Vec<(Version, Manifest)> = Vec::new();
        for entry in entries {
            let name = entry.map_err(ReleaseError::file(&folder))?.file_name();
            let Some(name) = name.to_str() else { continue };
            let Ok(version) = name.parse() else { continue };
            if let Some(manifest) = self.get(solver, name)? {
                found.push((version, manifest));
            }
        }
        found.sort_by(|(one, _), (other, _)| other.cmp(one));
        Ok(found.into_iter().map(|(_, manifest)| manifest).collect())
    }

    /// Whether a release is still what was installed: every file with its SHA-256, and no other.
    pub fn check(&self, manifest: &Manifest) -> Result<(), ReleaseError> {
        let folder = self.folder_of(&manifest.solver, &manifest.version);
        let wrong = |file: &Path, problem| ReleaseError::Changed {
            release: manifest.label(),
            file: folder.join(file),
            problem,
        };
        let main = (manifest.file.clone(), manifest.sha256.clone());
        let recorded: BTreeMap<_, _> = manifest.files.clone().into_iter().chain([main]).collect();
        for (file, expected) in &recorded {
            let is_inside = file.components().all(|part| matches!(part, Component::Normal(_)));
            let path = folder.join(file);
            if !is_inside || !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
                return Err(wrong(file, "is not there any more"));
            }
            path.parent().map_or(Ok(()), folder::restrict_to_owner)?;
            if digest::sha256(&path)? != *expected {
                return Err(wrong(file, "has another SHA-256 than when it was installed"));
            }
        }
        if manifest.files.is_empty() {
            return Ok(());
        }
        let found = digest::all_below(&folder, MANIFEST)?;
        match found.iter().find(|(file, _)| !recorded.contains_key(file)) {
            Some((file, _)) => Err(wrong(file, "was not installed with it")),
            None => Ok(()),
        }
    }

    /// Removes a release; returns whether it was there.
    pub fn remove(&self, solver: &str, version: &str) -> Result<bool, ReleaseError> {
        let folder = self.folder_of(solver, version);
        if !folder.exists() {
            return Ok(false);
        }
        // Moved away first, so that no process ever finds half of it.
        let staging = self.staging()?;
        match fs::rename(&folder, staging.path().join("removed")) {
            Ok(()) => {}
            Err(error) if is_missing(&error) => return Ok(false),
            Err(error) => return Err(ReleaseError::file(folder)(error)),
        }
        let path = staging.path().to_owned();
        staging.close().map_err(ReleaseError::file(path))?;
        Ok(true)
    }

    /// A folder in which a release can be made ready; it goes away by itself.
    pub(crate) fn staging(&self) -> Result<TempDir, ReleaseError> {
        let folder = self.folder.join(STAGING);
        for folder in [&self.folder, &folder] {
            folder::make(folder)?;
            folder::restrict_to_owner(folder)?;
        }
        remove_stale(&folder);
        tempfile::tempdir_in(&folder).map_err(ReleaseError::file(folder))
    }

    /// Waits until no one else installs this release. The lock ends when the file is dropped.
    /// Without locks two may fetch the same release, which costs time and nothing else.
    pub(crate) fn lock(&self, release: &str) -> Option<File> {
        let folder = self.folder.join(LOCKS);
        folder::make(&folder).ok()?;
        let file = File::create(folder.join(release)).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Gives a folder that is ready its place; what someone else put there meanwhile stays.
    pub(crate) fn put(&self, ready: &Path, manifest: &Manifest) -> Result<(), ReleaseError> {
        let path = ready.join(MANIFEST);
        let text = serde_json::to_vec_pretty(manifest).map_err(io::Error::other);
        let write = |text: Vec<u8>| fs::write(&path, text);
        text.and_then(write).map_err(ReleaseError::file(&path))?;
        let place = self.folder_of(&manifest.solver, &manifest.version);
        let parent = place.parent().unwrap_or(&self.folder);
        folder::make(parent)?;
        match fs::rename(ready, &place) {
            Ok(()) => Ok(()),
            Err(_) if self.get(&manifest.solver, &manifest.version)?.is_some() => Ok(()),
            Err(error) => Err(ReleaseError::file(place)(error)),
        }
    }
}

fn folder_of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // Relative paths count for nothing, as the specification of these variables says: programs
    // are not taken from wherever we happen to be started.
    let set = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("luthier").join("solvers"))
}

/// Removes what installations that were killed left behind. This is housekeeping: whatever goes
/// wrong with it goes wrong again next time.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(version: &str) -> Manifest {
        Manifest {
            solver: "z3".to_owned(),
            version: version.to_owned(),
            answer: format!("Z3 version {version}"),
            package: "z3-solver".to_owned(),
            package_version: format!("{version}.0"),
            wheel: "wheel".to_owned(),
            wheel_sha256: "00".to_owned(),
            file: "bin/z3".into(),
            sha256: "11".to_owned(),
            files: BTreeMap::new(),
            library: false,
            python: None,
        }
    }

    fn put(cache: &Cache, version: &str) {
        let staging = cache.staging().unwrap();
        let ready = staging.path().join("release");
        fs::create_dir(&ready).unwrap();
        cache.put(&ready, &manifest(version)).unwrap();
    }

    #[test]
    fn what_is_put_is_found_newest_first_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("solvers"));
        assert_eq!(cache.installed("z3").unwrap(), []);
        assert!(!cache.remove("z3", "4.8.9").unwrap());
        for version in ["4.8.9", "5.4.0", "4.8.10"] {
            put(&cache, version);
        }
        // A second one of the same version changes nothing.
        put(&cache, "5.4.0");
        let versions = |cache: &Cache| -> Vec<String> {
            cache.installed("z3").unwrap().into_iter().map(|one| one.version).collect()
        };
        assert_eq!(versions(&cache), ["5.4.0", "4.8.10", "4.8.9"]);
        assert_eq!(cache.get("z3", "4.8.9").unwrap(), Some(manifest("4.8.9")));
        assert!(cache.remove("z3", "4.8.10").unwrap());
        assert_eq!(versions(&cache), ["5.4.0", "4.8.9"]);
        let left = fs::read_dir(cache.folder().join(STAGING)).unwrap().count();
        assert_eq!(left, 0, "nothing is left behind");
    }

    #[test]
    fn libraries_inside_python_lie_beside_its_module() {
        let libraries =
            Manifest { library: true, file: "lib/libcvc5.so.1".into(), ..manifest("1") };
        let folder = Program::Cvc5Libraries("release/lib".into());
        assert_eq!(libraries.program("release".as_ref()), folder);
        let executable = "/bin/python3".into();
        let [implementation, version] = ["cpython", "3.11"].map(str::to_owned);
        let inside = Manifest {
            file: "lib/cvc5.libs/libcvc5.so.1".into(),
            python: Some(Python { executable, implementation, version }),
            ..libraries.clone()
        };
        assert_eq!(inside.program("release".as_ref()), folder);
        // Older manifests do not mention Python.
        let text = serde_json::to_string(&libraries).unwrap();
        assert!(!text.contains("python"), "{text}");
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), libraries);
    }

    #[test]
    fn a_release_that_is_not_as_it_was_installed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("solvers"));
        let staging = cache.staging().unwrap();
        let ready = staging.path().join("release");
        fs::create_dir_all(ready.join("bin")).unwrap();
        for name in ["bin/z3", "bin/libz3.so"] {
            fs::write(ready.join(name), name).unwrap();
        }
        let files: BTreeMap<_, _> =
            digest::all_below(&ready, MANIFEST).unwrap().into_iter().collect();
        let sha256 = files[Path::new("bin/z3")].clone();
        let manifest = Manifest { files, sha256, ..manifest("5.4.0") };
        cache.put(&ready, &manifest).unwrap();
        cache.check(&manifest).unwrap();
        let place = cache.folder_of("z3", "5.4.0");
        #[track_caller]
        fn refused(cache: &Cache, manifest: &Manifest, file: &str, problem: &str) {
            let error = cache.check(manifest).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(file) && message.contains(problem), "{message}");
            let hint = error.hint().unwrap();
            assert!(hint.contains("solvers remove z3@5.4.0"), "{hint}");
        }
        fs::write(place.join("bin/more.so"), "").unwrap();
        refused(&cache, &manifest, "bin/more.so", "was not installed with it");
        fs::remove_file(place.join("bin/more.so")).unwrap();
        fs::write(place.join("bin/libz3.so"), "another").unwrap();
        refused(&cache, &manifest, "bin/libz3.so", "another SHA-256");
        // Of a release that was installed before, only the program itself is known.
        let older = Manifest { files: BTreeMap::new(), ..manifest.clone() };
        cache.check(&older).unwrap();
        fs::write(place.join("bin/z3"), "other!").unwrap();
        refused(&cache, &older, "bin/z3", "another SHA-256");
        fs::remove_file(place.join("bin/z3")).unwrap();
        refused(&cache, &older, "bin/z3", "not there any more");
        let outside = Manifest { file: "../../../z3".into(), ..older };
        fs::write(folder.path().join("z3"), "").unwrap();
        refused(&cache, &outside, "z3", "not there any more");
    }

    #[test]
    #[cfg(unix)]
    fn folders_of_the_cache_are_ours_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("luthier/solvers"));
        put(&cache, "5.4.0");
        let modes = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
        for path in ["luthier", "luthier/solvers", "luthier/solvers/z3", "luthier/solvers/.staging"]
        {
            assert_eq!(modes(&folder.path().join(path)), 0, "{path}");
        }
        // An older cache that followed the umask is closed when it is used.
        fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o775)).unwrap();
        assert_eq!(cache.installed("z3").unwrap().len(), 1);
        assert_eq!(modes(cache.folder()), 0);
    }

    #[test]
    fn a_broken_manifest_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        put(&cache, "5.4.0");
        fs::write(cache.folder_of("z3", "5.4.0").join(MANIFEST), "{").unwrap();
        let error = cache.installed("z3").unwrap_err().to_string();
        assert!(error.contains(MANIFEST), "{error}");
    }

    #[test]
    fn the_cache_is_where_the_environment_says() {
        let with = |set: &'static str| {
            folder_of_user(move |name| (name == set).then(|| OsString::from("/folder")))
        };
        assert_eq!(with("XDG_CACHE_HOME"), Some("/folder/luthier/solvers".into()));
        assert_eq!(with("HOME"), Some("/folder/.cache/luthier/solvers".into()));
        assert_eq!(with("PATH"), None);
        let relative = folder_of_user(|_| Some(OsString::from("folder")));
        assert_eq!(relative, None, "a relative path counts for nothing");
    }
}
