//! `luthier solve` with a client on standard input: each command is answered before the next one is
//! read, and every answer is flushed.
//!
//! The session ends with `exit`, with the end of the input, with a signal, when nobody reads the
//! answers any more, or when the memory is used up. Time that the client takes does not count.

use std::io::Read as _;
use std::time::{Duration, Instant};

use luthier_smtlib::Code;
use luthier_solver::session::{Input, Reply, Signals as _, Stop, TextSession};

use super::replies::{Printer, Progress, answer_unread, bug, end_on_signal};
use super::{asks_about_an_answer, print_error};
use crate::error::{CliError, Ending};
use crate::output::Output;

/// How much is read at once.
const PORTION: usize = 1 << 16;

/// Memory is looked at this often.
const MEMORY_INTERVAL: Duration = Duration::from_millis(10);

/// The conversation with a client.
pub struct Conversation<'a> {
    pub session: TextSession,
    pub printer: Printer<'a>,
    /// All that the client has sent, for a report of a fault of ours.
    pub transcript: Vec<u8>,
    /// Whether a command could not be read.
    pub has_error: bool,
}

impl Conversation<'_> {
    /// Answers commands until the conversation ends.
    pub fn run(mut self, output: &mut Output) -> Result<Ending, CliError> {
        // The client may be silent for long, and a signal must end that.
        self.printer.signals.guard();
        let mut stdin = std::io::stdin().lock();
        let mut portion = vec![0; PORTION];
        let mut looked = Instant::now();
        loop {
            while let Some(input) = self.session.next_input() {
                if self.answer(input, output)? == Progress::Exit {
                    return Ok(self.ending());
                }
            }
            if looked.elapsed() > MEMORY_INTERVAL {
                looked = Instant::now();
                match self.session.session().watch().stop_between_commands() {
                    Some(Stop::Signal(signal)) => end_on_signal(signal, output)?,
                    Some(stop) => {
                        answer_unread(stop, output)?;
                        return Ok(Ending::Incomplete);
                    }
                    None => {}
                }
            }
            let length = match stdin.read(&mut portion) {
                Ok(length) => length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let message = format!("standard input cannot be read: {error}");
                    return Err(CliError::usage(message));
                }
            };
            if length == 0 {
                if let Some(input) = self.session.last_input() {
                    self.answer(input, output)?;
                }
                return Ok(self.ending());
            }
            self.session.feed(&portion[..length]);
            self.transcript.extend_from_slice(&portion[..length]);
        }
    }

    /// Executes a command and prints the reply.
    fn answer(&mut self, input: Input, output: &mut Output) -> Result<Progress, CliError> {
        let reply = match input {
            // JSON has all that can be asked about an answer in the record of the query.
            Input::Command(command) if output.json && asks_about_an_answer(&command) => {
                return Ok(Progress::More);
            }
            Input::Command(command) => self.session.execute(&command).map_err(bug)?,
            Input::Error(error) => {
                self.has_error = true;
                if error.code == Code::Unsupported {
                    output.warn(&error.to_string());
                }
                match Reply::from(&error) {
                    Reply::Error(text) => {
                        print_error(text, output)?;
                        Reply::Silent
                    }
                    reply => reply,
                }
            }
            Input::Stopped(stop) => {
                self.has_error = true;
                answer_unread(stop, output)?;
                return Ok(Progress::Exit);
            }
        };
        let session = self.session.session();
        let progress = self.printer.print(session, reply, &self.transcript, output)?;
        output.flush()?;
        if let Some(signal) = self.printer.signals.received() {
            end_on_signal(signal, output)?;
        }
        // Nobody reads the answers.
        Ok(if output.is_closed() { Progress::Exit } else { progress })
    }

    fn ending(&self) -> Ending {
        if self.has_error { Ending::Incomplete } else { Ending::Fine }
    }
}
