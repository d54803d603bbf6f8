//! Literals beside texts that look like escapes and are none.
//!
//! `\u{30000}` is beyond the alphabet, `\u{000041}` has a digit too many, `\x41` and `\n` are
//! escapes elsewhere: in SMT-LIB 2.6 each of them is just its characters. A reader that takes one
//! for an escape reads another, shorter string, so that lengths and offsets differ.
//!
//! How a literal is written is a matter of printing: our printer escapes every backslash. So the
//! variant has an annotation, `(set-info :luthier-backslashes plain)`, and the code that prints a
//! copy for a solver applies [`with_plain_backslashes`] to it.

use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::dialect::escapes::{Escapes, decode};
use luthier_smtlib::lexer::{Lexer, TokenKind};
use luthier_smtlib::source::{MAX_SOURCE_BYTES, Span};
use luthier_smtlib::{AttributeValue, Command, CommandKind, Dialect, Script};
use luthier_terms::{Op, SmtString, Term, TermId, TermPool};

use super::Variant;
use super::frame::Frame;
use super::rewrite::rewrite_some;
use crate::Dice;

/// The escape that our printer writes for a backslash.
const ESCAPED: &[u8] = b"\\u{5c}";

/// Texts that are no escapes.
const LOOK_ALIKES: [&str; 10] = [
    "\\u{30000}",
    "\\u{fffff}",
    "\\u{110000}",
    "\\u{000041}",
    "\\u{}",
    "\\u{g}",
    "\\u041",
    "\\x41",
    "\\n",
    "\\101",
];

/// `"ab" ⇒ (str.substr "\u{30000}ab" 9 2)`: a literal as a substring of one with a look-alike.
pub(super) fn look_alikes(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| matches!(pool.term(term), Term::String(_));
    let mut made = rewrite_some(pool, frame, dice, can, |pool, term, dice| {
        let Term::String(text) = pool.term(term) else { return Some(term) };
        let text = text.clone();
        beside_a_look_alike(pool, &text, dice)
    })?;
    let plain = AttributeValue::Other(b"plain".to_vec());
    let kind = Annotation::Backslashes.command(pool, plain).ok()?;
    let hint = Command { kind, span: Span::default() };
    let is_information = |command: &Command| matches!(command.kind, CommandKind::SetInfo(_));
    let commands = &mut made.script.commands;
    let place = commands.iter().position(is_information).map_or(0, |first| first + 1);
    commands.insert(place, hint);
    Some(made)
}

fn beside_a_look_alike(pool: &mut TermPool, text: &SmtString, dice: &mut Dice) -> Option<TermId> {
    let junk = SmtString::from_text(dice.pick(&LOOK_ALIKES))?;
    let (junk, text) = (junk.as_slice(), text.as_slice());
    let before = dice.percent(70);
    let whole = if before { [junk, text] } else { [text, junk] }.concat();
    let whole = pool.string(whole.as_slice().into()).ok()?;
    let start = pool.integer(if before { junk.len() } else { 0 }).ok()?;
    let length = pool.integer(text.len()).ok()?;
    pool.op(Op::StrSubstr, &[whole, start, length]).ok()
}

/// Whether a script requests that its copies have plain backslashes.
pub fn requests_plain_backslashes(pool: &TermPool, script: &Script) -> bool {
    let said = Annotation::Backslashes.find(pool, script);
    matches!(said, Some(AttributeValue::Other(word)) if word == b"plain")
}

/// A text in the dialect of a solver with plain backslashes in every literal whose meaning stays the same.
/// It is unchanged if the dialect has other escapes than the standard.
pub fn with_plain_backslashes(text: &[u8], dialect: Dialect) -> Vec<u8> {
    if dialect.escapes() != Escapes::Standard || text.len() > MAX_SOURCE_BYTES {
        return text.to_vec();
    }
    let mut result = Vec::with_capacity(text.len());
    let mut lexer = Lexer::new(text, dialect.quotes());
    let mut copied = 0;
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            break;
        }
        let literal = lexer.text(token.span);
        if token.kind != TokenKind::String || literal.len() < 2 {
            continue;
        }
        let inside = &literal[1..literal.len() - 1];
        let plain = replaced(inside, ESCAPED, b"\\");
        let meaning = |raw: &[u8]| decode(raw, dialect.quotes(), Escapes::Standard).text;
        if plain.len() < inside.len() && meaning(&plain) == meaning(inside) {
            let range = token.span.range();
            result.extend_from_slice(&text[copied..=range.start]);
            result.extend_from_slice(&plain);
            copied = range.end - 1;
        }
    }
    result.extend_from_slice(&text[copied..]);
    result
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&first) = rest.first() {
        match rest.strip_prefix(from) {
            Some(behind) => {
                result.extend_from_slice(to);
                rest = behind;
            }
            None => {
                result.push(first);
                rest = &rest[1..];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{Dialect, LOOK_ALIKES, with_plain_backslashes};
    use luthier_smtlib::dialect::escapes::{Escapes, decode};
    use luthier_smtlib::lexer::Quotes;

    #[test]
    fn no_look_alike_is_an_escape() {
        for text in LOOK_ALIKES {
            let read = decode(text.as_bytes(), Quotes::Doubled, Escapes::Standard).text;
            assert_eq!(read.len(), text.len(), "{text}");
        }
    }

    #[test]
    fn backslashes_become_plain_only_where_the_meaning_stays() {
        let check = |text: &str, expected: &str, dialect| {
            let plain = with_plain_backslashes(text.as_bytes(), dialect);
            assert_eq!(String::from_utf8(plain).unwrap(), expected);
        };
        let text = r#"(= x "\u{5c}u{30000}""a") (= y "\u{5c}u{41}") (= z "\u{5c}") |\u{5c}|"#;
        let plain = r#"(= x "\u{30000}""a") (= y "\u{5c}u{41}") (= z "\") |\u{5c}|"#;
        check(text, plain, Dialect::Cvc5);
        check(text, text, Dialect::Z3Legacy);
    }
}
