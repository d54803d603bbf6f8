//! Parses models: the replies of solvers to `get-model` and `get-value`.
//!
//! Accepted are `(model …)` and `(…)` with `define-fun`s, and lists of pairs; a text may hold
//! several replies one after the other, `sat` in front, and error messages. Function values may
//! be `define-fun` bodies, `lambda`s, or arrays. Helper functions that a solver introduces (`k!0`)
//! are read, too.
//!
//! A model must be consistent: two different values for one name or term between two verdicts are an
//! error ([`Code::Contradiction`]), two equal ones in one reply a warning (`consistency.rs`). After
//! another verdict begins another model.
//!
//! [`Code::Contradiction`]: crate::Code::Contradiction

mod arrays;
mod consistency;
mod replies;

use luthier_terms::{FunctionId, TermId, TermPool};

use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::dialect::escapes::has_legacy_escape;
use crate::lexer::{Lexer, Quotes, TokenKind};
use crate::reader::{Mode, Reader};
use crate::script::Script;
use crate::source::MAX_SOURCE_BYTES;

/// One entry of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEntry {
    /// The meaning of a function or constant.
    Function {
        /// Which one.
        function: FunctionId,
        /// Its parameters, as variable terms.
        variables: Vec<TermId>,
        /// Its value.
        body: TermId,
    },
    /// The value that the solver gives for a term.
    Value {
        /// The term.
        term: TermId,
        /// Its value.
        value: TermId,
    },
    /// What `div` by zero is: of the dividend, or of the dividend and zero.
    DivisionByZero {
        /// The parameters.
        variables: Vec<TermId>,
        /// The value.
        body: TermId,
    },
    /// What `mod` by zero is.
    ModuloByZero {
        /// The parameters.
        variables: Vec<TermId>,
        /// The value.
        body: TermId,
    },
}

/// A parsed model with its diagnostics.
#[derive(Debug)]
pub struct ParsedModel {
    /// The entries in order; in each reply, functions before constants.
    pub entries: Vec<ModelEntry>,
    /// The text holds a model, if only an empty one.
    pub found: bool,
    /// Error messages of the solver in the text.
    pub solver_errors: Vec<String>,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The text has backslash sequences that legacy and standard readers understand differently.
    pub depends_on_escapes: bool,
    /// Which limit the text exceeds, if any; then it was not read to its end.
    pub exceeded: Option<String>,
}

/// How large a model may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// The length of the whole text.
    pub bytes: usize,
    /// The digits of an integer.
    pub integer_digits: usize,
}

impl ModelLimits {
    /// No limits but those of the reader.
    pub const NONE: Self = Self { bytes: MAX_SOURCE_BYTES, integer_digits: usize::MAX };
}

impl ParsedModel {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Reads a model for a script that was read into `pool`. `dialect` says how the solver writes
/// literals (each release names its own: see [`Dialect`]).
pub fn read_model(
    pool: &mut TermPool,
    script: &Script,
    bytes: &[u8],
    dialect: Dialect,
) -> ParsedModel {
    read_model_within(pool, script, bytes, dialect, &ModelLimits::NONE)
}

/// As [`read_model`], within limits.
pub fn read_model_within(
    pool: &mut TermPool,
    script: &Script,
    bytes: &[u8],
    dialect: Dialect,
    limits: &ModelLimits,
) -> ParsedModel {
    let most = limits.bytes.min(MAX_SOURCE_BYTES);
    if bytes.len() > most {
        let message = format!("a text of {} bytes, where the limit is {most}", bytes.len());
        return ParsedModel {
            entries: Vec::new(),
            found: false,
            solver_errors: Vec::new(),
            diagnostics: Vec::new(),
            depends_on_escapes: false,
            exceeded: Some(message),
        };
    }
    let mut reader = Reader::new(pool, bytes, dialect, Mode::Generous);
    reader.for_model(script);
    reader.integer_digits = limits.integer_digits;
    let replies = reader.read_replies();
    let exceeded = reader.exceeded.take();
    let diagnostics = reader.collector.finish();
    ParsedModel {
        entries: replies.entries,
        found: replies.found,
        solver_errors: replies.solver_errors,
        diagnostics,
        depends_on_escapes: depends_on_escapes(bytes),
        exceeded,
    }
}

fn depends_on_escapes(bytes: &[u8]) -> bool {
    if memchr::memchr(b'\\', bytes).is_none() {
        return false;
    }
    let mut lexer = Lexer::new(bytes, Quotes::Doubled);
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End => return false,
            TokenKind::String => {
                let raw = &bytes[token.span.start as usize + 1..token.span.end as usize - 1];
                if has_legacy_escape(raw) {
                    return true;
                }
            }
            _ => {}
        }
    }
}
