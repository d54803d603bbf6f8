//! The user's Python, for releases that run only inside one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
        command.args(["-I", "-S", "-c", QUESTION]).stdin(Stdio::null());
        let output = command.output().map_err(ReleaseError::file(path))?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
