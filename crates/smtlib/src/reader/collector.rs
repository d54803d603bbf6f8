//! Collects diagnostics in order of position. A diagnostic that applies again (same code and subject)
//! is marked as repeated instead of listed again; after [`MAX_ERRORS`] errors reading stops.

use rustc_hash::FxHashMap;

use super::Mode;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;

/// After this many different errors a text is not worth reading on.
const MAX_ERRORS: usize = 200;

/// The diagnostics of one text.
pub(crate) struct Collector {
    mode: Mode,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    by_key: FxHashMap<(Code, u64), usize>,
}

impl Collector {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, diagnostics: Vec::new(), errors: 0, by_key: FxHashMap::default() }
    }

    /// Whether there are too many errors to continue.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.errors >= MAX_ERRORS
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: String, hint: Option<&str>) {
        self.push(Severity::Error, code, span, message, hint);
    }

    pub(crate) fn warning(&mut self, code: Code, span: Span, message: String, hint: Option<&str>) {
        self.push(Severity::Warning, code, span, message, hint);
    }

    /// Something that the generous reader accepts and the strict one does not.
    pub(crate) fn leniency(
        &mut self,
        code: Code,
        key: u64,
        span: Span,
        message: impl FnOnce() -> String,
        hint: Option<&str>,
    ) {
        let severity = match self.mode {
            Mode::Generous => Severity::Warning,
            Mode::Strict => Severity::Error,
        };
        self.once(severity, code, key, span, message, hint);
    }

    /// Marks a diagnostic as repeated, if it has been reported; `false` if it has not.
    pub(crate) fn repeat(&mut self, code: Code, key: u64) -> bool {
        let Some(&index) = self.by_key.get(&(code, key)) else {
            return false;
        };
        self.diagnostics[index].repeated = true;
        true
    }

    /// All diagnostics, in order of place.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        self.diagnostics
    }

    /// A diagnostic that is reported once per `key`.
    pub(crate) fn once(
        &mut self,
        severity: Severity,
        code: Code,
        key: u64,
        span: Span,
        message: impl FnOnce() -> String,
        hint: Option<&str>,
    ) {
        if self.repeat(code, key) {
            return;
        }
        let index = self.diagnostics.len();
        self.push(severity, code, span, message(), hint);
        if self.diagnostics.len() > index {
            self.by_key.insert((code, key), index);
        }
    }

    fn push(
        &mut self,
        severity: Severity,
        code: Code,
        span: Span,
        message: String,
        hint: Option<&str>,
    ) {
        if severity == Severity::Error {
            self.errors += 1;
            // One long command can have any number of errors.
            if self.errors > MAX_ERRORS && code != Code::TooManyErrors {
                return;
            }
        }
        let hint = hint.map(str::to_owned);
        self.diagnostics.push(Diagnostic { severity, code, span, message, hint, repeated: false });
    }
}
