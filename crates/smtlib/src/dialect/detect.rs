//! Detects the dialect of a script from its text, with the reason.
//!
//! In order of evidence: `:smt-lib-version`, operator names of one side only (`str.in.re` against
//! `str.in_re`), escapes of one side only (`\n` against `\u{a}`), and quotation marks that match only
//! if `\"` is one. The choice decides answers: most PyEx files write `"\n"` for one character and are
//! unsatisfiable when read by the rules of 2.6 (measured on the published benchmarks).
//!
//! A script that mixes both kinds of escapes has no certain reading; it is read as Z3 4.8.9 did and
//! reported (`mixed_escapes`).

use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use super::Dialect;
use super::escapes::{has_legacy_escape, has_unicode_escape};
use super::names::{LEGACY_STRING_NAMES, STANDARD_ONLY_NAMES};
use crate::lexer::{Lexer, Quotes, TokenKind};
use crate::source::Span;

/// The dialect of a script and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The dialect.
    pub dialect: Dialect,
    /// Why.
    pub reason: Reason,
    /// The script mixes standard and legacy escapes, so that no reading is sure.
    pub mixed_escapes: Option<Span>,
}

/// Why a dialect was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The caller chose.
    Chosen,
    /// `(set-info :smt-lib-version …)` says so.
    Declared,
    /// A name that only legacy dialects know.
    LegacyName(String),
    /// A legacy name, but standard escapes.
    LegacyNameStandardEscape(String),
    /// A name that only the standard knows.
    StandardName(String),
    /// An escape that only the standard knows.
    StandardEscape,
    /// A backslash sequence that only legacy dialects decode.
    LegacyEscape,
    /// The quotation marks match only when `\"` stands for one.
    BackslashQuotes,
    /// Nothing in the script depends on it.
    Indifferent,
}

impl Reason {
    /// The reason, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Chosen => "chosen by the caller".to_owned(),
            Self::Declared => "declared by :smt-lib-version".to_owned(),
            Self::LegacyName(name) => format!("the legacy name {name}"),
            Self::LegacyNameStandardEscape(name) => {
                format!("the legacy name {name} together with standard escapes")
            }
            Self::StandardName(name) => format!("the standard name {name}"),
            Self::StandardEscape => "a \\u escape and no legacy name".to_owned(),
            Self::LegacyEscape => "a C-like escape, and nothing that speaks for 2.6".to_owned(),
            Self::BackslashQuotes => "literals end only if \\\" is a quotation mark".to_owned(),
            Self::Indifferent => "nothing in the script depends on it".to_owned(),
        }
    }
}

#[derive(Default)]
struct Evidence {
    version: Option<Dialect>,
    legacy_name: Option<Span>,
    standard_name: Option<Span>,
    legacy_escape: Option<Span>,
    standard_escape: Option<Span>,
    unterminated: bool,
}

/// Detects the dialect of a script.
pub fn detect(bytes: &[u8]) -> Detection {
    let found = gather(bytes, Quotes::Doubled);
    let name = |span: Span| String::from_utf8_lossy(&bytes[span.range()]).into_owned();
    let sure = |dialect, reason| Detection { dialect, reason, mixed_escapes: None };

    if found.unterminated
        && memchr::memmem::find(bytes, b"\\\"").is_some()
        && !gather(bytes, Quotes::Backslash).unterminated
    {
        return sure(Dialect::Smt20, Reason::BackslashQuotes);
    }
    if let Some(version) = found.version
        && (version.is_legacy() || found.legacy_name.is_none())
    {
        return sure(version, Reason::Declared);
    }
    match (found.legacy_name, found.standard_name) {
        (Some(legacy), _) => match (found.standard_escape, found.legacy_escape) {
            (Some(_), Some(mixed)) => Detection {
                dialect: Dialect::Z3Transition,
                reason: Reason::LegacyNameStandardEscape(name(legacy)),
                mixed_escapes: Some(mixed),
            },
            (Some(_), None) => sure(Dialect::Z3, Reason::LegacyNameStandardEscape(name(legacy))),
            (None, _) => sure(Dialect::Smt25, Reason::LegacyName(name(legacy))),
        },
        (None, _) if found.standard_escape.is_some() => Detection {
            dialect: Dialect::Smt26,
            reason: Reason::StandardEscape,
            mixed_escapes: found.legacy_escape,
        },
        (None, Some(standard)) => Detection {
            dialect: Dialect::Smt26,
            reason: Reason::StandardName(name(standard)),
            mixed_escapes: found.legacy_escape,
        },
        (None, None) if found.legacy_escape.is_some() => sure(Dialect::Smt25, Reason::LegacyEscape),
        (None, None) => sure(Dialect::Smt26, Reason::Indifferent),
    }
}

/// Every name that distinguishes dialects contains one of these, and few others do.
const DISTINCTIVE_FRAGMENTS: &[&str] = &[
    "re.^",
    ".diff",
    "_all",
    "_code",
    "_digit",
    "_int",
    "_re",
    "ceall",
    "in-re",
    "in.re",
    "int.to",
    "m-int",
    "nostr",
    "none",
    "to-int",
    "to-re",
    "to.int",
    "to.re",
    "tr.code",
    ":smt-lib-version",
];

/// `None` on a processor without vector instructions.
static DISTINCTIVE: LazyLock<Option<Searcher>> =
    LazyLock::new(|| Searcher::new(DISTINCTIVE_FRAGMENTS));

fn gather(bytes: &[u8], quotes: Quotes) -> Evidence {
    // A search through the text is several times faster than looking at each token, and in many
    // large files it finds nothing.
    match &*DISTINCTIVE {
        Some(searcher) if searcher.find(bytes).is_none() => gather_literals(bytes, quotes),
        _ => gather_tokens(bytes, quotes),
    }
}

/// Examines only the literals, for a text in which no name distinguishes dialects.
fn gather_literals(bytes: &[u8], quotes: Quotes) -> Evidence {
    let mut found = Evidence::default();
    if memchr::memchr(b'\\', bytes).is_none() {
        // Whether a literal ends is of no interest without a backslash.
        return found;
    }
    let mut lexer = Lexer::new(bytes, quotes);
    while let Some(next) = memchr::memchr3(b'"', b'|', b';', &bytes[lexer.position() as usize..]) {
        let start = lexer.position() + next as u32;
        lexer.seek(start);
        if bytes[start as usize] == b';' {
            let end = memchr::memchr2(b'\n', b'\r', &bytes[start as usize..]);
            lexer.seek(end.map_or(bytes.len(), |length| start as usize + length) as u32);
            continue;
        }
        let token = lexer.next_token();
        match token.kind {
            TokenKind::String => found.literal(bytes, token.span),
            TokenKind::UnterminatedString | TokenKind::UnterminatedSymbol => {
                found.unterminated = true;
                return found;
            }
            _ => {}
        }
    }
    found
}

fn gather_tokens(bytes: &[u8], quotes: Quotes) -> Evidence {
    let mut lexer = Lexer::new(bytes, quotes);
    let mut found = Evidence::default();
    // Without a backslash in the text no literal needs a look.
    let backslashes = memchr::memchr(b'\\', bytes).is_some();
    let mut version_follows = false;
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::Symbol => {
                let name = lexer.text(token.span);
                // Only names with a dot distinguish dialects; most names have none.
                if name.len() > 4 && matches!(name[3], b'.') || name.starts_with(b"re.") {
                    if found.legacy_name.is_none() && is_one_of(name, LEGACY_STRING_NAMES) {
                        found.legacy_name = Some(token.span);
                    } else if found.standard_name.is_none() && is_one_of(name, STANDARD_ONLY_NAMES)
                    {
                        found.standard_name = Some(token.span);
                    }
                }
            }
            TokenKind::String if backslashes => found.literal(bytes, token.span),
            TokenKind::Keyword => {
                version_follows = lexer.text(token.span) == b":smt-lib-version";
                continue;
            }
            TokenKind::Decimal if version_follows => {
                let version = std::str::from_utf8(lexer.text(token.span));
                found.version = version.ok().and_then(Dialect::of_version);
            }
            TokenKind::End => return found,
            TokenKind::UnterminatedString | TokenKind::UnterminatedSymbol => {
                found.unterminated = true;
                return found;
            }
            _ => {}
        }
        version_follows = false;
    }
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}

impl Evidence {
    fn literal(&mut self, bytes: &[u8], span: Span) {
        let raw = &bytes[span.start as usize + 1..span.end as usize - 1];
        if memchr::memchr(b'\\', raw).is_none() {
            return;
        }
        if self.legacy_escape.is_none() && has_legacy_escape(raw) {
            self.legacy_escape = Some(span);
        }
        if self.standard_escape.is_none() && has_unicode_escape(raw) {
            self.standard_escape = Some(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, dialect: Dialect) {
        assert_eq!(detect(text.as_bytes()).dialect, dialect, "{text}");
    }

    #[test]
    fn the_declared_version_decides_unless_legacy_names_contradict_it() {
        check(r#"(set-info :smt-lib-version 2.6)(assert (= x "\n"))"#, Dialect::Smt26);
        check(r#"(set-info :smt-lib-version 2.5)(assert (= x "\u{41}"))"#, Dialect::Smt25);
        check(
            r#"(set-info :smt-lib-version 2.6)(assert (str.in.re x (str.to.re "\n")))"#,
            Dialect::Smt25,
        );
    }

    #[test]
    fn names_and_escapes_decide_where_nothing_is_declared() {
        check(r#"(assert (str.in.re x (str.to.re "\x41")))"#, Dialect::Smt25);
        check(r#"(assert (str.in_re x (str.to_re "\u{41}")))"#, Dialect::Smt26);
        check(r#"(assert (str.in.re x (str.to.re "\u{41}")))"#, Dialect::Z3);
        check(r#"(assert (= x "\n"))"#, Dialect::Smt25);
        check(r#"(assert (= x "\u{a}"))"#, Dialect::Smt26);
        check(r#"(assert (= x "a"))"#, Dialect::Smt26);
        assert_eq!(detect(b"").reason, Reason::Indifferent);
    }

    #[test]
    fn every_telling_name_contains_a_telling_fragment() {
        for name in STANDARD_ONLY_NAMES.iter().chain(LEGACY_STRING_NAMES) {
            assert!(DISTINCTIVE_FRAGMENTS.iter().any(|part| name.contains(part)), "{name}");
        }
    }

    #[test]
    fn mixed_escapes_are_reported() {
        let detection = detect(br#"(assert (str.in.re x (str.to.re "\u{41}\n")))"#);
        assert_eq!(detection.dialect, Dialect::Z3Transition);
        assert!(detection.mixed_escapes.is_some());
        let detection = detect(br#"(assert (= x "\u{41}\n"))"#);
        assert_eq!(detection.dialect, Dialect::Smt26);
        assert!(detection.mixed_escapes.is_some());
    }

    #[test]
    fn quotation_marks_after_backslashes_make_it_2_0_only_if_nothing_else_fits() {
        check(r#"(assert (= x "a\"b"))"#, Dialect::Smt20);
        check(r#"(assert (= x "a\" "b"))"#, Dialect::Smt26);
    }

    #[test]
    fn comments_and_quoted_symbols_tell_nothing() {
        check("; str.in.re \"\\n\"\n(assert |str.in.re|)", Dialect::Smt26);
    }
}
