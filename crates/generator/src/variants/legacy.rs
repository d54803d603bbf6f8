//! Variants with legacy names of operators, which some solvers still read.
//!
//! Names are a matter of printing: a script over terms has none. So the variant is the same script
//! with an annotation, `(set-info :luthier-names legacy)`, and the code that prints a copy for a
//! solver, in the dialect of the solver, applies [`with_legacy_names`] to it. Texts in the
//! standard's dialect keep standard names: with legacy names they would be detected as an older
//! dialect, in which escapes have another meaning.
//!
//! Tried on the releases themselves:
//!
//! * Z3 4.8.9, 4.8.10, 4.8.11, 4.8.12, 4.13.4, 4.16.0, 5.0.0 and 5.4.0 read `str.to.int`,
//!   `int.to.str`, `str.in.re`, `str.to.re`, `re.nostr` and `re.complement` beside the standard's
//!   names, and `seq.++`, `seq.len`, `seq.at`, `seq.extract`, `seq.contains`, `seq.prefixof`,
//!   `seq.suffixof`, `seq.indexof` and `seq.replace` for strings. They also read `str.to-int`,
//!   `str.from-int`, `str.in-re`, `str.to-re`, `seq.in.re`, `seq.to.re` and `re.empty`.
//!   `str.replaceall`, `str.code`, `implies` and `iff` are errors in all of them.
//! * Z3 4.5.1 to 4.8.8 read the names of sequences for strings; the other old names are the only
//!   ones they know, and their dialect prints them anyway.
//! * cvc5 1.0.3 reads the names of sequences for strings, `seq.replace_all` too, and no other.
//! * CVC4 1.8 reads none of these names, but for `--lang smt2.5`.

use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::lexer::{Lexer, TokenKind};
use luthier_smtlib::source::MAX_SOURCE_BYTES;
use luthier_smtlib::{AttributeValue, Dialect, Script};
use luthier_terms::{Op, PostOrder, Term, TermPool};

use super::Variant;
use super::frame::{Edits, Frame};

/// The operator names that a copy for a solver should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorNames {
    /// Those of the solver's dialect.
    Standard,
    /// Legacy names, where the solver reads them.
    Legacy,
}

/// Legacy names that Z3 reads from 4.8.9 on, with the operators.
const Z3_NAMES: [(Op, &str); 6] = [
    (Op::StrToInt, "str.to.int"),
    (Op::StrFromInt, "int.to.str"),
    (Op::StrInRe, "str.in.re"),
    (Op::StrToRe, "str.to.re"),
    (Op::ReNone, "re.nostr"),
    (Op::ReComp, "re.complement"),
];

/// Names of sequences that solvers read for strings.
const SEQUENCE_NAMES: [(Op, &str); 9] = [
    (Op::StrConcat, "seq.++"),
    (Op::StrLen, "seq.len"),
    (Op::StrAt, "seq.at"),
    (Op::StrSubstr, "seq.extract"),
    (Op::StrContains, "seq.contains"),
    (Op::StrPrefixOf, "seq.prefixof"),
    (Op::StrSuffixOf, "seq.suffixof"),
    (Op::StrIndexOf, "seq.indexof"),
    (Op::StrReplace, "seq.replace"),
];

/// The operator names that a script requests for its copies.
pub fn requested_names(pool: &TermPool, script: &Script) -> OperatorNames {
    match Annotation::Names.find(pool, script) {
        Some(AttributeValue::Other(word)) if word == b"legacy" => OperatorNames::Legacy,
        _ => OperatorNames::Standard,
    }
}

/// A text in the dialect of a solver with the legacy names that this solver reads. It is unchanged if the
/// solver reads none, or if the text uses one of them as a symbol of its own.
pub fn with_legacy_names(text: &[u8], dialect: Dialect) -> Vec<u8> {
    let names = legacy_names_of(dialect);
    if names.is_empty() || text.len() > MAX_SOURCE_BYTES {
        return text.to_vec();
    }
    let mut result = Vec::with_capacity(text.len());
    let mut lexer = Lexer::new(text, dialect.quotes());
    let mut copied = 0;
    loop {
        let token = lexer.next_token();
        let word = lexer.text(token.span);
        match token.kind {
            TokenKind::End => break,
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                let bare = word.strip_prefix(b"|").and_then(|word| word.strip_suffix(b"|"));
                let bare = bare.unwrap_or(word);
                if names.iter().any(|(_, old)| old.as_bytes() == bare) {
                    return text.to_vec();
                }
                if let Some((_, old)) = names.iter().find(|(op, _)| op.name().as_bytes() == word) {
                    let range = token.span.range();
                    result.extend_from_slice(&text[copied..range.start]);
                    result.extend_from_slice(old.as_bytes());
                    copied = range.end;
                }
            }
            _ => {}
        }
    }
    result.extend_from_slice(&text[copied..]);
    result
}

/// The operators that have an older name in a dialect beside the one that is printed.
fn legacy_names_of(dialect: Dialect) -> Vec<(Op, &'static str)> {
    let mut names = Vec::new();
    if matches!(dialect, Dialect::Z3Transition | Dialect::Z3) {
        names.extend(Z3_NAMES);
    }
    if matches!(
        dialect,
        Dialect::Z3Oldest | Dialect::Z3Legacy | Dialect::Z3Transition | Dialect::Z3 | Dialect::Cvc5
    ) {
        names.extend(SEQUENCE_NAMES);
    }
    names
}

/// The same script with the annotation, if an operator in it has a legacy name.
pub(super) fn legacy_names(pool: &mut TermPool, frame: &Frame<'_>) -> Option<Variant> {
    let known = legacy_names_of(Dialect::Z3);
    let concerned = PostOrder::new(pool, frame.terms()).any(|part| {
        matches!(pool.term(part), Term::Op(op, _) if known.iter().any(|(other, _)| *other == op))
    });
    if !concerned || requested_names(pool, frame.script) == OperatorNames::Legacy {
        return None;
    }
    let legacy = AttributeValue::Other(b"legacy".to_vec());
    let hint = vec![Annotation::Names.command(pool, legacy).ok()?];
    let edits = Edits::from([(frame.query, frame.preceded(frame.query, hint))]);
    Some(Variant::over_same_constants(frame.edited(edits)))
}
