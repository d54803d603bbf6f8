//! Reads commands one at a time, as a client sends them.
//!
//! What names mean outlives a command, as does the pool; the text does not. A command that cannot be
//! read changes nothing, so that the next one is read as if it had not been there (standard 2.7,
//! section 4.1.6: *continued execution*).
//!
//! The dialect cannot be detected, since that takes a whole text. It is the one that the caller
//! chose, else the one of the last `(set-info :smt-lib-version …)`, else SMT-LIB 2.7, which reads
//! the same as 2.6. Legacy names are understood, legacy escapes are not.

use luthier_terms::{SymbolId, TermPool};
use rustc_hash::FxHashMap;

use super::bindings::Bindings;
use super::{ReadOptions, Reader};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::lexer::{Quotes, TokenKind};
use crate::script::{Attribute, AttributeValue, CommandKind};
use crate::source::{Location, Locator, MAX_SOURCE_BYTES, Span, width};

/// Reads the commands of a conversation.
pub struct CommandReader {
    options: ReadOptions,
    dialect: Dialect,
    bindings: Bindings,
    generations: FxHashMap<SymbolId, u32>,
    quantifier_free_logic: bool,
    /// Where the next piece begins.
    place: Location,
}

/// Why a piece of text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// Where in the stream.
    pub place: Location,
    /// The kind of the error.
    pub code: Code,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for NotRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} column {}: {}", self.place.line, self.place.column, self.message)
    }
}

impl CommandReader {
    /// A reader at the beginning of a conversation about terms of this pool.
    pub fn new(pool: &mut TermPool, options: ReadOptions) -> Self {
        Self {
            options,
            dialect: options.dialect.unwrap_or(Dialect::Smt27),
            bindings: Bindings::with_builtins(pool),
            generations: FxHashMap::default(),
            quantifier_free_logic: false,
            place: Location { line: 1, column: 1 },
        }
    }

    /// How quotation marks stand in the literals of the next command.
    pub fn quotes(&self) -> Quotes {
        self.dialect.quotes()
    }

    /// Reads a piece of text with at most one command, as [`crate::Splitter`] finds it. Nothing if
    /// there is only white space. The pool must be the one of all calls before.
    pub fn read(
        &mut self,
        pool: &mut TermPool,
        piece: &[u8],
    ) -> Result<Option<CommandKind>, NotRead> {
        let start = self.place;
        self.place = place_in(start, piece, piece.len());
        if piece.len() > MAX_SOURCE_BYTES {
            let message = format!("a command of more than {MAX_SOURCE_BYTES} bytes");
            return Err(NotRead { place: start, code: Code::TooLong, message });
        }
        let mark = self.bindings.mark();
        match self.read_piece(pool, piece) {
            Ok(command) => {
                if let Some(CommandKind::SetInfo(information)) = &command {
                    self.note_version(pool, information);
                }
                Ok(command)
            }
            Err(error) => {
                self.bindings.undo_to(mark);
                let place = place_in(start, piece, error.span.start as usize);
                Err(NotRead { place, code: error.code, message: error.message })
            }
        }
    }

    /// Reads with a reader of the ordinary kind, which has the memory of this one.
    fn read_piece(
        &mut self,
        pool: &mut TermPool,
        piece: &[u8],
    ) -> Result<Option<CommandKind>, Diagnostic> {
        let bindings = std::mem::take(&mut self.bindings);
        let mut reader =
            Reader::with_bindings(pool, piece, self.dialect, self.options.mode, bindings);
        reader.reads_one_command = true;
        reader.generations = std::mem::take(&mut self.generations);
        reader.quantifier_free_logic = self.quantifier_free_logic;
        let first = reader.lexer.next_token();
        match first.kind {
            TokenKind::End => {}
            // Errors are in the diagnostics.
            TokenKind::Open => drop(reader.command(first)),
            _ => drop(reader.unexpected(first, "a command `(…)`")),
        }
        let is_empty = first.kind == TokenKind::End;
        self.quantifier_free_logic = reader.quantifier_free_logic;
        let Reader { mut script, collector, bindings, generations, .. } = reader;
        (self.bindings, self.generations) = (bindings, generations);
        let mut diagnostics = collector.finish().into_iter();
        if let Some(error) = diagnostics.find(|one| one.severity == Severity::Error) {
            return Err(error);
        }
        match script.commands.pop() {
            Some(command) => Ok(Some(command.kind)),
            None if is_empty => Ok(None),
            // Every command that is left out has been reported, so this cannot be reached; to be
            // silent would let a client wait for an answer.
            None => Err(Diagnostic {
                severity: Severity::Error,
                code: Code::UnexpectedToken,
                span: Span { start: 0, end: 0 },
                message: "the command could not be read".to_owned(),
                hint: None,
                repeated: false,
            }),
        }
    }

    /// Goes on in the version that is declared, unless the caller has chosen a dialect.
    fn note_version(&mut self, pool: &TermPool, information: &Attribute) {
        if self.options.dialect.is_none()
            && pool.symbols().bytes_of(information.keyword) == b":smt-lib-version"
            && let AttributeValue::Other(version) = &information.value
            && let Ok(version) = std::str::from_utf8(version)
            && let Some(dialect) = Dialect::of_version(version)
        {
            self.dialect = dialect;
        }
    }
}

/// The place of a byte of a piece that begins at `start`.
fn place_in(start: Location, piece: &[u8], offset: usize) -> Location {
    let before = &piece[..offset.min(piece.len())];
    match memchr::memrchr(b'\n', before) {
        None => Location { line: start.line, column: start.column + width(before) },
        Some(_) => {
            let inside = Locator::new(before).location(u32::try_from(offset).unwrap_or(u32::MAX));
            Location { line: start.line + inside.line - 1, column: inside.column }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Splitter;

    /// The commands of a text, or what is wrong with them.
    fn read(text: &str) -> Vec<Result<CommandKind, String>> {
        let mut pool = TermPool::new();
        let mut reader = CommandReader::new(&mut pool, ReadOptions::default());
        let (mut splitter, mut rest, mut found) =
            (Splitter::default(), text.as_bytes(), Vec::new());
        loop {
            let length = splitter.next_piece(rest, reader.quotes());
            let (piece, after) = rest.split_at(length.unwrap_or(rest.len()));
            match reader.read(&mut pool, piece) {
                Ok(command) => found.extend(command.map(Ok)),
                Err(error) => found.push(Err(error.to_string())),
            }
            if length.is_none() {
                return found;
            }
            rest = after;
        }
    }

    #[test]
    fn a_command_that_cannot_be_read_changes_nothing() {
        let found = read(
            "(declare-const x String)\n(assert (! (= x 1) :named a))\n(push 1 2)\n(pop 1)\n\
             (declare-const y Strin)\n(assert (= y \"\"))\n(assert (! (= x \"b\") :named a))",
        );
        let errors: Vec<&str> =
            found.iter().filter_map(|one| one.as_ref().err().map(String::as_str)).collect();
        assert_eq!(errors.len(), 5, "{errors:?}");
        for (error, line) in errors.iter().zip([2, 3, 4, 5, 6]) {
            assert!(error.starts_with(&format!("line {line} column ")), "{error}");
        }
        assert!(matches!(found.last(), Some(Ok(CommandKind::Assert(_)))), "{found:?}");
        assert_eq!(found.len(), 7);
    }

    #[test]
    fn a_malformed_command_opens_and_closes_no_level() {
        for wrong in [
            "(push 1 (x))",
            "(push 1 (check-sat))",
            "(push 1 2)",
            "(push (x))",
            "(pop 1 (x))",
            "(pop 1 (check-sat))",
            "(reset (x))",
            "(reset (check-sat))",
            "(reset-assertions (x))",
            "(reset-assertions (check-sat))",
            "(set-logic QF_S (x))",
            "(set-option :global-declarations true (x))",
        ] {
            let text = format!(
                "(push 1)(declare-const x String){wrong}(assert (= x \"a\"))\
                 (assert (exists ((y String)) (= x y)))(pop 1)(declare-const x Int)(pop 1)"
            );
            let fine: Vec<bool> = read(&text).iter().map(Result::is_ok).collect();
            // The last `pop` closes a level that only the malformed command could have opened.
            let expected = [true, true, false, true, true, true, true, false];
            assert_eq!(fine, expected, "{wrong}");
        }
    }

    #[test]
    fn names_outlive_their_command_and_end_with_their_level() {
        let found = read(
            "(push 1)(define-fun-rec f ((n Int)) Int (f n))(assert (= (f 1) 2))(pop 1)\n\
             (define-fun-rec f ((n Int)) Int (+ 1 (f n)))(assert (= (f 1) 2))(pop 1)(reset)\n\
             (assert (= (f 1) 2)) trash ) (",
        );
        let fine: Vec<bool> = found.iter().map(Result::is_ok).collect();
        let expected = [true, true, true, true, true, true, false, true, false, false, false];
        assert_eq!(fine, expected, "{found:?}");
    }

    #[test]
    fn a_declared_version_is_the_dialect_from_there_on() {
        let text = "(assert (= \"\\x41\" \"A\")) (set-info :smt-lib-version 2.0)\n\
                    (assert (= \"\\\"\" \"A\"))(check-sat)";
        let found = read(text);
        assert!(found.iter().all(Result::is_ok), "{found:?}");
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn places_are_those_of_the_stream() {
        let found = read("(check-sat) (echo 1)\n ; a\n  (foo)");
        let errors: Vec<&String> = found.iter().filter_map(|one| one.as_ref().err()).collect();
        assert!(errors[0].starts_with("line 1 column 19: "), "{errors:?}");
        assert!(errors[1].starts_with("line 3 column 4: "), "{errors:?}");
    }
}
