//! Text that comes from inputs, made fit for a terminal, and numbers as people read them.

use std::borrow::Cow;

use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{TermId, TermPool};

/// How many characters of a term are shown to people.
const MAX_SHOWN: usize = 120;

/// A name on one line: control characters, which could command the terminal, are written out.
pub fn clean_name(name: &str) -> Cow<'_, str> {
    clean(name, |_| false)
}

/// A text of several lines without control characters.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    clean(text, |c| c == '\n')
}

fn clean(text: &str, allowed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| commands_a_terminal(c) && !allowed(c)) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if commands_a_terminal(c) && !allowed(c) {
            cleaned.extend(c.escape_default());
        } else {
            cleaned.push(c);
        }
    }
    Cow::Owned(cleaned)
}

/// Control characters, and those that turn the direction of writing.
fn commands_a_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A term in SMT-LIB 2.7, on one line.
pub fn term_text(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).trim_end().to_owned(),
        Err(error) => format!("({error})"),
    }
}

/// The beginning of a long sentence, cut between two words, so that no word turns into another:
/// without its first letters, `unsat` reads `sat`.
pub fn first_words(text: &str) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) else { return Cow::Borrowed(text) };
    let (head, rest) = text.split_at(end);
    let whole = rest.starts_with(char::is_whitespace);
    let head =
        if whole { head } else { head.rfind(char::is_whitespace).map_or("", |at| &head[..at]) };
    match head.trim_end() {
        // One word longer than a line is data, no sentence.
        "" => shorten(text),
        head => Cow::Owned(format!("{head} …")),
    }
}

/// A term or a value without its middle, if it is long. Not for sentences, see [`first_words`].
pub fn shorten(text: &str) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= MAX_SHOWN {
        return Cow::Borrowed(text);
    }
    let half = MAX_SHOWN / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(count - half).collect();
    Cow::Owned(format!("{head} … {tail}"))
}

/// A number of things: `1 file`, `3 files`.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A number of bytes.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1000 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out_and_other_text_is_kept() {
        assert_eq!(clean_name("a\u{1b}[31m\n.smt2"), "a\\u{1b}[31m\\n.smt2");
        assert_eq!(clean_name("ordinary ü.smt2"), "ordinary ü.smt2");
        assert_eq!(clean_text("two\nlines\r"), "two\nlines\\r");
        assert_eq!(clean_name("txt\u{202e}2tms"), "txt\\u{202e}2tms");
    }

    #[test]
    fn long_text_loses_its_middle_and_short_text_does_not() {
        assert_eq!(shorten("abc"), "abc");
        let shown = shorten(&"ä".repeat(1000)).into_owned();
        assert_eq!(shown.chars().count(), MAX_SHOWN + 3);
    }

    #[test]
    fn a_sentence_is_cut_between_words() {
        assert_eq!(first_words("says sat"), "says sat");
        for length in 100..=MAX_SHOWN {
            let text = format!("{} unsat: z3, cvc5; and {}", "x".repeat(length), "more ".repeat(9));
            let shown = first_words(&text).into_owned();
            let kept = shown.strip_suffix(" …").expect("it is too long");
            assert!(text.starts_with(&format!("{kept} ")), "{shown}");
        }
    }

    #[test]
    fn bytes_have_units() {
        let shown = [0, 999, 1000, 123_456, 999_999, 5_000_000_000].map(bytes);
        assert_eq!(shown, ["0 B", "999 B", "1.0 kB", "123.5 kB", "1.0 MB", "5.0 GB"]);
    }
}
