//! Escapes text for LaTeX.

use crate::text::clean;

/// The text such that pdfLaTeX shows it: nothing in it is a command, and what no common font has
/// is written as its code point.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '{' | '}' | '_' | '%' | '&' | '#' | '$' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("\\char34{}"),
            // Alone in a group they do not become dashes or quotation marks with their neighbours.
            '-' | '\'' | '`' | '[' | ']' | ',' => escaped.extend(['{', c, '}']),
            ' '..='~' => escaped.push(c),
            _ => match transcribed(c) {
                Some(command) => escaped.push_str(command),
                None if is_latin(c) => escaped.push(c),
                None => escaped.push_str(&format!("{{[}}U+{:04X}{{]}}", c as u32)),
            },
        }
    }
    escaped
}

/// Letters that every LaTeX since 2018 reads and composes of letters and accents.
fn is_latin(c: char) -> bool {
    matches!(c, 'À'..='ÿ') && !matches!(c, '×' | '÷' | 'Ð' | 'ð' | 'Þ' | 'þ')
}

fn transcribed(c: char) -> Option<&'static str> {
    Some(match c {
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
        '²' => "\\ensuremath{^2}",
        '³' => "\\ensuremath{^3}",
        'µ' | 'μ' => "\\ensuremath{\\mu}",
        'α' => "\\ensuremath{\\alpha}",
        'β' => "\\ensuremath{\\beta}",
        'γ' => "\\ensuremath{\\gamma}",
        'δ' => "\\ensuremath{\\delta}",
        'ε' => "\\ensuremath{\\varepsilon}",
        'λ' => "\\ensuremath{\\lambda}",
        'π' => "\\ensuremath{\\pi}",
        'σ' => "\\ensuremath{\\sigma}",
        'φ' => "\\ensuremath{\\varphi}",
        'ω' => "\\ensuremath{\\omega}",
        'Δ' => "\\ensuremath{\\Delta}",
        'Σ' => "\\ensuremath{\\Sigma}",
        'Ω' => "\\ensuremath{\\Omega}",
        '…' => "\\ldots{}",
        '–' => "{--}",
        '—' => "{---}",
        '‘' => "{`}",
        '’' => "{'}",
        '“' => "{``}",
        '”' => "{''}",
        '°' => "\\ensuremath{^\\circ}",
        '§' => "\\S{}",
        '©' => "\\copyright{}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_in_a_name_is_a_command() {
        assert_eq!(escape(r"a_b%c&d#e$f{g}"), r"a\_b\%c\&d\#e\$f\{g\}");
        assert_eq!(
            escape(r"\input ~^"),
            r"\textbackslash{}input \textasciitilde{}\textasciicircum{}"
        );
        assert_eq!(escape("--x''"), "{-}{-}x{'}{'}");
        assert_eq!(escape("é ≤ 中\u{202E}"), "é \\ensuremath{\\leq} {[}U+4E2D{]}{[}U+FFFD{]}");
        assert_eq!(escape("a\n\n%b"), "a  \\%b");
    }
}
