//! The user's Python: for pip, and for releases that run only inside one.
//!
//! The Python on the search path, and what is installed in it, is the user's and trusted. The
//! folder in which luthier is started is not: it may contain benchmarks from anywhere. `python
//! -m pip` imports modules from the working folder before all others, so a `pip.py`, `json.py` or
//! `zipfile.py` that lies there would be executed. Therefore Python is started in an empty folder of
//! its own. `-I` would also do, but it hides the packages that users installed for themselves, and pip
//! is often one of them; `-P` exists since Python 3.11 only.
//!
//! `PYTHONPATH` is honoured, because clusters provide Python packages in this way, but only where
//! it names folders by absolute paths: an empty or relative part of it means the working folder.
//! Settings of pip that are relative paths (`PIP_FIND_LINKS=wheels`) are data and are still resolved
//! against the folder in which luthier was started.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::{Deserialize, Serialize};

use super::error::ReleaseError;

/// A Python that is on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Python {
    /// The interpreter itself, without links, so that it stays the same when `python3` becomes
    /// another one.
    pub executable: PathBuf,
    /// Who made it, such as `cpython`.
    pub implementation: String,
    /// The first two numbers of its version, such as 3.11.
    pub version: String,
}

const QUESTION: &str = "import os, sys\n\
    print(sys.implementation.name, '%d.%d' % sys.version_info[:2], os.path.realpath(sys.executable))";

impl Python {
    /// Asks an interpreter what it is.
    pub fn ask(path: &Path) -> Result<Self, ReleaseError> {
        let mut command = Command::new(path);
        command.args(["-I", "-S", "-c", QUESTION]);
        let output = run_in_empty_folder(&mut command)?;
        let said = String::from_utf8_lossy(&output.stdout);
        Self::from_answer(&said).ok_or_else(|| ReleaseError::Program {
            program: path.display().to_string(),
            problem: format!("asked for its version, it says: {}", said.trim()),
        })
    }

    fn from_answer(said: &str) -> Option<Self> {
        let mut parts = said.trim_end().splitn(3, ' ');
        let [implementation, version, executable] = [parts.next()?, parts.next()?, parts.next()?];
        let (major, minor) = version.split_once('.')?;
        let is_number = |text: &str| text.parse::<u16>().is_ok();
        let is_whole = is_number(major) && is_number(minor) && Path::new(executable).is_absolute();
        is_whole.then(|| Self {
            executable: executable.into(),
            implementation: implementation.to_owned(),
            version: version.to_owned(),
        })
    }

    /// Its version, if compiled modules are made for its kind at all.
    pub fn module_version(&self) -> Option<&str> {
        (self.implementation == "cpython").then_some(self.version.as_str())
    }

    /// What people call it.
    pub fn title(&self) -> String {
        match self.module_version() {
            Some(version) => format!("Python {version}"),
            None => format!("{} {}", self.implementation, self.version),
        }
    }
}

/// What pip needs to choose a compiled module for this version of CPython.
pub fn pip_arguments(version: &str) -> Vec<String> {
    let abi = format!("cp{}", version.replace('.', ""));
    ["--python-version", version, "--implementation", "cp", "--abi", &abi]
        .map(str::to_owned)
        .to_vec()
}

/// Runs Python in an empty folder, where nothing of the working folder is found; see the module.
pub(crate) fn run_in_empty_folder(command: &mut Command) -> Result<Output, ReleaseError> {
    let nowhere = tempfile::tempdir().map_err(ReleaseError::file(env::temp_dir()))?;
    let here = env::current_dir().map_err(ReleaseError::file("."))?;
    command.current_dir(nowhere.path()).stdin(Stdio::null());
    if let Some(path) = env::var_os("PYTHONPATH") {
        command.env("PYTHONPATH", absolute_parts(&path));
    }
    for name in FILE_SETTINGS {
        if let Some(value) = env::var_os(name).filter(|value| !value.is_empty()) {
            command.env(name, here.join(value));
        }
    }
    for name in LIST_SETTINGS {
        if let Ok(value) = env::var(name) {
            command.env(name, with_absolute_paths(&value, &here));
        }
    }
    let program = command.get_program().to_owned();
    command.output().map_err(ReleaseError::file(PathBuf::from(program)))
}

/// Settings that are the path of a file or folder.
const FILE_SETTINGS: [&str; 9] = [
    "PIP_CACHE_DIR",
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_CONFIG_FILE",
    "PIP_LOG",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// Settings that are paths and addresses with blanks between them.
const LIST_SETTINGS: [&str; 2] = ["PIP_FIND_LINKS", "PIP_CONSTRAINT"];

/// The parts of a search path that do not depend on the working folder.
fn absolute_parts(path: &OsString) -> OsString {
    let parts = env::split_paths(path).filter(|part| part.is_absolute());
    // What was taken apart can be put together.
    env::join_paths(parts).unwrap_or_default()
}

/// The words of a list, those that are files or folders here with their absolute path.
fn with_absolute_paths(list: &str, here: &Path) -> OsString {
    let mut words = OsString::new();
    for word in list.split_whitespace() {
        if !words.is_empty() {
            words.push(" ");
        }
        let path = here.join(word);
        words.push(if path.exists() { path.into_os_string() } else { word.into() });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_depend_on_the_working_folder_is_searched_for_modules() {
        for (path, expected) in [
            ("/a:/b", "/a:/b"),
            (".", ""),
            ("", ""),
            (":/a", "/a"),
            ("/a:", "/a"),
            ("lib:/a::../b", "/a"),
        ] {
            assert_eq!(absolute_parts(&path.into()), expected, "{path}");
        }
    }

    #[test]
    fn relative_paths_in_settings_of_pip_count_from_where_we_were_started() {
        let here = tempfile::tempdir().unwrap();
        std::fs::create_dir(here.path().join("wheels")).unwrap();
        let expected = format!("{}/wheels /other https://index", here.path().display());
        assert_eq!(
            with_absolute_paths("wheels  /other https://index", here.path()),
            expected.as_str()
        );
    }

    #[test]
    fn an_answer_has_three_parts_and_the_last_may_have_spaces() {
        let python = Python::from_answer("cpython 3.11 /my programs/python3.11\n").unwrap();
        assert_eq!(python.executable, Path::new("/my programs/python3.11"));
        assert_eq!(python.module_version(), Some("3.11"));
        assert_eq!(python.title(), "Python 3.11");
        let other = Python::from_answer("pypy 3.10 /bin/pypy3").unwrap();
        assert_eq!((other.module_version(), other.title().as_str()), (None, "pypy 3.10"));
        for wrong in ["", "cpython", "cpython 3.11", "cpython 3 /bin/python", "cpython 3.11 python"]
        {
            assert_eq!(Python::from_answer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn pip_is_asked_for_modules_of_one_version() {
        let expected = ["--python-version", "3.9", "--implementation", "cp", "--abi", "cp39"];
        assert_eq!(pip_arguments("3.9"), expected);
    }
}
