//! Syntax highlighting of formulas, with numbered lines.
//!
//! The lexer of `luthier-smtlib` finds the tokens, so that a semicolon inside a literal does not begin
//! a comment. Every byte is shown: invalid UTF-8 and hidden characters are written out.

use std::collections::HashSet;
use std::sync::OnceLock;

use luthier_smtlib::Dialect;
use luthier_smtlib::lexer::{Lexer, Quotes, TokenKind, is_command, is_reserved};
use luthier_terms::Op;

use crate::text::{escape_into, is_hidden};

/// Beyond this much markup the rest is shown without colours, so that a page stays small.
const MOST_COLOURED: usize = 700_000;
/// Lines carry markup too.
const MOST_LINES: usize = 5_000;

/// A formula as lines of HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coloured {
    /// The content of a `pre` element.
    pub html: String,
    /// Not all lines are there.
    pub cut: bool,
}

/// Puts a formula in colours. A dialect that is not known is read as the standard.
pub(crate) fn highlight(bytes: &[u8], dialect: &str) -> Coloured {
    // What follows the last line break is no line.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let quotes = dialect.parse::<Dialect>().map_or(Quotes::Doubled, Dialect::quotes);
    let mut page = Page { html: String::with_capacity(bytes.len() * 3), line: 0, cut: false };
    page.begin_line();
    let mut lexer = Lexer::new(bytes, quotes);
    let mut shown = 0;
    loop {
        let token = lexer.next_token();
        let range = token.span.range();
        page.gap(&bytes[shown..range.start]);
        if token.kind == TokenKind::End || page.cut {
            break;
        }
        let text = &bytes[range.clone()];
        page.token(text, class_of(token.kind, text));
        shown = range.end;
    }
    page.html.push_str("</span>");
    Coloured { html: page.html, cut: page.cut }
}

/// A text without colours: a model, an output.
pub(crate) fn plain(bytes: &[u8]) -> String {
    let mut page = Page { html: String::with_capacity(bytes.len()), line: 0, cut: false };
    page.text(bytes, &mut |html| html.push('\n'));
    page.html
}

/// The class of a token; `None` for what is not coloured.
fn class_of(kind: TokenKind, text: &[u8]) -> Option<&'static str> {
    match kind {
        TokenKind::Symbol if is_command(text) || is_reserved(text) => Some("k"),
        TokenKind::Symbol if is_operator(text) => Some("o"),
        TokenKind::Symbol if is_sort(text) => Some("t"),
        TokenKind::Keyword => Some("a"),
        TokenKind::Numeral | TokenKind::Decimal | TokenKind::Hexadecimal | TokenKind::Binary => {
            Some("n")
        }
        TokenKind::String => Some("s"),
        TokenKind::UnterminatedString | TokenKind::UnterminatedSymbol | TokenKind::Illegal => {
            Some("x")
        }
        _ => None,
    }
}

/// Operators of the standard, and those of older dialects by their prefix.
fn is_operator(text: &[u8]) -> bool {
    let prefixes: [&[u8]; 4] = [b"str.", b"re.", b"int.", b"seq."];
    prefixes.iter().any(|prefix| text.starts_with(prefix)) || standard_operators().contains(text)
}

fn standard_operators() -> &'static HashSet<&'static [u8]> {
    static NAMES: OnceLock<HashSet<&'static [u8]>> = OnceLock::new();
    NAMES.get_or_init(|| Op::TABLE.iter().map(|row| row.name.as_bytes()).collect())
}

fn is_sort(text: &[u8]) -> bool {
    matches!(text, b"Bool" | b"Int" | b"String" | b"RegLan" | b"RegEx" | b"Array" | b"Unicode")
}

struct Page {
    html: String,
    /// The number of the line that is open.
    line: usize,
    cut: bool,
}

impl Page {
    fn begin_line(&mut self) {
        self.line += 1;
        self.html.push_str(&format!("<span class=\"line\" id=\"L{}\">", self.line));
    }

    /// White space and comments between tokens.
    fn gap(&mut self, mut bytes: &[u8]) {
        while let Some(start) = bytes.iter().position(|&byte| byte == b';') {
            self.token(&bytes[..start], None);
            let rest = &bytes[start..];
            let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
            let end = rest.iter().position(is_end).unwrap_or(rest.len());
            self.token(&rest[..end], Some("c"));
            bytes = &rest[end..];
        }
        self.token(bytes, None);
    }

    fn token(&mut self, bytes: &[u8], class: Option<&str>) {
        let class = class.filter(|_| self.html.len() < MOST_COLOURED);
        for (index, part) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if index > 0 {
                if self.line >= MOST_LINES {
                    self.cut = true;
                }
                if self.cut {
                    return;
                }
                self.html.push_str("</span>\n");
                self.begin_line();
            }
            if part.is_empty() {
                continue;
            }
            if let Some(class) = class {
                self.html.push_str("<b class=\"");
                self.html.push_str(class);
                self.html.push_str("\">");
            }
            self.text(part, &mut |_| {});
            if class.is_some() {
                self.html.push_str("</b>");
            }
        }
    }

    /// Something that cannot be shown as it is. Neighbours share an element, so that a text full
    /// of it stays small.
    fn hidden(&mut self, written: &str) {
        if self.html.ends_with("</i>") {
            self.html.truncate(self.html.len() - "</i>".len());
        } else {
            self.html.push_str("<i>");
        }
        self.html.push_str(written);
        self.html.push_str("</i>");
    }

    /// Bytes as text; what is not UTF-8 is written `\xE9`, and hidden characters `\u{202e}`.
    fn text(&mut self, bytes: &[u8], newline: &mut dyn FnMut(&mut String)) {
        for chunk in bytes.utf8_chunks() {
            let mut plain = 0;
            let valid = chunk.valid();
            for (position, character) in valid.char_indices() {
                if character == '\t' || !is_hidden(character) {
                    continue;
                }
                escape_into(&valid[plain..position], &mut self.html);
                plain = position + character.len_utf8();
                match character {
                    '\n' => newline(&mut self.html),
                    // Files of other systems end their lines with both.
                    '\r' => {}
                    _ => self.hidden(&character.escape_default().to_string()),
                }
            }
            escape_into(&valid[plain..], &mut self.html);
            for byte in chunk.invalid() {
                self.hidden(&format!("\\x{byte:02X}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, highlight, plain};

    fn html(text: &str) -> String {
        highlight(text.as_bytes(), "2.7").html
    }

    #[test]
    fn tokens_have_classes_and_lines_have_numbers() {
        let shown = html("(assert (= x \"a;b\")) ; why\n(check-sat)");
        assert!(shown.starts_with("<span class=\"line\" id=\"L1\">(<b class=\"k\">assert</b>"));
        assert!(shown.contains("<b class=\"o\">=</b> x <b class=\"s\">&quot;a;b&quot;</b>"));
        assert!(shown.contains("<b class=\"c\">; why</b></span>\n<span class=\"line\" id=\"L2\">"));
        assert!(shown.ends_with("</span>"));
    }

    #[test]
    fn a_literal_over_two_lines_is_closed_and_opened_again() {
        let shown = html("\"a\nb\"");
        assert!(shown.contains("<b class=\"s\">&quot;a</b></span>\n<span"), "{shown}");
        assert!(shown.contains("<b class=\"s\">b&quot;</b></span>"), "{shown}");
    }

    #[test]
    fn no_bytes_are_lost_and_none_become_markup() {
        let bytes: Vec<u8> = (0..=255).collect();
        let shown = highlight(&bytes, "2.7").html;
        assert!(shown.contains("\\xFF") && shown.contains("\\u{1b}") && shown.contains("&lt;"));
        let shown = html("|<script>| \"<img onerror=x>\" ; <b>\n\u{202e}");
        assert!(!shown.contains("<script") && !shown.contains("<img"), "{shown}");
        assert!(shown.contains("\\u{202e}"), "{shown}");
        assert_eq!(plain(b"a<\n\xe9\x00"), "a&lt;\n<i>\\xE9\\u{0}</i>");
    }

    #[test]
    fn a_long_or_dense_text_stays_bounded() {
        let lines = highlight(&b"\n".repeat(200_000), "2.7");
        assert!(lines.cut && lines.html.len() < 300_000, "{}", lines.html.len());
        assert_eq!(lines.html.matches("<span").count(), MOST_LINES);
        let dense = highlight(&b"1 ".repeat(100_000), "2.7");
        assert!(!dense.cut && dense.html.len() < 1_200_000, "{}", dense.html.len());
        let odd = highlight(&b"\xff".repeat(200_000), "2.7");
        assert!(odd.html.len() < 1_000_000, "{}", odd.html.len());
    }

    #[test]
    fn an_open_literal_does_not_matter() {
        assert!(html("(assert \"abc").contains("<b class=\"x\">&quot;abc</b>"));
        assert!(html("").ends_with("</span>"));
    }
}
