//! Untrusted text made safe for a terminal, and numbers with units.
//!
//! Names of files, labels, and what solvers print are written by others. A control character in
//! them commands the terminal; a character that turns the direction of writing, or that cannot be
//! seen, makes a name look like another one ("Trojan Source", CVE-2021-42574). Such characters are
//! written out (`\u{202e}`). Who prints a name uses [`clean_name`]; every line that is printed goes
//! through [`clean_line`] besides, so that one that was forgotten does no harm.

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

/// A line, or several, of ours for a terminal: like [`clean_text`], but tabulators stay, and with
/// `colors` the sequences that set colours, which we put there ourselves.
pub fn clean_line(text: &str, colors: bool) -> Cow<'_, str> {
    let allowed = |c: char| c == '\n' || c == '\t';
    if !colors || !text.contains('\u{1b}') {
        return clean(text, allowed);
    }
    let mut cleaned = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        cleaned.push_str(&clean(&rest[..start], allowed));
        let length = color_sequence(&rest[start..]).unwrap_or(0);
        match length {
            0 => cleaned.push_str("\\u{1b}"),
            length => cleaned.push_str(&rest[start..start + length]),
        }
        rest = &rest[start + length.max(1)..];
    }
    cleaned.push_str(&clean(rest, allowed));
    Cow::Owned(cleaned)
}

/// The length of the sequence at the beginning of a text that sets a colour: `ESC [ numbers m`.
fn color_sequence(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(2 + end + 1)
}

/// Control characters, those that turn the direction of writing, and those that cannot be seen:
/// the categories Cc, Cf, Zl and Zp of Unicode, and what else it says may be left out of sight
/// (`Default_Ignorable_Code_Point`), in version 17.
fn commands_a_terminal(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}'
                | '\u{34F}'
                | '\u{600}'..='\u{605}'
                | '\u{61C}'
                | '\u{6DD}'
                | '\u{70F}'
                | '\u{890}'..='\u{891}'
                | '\u{8E2}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{110BD}'
                | '\u{110CD}'
                | '\u{13430}'..='\u{1343F}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
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
    fn characters_that_turn_the_writing_or_cannot_be_seen_are_written_out() {
        let hidden = "\u{ad}\u{34f}\u{61c}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\
                      \u{2029}\u{202a}\u{202e}\u{2060}\u{2064}\u{2066}\u{2069}\u{206a}\u{3164}\u{fe0f}\
                      \u{feff}\u{fff9}\u{e0001}\u{e0041}\u{e0100}";
        for c in hidden.chars() {
            let name = format!("a{c}b");
            assert_eq!(clean_name(&name), format!("a\\u{{{:x}}}b", u32::from(c)));
        }
        for seen in ["ü.smt2", "日本語", "עברית", "😀", "a\u{301}", "²", "\u{a0}"] {
            assert_eq!(clean_name(seen), seen);
        }
    }

    #[test]
    fn colours_of_ours_stay_in_a_line_and_nothing_else_commands_the_terminal() {
        let line = "\u{1b}[1m\u{1b}[31merror\u{1b}[0m\ta\u{202e}b\u{1b}[2J\u{1b}]0;t\u{7}\nx\u{1b}";
        let cleaned =
            "\u{1b}[1m\u{1b}[31merror\u{1b}[0m\ta\\u{202e}b\\u{1b}[2J\\u{1b}]0;t\\u{7}\nx\\u{1b}";
        assert_eq!(clean_line(line, true), cleaned);
        assert_eq!(clean_line("\u{1b}[1mx", false), "\\u{1b}[1mx");
        assert_eq!(clean_line("a\tb\nc", false), "a\tb\nc");
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
