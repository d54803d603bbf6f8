//! Text that a program printed, byte for byte: it need not be UTF-8.

use std::fmt;

/// Bytes that are meant to be text but may not be UTF-8.
///
/// Models are kept in this form, because a lossy conversion to Unicode would change them before they are
/// checked. [`Display`](fmt::Display) shows invalid bytes as U+FFFD.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u8>);

impl Text {
    /// The bytes as they were printed.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether nothing was printed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Text(bytes.to_vec())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Text(bytes)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.as_bytes().to_vec())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn invalid_bytes_are_kept_and_shown_as_replacement() {
        let text = Text::from(b"caf\xe9".as_slice());
        assert_eq!(text.as_bytes(), b"caf\xe9");
        assert_eq!(text.to_string(), "caf\u{FFFD}");
    }
}
