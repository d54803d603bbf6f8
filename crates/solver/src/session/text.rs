//! A session with a client that sends text: each command is read when it is complete, and executed
//! before the next one is looked at.
//!
//! A command that cannot be read is an error and changes nothing, and the session goes on
//! (`:error-behavior` is `continued-execution`). A long command is read under the limits, like all
//! other work. If reading is stopped there, what the command has declared is unknown, so the
//! session is over.

use std::sync::Arc;

use luthier_smtlib::{Code, CommandKind, CommandReader, NotRead, ReadOptions, Splitter};
use luthier_terms::TermPool;

use super::{Reply, Session, Stop, Watch};
use crate::{Cancel, Portfolio, UnknownReason};

/// Longer commands are read on the worker, whose work can be abandoned.
const LONG: usize = 1 << 16;

/// A session and the text that is still to be read.
pub struct TextSession {
    session: Session,
    /// `None` once the session is over.
    reader: Option<CommandReader>,
    splitter: Splitter,
    buffer: Vec<u8>,
    /// How much of the buffer was read.
    start: usize,
}

/// What came of reading one command.
pub enum Input {
    /// A command.
    Command(CommandKind),
    /// It cannot be read.
    Error(NotRead),
    /// It could not be read within the limits. The session is over.
    Stopped(Stop),
}

impl TextSession {
    /// A session without assertions.
    pub fn new(portfolio: Portfolio, watch: Watch, options: ReadOptions) -> Self {
        let mut pool = TermPool::new();
        let reader = Some(CommandReader::new(&mut pool, options));
        let mut session = Session::new(pool, portfolio, watch);
        // The time of a client is not ours.
        session.first_deadline = None;
        session.continues = true;
        Self { session, reader, splitter: Splitter::default(), buffer: Vec::new(), start: 0 }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The pool of all terms.
    pub(crate) fn pool_mut(&mut self) -> &mut TermPool {
        Arc::make_mut(&mut self.session.pool)
    }

    /// Drops the text that was not read.
    pub(crate) fn drop_input(&mut self) {
        self.buffer.clear();
        self.start = 0;
        self.splitter = Splitter::default();
    }

    /// Adds text that is still to be read.
    pub fn feed(&mut self, text: &[u8]) {
        if self.start > 0 && self.start >= self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(text);
    }

    /// Reads the next command, if it is complete.
    pub fn next_input(&mut self) -> Option<Input> {
        loop {
            let quotes = self.reader.as_ref()?.quotes();
            let length = self.splitter.next_piece(&self.buffer[self.start..], quotes)?;
            if let Some(input) = self.read(length) {
                return Some(input);
            }
        }
    }

    /// Reads what is left at the end of the text: a command that is not complete is an error.
    pub fn last_input(&mut self) -> Option<Input> {
        self.splitter = Splitter::default();
        self.read(self.buffer.len() - self.start)
    }

    /// Executes a command. An error is a bug of the solver.
    pub fn execute(&mut self, command: &CommandKind) -> Result<Reply, UnknownReason> {
        self.session.execute(command)
    }

    fn read(&mut self, length: usize) -> Option<Input> {
        let piece = &self.buffer[self.start..self.start + length];
        self.start += length;
        let result = match &mut self.reader {
            None => return None,
            Some(reader) if length <= LONG => {
                reader.read(Arc::make_mut(&mut self.session.pool), piece)
            }
            Some(_) => {
                let piece = piece.to_vec();
                match self.read_long(piece)? {
                    Ok(result) => result,
                    Err(stop) => return Some(Input::Stopped(stop)),
                }
            }
        };
        match result {
            Ok(command) => command.map(Input::Command),
            Err(error) => Some(Input::Error(error)),
        }
    }

    /// Reads on the worker, which has reader and pool meanwhile.
    fn read_long(
        &mut self,
        piece: Vec<u8>,
    ) -> Option<Result<Result<Option<CommandKind>, NotRead>, Stop>> {
        let mut reader = self.reader.take()?;
        let mut pool = std::mem::replace(&mut self.session.pool, Arc::new(TermPool::new()));
        let deadline = self.session.watch.deadline();
        let outcome = self.session.watch.run(deadline, &Cancel::new(), move || {
            let result = reader.read(Arc::make_mut(&mut pool), &piece);
            (result, reader, pool)
        });
        Some(match (outcome.result, outcome.stop) {
            (Some((result, reader, pool)), None | Some(Stop::Timeout | Stop::Memory)) => {
                (self.reader, self.session.pool) = (Some(reader), pool);
                // The time of reading counts for a query, which is executed next.
                if let Ok(Some(CommandKind::CheckSatAssuming(_))) = &result {
                    self.session.first_deadline = deadline;
                }
                Ok(result)
            }
            (_, stop) => Err(stop.unwrap_or(Stop::Panic)),
        })
    }
}

impl From<&NotRead> for Reply {
    fn from(error: &NotRead) -> Self {
        match error.code {
            Code::Unsupported => Self::Unsupported,
            _ => Self::Error(error.to_string()),
        }
    }
}
