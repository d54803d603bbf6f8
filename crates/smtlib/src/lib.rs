//! SMT-LIB text to sort-checked scripts and back.
//!
//! One pass from bytes to terms: the reader looks names up, checks sorts and shares equal terms
//! while it reads, with explicit stacks, so that a file of a megabyte with a thousand distinct
//! terms costs a thousand terms. It goes on after an error, so that all faults of a file are
//! reported at once.

pub mod annotations;
pub mod dialect;
pub mod lexer;
pub mod source;

mod diagnostic;
mod features;
mod model;
mod print;
mod reader;
mod round_trip;
mod script;
mod splitter;
mod stack;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use dialect::Dialect;
pub use dialect::detect::{Detection, Reason, detect};
pub use features::{Features, Flag};
pub use model::{ModelEntry, ModelLimits, ParsedModel, read_model, read_model_within};
pub use print::{
    CannotExpress, Note, PrintOptions, Printed, print_script, print_script_with_comments,
    print_symbol, print_term,
};
pub use reader::{CommandReader, Mode, NotRead, ReadOptions, read_script};
pub use round_trip::{RoundTrip, round_trip};
pub use script::{
    ActiveAssertion, Assertion, Attribute, AttributeValue, Command, CommandKind, ParsedScript,
    Queries, Query, Script, SimpleCommand,
};
pub use splitter::Splitter;
pub use stack::AssertionStack;
