//! Diagnostics as JSON and as text with the line and a caret; the version of all JSON.

use luthier_smtlib::source::Locator;
use luthier_smtlib::{Diagnostic, Severity};
use serde::Serialize;

use crate::output::Paint;
use crate::text::{clean_name, clean_text};

/// Changes when the meaning of a field of any command's JSON does; new fields may come any time.
///
/// Version 2: the kind `wrong-verdict` of findings became `wrong-unsat` and `wrong-sat`.
pub const VERSION: u32 = 2;

/// A diagnostic in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticRecord {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The stable code.
    pub code: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The line in which it ends.
    pub end_line: usize,
    /// The column after its last character.
    pub end_column: usize,
    /// What it is.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The same applies to other places further on.
    pub repeated: bool,
}

impl DiagnosticRecord {
    /// The record of a diagnostic.
    pub fn new(diagnostic: &Diagnostic, locator: &Locator<'_>) -> Self {
        let start = locator.location(diagnostic.span.start);
        let end = locator.location(diagnostic.span.end);
        Self {
            severity: severity_name(diagnostic.severity),
            code: diagnostic.code.name(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            repeated: diagnostic.repeated,
        }
    }
}

/// The word for a severity.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A diagnostic with its line and a caret, without a line break at the end.
pub fn render(diagnostic: &Diagnostic, file: &str, locator: &Locator<'_>, paint: Paint) -> String {
    let file = clean_name(file);
    let rendered = diagnostic.render(&file, locator);
    let rendered = clean_text(rendered.trim_end_matches('\n'));
    let word = format!("{}[{}]:", severity_name(diagnostic.severity), diagnostic.code.name());
    let painted = match diagnostic.severity {
        Severity::Error => paint.error(&word),
        Severity::Warning => paint.warning(&word),
    };
    // The place comes first, and a file name can hold anything.
    let (place, rest) = rendered.split_at(file.len());
    format!("{}{}", place, rest.replacen(&word, &painted, 1))
}
