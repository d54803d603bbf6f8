//! Makes text from untrusted names readable: hidden characters are written out, markup is escaped.

use std::borrow::Cow;

/// A text on one line in which everything can be seen: control characters, those that turn the
/// direction of writing and those that have no width are written out, `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(character, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{AD}' | '\u{61C}')
        // No characters, and forbidden in XML.
        || (character as u32) & 0xFFFE == 0xFFFE
}

/// A visible text for HTML and XML, also between quotation marks of either kind.
pub(super) fn markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// `1 run`, `1,234 runs`.
pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", crate::figures::count(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{markup, visible};

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("plain ü 中"), "plain ü 中");
        assert_eq!(visible("a\nb\u{1b}\u{202E}"), "a\\nb\\u{1b}\\u{202e}");
        assert_eq!(visible("\u{FFFF}\u{200B}"), "\\u{ffff}\\u{200b}");
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(markup("<a href='\"'>&\u{0}"), "&lt;a href=&#39;&quot;&#39;&gt;&amp;\\u{0}");
    }
}
