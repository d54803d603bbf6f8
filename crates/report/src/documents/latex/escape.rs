//! Escapes text for LaTeX; characters without a glyph in common fonts are written as code points.

use super::super::text::visible;

/// The text such that pdfLaTeX shows it: nothing in it is a command, and what no common font has
/// is written as its code point, `[U+4E2D]`.
pub fn latex_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    visible(text).chars().for_each(|character| push(&mut escaped, character));
    escaped
}

/// The same, and lines may be broken after signs that part names.
pub(super) fn latex_breakable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 32);
    let mut unbroken = 0;
    for character in visible(text).chars() {
        push(&mut escaped, character);
        unbroken = if character == ' ' { 0 } else { unbroken + 1 };
        if matches!(character, '/' | '_' | '-' | '.' | ':' | '=' | '!' | '+') {
            escaped.push_str("\\allowbreak{}");
            unbroken = 0;
        } else if unbroken > 8 {
            // Names may have no such sign at all; a break within a word is the last resort.
            escaped.push_str("\\penalty5000{}");
        }
    }
    escaped
}

fn push(escaped: &mut String, character: char) {
    match character {
        '\\' => escaped.push_str("\\textbackslash{}"),
        '~' => escaped.push_str("\\textasciitilde{}"),
        '^' => escaped.push_str("\\textasciicircum{}"),
        '{' | '}' | '_' | '%' | '&' | '#' | '$' => escaped.extend(['\\', character]),
        '<' => escaped.push_str("\\textless{}"),
        '>' => escaped.push_str("\\textgreater{}"),
        '|' => escaped.push_str("\\textbar{}"),
        '"' => escaped.push_str("\\textquotedbl{}"),
        // In a group they do not become dashes, quotation marks or arguments with their neighbours.
        '-' | '\'' | '`' | '[' | ']' | '*' | ',' | '!' | '?' => {
            escaped.extend(['{', character, '}']);
        }
        ' '..='~' => escaped.push(character),
        _ => match transcribed(character) {
            Some(command) => escaped.push_str(command),
            None if is_latin(character) => escaped.push(character),
            None => escaped.push_str(&format!("{{[}}U+{:04X}{{]}}", character as u32)),
        },
    }
}

/// Letters that LaTeX has with the fonts of the preamble.
fn is_latin(character: char) -> bool {
    matches!(character, 'À'..='ÿ') && !matches!(character, '×' | '÷')
}

fn transcribed(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{A0}' | '\u{202F}' | '\u{2009}' => "\\,",
        '≤' => "\\ensuremath{\\leq}",
        '≥' => "\\ensuremath{\\geq}",
        '≠' => "\\ensuremath{\\neq}",
        '×' => "\\ensuremath{\\times}",
        '÷' => "\\ensuremath{\\div}",
        '±' => "\\ensuremath{\\pm}",
        '·' => "\\ensuremath{\\cdot}",
        '→' => "\\ensuremath{\\rightarrow}",
        '←' => "\\ensuremath{\\leftarrow}",
        '∞' => "\\ensuremath{\\infty}",
        '…' => "\\ldots{}",
        '–' => "{--}",
        '—' => "{---}",
        '‘' => "{`}",
        '’' => "{'}",
        '“' => "{``}",
        '”' => "{''}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{latex_breakable, latex_text};

    #[test]
    fn nothing_in_a_name_is_a_command() {
        assert_eq!(latex_text(r"a_b%c&d#e$f{g}"), r"a\_b\%c\&d\#e\$f\{g\}");
        assert_eq!(
            latex_text(r"\input ~^"),
            r"\textbackslash{}input \textasciitilde{}\textasciicircum{}"
        );
        assert_eq!(latex_text("é ≤ 中"), "é \\ensuremath{\\leq} {[}U+4E2D{]}");
        assert_eq!(latex_text("a\n\n%b"), "a\\textbackslash{}n\\textbackslash{}n\\%b");
    }

    #[test]
    fn long_names_can_be_broken() {
        assert_eq!(latex_breakable("a/b"), "a/\\allowbreak{}b");
        assert!(latex_breakable(&"x".repeat(50)).contains("\\penalty"));
        assert_eq!(latex_breakable("plain words are not"), "plain words are not");
    }
}
