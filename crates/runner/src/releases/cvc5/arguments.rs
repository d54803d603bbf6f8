//! Parser of the command line of cvc5, as far as it does not depend on the release.
//!
//! Options of the solver itself are kept by name and passed to the library, which knows them; options
//! that the executable implements (statistics, interactive mode) are rejected.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// What stands on the command line of cvc5.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// Only the version is wanted.
    pub version: bool,
    /// The script is SyGuS and not SMT-LIB.
    pub sygus: bool,
    /// The process ends after this time.
    pub time_limit: Option<Duration>,
    /// Options for the solver, in their order, without the leading `--`. The value of one that
    /// was given without a value depends on what kind of option it is.
    pub options: Vec<(String, Option<String>)>,
    /// The scripts; cvc5 accepts one.
    pub files: Vec<PathBuf>,
}

/// Something on the command line cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// There is no such option.
    #[error("can't understand option `{0}'")]
    Unknown(String),
    /// An option has a wrong value.
    #[error("Argument '{value}' for option {name} is not understood")]
    Value {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// The option is one of the executable, which is not here.
    #[error("option `--{0}' needs the executable of cvc5; here only its library runs")]
    NeedsExecutable(String),
    /// There is more than one script.
    #[error("Too many input files specified.")]
    TooManyFiles,
}

/// Options that the executable carries out itself, so that to the library they mean nothing.
const OF_EXECUTABLE: [&str; 10] = [
    "dump-difficulty",
    "dump-instantiations",
    "dump-models",
    "dump-proofs",
    "dump-unsat-cores",
    "help",
    "interactive",
    "parse-only",
    "portfolio-jobs",
    "use-portfolio",
];

/// The options with a short name that people use.
const SHORT: [(&str, &str); 7] = [
    ("-h", "help"),
    ("-i", "incremental"),
    ("-L", "lang"),
    ("-m", "produce-models"),
    ("-q", "quiet"),
    ("-V", "version"),
    ("-v", "verbose"),
];

impl Arguments {
    /// Reads a command line. `takes_value` says of an option given as `--name value` whether the
    /// value belongs to it.
    pub fn parse(
        arguments: &[OsString],
        takes_value: impl Fn(&str) -> bool,
    ) -> Result<Self, ArgumentError> {
        let mut parsed = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let Some(text) = argument.to_str().filter(|text| is_option(text)) else {
                parsed.files.push(argument.into());
                continue;
            };
            if text == "--" {
                parsed.files.extend(rest.map(PathBuf::from));
                break;
            }
            let unknown = || ArgumentError::Unknown(text.to_owned());
            let option = match text.strip_prefix("--") {
                Some(option) => option,
                None => SHORT.iter().find(|(short, _)| *short == text).ok_or_else(unknown)?.1,
            };
            let (name, mut value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, None),
            };
            if value.is_none() && takes_value(name) {
                let next = rest.next().map(OsString::as_os_str).and_then(OsStr::to_str);
                value = Some(next.ok_or_else(unknown)?.to_owned());
            }
            parsed.add(name, value)?;
        }
        match parsed.files.len() {
            0 | 1 => Ok(parsed),
            _ => Err(ArgumentError::TooManyFiles),
        }
    }

    fn add(&mut self, name: &str, value: Option<String>) -> Result<(), ArgumentError> {
        match (name, value) {
            ("version", None) => self.version = true,
            ("lang" | "input-language", Some(value)) => {
                self.sygus = match value.as_str() {
                    "sygus" | "sygus2" | "sygus2.1" | "sl" => true,
                    "auto" => false,
                    value if value.starts_with("smt") => false,
                    _ => return Err(ArgumentError::Value { name: "lang", value }),
                };
            }
            ("tlimit", Some(value)) => match value.parse() {
                Ok(0) => self.time_limit = None,
                Ok(milliseconds) => self.time_limit = Some(Duration::from_millis(milliseconds)),
                Err(_) => return Err(ArgumentError::Value { name: "tlimit", value }),
            },
            (name, _) if OF_EXECUTABLE.contains(&name) || name.starts_with("stats") => {
                return Err(ArgumentError::NeedsExecutable(name.to_owned()));
            }
            (name, value) => self.options.push((name.to_owned(), value)),
        }
        Ok(())
    }
}

/// `-` alone means standard input.
fn is_option(text: &str) -> bool {
    text.starts_with('-') && text != "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, ArgumentError> {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Arguments::parse(&arguments, |name| matches!(name, "seed" | "lang" | "tlimit"))
    }

    #[test]
    fn options_have_values_behind_a_sign_or_a_space() {
        let parsed = parse("--strings-exp --seed=7 --seed 8 -i --no-bool a.smt2").unwrap();
        let options: Vec<_> =
            parsed.options.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect();
        let expected = [
            ("strings-exp", None),
            ("seed", Some("7")),
            ("seed", Some("8")),
            ("incremental", None),
            ("no-bool", None),
        ];
        assert_eq!(options, expected);
        assert_eq!(parsed.files, [PathBuf::from("a.smt2")]);
    }

    #[test]
    fn what_the_executable_does_itself_is_kept_apart() {
        let parsed = parse("--lang=smt2.6 --tlimit=1500 -").unwrap();
        assert_eq!(parsed.time_limit, Some(Duration::from_millis(1500)));
        assert!(!parsed.sygus && parsed.options.is_empty());
        assert_eq!(parsed.files, [PathBuf::from("-")]);
        assert!(parse("-L sygus2").unwrap().sygus);
        assert!(parse("--lang sygus2").unwrap().sygus);
        assert!(parse("--version").unwrap().version);
        assert_eq!(parse("-- --odd.smt2").unwrap().files, [PathBuf::from("--odd.smt2")]);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (line, expected) in [
            ("--tlimit=abc", "Argument 'abc' for option tlimit"),
            ("--lang=tptp", "Argument 'tptp' for option lang"),
            ("-x", "can't understand option `-x'"),
            ("--dump-models", "option `--dump-models' needs the executable"),
            ("--stats-all", "option `--stats-all' needs the executable"),
            ("a.smt2 b.smt2", "Too many input files"),
            ("--seed", "can't understand option `--seed'"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }
}
