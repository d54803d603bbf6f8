//! The lexer: bytes to tokens, by the lexical rules of SMT-LIB (standard 2.7, section 3.1).
//!
//! Bytes above 127 are accepted in string literals, quoted symbols and comments only; they need not be
//! UTF-8. How a quotation mark is written inside a literal depends on the dialect ([`Quotes`]).

use memchr::{memchr, memchr2};

use crate::source::Span;

/// How a quotation mark is written inside a string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// `""`, since SMT-LIB 2.5.
    Doubled,
    /// `\"`, in SMT-LIB 2.0.
    Backslash,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A simple symbol or reserved word.
    Symbol,
    /// `|…|`; the span includes the bars.
    QuotedSymbol,
    /// `:name`; the span includes the colon.
    Keyword,
    /// Digits.
    Numeral,
    /// Digits, a point, digits.
    Decimal,
    /// `#x…`
    Hexadecimal,
    /// `#b…`
    Binary,
    /// `"…"`; the span includes the quotation marks.
    String,
    /// The end of the text.
    End,
    /// A literal that the text ends in.
    UnterminatedString,
    /// A quoted symbol that the text ends in.
    UnterminatedSymbol,
    /// A run of bytes that may not stand here.
    Illegal,
}

/// A token and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// Reads tokens one after the other.
#[derive(Clone)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
    quotes: Quotes,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of a text, which must not be longer than
    /// [`MAX_SOURCE_BYTES`](crate::source::MAX_SOURCE_BYTES).
    pub fn new(bytes: &'a [u8], quotes: Quotes) -> Self {
        // Files of some editors begin with a byte order mark; it says nothing.
        let position = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, position, quotes }
    }

    /// The text.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of a token.
    pub fn text(&self, span: Span) -> &'a [u8] {
        &self.bytes[span.range()]
    }

    /// Where the next token is looked for.
    pub fn position(&self) -> u32 {
        self.position as u32
    }

    /// Goes back (or ahead) to a place where a token begins.
    pub fn seek(&mut self, position: u32) {
        self.position = position as usize;
    }

    /// The next token.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        let bytes = self.bytes;
        loop {
            let start = self.position;
            let Some(&first) = bytes.get(start) else {
                return self.token(TokenKind::End, start);
            };
            match CLASS[first as usize] {
                Class::Space => self.position += 1,
                Class::Symbol => return self.run(start, TokenKind::Symbol),
                Class::Open => {
                    self.position += 1;
                    return self.token(TokenKind::Open, start);
                }
                Class::Close => {
                    self.position += 1;
                    return self.token(TokenKind::Close, start);
                }
                Class::Digit => return self.number(start),
                Class::Comment => {
                    self.position = memchr2(b'\n', b'\r', &bytes[start..])
                        .map_or(bytes.len(), |length| start + length + 1);
                }
                Class::Quote => return self.string(start),
                Class::Bar => return self.quoted_symbol(start),
                Class::Colon => {
                    self.position += 1;
                    let end = self.skip_symbol_bytes();
                    return match end - start {
                        1 => self.token(TokenKind::Illegal, start),
                        _ => self.token(TokenKind::Keyword, start),
                    };
                }
                Class::Hash => return self.hash(start),
                Class::Illegal => {
                    while self.position < bytes.len()
                        && matches!(CLASS[bytes[self.position] as usize], Class::Illegal)
                    {
                        self.position += 1;
                    }
                    return self.token(TokenKind::Illegal, start);
                }
            }
        }
    }

    #[inline]
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, span: Span { start: start as u32, end: self.position as u32 } }
    }

    #[inline]
    fn skip_symbol_bytes(&mut self) -> usize {
        let bytes = self.bytes;
        let mut position = self.position;
        while position < bytes.len()
            && matches!(CLASS[bytes[position] as usize], Class::Symbol | Class::Digit)
        {
            position += 1;
        }
        self.position = position;
        position
    }

    #[inline]
    fn run(&mut self, start: usize, kind: TokenKind) -> Token {
        self.position += 1;
        self.skip_symbol_bytes();
        self.token(kind, start)
    }

    fn digits(&mut self, is_digit: fn(&u8) -> bool) {
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().position(|byte| !is_digit(byte)).unwrap_or(rest.len());
    }

    fn number(&mut self, start: usize) -> Token {
        self.digits(u8::is_ascii_digit);
        let rest = &self.bytes[self.position..];
        let decimal = rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit);
        if decimal {
            self.position += 1;
            self.digits(u8::is_ascii_digit);
        }
        let digits_end = self.position;
        if self.skip_symbol_bytes() > digits_end {
            // `12ab` is neither a numeral nor a symbol.
            return self.token(TokenKind::Illegal, start);
        }
        self.token(if decimal { TokenKind::Decimal } else { TokenKind::Numeral }, start)
    }

    fn hash(&mut self, start: usize) -> Token {
        let kind = match self.bytes.get(start + 1) {
            Some(b'x') => TokenKind::Hexadecimal,
            Some(b'b') => TokenKind::Binary,
            _ => TokenKind::Illegal,
        };
        self.position += 1;
        let end = self.skip_symbol_bytes();
        let digits = &self.bytes[(start + 2).min(end)..end];
        let fits = match kind {
            TokenKind::Hexadecimal => digits.iter().all(u8::is_ascii_hexdigit),
            _ => digits.iter().all(|digit| matches!(digit, b'0' | b'1')),
        };
        let kind = if fits && !digits.is_empty() { kind } else { TokenKind::Illegal };
        self.token(kind, start)
    }

    fn string(&mut self, start: usize) -> Token {
        let bytes = self.bytes;
        let mut position = start + 1;
        loop {
            let rest = &bytes[position.min(bytes.len())..];
            let found = match self.quotes {
                Quotes::Doubled => memchr(b'"', rest),
                Quotes::Backslash => memchr2(b'"', b'\\', rest),
            };
            let Some(length) = found else {
                self.position = bytes.len();
                return self.token(TokenKind::UnterminatedString, start);
            };
            position += length;
            let escaped = match self.quotes {
                Quotes::Doubled => bytes.get(position + 1) == Some(&b'"'),
                Quotes::Backslash => bytes[position] == b'\\',
            };
            if escaped {
                position += 2;
                continue;
            }
            self.position = position + 1;
            return self.token(TokenKind::String, start);
        }
    }

    fn quoted_symbol(&mut self, start: usize) -> Token {
        match memchr(b'|', &self.bytes[start + 1..]) {
            Some(length) => {
                self.position = start + length + 2;
                self.token(TokenKind::QuotedSymbol, start)
            }
            None => {
                self.position = self.bytes.len();
                self.token(TokenKind::UnterminatedSymbol, start)
            }
        }
    }
}

/// Writes a literal outside terms: only the quotation marks are special in it.
pub(crate) fn quote_string(inner: &[u8], quotes: Quotes, out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in inner {
        match (quotes, byte) {
            (Quotes::Doubled, b'"') => out.extend_from_slice(b"\"\""),
            (Quotes::Backslash, b'"' | b'\\') => out.extend_from_slice(&[b'\\', byte]),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

/// Reads the inside of a literal outside terms.
pub(crate) fn unquote_string(literal: &[u8], quotes: Quotes) -> Vec<u8> {
    let inner = &literal[1..literal.len() - 1];
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.iter();
    while let Some(&byte) = rest.next() {
        match (quotes, byte) {
            (Quotes::Doubled, b'"') => {
                rest.next();
                bytes.push(b'"');
            }
            (Quotes::Backslash, b'\\') => bytes.extend(rest.next()),
            _ => bytes.push(byte),
        }
    }
    bytes
}

/// Whether a name can be written without bars, and is no reserved word.
pub fn is_simple_symbol(name: &[u8]) -> bool {
    !name.is_empty()
        && !name[0].is_ascii_digit()
        && name.iter().all(|&byte| matches!(CLASS[byte as usize], Class::Symbol | Class::Digit))
        && !is_reserved(name)
        && !is_command(name)
}

/// Whether a word has a meaning in the grammar of terms and sorts.
pub fn is_reserved(word: &[u8]) -> bool {
    RESERVED.contains(&word)
}

/// Whether a word is the name of a command, which the standard reserves too.
pub fn is_command(word: &[u8]) -> bool {
    COMMANDS.contains(&word)
}

/// The names of all commands, also of those that are not supported.
const COMMANDS: &[&[u8]] = &[
    b"assert",
    b"check-sat",
    b"check-sat-assuming",
    b"declare-const",
    b"declare-datatype",
    b"declare-datatypes",
    b"declare-fun",
    b"declare-sort",
    b"declare-sort-parameter",
    b"define-const",
    b"define-fun",
    b"define-fun-rec",
    b"define-funs-rec",
    b"define-sort",
    b"echo",
    b"exit",
    b"get-assertions",
    b"get-assignment",
    b"get-info",
    b"get-model",
    b"get-option",
    b"get-proof",
    b"get-unsat-assumptions",
    b"get-unsat-core",
    b"get-value",
    b"pop",
    b"push",
    b"reset",
    b"reset-assertions",
    b"set-info",
    b"set-logic",
    b"set-option",
];

/// Words that are no symbols unless they are quoted.
const RESERVED: &[&[u8]] = &[
    b"!",
    b"_",
    b"as",
    b"BINARY",
    b"DECIMAL",
    b"exists",
    b"HEXADECIMAL",
    b"forall",
    b"lambda",
    b"let",
    b"match",
    b"NUMERAL",
    b"par",
    b"STRING",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Illegal,
    Space,
    Symbol,
    Digit,
    Open,
    Close,
    Quote,
    Bar,
    Colon,
    Hash,
    Comment,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Illegal; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Symbol,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'='
            | b'<' | b'>' | b'.' | b'?' | b'/' => Class::Symbol,
            b'(' => Class::Open,
            b')' => Class::Close,
            b'"' => Class::Quote,
            b'|' => Class::Bar,
            b':' => Class::Colon,
            b'#' => Class::Hash,
            b';' => Class::Comment,
            _ => Class::Illegal,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;
    use std::string::String as Text;

    fn kinds(text: &[u8], quotes: Quotes) -> Vec<(TokenKind, Text)> {
        let mut lexer = Lexer::new(text, quotes);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == End {
                return tokens;
            }
            tokens.push((token.kind, Text::from_utf8_lossy(lexer.text(token.span)).into_owned()));
        }
    }

    #[test]
    fn every_kind_of_token_is_recognised() {
        let text = b"(a |b c|) :k 12 1.5 #xaF #b01 \"s\" ; c\n<=";
        let expected = [
            (Open, "("),
            (Symbol, "a"),
            (QuotedSymbol, "|b c|"),
            (Close, ")"),
            (Keyword, ":k"),
            (Numeral, "12"),
            (Decimal, "1.5"),
            (Hexadecimal, "#xaF"),
            (Binary, "#b01"),
            (String, "\"s\""),
            (Symbol, "<="),
        ];
        let expected: Vec<_> = expected.map(|(kind, text)| (kind, text.to_owned())).into();
        assert_eq!(kinds(text, Quotes::Doubled), expected);
    }

    #[test]
    fn quotation_marks_are_doubled_or_escaped_by_dialect() {
        assert_eq!(kinds(br#""a""b""#, Quotes::Doubled).len(), 1);
        assert_eq!(kinds(br#""a\"b""#, Quotes::Backslash).len(), 1);
        assert_eq!(kinds(br#""a\""#, Quotes::Doubled).len(), 1);
        assert_eq!(kinds(br#""a\\""#, Quotes::Backslash).len(), 1);
        assert_eq!(kinds(br#""a\"#, Quotes::Backslash)[0].0, UnterminatedString);
    }

    #[test]
    fn what_is_no_token_is_illegal_and_not_lost() {
        assert_eq!(kinds(b"12ab", Quotes::Doubled), [(Illegal, "12ab".to_owned())]);
        assert_eq!(kinds(b"#q", Quotes::Doubled), [(Illegal, "#q".to_owned())]);
        assert_eq!(kinds(b"#", Quotes::Doubled), [(Illegal, "#".to_owned())]);
        assert_eq!(kinds(b":", Quotes::Doubled), [(Illegal, ":".to_owned())]);
        assert_eq!(kinds(b"a\x00\xffb", Quotes::Doubled).len(), 3);
        assert_eq!(kinds(b"|a", Quotes::Doubled)[0].0, UnterminatedSymbol);
        assert_eq!(kinds(b"\"\xff\xfe\"", Quotes::Doubled)[0].0, String);
    }
}
