//! Strings of the theory: sequences of code points from 0 to 0x2FFFF, surrogates included, so
//! neither `char` nor `String` can represent them (SMT-LIB 2.7, theory `Strings`).

use std::fmt;
use std::ops::Deref;

/// A character of the theory of strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodePoint(u32);

impl CodePoint {
    /// The smallest character.
    pub const MIN: Self = Self(0);
    /// The largest character; the alphabet has 196,608 of them.
    pub const MAX: Self = Self(0x2FFFF);

    /// The character with this code, if there is one.
    pub const fn new(code: u32) -> Option<Self> {
        if code <= Self::MAX.0 { Some(Self(code)) } else { None }
    }

    /// Its code.
    pub const fn code(self) -> u32 {
        self.0
    }

    /// The character of a byte.
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte as u32)
    }
}

impl fmt::Debug for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", self.0)
    }
}

/// A value of sort `String`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SmtString(Vec<CodePoint>);

impl SmtString {
    /// The empty string.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The string of the given codes, or `None` if one of them is out of range.
    pub fn from_codes(codes: impl IntoIterator<Item = u32>) -> Option<Self> {
        codes.into_iter().map(CodePoint::new).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The string of the same characters, or `None` if a `char` is above 0x2FFFF.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::from_codes(text.chars().map(u32::from))
    }

    /// Its characters.
    pub fn as_slice(&self) -> &[CodePoint] {
        &self.0
    }

    /// Its characters, to change.
    pub fn into_vec(self) -> Vec<CodePoint> {
        self.0
    }
}

impl From<Vec<CodePoint>> for SmtString {
    fn from(characters: Vec<CodePoint>) -> Self {
        Self(characters)
    }
}

impl From<&[CodePoint]> for SmtString {
    fn from(characters: &[CodePoint]) -> Self {
        Self(characters.to_vec())
    }
}

impl FromIterator<CodePoint> for SmtString {
    fn from_iter<I: IntoIterator<Item = CodePoint>>(characters: I) -> Self {
        Self(characters.into_iter().collect())
    }
}

impl Deref for SmtString {
    type Target = [CodePoint];

    fn deref(&self) -> &[CodePoint] {
        &self.0
    }
}

/// Shows the string as a literal of SMT-LIB 2.7, for messages.
impl fmt::Debug for SmtString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in &self.0 {
            match character.code() {
                0x22 => f.write_str("\"\"")?,
                code @ 0x20..=0x7E if code != 0x5C => {
                    write!(f, "{}", char::from_u32(code).expect("ASCII"))?;
                }
                code => write!(f, "\\u{{{code:x}}}")?,
            }
        }
        f.write_str("\"")
    }
}
