//! Fetching a release with pip into the cache.

use std::fs;
use std::path::PathBuf;

use super::cache::Manifest;
use super::description::{Description, Install};
use super::error::ReleaseError;
use super::find::{Program, Releases};
use super::name::{ReleaseName, Wanted};
use super::pip::Pip;
use super::version::Version;
use super::wheel;

/// What an installation is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
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
    /// Installs a release, unless it is there already. `step` is told what is going on.
    pub fn install(
        &self,
        name: &ReleaseName,
        step: &mut dyn FnMut(Step),
    ) -> Result<Installed, ReleaseError> {
        let ReleaseName::Cached { solver, wanted } = name else {
            if let Some(solver) = name.solver() {
                self.installable(solver)?;
            }
            return Err(ReleaseError::NoVersionGiven { name: name.to_string() });
        };
        let (description, install) = self.installable(solver)?;
        let version = match wanted {
            Wanted::Version(version) => version.clone(),
            Wanted::Latest => {
                step(Step::Resolving);
                let newest = self.available(solver)?.into_iter().next();
                let package = install.package.clone();
                newest.ok_or(ReleaseError::NoPackage { package })?
            }
        };
        if !install.versions.contains(Some(&version)) {
            return Err(ReleaseError::VersionNotInstallable {
                release: format!("{solver}@{version}"),
                solver: solver.clone(),
                range: install.versions.to_string(),
            });
        }
        if let Some(installed) = self.already(solver, &version)? {
            return Ok(installed);
        }
        let _lock = self.cache.lock(&format!("{solver}-{version}"));
        match self.already(solver, &version)? {
            Some(installed) => Ok(installed),
            None => self.fetch(description, install, &version, step),
        }
    }

    /// The releases of a solver that pip finds for this machine, newest first.
    pub fn available(&self, solver: &str) -> Result<Vec<Version>, ReleaseError> {
        let (_, install) = self.installable(solver)?;
        let versions = Pip::new(solver, install)?.versions()?;
        let mut versions: Vec<_> =
            versions.iter().filter_map(|version| install.version_of_package(version)).collect();
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

    fn already(&self, solver: &str, version: &Version) -> Result<Option<Installed>, ReleaseError> {
        // By number and not by text: 5.4 and 5.4.0 are the same release.
        let mut manifests = self.cache.installed(solver)?.into_iter();
        let found = manifests.find(|one| one.version.parse().as_ref() == Ok(version));
        Ok(found.map(|manifest| {
            let folder = self.cache.folder_of(solver, &manifest.version);
            Installed { manifest, folder, fresh: false }
        }))
    }

    fn fetch(
        &self,
        description: &Description,
        install: &Install,
        version: &Version,
        step: &mut dyn FnMut(Step),
    ) -> Result<Installed, ReleaseError> {
        let solver = &description.name;
        let pip = Pip::new(solver, install)?;
        let staging = self.cache.staging()?;
        let [download, ready] = ["download", "release"].map(|name| staging.path().join(name));
        for folder in [&download, &ready] {
            fs::create_dir(folder).map_err(ReleaseError::file(folder))?;
        }
        step(Step::Downloading);
        let package = pip.download(&install.package_version_of(version), &download)?;
        let package_version = wheel::version_in_name(&package).unwrap_or_default().to_owned();
        let wrong =
            |problem| ReleaseError::Package { release: format!("{solver}@{version}"), problem };
        // The package knows best how its version is written: 5.4 was wanted, 5.4.0 is here.
        let version = match install.version_of_package(&package_version) {
            Some(packed) if packed == *version => packed,
            _ => return Err(wrong(format!("its version is {package_version}"))),
        };
        step(Step::Unpacking);
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
                wheel::unpack(&package, pattern, &folder)?;
                let program = Program::Cvc5Libraries(folder);
                let file = program.file()?;
                (program, file)
            }
        };
        step(Step::Checking);
        let answer = self.check_version(description, &program, &version)?;
        let manifest = Manifest {
            solver: solver.clone(),
            version: version.to_string(),
            answer,
            package: install.package.clone(),
            package_version,
            wheel: package.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            wheel_sha256: wheel::sha256(&package)?,
            file: file.strip_prefix(&ready).unwrap_or(&file).to_owned(),
            sha256: wheel::sha256(&file)?,
            library: matches!(program, Program::Cvc5Libraries(_)),
        };
        self.cache.put(&ready, &manifest)?;
        let folder = self.cache.folder_of(solver, &manifest.version);
        Ok(Installed { manifest, folder, fresh: true })
    }
}
