//! Diagnostics of the reader: errors and warnings with a location, a stable code and a hint.
//!
//! Codes are an interface (`luthier lint --json`): they are added, never renamed.

use std::fmt::Write as _;

use crate::source::{Locator, Span, width};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text is accepted, but deviates from the standard or is ambiguous.
    Warning,
    /// The text is rejected.
    Error,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $name:literal;)*) => {
        /// The kinds of diagnostics, with stable names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $code,)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }
        }
    };
}

codes! {
    // Lexical and syntactic errors.
    /// A string literal without its end.
    UnterminatedString "unterminated-string";
    /// A quoted symbol without its end.
    UnterminatedSymbol "unterminated-symbol";
    /// The text ends inside a command.
    UnterminatedCommand "unterminated-command";
    /// A byte that may not stand where it stands.
    IllegalByte "illegal-byte";
    /// A token that may not stand where it stands.
    UnexpectedToken "unexpected-token";
    /// The text is longer than can be addressed.
    TooLong "too-long";
    /// More errors than are worth listing.
    TooManyErrors "too-many-errors";
    // Errors of names, sorts, arities and limits.
    /// No such command.
    UnknownCommand "unknown-command";
    /// A name that nothing declares.
    UnknownSymbol "unknown-symbol";
    /// A sort that nothing declares.
    UnknownSort "unknown-sort";
    /// A name is declared twice.
    Redeclared "redeclared";
    /// Too few or too many arguments.
    Arity "arity";
    /// An argument of the wrong sort.
    Sort "sort";
    /// A formula is needed.
    NotAFormula "not-a-formula";
    /// A constant or variable is applied to arguments.
    NotAFunction "not-a-function";
    /// An indexed identifier has the wrong indices.
    Index "index";
    /// More levels are popped than were pushed.
    PopWithoutPush "pop-without-push";
    /// More than 2^32 terms.
    PoolFull "pool-full";
    /// An integer in a model has more digits than the limit allows.
    TooLarge "too-large";
    /// A model gives a name or a term two different values.
    Contradiction "contradiction";
    // Other theories than strings, integers and arrays, and extensions of solvers.
    /// An operator that one solver has and the standard has not.
    NonstandardOperator "nonstandard-operator";
    /// A sort of another theory.
    UnsupportedSort "unsupported-sort";
    /// A literal of another theory.
    UnsupportedLiteral "unsupported-literal";
    /// A command or term of another kind of problem.
    Unsupported "unsupported";
    // Accepted by the generous reader only.
    /// A name from before the standard.
    LegacyName "legacy-name";
    /// An escape from before the standard.
    LegacyEscape "legacy-escape";
    /// `str.indexof` without its third argument.
    MissingOffset "missing-offset";
    /// An operator for two or more arguments got one (or none).
    FewArguments "few-arguments";
    /// A numeral with a zero in front.
    LeadingZero "leading-zero";
    /// A negative number written as one token.
    NegativeNumeral "negative-numeral";
    /// A character above 127 in a string literal.
    NonAsciiLiteral "non-ascii-literal";
    /// A control character in a string literal.
    ControlCharacter "control-character";
    /// A declaration hides an operator.
    ShadowsOperator "shadows-operator";
    /// The same declaration twice.
    RepeatedDeclaration "repeated-declaration";
    /// A model gives a name or a term the same value twice.
    RepeatedValue "repeated-value";
    /// A quantifier in a logic without quantifiers.
    QuantifierInLogic "quantifier-in-logic";
    /// Text after `(exit)`.
    TextAfterExit "text-after-exit";
    /// A literal that legacy readers read differently.
    EscapesDisagree "escapes-disagree";
    /// Legacy and standard escapes in one file.
    MixedEscapes "mixed-escapes";
    // Operators with another meaning in older solvers.
    /// `re.allchar` meant all strings in Z3 up to 4.6.0.
    MeaningAllchar "meaning-re.allchar";
    /// An empty pattern of `str.replace` was a no-op in CVC4 of 2018.
    MeaningReplaceEmpty "meaning-str.replace";
    /// Loops whose lower bound is above the upper one.
    MeaningLoopBounds "meaning-re.loop";
    /// `re.diff` of three or more languages was folded to the right.
    MeaningDiffFold "meaning-re.diff";
    /// `str.indexof` of the empty string at the end.
    MeaningIndexofEmpty "meaning-str.indexof";
    /// `str.to_int` of the empty string was 0 in some tools.
    MeaningToIntEmpty "meaning-str.to_int";
    /// The alphabet had 256 characters.
    MeaningAlphabet "meaning-alphabet";
}

/// An error or a warning about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, stably.
    pub code: Code,
    /// Where it is.
    pub span: Span,
    /// What it is, for people.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The same diagnostic applies to later positions.
    pub repeated: bool,
}

impl Diagnostic {
    /// Renders it for a terminal: position, message, the line with a caret, the hint.
    pub fn render(&self, file: &str, locator: &Locator<'_>) -> String {
        let location = locator.location(self.span.start);
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut text = format!(
            "{file}:{}:{}: {severity}[{}]: {}\n",
            location.line,
            location.column,
            self.code.name(),
            self.message
        );
        let (excerpt, before, marked) = excerpt(self.span, location.line, locator);
        let number = location.line.to_string();
        let margin = " ".repeat(number.len());
        let _ = writeln!(text, "{number} | {excerpt}");
        let _ = writeln!(text, "{margin} | {}{}", " ".repeat(before), "^".repeat(marked.max(1)));
        if self.repeated {
            let _ = writeln!(text, "{margin} = the same further on");
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(text, "{margin} = hint: {hint}");
        }
        text
    }
}

/// How many columns of a long line are shown on each side of the place.
const CONTEXT: usize = 60;

/// The part of a line around a span, how many columns stand before it, and how many it covers.
fn excerpt(span: Span, line: usize, locator: &Locator<'_>) -> (String, usize, usize) {
    let bytes = locator.line(line);
    let start = (span.start as usize - locator.line_start(line)).min(bytes.len());
    let end =
        (span.end as usize).saturating_sub(locator.line_start(line)).clamp(start, bytes.len());
    let from = char_boundary(bytes, start.saturating_sub(CONTEXT));
    let to = char_boundary(bytes, (start + CONTEXT).min(bytes.len()));
    let show = |part: &[u8]| -> String {
        let text = String::from_utf8_lossy(part);
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    let left = if from > 0 { "…" } else { "" };
    let right = if to < bytes.len() { "…" } else { "" };
    let excerpt = format!("{left}{}{right}", show(&bytes[from..to]));
    let before = show(&bytes[from..start]).chars().count() + left.chars().count();
    (excerpt, before, width(&bytes[start..end.min(to)]))
}

/// Steps back to where a character begins; at most three bytes, since the text need not be UTF-8.
fn char_boundary(bytes: &[u8], position: usize) -> usize {
    let continues = |position: usize| bytes.get(position).is_some_and(|byte| byte & 0xC0 == 0x80);
    (position.saturating_sub(3)..=position)
        .rev()
        .find(|&position| !continues(position))
        .unwrap_or(position)
}
