//! Exit codes and errors of commands.

use std::fmt;
use std::process::ExitCode;

use luthier_ask::AskError;
use luthier_campaign::CampaignError;
use luthier_slurm::SlurmError;
use luthier_store::StoreError;

/// How a command ended; each has its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Success, without wrong answers.
    Fine,
    /// The command line is wrong, or a file cannot be opened or written.
    Usage,
    /// A wrong answer was found.
    WrongAnswer,
    /// Something was rejected, left open, or could not be decided.
    Incomplete,
    /// A comparison came out worse: something was lost or slower.
    Worse,
    /// Luthier itself is at fault.
    Bug,
}

impl Ending {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Usage => 1,
            Self::WrongAnswer => 2,
            Self::Incomplete => 3,
            Self::Worse => 4,
            Self::Bug => 70,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(ending.code())
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum CliError {
    /// An error outside of Luthier: a wrong path, a full disk.
    Expected {
        /// What went wrong, and where.
        message: String,
        /// What to do about it.
        hint: Option<String>,
        /// How the program ends.
        ending: Ending,
    },
    /// An internal error: an invariant of Luthier does not hold.
    Bug {
        /// What happened.
        message: String,
    },
}

impl CliError {
    /// The user asked for something that cannot be done, or a file cannot be opened.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Expected { message: message.into(), hint: None, ending: Ending::Usage }
    }

    /// An input does not allow what was asked for.
    pub fn incomplete(message: impl Into<String>) -> Self {
        Self::Expected { message: message.into(), hint: None, ending: Ending::Incomplete }
    }

    /// Says what to do about it.
    pub fn with_hint(self, text: impl Into<String>) -> Self {
        match self {
            Self::Expected { message, ending, .. } => {
                Self::Expected { message, hint: Some(text.into()), ending }
            }
            bug @ Self::Bug { .. } => bug,
        }
    }

    /// How the program ends.
    pub fn ending(&self) -> Ending {
        match self {
            Self::Expected { ending, .. } => *ending,
            Self::Bug { .. } => Ending::Bug,
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<AskError> for CliError {
    fn from(error: AskError) -> Self {
        CampaignError::from(error).into()
    }
}

impl From<CampaignError> for CliError {
    fn from(error: CampaignError) -> Self {
        let usage = Self::usage(error.to_string());
        match error.hint() {
            Some(hint) => usage.with_hint(hint),
            None => usage,
        }
    }
}

impl From<SlurmError> for CliError {
    fn from(error: SlurmError) -> Self {
        // Runs are missing, and nothing is wrong with what was asked for.
        let own = match &error {
            SlurmError::NoProgress { .. } => Self::incomplete(error.to_string()),
            _ => Self::usage(error.to_string()),
        };
        match error.hint() {
            Some(hint) => own.with_hint(hint),
            None => own,
        }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { message, .. } | Self::Bug { message } => f.write_str(message),
        }
    }
}
