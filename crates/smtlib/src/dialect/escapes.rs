//! Escape sequences in string literals: decoding and encoding, by dialect.
//!
//! The standard (theory of Unicode strings, 2.6 and later) has `\uHHHH` and `\u{H…}` only. The legacy
//! rules were observed on the programs themselves (CVC4 1.6 and 1.8 `--lang smt2.5`, Z3 4.5.1, 4.8.7,
//! 4.8.9, 4.8.10): `\a \b \f \n \r \t \v`, `\xHH`, one to three octal digits, and a backslash before
//! any other character stands for that character. They disagree in a few corner cases, which
//! [`decode`] reports.

use luthier_terms::{CodePoint, SmtString};

use crate::lexer::Quotes;

/// Which sequences stand for other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// `\uHHHH` and `\u{H…}` only (SMT-LIB 2.6 and later).
    Standard,
    /// The C-like sequences of SMT-LIB 2.0 and 2.5, Z3 to 4.8.8 and CVC4 to 1.7.
    Legacy,
    /// Both, as Z3 4.8.9 and 4.8.10 read them.
    Both,
}

/// A literal as it was read, and what is noteworthy about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The string.
    pub text: SmtString,
    /// It contains a sequence that only the legacy rules decode.
    pub legacy: bool,
    /// It contains a sequence that legacy solvers read differently.
    pub disagree: bool,
    /// It contains bytes above 127; outside legacy dialects they are read as UTF-8 if they are,
    /// and byte by byte otherwise.
    pub non_ascii: bool,
    /// It contains a control character as such.
    pub control: bool,
}

/// Reads the inside of a literal (without the outer quotation marks).
pub fn decode(raw: &[u8], quotes: Quotes, escapes: Escapes) -> Decoded {
    let mut decoded = Decoded {
        text: SmtString::empty(),
        legacy: false,
        disagree: false,
        non_ascii: false,
        control: false,
    };
    let mut characters = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(&byte) = rest.first() {
        let mut length = 1;
        let character = match byte {
            b'"' if quotes == Quotes::Doubled => {
                length = 2;
                CodePoint::from_byte(b'"')
            }
            b'\\' => {
                let (character, used) = escape(rest, quotes, escapes, &mut decoded);
                length = used;
                character
            }
            0x80.. => {
                decoded.non_ascii = true;
                let (character, used) = beyond_ascii(rest, escapes);
                length = used;
                character
            }
            byte => {
                decoded.control |= byte < 0x20 || byte == 0x7F;
                CodePoint::from_byte(byte)
            }
        };
        characters.push(character);
        rest = &rest[length.min(rest.len())..];
    }
    decoded.text = characters.into();
    decoded
}

/// Reads what a backslash begins: the character and how many bytes it takes.
fn escape(
    rest: &[u8],
    quotes: Quotes,
    escapes: Escapes,
    decoded: &mut Decoded,
) -> (CodePoint, usize) {
    let backslash = (CodePoint::from_byte(b'\\'), 1);
    if escapes != Escapes::Legacy {
        if let Some(found) = unicode_escape(rest) {
            return found;
        }
        if escapes == Escapes::Standard {
            return backslash;
        }
    }
    let Some(&next) = rest.get(1) else {
        // CVC4 rejects it; Z3 reads a backslash.
        decoded.disagree = true;
        return backslash;
    };
    if next == b'u' && escapes == Escapes::Both {
        // Z3 4.8.9 reads text if the number is too large, and a character if digits are missing.
        decoded.disagree = true;
        return backslash;
    }
    decoded.legacy = true;
    let simple = |code| (CodePoint::from_byte(code), 2);
    match next {
        b'a' => simple(0x07),
        b'b' => simple(0x08),
        b't' => simple(0x09),
        b'n' => simple(0x0A),
        b'v' => simple(0x0B),
        b'f' => simple(0x0C),
        b'r' => simple(0x0D),
        b'x' => match (rest.get(2).and_then(hex), rest.get(3).and_then(hex)) {
            (Some(high), Some(low)) => (point(high * 16 + low), 4),
            _ => {
                // CVC4 rejects it; Z3 reads an x.
                decoded.disagree = true;
                simple(b'x')
            }
        },
        b'0'..=b'7' => octal(rest, decoded),
        b'8' | b'9' => {
            // CVC4 reads the character number 8 or 9; Z3 the digit.
            decoded.disagree = true;
            simple(next)
        }
        b'"' if quotes == Quotes::Doubled => (CodePoint::from_byte(b'"'), 3),
        0x80.. => {
            decoded.non_ascii = true;
            let (character, used) = beyond_ascii(&rest[1..], escapes);
            (character, used + 1)
        }
        other => simple(other),
    }
}

/// `\uHHHH`, or `\u{H}` with one to five digits up to 2FFFF.
pub fn unicode_escape(rest: &[u8]) -> Option<(CodePoint, usize)> {
    let digits = rest.strip_prefix(b"\\u")?;
    if let Some(braced) = digits.strip_prefix(b"{") {
        let length = braced.iter().take(6).position(|&byte| byte == b'}')?;
        if length == 0 {
            return None;
        }
        let code = number(&braced[..length])?;
        return Some((CodePoint::new(code)?, length + 4));
    }
    let code = number(digits.get(..4)?)?;
    Some((CodePoint::new(code)?, 6))
}

/// Whether the inside of a literal has a sequence that only the legacy rules decode.
pub fn has_legacy_escape(raw: &[u8]) -> bool {
    let mut rest = raw;
    while let Some(position) = memchr::memchr(b'\\', rest) {
        rest = &rest[position..];
        match unicode_escape(rest) {
            Some((_, length)) => rest = &rest[length..],
            None => return rest.len() > 1,
        }
    }
    false
}

/// Whether the inside of a literal has a standard escape.
pub fn has_unicode_escape(raw: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', raw).any(|position| unicode_escape(&raw[position..]).is_some())
}

/// Up to three octal digits. Z3 takes three in any case, CVC4 only while the value fits a byte.
fn octal(rest: &[u8], decoded: &mut Decoded) -> (CodePoint, usize) {
    let digit = |position: usize| {
        rest.get(position).filter(|byte| matches!(byte, b'0'..=b'7')).map(|byte| byte - b'0')
    };
    let mut code = u32::from(digit(1).expect("the caller saw an octal digit"));
    let mut length = 2;
    while length < 4 {
        let Some(next) = digit(length) else { break };
        let longer = code * 8 + u32::from(next);
        if longer > 0xFF {
            decoded.disagree = true;
            break;
        }
        code = longer;
        length += 1;
    }
    (point(code), length)
}

/// Legacy solvers have 256 characters and read (and print) bytes.
fn beyond_ascii(rest: &[u8], escapes: Escapes) -> (CodePoint, usize) {
    let longest = if escapes == Escapes::Standard { rest.len().min(4) } else { 1 };
    for length in 2..=longest {
        if let Ok(text) = std::str::from_utf8(&rest[..length]) {
            let code = text.chars().next().map(u32::from).and_then(CodePoint::new);
            if let Some(code) = code {
                return (code, length);
            }
        }
    }
    (CodePoint::from_byte(rest[0]), 1)
}

fn hex(byte: &u8) -> Option<u32> {
    char::from(*byte).to_digit(16)
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + hex(digit)?))
}

fn point(code: u32) -> CodePoint {
    CodePoint::new(code).expect("an escape of two hexadecimal or three octal digits fits")
}

/// Writes a string as a literal. `Err` names the first character that cannot be written.
pub fn encode(
    text: &[CodePoint],
    quotes: Quotes,
    escapes: Escapes,
    out: &mut Vec<u8>,
) -> Result<(), CodePoint> {
    out.push(b'"');
    for &character in text {
        match character.code() {
            0x22 => out.extend_from_slice(match quotes {
                Quotes::Doubled => b"\"\"",
                Quotes::Backslash => b"\\\"",
            }),
            0x5C => out.extend_from_slice(match escapes {
                Escapes::Standard => b"\\u{5c}",
                Escapes::Legacy | Escapes::Both => b"\\\\",
            }),
            code @ 0x20..=0x7E => out.push(code as u8),
            code if escapes == Escapes::Standard => {
                out.extend_from_slice(format!("\\u{{{code:x}}}").as_bytes());
            }
            code @ 0..=0xFF => out.extend_from_slice(format!("\\x{code:02x}").as_bytes()),
            _ => return Err(character),
        }
    }
    out.push(b'"');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(raw: &[u8], escapes: Escapes) -> Vec<u32> {
        decode(raw, Quotes::Doubled, escapes).text.iter().map(|c| c.code()).collect()
    }

    fn chars(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    #[test]
    fn the_standard_knows_only_unicode_escapes() {
        for literal in ["\\n", "\\x41", "\\\\", "\\u2CA", "\\u{ACG}", "\\u{}", "\\u{123456}"] {
            assert_eq!(codes(literal.as_bytes(), Escapes::Standard), chars(literal), "{literal}");
        }
        assert_eq!(codes(b"\\u{30000}", Escapes::Standard), chars("\\u{30000}"));
        assert_eq!(codes(b"\\u{2ffff}", Escapes::Standard), [0x2FFFF]);
        assert_eq!(codes(b"\\u{2C}1a", Escapes::Standard), chars(",1a"));
        assert_eq!(codes(b"\\u02C1a", Escapes::Standard), [0x2C1, 0x61]);
        assert_eq!(codes(b"\\\\u0041", Escapes::Standard), chars("\\A"));
        assert_eq!(codes(b"\\ud800", Escapes::Standard), [0xD800]);
        assert_eq!(codes(b"a\"\"b", Escapes::Standard), chars("a\"b"));
    }

    #[test]
    fn legacy_escapes_read_as_the_old_solvers_read_them() {
        let cases: [(&[u8], &[u32]); 14] = [
            (b"\\n", &[10]),
            (b"\\a\\b\\t\\v\\f\\r", &[7, 8, 9, 11, 12, 13]),
            (b"\\e", &[0x65]),
            (b"\\\\", &[0x5C]),
            (b"\\.", &[0x2E]),
            (b"\\x41", &[0x41]),
            (b"\\xC3\\xa9", &[0xC3, 0xA9]),
            (b"\\0", &[0]),
            (b"\\12", &[10]),
            (b"\\18", &[1, 0x38]),
            (b"\\101", &[0x41]),
            (b"\\1012", &[0x41, 0x32]),
            (b"\\u0041", &[0x75, 0x30, 0x30, 0x34, 0x31]),
            (b"\\\\u{41}", &[0x5C, 0x75, 0x7B, 0x34, 0x31, 0x7D]),
        ];
        for (raw, expected) in cases {
            let decoded = decode(raw, Quotes::Doubled, Escapes::Legacy);
            let codes: Vec<u32> = decoded.text.iter().map(|c| c.code()).collect();
            assert_eq!(codes, expected, "{}", String::from_utf8_lossy(raw));
            assert!(!decoded.disagree && decoded.legacy);
        }
    }

    #[test]
    fn where_the_old_solvers_disagree_it_is_said() {
        for raw in ["\\8", "\\x4", "\\xg", "\\400", "\\777", "a\\"] {
            assert!(decode(raw.as_bytes(), Quotes::Doubled, Escapes::Legacy).disagree, "{raw}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_one_character_each() {
        let decoded = decode(b"\xc3\xa9\xff", Quotes::Doubled, Escapes::Standard);
        let codes: Vec<u32> = decoded.text.iter().map(|c| c.code()).collect();
        assert_eq!(codes, [0xE9, 0xFF]);
        assert!(decoded.non_ascii);
        let decoded = decode(b"\xc3\xa9", Quotes::Doubled, Escapes::Legacy);
        let codes: Vec<u32> = decoded.text.iter().map(|c| c.code()).collect();
        assert_eq!(codes, [0xC3, 0xA9]);
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let all: Vec<CodePoint> = (0..=0xFF).chain([0x100, 0xD800, 0x2FFFF]).map(point).collect();
        let bytes = &all[..256];
        for (quotes, escapes, text) in [
            (Quotes::Doubled, Escapes::Standard, &all[..]),
            (Quotes::Doubled, Escapes::Legacy, bytes),
            (Quotes::Backslash, Escapes::Legacy, bytes),
            (Quotes::Doubled, Escapes::Both, bytes),
        ] {
            let mut out = Vec::new();
            encode(text, quotes, escapes, &mut out).unwrap();
            let decoded = decode(&out[1..out.len() - 1], quotes, escapes);
            assert_eq!(decoded.text.as_slice(), text);
            assert!(!decoded.disagree && !decoded.non_ascii && !decoded.control);
        }
        let mut out = Vec::new();
        assert!(encode(&all, Quotes::Doubled, Escapes::Legacy, &mut out).is_err());
    }
}
