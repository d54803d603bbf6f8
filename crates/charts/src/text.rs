//! Untrusted text: sanitised, escaped for XML, measured, and cut to a width.

use std::borrow::Cow;

/// Stands for what must not be shown as it is.
const REPLACEMENT: char = '\u{FFFD}';

/// The text with everything replaced that XML does not allow, that shows nothing, or that changes
/// how the text around it is shown. Line ends and tabs become spaces.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| cleaned(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(cleaned).collect())
}

/// Cleaned and escaped for XML, both for text and for attributes.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().map(cleaned) {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// How long the text is when it is escaped for XML, at most.
pub(crate) fn escaped_length(text: &str) -> usize {
    let special = text.bytes().filter(|byte| b"<>&\"'".contains(byte)).count();
    // What is replaced becomes three bytes, of which it may have had one or two.
    let control = text.bytes().filter(u8::is_ascii_control).count();
    let of_two_bytes = text.bytes().filter(|byte| (0xC0..0xE0).contains(byte)).count();
    text.len() + 5 * special + 2 * control + of_two_bytes
}

/// How wide the text is at this size of letters, in pixels. An estimate that is rather too large
/// than too small: DejaVu Sans is wider than most fonts that a browser may take in its place.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The text if it fits, otherwise its beginning and `…`.
pub(crate) fn cut_to_width(text: &str, size: f64, room: f64) -> Cow<'_, str> {
    let text = clean(text);
    if width(&text, size) <= room {
        return text;
    }
    let room = room / size - advance('…');
    let mut used = 0.0;
    let kept = text.chars().take_while(|&c| {
        used += advance(c);
        used <= room
    });
    let mut short: String = kept.collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    Cow::Owned(short)
}

/// The text if it is short, otherwise its beginning and `…`. For what a pointer shows.
pub(crate) fn cut_to_length(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

fn cleaned(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => REPLACEMENT,
        // Marks, embeddings, overrides and isolates of writing direction.
        '\u{061C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => REPLACEMENT,
        // What has no width, deprecated controls, notes and tags.
        '\u{00AD}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}' => REPLACEMENT,
        '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => REPLACEMENT,
        c if (c as u32) & 0xFFFE == 0xFFFE => REPLACEMENT,
        c => c,
    }
}

/// The width of a character in ems, by kinds of characters.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.30,
        ' ' | '.' | ',' | ':' | ';' | 'I' | '!' | 'f' | 't' | '(' | ')' | '[' | ']' | '/'
        | '\\' => 0.40,
        'r' | '-' | '"' | 's' | '`' => 0.50,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '\u{FFFD}' => 1.03,
        '+' | '=' | '<' | '>' | '~' | '^' | '#' | '≤' | '×' => 0.84,
        'A'..='Z' => 0.76,
        ' '..='~' => 0.64,
        '\u{0080}'..='\u{10FF}' | '\u{2000}'..='\u{206F}' => 0.70,
        _ => 1.1,
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, cut_to_length, cut_to_width, escape_xml, escaped_length, width};

    #[test]
    fn what_hides_or_turns_text_is_replaced() {
        assert_eq!(clean("z3@4.8 ünï 中"), "z3@4.8 ünï 中");
        assert_eq!(clean("a\u{202E}b\u{0}c\nd\u{FFFF}"), "a\u{FFFD}b\u{FFFD}c d\u{FFFD}");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape_xml("<a b='\"'>&"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;");
        for text in ["<a b='\"'>&", "plain", "\u{0}\u{7f}\u{ad}\u{61c}\u{202e}", "é中"] {
            assert!(escaped_length(text) >= escape_xml(text).len(), "{text:?}");
        }
    }

    #[test]
    fn long_names_are_cut_to_the_room_they_have() {
        let short = cut_to_width("a very long name of a solver", 10.0, 80.0);
        assert!(short.ends_with('…') && width(&short, 10.0) <= 80.0, "{short}");
        assert_eq!(cut_to_width("z3", 10.0, 80.0), "z3");
        assert_eq!(cut_to_length("äöü", 2), "äö…");
        assert_eq!(cut_to_length("äöü", 3), "äöü");
    }
}
