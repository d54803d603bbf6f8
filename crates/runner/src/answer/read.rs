//! Assigns the replies of an output to queries: verdicts, and the requests and errors of each.
//!
//! An `(error …)` between two verdicts answers either a request of the first query (`get-model`
//! after `unsat`) or a command that belongs to the second one (an assertion that could not be
//! parsed). The first kind does not affect later queries; after the second kind their verdicts are
//! about another formula. The position decides, never the wording: a solver replies to every
//! request, in order, with a result or an error. So the first replies after a verdict, as many as
//! there were requests, belong to these requests; an error behind them belongs to what comes next:
//!
//! ```text
//! (check-sat)      unsat
//! (get-model)      (error "model is not available")      ⇒ errors_after of the first answer
//! (assert (f x))   (error "unknown constant f")          ⇒ errors_before of the second
//! (check-sat)      sat
//! ```
//!
//! Limit: for a solver that does not reply to a request at all, the error of a later command
//! takes the place of the missing reply.

use luthier_records::{Answer, ParsedOutput, Text, Verdict};

use super::replies::{Replies, Reply, Word, error_message, parts, unquote};

/// A command after a query that requests more than a verdict; exactly one reply is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `get-model`
    Model,
    /// `get-value`
    Value,
    /// `get-unsat-core` and `get-unsat-assumptions`
    Core,
    /// `get-proof` and other commands whose replies are not looked at.
    Other,
}

/// Reads the standard output of a solver for a script without requests, or with requests after
/// the last query only. Never fails: what cannot be read is counted as noise.
pub fn read(output: &[u8]) -> ParsedOutput {
    read_with_requests(output, &[])
}

/// Reads the standard output of a solver for a script that has these requests after every query,
/// in this order.
pub fn read_with_requests(output: &[u8], requests: &[Request]) -> ParsedOutput {
    let mut reading = OutputReader::new(requests);
    for reply in Replies::new(output) {
        match reply {
            Reply::Word(word) => reading.word(word),
            Reply::List(list) => reading.list(list),
            Reply::Noise => reading.output.noise_lines += 1,
            Reply::Unfinished => reading.output.unfinished = true,
        }
    }
    reading.finish()
}

/// The lists of an output at top level, in order, errors included.
pub fn lists(output: &[u8]) -> Vec<&[u8]> {
    let list = |reply| match reply {
        Reply::List(list) => Some(list),
        _ => None,
    };
    Replies::new(output).filter_map(list).collect()
}

/// The reply to a `get-value` as pairs of a term and its value, in the order of the request; `None` if
/// it is anything else.
pub fn pairs(list: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    parts(list).into_iter().map(pair).collect()
}

struct OutputReader<'a> {
    output: ParsedOutput,
    /// The requests after each query, as the script has them.
    requests: &'a [Request],
    /// The requests of the last query to which no reply has come yet.
    open: &'a [Request],
    /// Errors that answer no request: they stand before a verdict or after the last one.
    pending_errors: Vec<Text>,
}

/// What a list is, by its form.
enum Form {
    Error(Text),
    ReasonUnknown(Text),
    Model,
    Values,
    Core(Vec<Text>),
    /// `()`: an empty model or an empty core, by what it follows.
    Empty,
    Other,
}

/// The beginnings, after the position, of messages with which Z3 rejects unknown or late options.
const OPTION_PHRASES: [&[u8]; 2] = [b"unknown parameter '", b"error setting '"];

impl<'a> OutputReader<'a> {
    fn new(requests: &'a [Request]) -> Self {
        Self { output: ParsedOutput::default(), requests, open: &[], pending_errors: Vec::new() }
    }

    /// Takes a reply as the one to the next open request, or to the first of its kind: a solver
    /// that prints a core has left the requests before it without a reply. Returns whether there was
    /// an open request.
    fn close_request(&mut self, kind: Option<Request>) -> bool {
        let of_kind = self.open.iter().position(|request| Some(*request) == kind);
        let was_open = !self.open.is_empty();
        self.open = self.open.get(of_kind.unwrap_or(0) + 1..).unwrap_or_default();
        was_open
    }

    fn word(&mut self, word: Word) {
        let verdict = match word {
            Word::Sat => Verdict::Sat,
            Word::Unsat => Verdict::Unsat,
            Word::Unknown => Verdict::Unknown,
            Word::Success => return,
            Word::Unsupported => {
                self.output.unsupported = true;
                self.close_request(None);
                return;
            }
            Word::Timeout => {
                self.output.timeout = true;
                return;
            }
        };
        let errors_before = std::mem::take(&mut self.pending_errors);
        self.open = self.requests;
        self.output.answers.push(Answer { errors_before, ..Answer::bare(verdict) });
    }

    fn list(&mut self, list: &[u8]) {
        let form = form_of(list);
        if let Form::Error(message) = form {
            if is_about_option(&message) {
                self.output.option_errors.push(message);
                return;
            }
            let answers_request = self.close_request(None);
            match self.output.answers.last_mut() {
                Some(answer) if answers_request => answer.errors_after.push(message),
                _ => self.pending_errors.push(message),
            }
            return;
        }
        match form {
            Form::Model => self.close_request(Some(Request::Model)),
            Form::Values => self.close_request(Some(Request::Value)),
            Form::Core(_) => self.close_request(Some(Request::Core)),
            Form::Empty | Form::Other => self.close_request(None),
            // It is asked for once, after the last query.
            Form::ReasonUnknown(_) | Form::Error(_) => false,
        };
        let Some(answer) = self.output.answers.last_mut() else {
            self.output.noise_lines += 1;
            return;
        };
        match form {
            Form::ReasonUnknown(reason) => answer.reason_unknown = Some(reason),
            Form::Model => set_first(&mut answer.model, Text::from(list)),
            Form::Values => answer.values.push(Text::from(list)),
            // A list of names after `sat` is something else, a list of objectives for example.
            Form::Core(names) if answer.verdict == Verdict::Unsat => {
                set_first(&mut answer.core, names);
            }
            Form::Empty if answer.verdict == Verdict::Unsat => {
                set_first(&mut answer.core, Vec::new());
            }
            Form::Empty => set_first(&mut answer.model, Text::from(list)),
            Form::Core(_) | Form::Other | Form::Error(_) => self.output.noise_lines += 1,
        }
    }

    /// Errors that no verdict followed belong to the last one, or to none.
    fn finish(mut self) -> ParsedOutput {
        match self.output.answers.last_mut() {
            Some(answer) => answer.errors_after.append(&mut self.pending_errors),
            None => self.output.errors = self.pending_errors,
        }
        self.output
    }
}

/// The first of several models or cores is kept: it was given for the query as it stood.
fn set_first<T>(place: &mut Option<T>, value: T) {
    place.get_or_insert(value);
}

fn form_of(list: &[u8]) -> Form {
    if let Some(message) = error_message(list) {
        return Form::Error(message.into());
    }
    let parts = parts(list);
    let Some((head, tail)) = parts.split_first() else { return Form::Empty };
    match *head {
        b":reason-unknown" => return Form::ReasonUnknown(joined(tail)),
        b"model" => return Form::Model,
        b"define-fun" | b"objectives" | b"proof" | b"let" => return Form::Other,
        _ if head.starts_with(b":") => return Form::Other,
        _ => {}
    }
    if parts.iter().all(|part| is_model_entry(part)) {
        Form::Model
    } else if parts.iter().all(|part| is_pair(part)) {
        Form::Values
    } else if parts.iter().all(|part| is_name(part)) {
        Form::Core(parts.into_iter().map(Text::from).collect())
    } else {
        Form::Other
    }
}

/// `(define-fun x () String "a")` and its relatives, declarations of universes, and the
/// quantified sentences with which Z3 says that a universe is finite.
fn is_model_entry(part: &[u8]) -> bool {
    const HEADS: [&[u8]; 7] = [
        b"define-fun",
        b"define-fun-rec",
        b"define-funs-rec",
        b"declare-fun",
        b"declare-sort",
        b"declare-datatypes",
        b"forall",
    ];
    part.starts_with(b"(") && parts(part).first().is_some_and(|head| HEADS.contains(head))
}

fn is_pair(part: &[u8]) -> bool {
    pair(part).is_some()
}

fn pair(part: &[u8]) -> Option<(&[u8], &[u8])> {
    match parts(part).as_slice() {
        [one, two] if part.starts_with(b"(") => Some((one, two)),
        _ => None,
    }
}

fn is_name(part: &[u8]) -> bool {
    !part.starts_with(b"(") && !part.starts_with(b"\"") && !part.starts_with(b")")
}

/// A single string without its quotes; anything else as it was printed, one blank between parts.
fn joined(parts: &[&[u8]]) -> Text {
    match parts {
        [single] => Text::from(unquote(single).unwrap_or_else(|| single.to_vec())),
        _ => Text::from(parts.join(&b' ')),
    }
}

/// The position of Z3's messages, `line 3 column 22: `, is left out.
fn is_about_option(message: &Text) -> bool {
    let message = message.as_bytes();
    let text = match message.iter().position(|byte| *byte == b':') {
        Some(colon) if message.starts_with(b"line ") => message[colon + 1..].trim_ascii_start(),
        _ => message,
    };
    OPTION_PHRASES.iter().any(|phrase| text.starts_with(phrase))
}
