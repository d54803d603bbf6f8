//! Prints scripts and terms in any dialect that can express them.
//!
//! The printed text has the meaning of the script in the target dialect, or printing fails
//! ([`CannotExpress`]). Operators that a dialect lacks are rewritten to others ([`rewriting`]), and so
//! are constructs to which it gives another meaning ([`legacy_semantics`]); bugs of releases are not
//! avoided.

mod layout;
mod legacy_semantics;
mod names;
mod rewriting;
mod scopes;
mod script;
mod terms;

use luthier_terms::{Op, Sort, TermId, TermPool};

use crate::dialect::Dialect;
use crate::script::Script;
use terms::TermPrinter;

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// The dialect to write.
    pub dialect: Dialect,
    /// Break lines that are longer than this; `None` puts each command on one line.
    pub width: Option<usize>,
}

impl PrintOptions {
    /// One command per line.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, width: None }
    }
}

/// A text in some dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The text. Names may contain bytes that are not UTF-8.
    pub bytes: Vec<u8>,
    /// Remarks on the translation, each once.
    pub notes: Vec<Note>,
}

/// Something noteworthy about a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Note {
    /// The dialect lacks the operator, or gives the construct another meaning; an equivalent term
    /// is printed.
    Rewritten(Op),
    /// Solvers of the dialect have 256 characters, so the operator ranges over fewer strings.
    SmallAlphabet(Op),
    /// Solvers of the dialect give this operator another meaning where a string is empty, which
    /// depends on the model.
    EmptyString(Op),
    /// A bound variable is distinguished from others of its name in another way than in the
    /// source: it has a new name, or other binders of its name around it.
    RenamedVariable,
}

impl Note {
    /// The note, for people.
    pub fn describe(self, dialect: Dialect) -> String {
        match self {
            Self::Rewritten(op) => {
                let name = op.name();
                format!(
                    "{dialect} has no `{name}`, or not of this form or meaning; equivalent \
                     operators stand for it"
                )
            }
            Self::EmptyString(op) => {
                let name = op.name();
                format!("solvers of {dialect} read `{name}` otherwise where a string is empty")
            }
            Self::RenamedVariable => {
                "a bound variable has another name, since its own means something else there".into()
            }
            Self::SmallAlphabet(op) => {
                format!("solvers of {dialect} know 256 characters, which changes `{}`", op.name())
            }
        }
    }
}

/// Something that a dialect cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotExpress {
    /// An operator.
    #[error("{dialect} has no operator that means `{}`", op.name())]
    Operator {
        /// The dialect.
        dialect: Dialect,
        /// The operator.
        op: Op,
    },
    /// A character.
    #[error("{dialect} cannot write the character U+{code:04X}")]
    Character {
        /// The dialect.
        dialect: Dialect,
        /// The character.
        code: u32,
    },
    /// A sort.
    #[error("{dialect} has no name for the sort {sort}")]
    Sort {
        /// The dialect.
        dialect: Dialect,
        /// The sort.
        sort: Sort,
    },
    /// A name that no symbol can have.
    #[error("the name `{0}` contains a bar or a backslash, which no symbol can")]
    Name(String),
}

/// Prints a script.
pub fn print_script(
    pool: &TermPool,
    script: &Script,
    options: &PrintOptions,
) -> Result<Printed, CannotExpress> {
    script::print(pool, script, options, None)
}

/// Prints a script that was read from `source`, with the comments that stand there between
/// commands. Comments inside commands are not kept.
pub fn print_script_with_comments(
    pool: &TermPool,
    script: &Script,
    options: &PrintOptions,
    source: &[u8],
) -> Result<Printed, CannotExpress> {
    script::print(pool, script, options, Some(source))
}

/// Prints a name as a symbol: between bars if it must be. A backslash, which the generous reader
/// accepts in a name, stays as it is.
pub fn print_symbol(name: &[u8]) -> Vec<u8> {
    terms::quote(name).unwrap_or_else(|_| [b"|", name, b"|"].concat())
}

/// Prints one term. A term that would be huge as a tree is printed with `let`.
pub fn print_term(
    pool: &TermPool,
    term: TermId,
    options: &PrintOptions,
) -> Result<Printed, CannotExpress> {
    let mut printer = TermPrinter::for_term(pool, options.dialect);
    printer.print(term, false)?;
    let (bytes, notes) = printer.finish();
    Ok(match options.width {
        Some(width) => {
            Printed { bytes: layout::lay_out(&bytes, options.dialect.quotes(), width), notes }
        }
        None => Printed { bytes, notes },
    })
}
