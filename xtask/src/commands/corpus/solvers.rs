//! Solvers as parsers: whether they accept a script.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::str::FromStr;

/// A solver and how it is started.
#[derive(Clone, Debug)]
pub struct Peer {
    pub name: String,
    words: Vec<String>,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, command) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` should be NAME=COMMAND, such as z3=z3 {{file}}"))?;
        let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(format!("`{text}` names no program"));
        }
        if !words.iter().any(|word| word.contains("{file}")) {
            words.push("{file}".to_owned());
        }
        Ok(Self { name: name.to_owned(), words })
    }
}

impl Peer {
    /// The command for a file.
    pub fn command(&self, file: &std::path::Path) -> Command {
        let file = file.to_string_lossy();
        let mut words = self.words.iter().map(|word| word.replace("{file}", &file));
        let mut command = Command::new(words.next().expect("checked when it was read"));
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Whether the solver reads a script without complaint; the script is not solved.
    pub fn verdict(&self, bytes: &[u8]) -> String {
        let verdict = || -> std::io::Result<&'static str> {
            let mut file = tempfile::Builder::new().suffix(".smt2").tempfile()?;
            file.write_all(&without_queries(bytes))?;
            let output = self.command(file.path()).output()?;
            let said = [&output.stdout[..], &output.stderr[..]].concat();
            let complains = String::from_utf8_lossy(&said).to_lowercase().contains("error");
            Ok(if complains || !output.status.success() { "rejects" } else { "accepts" })
        };
        match verdict() {
            Ok(word) => format!("{} {word}", self.name),
            Err(error) => format!("{}: {error}", self.name),
        }
    }
}

/// The script without the lines that ask for an answer.
pub fn without_queries(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let word = line.trim_ascii_start();
        let asks = [&b"(check-sat"[..], b"(get-", b"(exit"].iter().any(|ask| word.starts_with(ask));
        if !asks {
            kept.extend_from_slice(line);
        }
    }
    kept
}
