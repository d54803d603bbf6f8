//! Makes untrusted text safe to show.
//!
//! Markup is escaped by `maud` and by [`escape_into`]. In addition, hidden characters are made visible:
//! control characters, and those that change the direction of writing or have no width.

use std::borrow::Cow;

/// A name on one line with everything in it visible.
pub(crate) fn visible(name: &str) -> Cow<'_, str> {
    shown(name, |_| false)
}

/// A text of several lines with everything in it visible but line breaks and tabs.
pub(crate) fn visible_text(text: &str) -> Cow<'_, str> {
    shown(text, |character| matches!(character, '\n' | '\t'))
}

/// Whether a character is invisible or changes how the text around it is shown.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// An argument of a command, or a path, for others to read: of an absolute path only the last part, since the
/// folders of a machine are nobody else's business. `--out=/data/me/x.db` is `--out=…/x.db`.
pub(crate) fn without_folders(text: &str) -> String {
    let begins = |start: usize| {
        start == 0
            || matches!(text.as_bytes()[start - 1], b'=' | b'\'' | b'"' | b',' | b':' | b'@' | b' ')
    };
    let start = text.match_indices('/').map(|(start, _)| start).find(|&start| begins(start));
    let last = text.trim_end_matches('/').rfind('/');
    match start.zip(last).filter(|(start, last)| last >= start) {
        Some((start, last)) => format!("{}…{}", &text[..start], &text[last..]),
        None => text.to_owned(),
    }
}

/// Writes a text into HTML, as content of an element.
pub(crate) fn escape_into(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' => html.push_str("&amp;"),
            '"' => html.push_str("&quot;"),
            _ => html.push(character),
        }
    }
}

/// The first bytes of a text, cut between characters, and whether there is more.
pub(crate) fn cut(bytes: &[u8], most: usize) -> (&[u8], bool) {
    if bytes.len() <= most {
        return (bytes, false);
    }
    // At most three bytes of a character can stand before the cut; what is not UTF-8 stays as it is.
    let mut end = most;
    while end > most.saturating_sub(3) && bytes[end] & 0b1100_0000 == 0b1000_0000 {
        end -= 1;
    }
    (&bytes[..end], true)
}

/// A short form of a long text: its beginning and its end.
pub(crate) fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let tail = most / 3;
    let head: String = text.chars().take(most - tail).collect();
    let end: String = text.chars().skip(count - tail).collect();
    Cow::Owned(format!("{head} … {end}"))
}

fn shown(text: &str, allowed: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_hidden = |character: char| is_hidden(character) && !allowed(character);
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            cleaned.extend(character.escape_default());
        } else {
            cleaned.push(character);
        }
    }
    Cow::Owned(cleaned)
}

#[cfg(test)]
mod tests {
    use super::{cut, escape_into, shorten, visible, visible_text};

    #[test]
    fn folders_of_the_machine_are_left_out_and_nothing_else() {
        for (text, shown) in [
            ("/data/me/my sets/a.smt2", "…/a.smt2"),
            ("--out=/tmp/x.db", "--out=…/x.db"),
            ("/data/me/", "…/me/"),
            ("sets/a.smt2", "sets/a.smt2"),
            ("{file}", "{file}"),
            ("/", "/"),
        ] {
            assert_eq!(super::without_folders(text), shown);
        }
    }

    #[test]
    fn what_hides_is_written_out_and_the_rest_is_kept() {
        assert_eq!(visible("a\u{202e}b\u{200b}\n"), "a\\u{202e}b\\u{200b}\\n");
        assert_eq!(visible("ü 漢 <b>"), "ü 漢 <b>");
        assert_eq!(visible_text("a\n\tb\u{0}"), "a\n\tb\\u{0}");
    }

    #[test]
    fn markup_is_escaped() {
        let mut html = String::new();
        escape_into("<script>\"&'", &mut html);
        assert_eq!(html, "&lt;script&gt;&quot;&amp;'");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("aä".as_bytes(), 2), ("a".as_bytes(), true));
        assert_eq!(cut("aä".as_bytes(), 3), ("aä".as_bytes(), false));
        assert_eq!(cut(&[0x80; 9], 5), ([0x80; 2].as_slice(), true));
    }

    #[test]
    fn a_long_text_keeps_both_ends() {
        assert_eq!(shorten("abcdefghijkl", 6), "abcd … kl");
        assert_eq!(shorten("abc", 6), "abc");
    }
}
