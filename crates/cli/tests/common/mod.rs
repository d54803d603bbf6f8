//! Runs the real binary on files in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
#![allow(dead_code, reason = "not every test file uses all of it")]

#[cfg(unix)]
pub mod server;
#[cfg(unix)]
pub mod shop;
#[cfg(target_os = "linux")]
pub mod slurm;
#[cfg(target_os = "linux")]
pub mod terminal;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// What came of running the binary.
#[derive(Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// Standard output as one JSON object on one line.
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.matches('\n').count(), 1, "{self:?}");
        let value: Value = serde_json::from_str(&self.stdout).unwrap();
        assert_eq!(value["version"], 2);
        value
    }

    /// Fails, showing everything, if the exit code is another one.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// A folder with files, and the binary that is run in it.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// An empty folder; before the first one, the arithmetic solver of `luthier solve` is installed
    /// for the user if it is missing, so that a test does not depend on others before it.
    pub fn with_arithmetic() -> Self {
        static INSTALLED: OnceLock<()> = OnceLock::new();
        let bench = Self::new();
        INSTALLED.get_or_init(|| {
            bench.run(&["solvers", "install", "z3@5.4.0"]).expect(0);
        });
        bench
    }

    /// A folder with a file `script.smt2` and a file `model`.
    pub fn with_model(script: &str, model: &str) -> Self {
        let bench = Self::new();
        bench.write("script.smt2", script);
        bench.write("model", model);
        bench
    }

    /// Where a file is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders it is in.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// The binary, to be run in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_luthier")));
        command.args(arguments).current_dir(self.folder.path());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs the binary.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_input(arguments, "")
    }

    /// Runs the binary with a text as standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // What is not read is no fault.
        let _ = stdin.write_all(input.as_ref());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().expect("it ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// `(not (not … (= x "") …))` with this many negations.
pub fn deep_script(levels: usize) -> String {
    let mut text = String::from("(set-logic QF_S)\n(declare-const x String)\n(assert ");
    text.push_str(&"(not ".repeat(levels));
    text.push_str("(= x \"\")");
    text.push_str(&")".repeat(levels));
    text.push_str(")\n(check-sat)\n");
    text
}
