//! Splits a stream of bytes into commands as they arrive, without a look at what they say.
//!
//! A command is complete at the parenthesis that closes its first one. Parentheses inside of string
//! literals, quoted symbols and comments do not count (standard 2.7, section 3.1). A doubled
//! quotation mark ends a literal and begins another one, which is the same for this purpose; in
//! SMT-LIB 2.0 a backslash takes the next byte with it. What stands outside of commands and is
//! neither white space nor a comment is a piece of its own, up to the end of its line, so that its
//! error is reported at once.
//!
//! Every byte is looked at once, however small the portions are in which it arrives.

use crate::lexer::Quotes;

/// Where the scan of a stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Between tokens.
    #[default]
    Plain,
    Comment,
    Literal,
    /// Behind a backslash in a literal of SMT-LIB 2.0.
    Escaped,
    QuotedSymbol,
}

/// Finds the ends of commands in a text that grows.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    state: State,
    /// How many parentheses are open.
    depth: u64,
    /// How much of the text was looked at.
    scanned: usize,
    /// Something stands outside of commands.
    stray: bool,
}

impl Splitter {
    /// The length of the first piece of the text, if it is complete. The caller then removes this
    /// piece from the text; otherwise it adds what arrives next to it.
    pub fn next_piece(&mut self, text: &[u8], quotes: Quotes) -> Option<usize> {
        while let Some(&byte) = text.get(self.scanned) {
            if self.stray && self.state == State::Plain && matches!(byte, b'(' | b'\n' | b'\r') {
                return Some(self.end_piece());
            }
            self.scanned += 1;
            match self.state {
                State::Plain => {
                    if self.plain(byte) {
                        return Some(self.end_piece());
                    }
                }
                State::Comment if matches!(byte, b'\n' | b'\r') => self.state = State::Plain,
                State::Literal if byte == b'"' => self.state = State::Plain,
                State::Literal if byte == b'\\' && quotes == Quotes::Backslash => {
                    self.state = State::Escaped;
                }
                State::Escaped => self.state = State::Literal,
                State::QuotedSymbol if byte == b'|' => self.state = State::Plain,
                State::Comment | State::Literal | State::QuotedSymbol => self.skip(text),
            }
        }
        None
    }

    /// A byte between tokens; whether the piece ends behind it.
    fn plain(&mut self, byte: u8) -> bool {
        match byte {
            b'(' => self.depth += 1,
            // One too many is a piece with an error.
            b')' if self.depth <= 1 => return true,
            b')' => self.depth -= 1,
            b'"' => self.state = State::Literal,
            b'|' => self.state = State::QuotedSymbol,
            b';' => self.state = State::Comment,
            _ => {}
        }
        self.stray |= self.depth == 0 && !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';');
        false
    }

    /// Goes on to the next byte that may end what is not to be looked at.
    fn skip(&mut self, text: &[u8]) {
        let rest = &text[self.scanned..];
        let next = match self.state {
            State::Comment => memchr::memchr2(b'\n', b'\r', rest),
            State::Literal => memchr::memchr2(b'"', b'\\', rest),
            _ => memchr::memchr(b'|', rest),
        };
        self.scanned += next.unwrap_or(rest.len());
    }

    fn end_piece(&mut self) -> usize {
        std::mem::take(self).scanned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a text that arrives in portions, and what is left.
    fn pieces(text: &str, portion: usize, quotes: Quotes) -> (Vec<String>, String) {
        let (mut splitter, mut buffer, mut pieces) = (Splitter::default(), Vec::new(), Vec::new());
        for bytes in text.as_bytes().chunks(portion) {
            buffer.extend_from_slice(bytes);
            while let Some(length) = splitter.next_piece(&buffer, quotes) {
                let rest = buffer.split_off(length);
                pieces.push(String::from_utf8(std::mem::replace(&mut buffer, rest)).unwrap());
            }
        }
        (pieces, String::from_utf8(buffer).unwrap())
    }

    #[test]
    fn parentheses_in_literals_symbols_and_comments_do_not_count() {
        let text = "(a \"(\"\"(\" |)| ; )\n) ; (\n(b)(c (d)) (e";
        for portion in [1, 2, 3, 7, 100] {
            let (found, rest) = pieces(text, portion, Quotes::Doubled);
            assert_eq!(found, ["(a \"(\"\"(\" |)| ; )\n)", " ; (\n(b)", "(c (d))"], "{portion}");
            assert_eq!(rest, " (e");
        }
    }

    #[test]
    fn quotation_marks_are_those_of_the_dialect() {
        let text = "(a \"\\\")\")(b)";
        assert_eq!(pieces(text, 1, Quotes::Backslash).0, ["(a \"\\\")\")", "(b)"]);
        assert_eq!(pieces(text, 1, Quotes::Doubled).0[0], "(a \"\\\")");
    }

    #[test]
    fn what_is_no_command_ends_with_its_line() {
        for portion in [1, 100] {
            let (found, rest) = pieces("x y\n)(a)\u{e9}(b)", portion, Quotes::Doubled);
            assert_eq!(found, ["x y", "\n)", "(a)", "\u{e9}", "(b)"]);
            assert_eq!(rest, "");
        }
    }
}
