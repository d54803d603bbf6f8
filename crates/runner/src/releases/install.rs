//! Installs a release into the cache: pip downloads the wheel, the wanted files are unpacked into a
//! staging folder, the program must report the expected version, and the folder is renamed into place.
//!
//! Concurrent installations of one release wait for each other on a lock. Releases of cvc5 that run
//! only inside Python are fetched for the user's Python; if there is none for it, the error names the
//! versions of Python for which there is one.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread;

use super::cache::Manifest;
use super::cvc5::Binding;
use super::description::{Description, Install};
use super::error::ReleaseError;
use super::find::{Program, Releases};
use super::name::{ReleaseName, VersionSelector};
use super::pip::Pip;
use super::python::Python;
use super::version::Version;
use super::{digest, folder, wheel};

/// The versions of Python, 3.8 to 3.14, that an error lists if they would do.
const MINOR_PYTHONS: RangeInclusive<u8> = 8..=14;

/// What an installation is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallStep {
    /// It asks which release is the newest.
    Resolving,
    /// It waits for pip to fetch the package.
    Downloading,
    /// It unpacks the package.
    Unpacking,
    /// It asks the program for its version.
    Checking,
}

/// A release that is installed now.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Where it comes from.
    pub manifest: Manifest,
    /// Its folder.
    pub folder: PathBuf,
    /// It was not there before.
    pub fresh: bool,
}

impl Releases {
    /// Installs a release, unless it is there already. `step` receives the progress.
    pub fn install(
        &self,
        name: &ReleaseName,
        step: &mut dyn FnMut(InstallStep),
    ) -> Result<Installed, ReleaseError> {
        let ReleaseName::Cached { solver, selector } = name else {
            if let Some(solver) = name.solver() {
                self.installable(solver)?;
            }
            return Err(ReleaseError::NoVersionGiven { name: name.to_string() });
        };
        let (description, install) = self.installable(solver)?;
        let version = match selector {
            VersionSelector::Version(version) => version.clone(),
            VersionSelector::Latest => {
                step(InstallStep::Resolving);
                // Releases that run only inside Python are older than all others.
                let newest = releases_without_python(&Pip::new(solver, install)?, install)?
                    .into_iter()
                    .max();
                let package = install.package.clone();
                newest.ok_or(ReleaseError::NoPackage { package })?
            }
        };
        if !install.has(&version) {
            return Err(ReleaseError::VersionNotInstallable {
                release: format!("{solver}@{version}"),
                solver: solver.clone(),
                range: install.ranges(),
            });
        }
        if let Some(installed) = self.installed_release(solver, &version)? {
            return Ok(installed);
        }
        let _lock = self.cache.lock(&format!("{solver}-{version}"));
        match self.installed_release(solver, &version)? {
            Some(installed) => Ok(installed),
            None => self.fetch(description, install, &version, step),
        }
    }

    /// The releases of a solver that pip finds for this machine, newest first.
    pub fn available(&self, solver: &str) -> Result<Vec<Version>, ReleaseError> {
        let (_, install) = self.installable(solver)?;
        let pip = Pip::new(solver, install)?;
        let mut versions = releases_without_python(&pip, install)?;
        if install.cvc5_binding.is_some() {
            let python = Python::ask(pip.python())?;
            // pip found the package just now, so a failure means that none is for this Python.
            let packages =
                python.module_version().map(|version| pip.for_python(version).versions());
            let packages = packages.and_then(Result::ok).unwrap_or_default();
            let found = packages.iter().filter_map(|one| install.version_of_package(one));
            versions.extend(found.filter(|version| install.binding_of(version).is_some()));
        }
        versions.sort_unstable_by(|one, other| other.cmp(one));
        Ok(versions)
    }

    fn installable(&self, solver: &str) -> Result<(&Description, &Install), ReleaseError> {
        let description = self.catalogue.get(solver)?;
        match &description.install {
            Some(install) => Ok((description, install)),
            None => Err(ReleaseError::NotInstallable {
                solver: solver.to_owned(),
                get_it: description
                    .get_it
                    .clone()
                    .unwrap_or_else(|| format!("name it by its path, as in {solver}=PATH")),
            }),
        }
    }

    fn installed_release(
        &self,
        solver: &str,
        version: &Version,
    ) -> Result<Option<Installed>, ReleaseError> {
        // By number and not by text: 5.4 and 5.4.0 are the same release.
        let mut manifests = self.cache.installed(solver)?.into_iter();
        let found = manifests.find(|one| one.version.parse().as_ref() == Ok(version));
        let Some(manifest) = found else { return Ok(None) };
        self.cache.check(&manifest)?;
        let folder = self.cache.folder_of(solver, &manifest.version);
        Ok(Some(Installed { manifest, folder, fresh: false }))
    }

    fn fetch(
        &self,
        description: &Description,
        install: &Install,
        version: &Version,
        step: &mut dyn FnMut(InstallStep),
    ) -> Result<Installed, ReleaseError> {
        let solver = &description.name;
        let binding = install.binding_of(version);
        let staging = self.cache.staging()?;
        let [download, ready] = ["download", "release"].map(|name| staging.path().join(name));
        for folder in [&download, &ready] {
            folder::make(folder)?;
        }
        step(InstallStep::Downloading);
        let (package, python) = match binding {
            Some(_) => {
                let (package, python) = download_module(solver, install, version, &download)?;
                (package, Some(python))
            }
            None => {
                let pip = Pip::new(solver, install)?;
                (pip.download(&install.package_version_of(version), &download)?, None)
            }
        };
        let package_version = wheel::version_in_name(&package).unwrap_or_default().to_owned();
        let wrong =
            |problem| ReleaseError::Package { release: format!("{solver}@{version}"), problem };
        // The spelling of the package counts: 5.4 was requested, 5.4.0 is here.
        let version = match install.version_of_package(&package_version) {
            Some(packed) if packed == *version => packed,
            _ => return Err(wrong(format!("its version is {package_version}"))),
        };
        step(InstallStep::Unpacking);
        let (program, file) = match (&install.executable, &install.cvc5_libraries) {
            (Some(pattern), _) => {
                let unpacked = wheel::unpack(&package, pattern, &ready.join("bin"))?;
                let [file] = &unpacked[..] else {
                    return Err(wrong(format!("{} files match {pattern}", unpacked.len())));
                };
                (Program::Executable(file.clone()), file.clone())
            }
            (None, pattern) => {
                let pattern = pattern.as_deref().unwrap_or_default();
                let folder = ready.join("lib");
                match (binding, &python) {
                    (Some(binding), Some(python)) => {
                        let module = Binding::module_folder(&folder);
                        wheel::unpack(&package, &binding.module, &module)?;
                        let libraries = Binding::libraries_folder(&folder);
                        wheel::unpack(&package, pattern, &libraries)?;
                        Binding::note(&folder, python).map_err(ReleaseError::file(&folder))?;
                    }
                    _ => {
                        wheel::unpack(&package, pattern, &folder)?;
                    }
                }
                let program = Program::Cvc5Libraries(folder);
                let file = program.file()?;
                (program, file)
            }
        };
        step(InstallStep::Checking);
        let answer = self.check_version(description, &program, &version)?;
        let manifest = Manifest {
            solver: solver.clone(),
            version: version.to_string(),
            answer,
            package: install.package.clone(),
            package_version,
            wheel: package.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            wheel_sha256: digest::sha256(&package)?,
            file: file.strip_prefix(&ready).unwrap_or(&file).to_owned(),
            sha256: digest::sha256(&file)?,
            files: digest::all_below(&ready, "")?.into_iter().collect(),
            library: matches!(program, Program::Cvc5Libraries(_)),
            python,
        };
        self.cache.put(&ready, &manifest)?;
        let folder = self.cache.folder_of(solver, &manifest.version);
        Ok(Installed { manifest, folder, fresh: true })
    }
}

/// The releases that need no Python to run, as far as pip finds them for this machine.
fn releases_without_python(pip: &Pip, install: &Install) -> Result<Vec<Version>, ReleaseError> {
    let packages = pip.versions()?;
    let versions = packages.iter().filter_map(|one| install.version_of_package(one));
    Ok(versions.filter(|version| install.versions.contains(Some(version))).collect())
}

/// Fetches a release that runs only inside Python, for the Python to which pip belongs.
fn download_module(
    solver: &str,
    install: &Install,
    version: &Version,
    to: &Path,
) -> Result<(PathBuf, Python), ReleaseError> {
    let pip = Pip::new(solver, install)?;
    let python = Python::ask(pip.python())?;
    let package_version = install.package_version_of(version);
    let missing = match python.module_version() {
        Some(fitting) => match pip.for_python(fitting).download(&package_version, to) {
            Ok(package) => return Ok((package, python)),
            Err(error @ (ReleaseError::NoSuchRelease { .. } | ReleaseError::NoPackage { .. })) => {
                Some(error)
            }
            Err(error) => return Err(error),
        },
        None => None,
    };
    let fitting = pythons_with(&package_version, solver, install)?;
    Err(match missing {
        // It is not there for any Python, or pip finds nothing at all.
        Some(error) if fitting.is_empty() => error,
        _ => ReleaseError::NoModule {
            release: format!("{solver}@{version}"),
            python: python.title(),
            path: python.executable,
            fitting,
        },
    })
}

/// The versions of Python for which pip finds this version of a package.
fn pythons_with(
    package_version: &str,
    solver: &str,
    install: &Install,
) -> Result<Vec<String>, ReleaseError> {
    // Without an index every question would fail, and slowly.
    if Pip::new(solver, install)?.versions().is_err() {
        return Ok(Vec::new());
    }
    let has = |python: &str| -> Result<bool, ReleaseError> {
        let packages = Pip::new(solver, install)?.for_python(python).versions();
        Ok(packages.is_ok_and(|packages| packages.iter().any(|one| one == package_version)))
    };
    let pythons: Vec<String> = MINOR_PYTHONS.map(|minor| format!("3.{minor}")).collect();
    // pip mostly waits for the index, so all are asked at once.
    let answers: Vec<_> = thread::scope(|scope| {
        let asked: Vec<_> = pythons.iter().map(|python| scope.spawn(|| has(python))).collect();
        asked.into_iter().map(|answer| answer.join().unwrap_or(Ok(false))).collect()
    });
    let mut fitting = Vec::new();
    for (python, answer) in pythons.into_iter().zip(answers) {
        if answer? {
            fitting.push(python);
        }
    }
    Ok(fitting)
}
