//! The reply of a solver to one formula, classified.
//!
//! The classes are those of stored runs ([`Class`]), so that hunts, conformance tests and campaigns
//! classify alike. Only a reply from a process of its own can be a crash, a timeout or malformed: in a
//! batch the end of the process cannot be attributed to one formula. The output for one formula of a
//! batch is accepted as a reply if it is unambiguous, that is, exactly one verdict or an error about
//! the script; otherwise the formula is asked again in a process of its own.

use luthier_records::{Answer, Class, Ending, ParsedOutput, Text, Verdict};
use luthier_runner::process::Outcome;

/// The reply of a solver to one formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// How it is classified.
    pub class: Class,
    /// The verdict and what was printed with it, if the class is that of a verdict.
    pub answer: Option<Answer>,
    /// Where there is no verdict: the first error, or how the process ended.
    pub detail: String,
    /// The first line on standard error of a process that crashed.
    pub stderr_line: Option<String>,
    /// Which kind of process was asked.
    pub asked_in: AskedIn,
}

/// Which kind of process a formula was given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedIn {
    /// A process with this formula only.
    OwnProcess,
    /// A process with other formulas.
    Batch,
    /// None, because the dialect or the commands of the solver cannot express it.
    NoProcess,
}

impl Reply {
    /// The reply for a formula that the solver's dialect or commands cannot express.
    pub fn inexpressible(cause: impl ToString) -> Self {
        Self::without_answer(Class::Unsupported, cause.to_string(), AskedIn::NoProcess)
    }

    /// The reply of a process with one query.
    pub fn of_process(said: ParsedOutput, outcome: &Outcome) -> Self {
        let class = Class::of(&said, 1, &outcome.ending);
        let error = first_error(&said);
        if matches!(class, Class::Sat | Class::Unsat | Class::Unknown)
            && let Some(answer) = said.answers.into_iter().next()
        {
            let (detail, asked_in) = (String::new(), AskedIn::OwnProcess);
            return Self { class, answer: Some(answer), detail, stderr_line: None, asked_in };
        }
        let detail = match (class, error) {
            (Class::Unsupported, Some(error)) => error,
            (Class::Malformed, _) => "prints no answer".to_owned(),
            _ => outcome.ending.to_string(),
        };
        let stderr_line = (class == Class::Crash).then(|| first_line(&outcome.stderr.bytes));
        let reply = Self::without_answer(class, detail, AskedIn::OwnProcess);
        Self { stderr_line: stderr_line.flatten(), ..reply }
    }

    /// The reply to one formula of a batch; `None` if it is ambiguous. `is_complete`: the output goes
    /// on behind it, so that its end is not cut off.
    pub(crate) fn of_part(said: ParsedOutput, is_complete: bool, ending: &Ending) -> Option<Self> {
        let asked_in = AskedIn::Batch;
        let ended_in_order = matches!(ending, Ending::Exited(0 | 1)) && !said.unfinished;
        if !is_complete && !ended_in_order {
            return None;
        }
        if let Some(error) = first_error(&said) {
            let reply = Self::without_answer(Class::Unsupported, error, asked_in);
            return (!reply.is_internal_error()).then_some(reply);
        }
        let mut answers = said.answers.into_iter();
        match (answers.next(), answers.next()) {
            (Some(answer), None) => {
                let class = match answer.verdict {
                    Verdict::Sat => Class::Sat,
                    Verdict::Unsat => Class::Unsat,
                    Verdict::Unknown => Class::Unknown,
                };
                let detail = String::new();
                Some(Self { class, answer: Some(answer), detail, stderr_line: None, asked_in })
            }
            _ => None,
        }
    }

    pub(crate) fn without_answer(class: Class, detail: String, asked_in: AskedIn) -> Self {
        Self { class, answer: None, detail, stderr_line: None, asked_in }
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.answer.as_ref().map(|answer| answer.verdict)
    }

    /// The model, if one was printed.
    pub fn model(&self) -> Option<&Text> {
        self.answer.as_ref()?.model.as_ref()
    }

    /// The core, if one was printed.
    pub fn core(&self) -> Option<&[Text]> {
        self.answer.as_ref()?.core.as_deref()
    }

    /// Whether it is an `(error …)` about a fault of the solver itself and not about the script.
    pub fn is_internal_error(&self) -> bool {
        let message = self.detail.to_lowercase();
        self.class == Class::Unsupported
            && self.asked_in != AskedIn::NoProcess
            && INTERNAL.iter().any(|word| message.contains(word))
    }
}

/// Phrases in errors that are about the solver itself and not about the script.
const INTERNAL: [&str; 5] =
    ["internal error", "assertion violation", "unreachable", "unexpected code", "fatal failure"];

/// The first error before the verdict, or without one; an internal error takes precedence. After such
/// an error the verdict answers another script than the one that was given.
fn first_error(said: &ParsedOutput) -> Option<String> {
    let before = said.answers.iter().flat_map(|answer| &answer.errors_before);
    let mut errors = before.chain(&said.errors).map(ToString::to_string);
    let first = errors.next()?;
    let is_internal = |error: &String| {
        let error = error.to_lowercase();
        INTERNAL.iter().any(|word| error.contains(word))
    };
    if is_internal(&first) {
        return Some(first);
    }
    Some(errors.find(is_internal).unwrap_or(first))
}

fn first_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
