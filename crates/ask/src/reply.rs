//! What came of one formula.
//!
//! The class is that of stored runs ([`Class`]), so that a hunt, a conformance test and a campaign
//! call the same thing by the same word. A reply from a process with many formulas is given only if
//! it is beyond doubt; otherwise the formula is asked alone.

use luthier_records::{Answer, Class, Ending, ParsedOutput, Text, Verdict};
use luthier_runner::process::Outcome;

/// What a solver says to a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What came of it.
    pub class: Class,
    /// The verdict and what was printed with it, if the class is that of a verdict.
    pub answer: Option<Answer>,
    /// What is known where there is no verdict: the first error, or how the process ended.
    pub detail: String,
    /// The first line on standard error of a process that crashed.
    pub complaint: Option<String>,
    /// How it was asked.
    pub asked: HowAsked,
}

/// How a formula was put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowAsked {
    /// In a process of its own.
    Alone,
    /// In a process with others.
    Among,
    /// Not at all, because the dialect of the solver cannot express it.
    Not,
}

impl Reply {
    /// The reply for a formula that the dialect cannot express.
    pub fn inexpressible(cause: impl ToString) -> Self {
        Self::without_answer(Class::Unsupported, cause.to_string(), HowAsked::Not)
    }

    /// What a process with one query says.
    pub fn of_process(said: ParsedOutput, outcome: &Outcome) -> Self {
        let class = Class::of(&said, 1, &outcome.ending);
        let error = first_error(&said);
        if matches!(class, Class::Sat | Class::Unsat | Class::Unknown)
            && let Some(answer) = said.answers.into_iter().next()
        {
            let (detail, asked) = (String::new(), HowAsked::Alone);
            return Self { class, answer: Some(answer), detail, complaint: None, asked };
        }
        let detail = match (class, error) {
            (Class::Unsupported, Some(error)) => error,
            (Class::Malformed, _) => "prints no answer".to_owned(),
            _ => outcome.ending.to_string(),
        };
        let complaint = (class == Class::Crash).then(|| first_line(&outcome.stderr.bytes));
        let reply = Self::without_answer(class, detail, HowAsked::Alone);
        Self { complaint: complaint.flatten(), ..reply }
    }

    /// What one of many formulas got for an answer; `None` if it has to be asked alone.
    pub(crate) fn of_part(said: ParsedOutput, is_complete: bool, ending: &Ending) -> Option<Self> {
        let asked = HowAsked::Among;
        let ended_in_order = matches!(ending, Ending::Exited(0 | 1)) && !said.unfinished;
        if !is_complete && !ended_in_order {
            return None;
        }
        if let Some(error) = first_error(&said) {
            let reply = Self::without_answer(Class::Unsupported, error, asked);
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
                Some(Self { class, answer: Some(answer), detail, complaint: None, asked })
            }
            _ => None,
        }
    }

    pub(crate) fn without_answer(class: Class, detail: String, asked: HowAsked) -> Self {
        Self { class, answer: None, detail, complaint: None, asked }
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

    /// Whether it is an error with which the solver reports a fault of its own as if the script
    /// were wrong.
    pub fn is_internal_error(&self) -> bool {
        let message = self.detail.to_lowercase();
        self.class == Class::Unsupported
            && self.asked != HowAsked::Not
            && INTERNAL.iter().any(|word| message.contains(word))
    }
}

/// Words in errors that are not about the script.
const INTERNAL: [&str; 5] =
    ["internal error", "assertion violation", "unreachable", "unexpected code", "fatal failure"];

/// The first error that makes an answer one to another question; an internal one before others.
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
