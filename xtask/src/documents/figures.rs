//! Figures in the prose of a document: numbers that somebody measured or counted.
//!
//! A figure is a number with commas between thousands, outside of code and of parts that are made.
//! Smaller numbers are too often versions, positions or examples to be told apart by their form, so
//! quotes of records are the only check on those.

/// A number in prose.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    /// From 1.
    pub line: usize,
    /// Where it begins and ends in the squeezed text, see [`squeezed`].
    pub from: usize,
    pub to: usize,
    /// As it is written.
    pub text: String,
}

/// The text with every run of white space as one blank, so that
/// quotes do not depend on how lines are broken.
pub fn squeezed(text: &str) -> String {
    let mut squeezed = String::new();
    for word in text.split_whitespace() {
        squeezed.push_str(word);
        squeezed.push(' ');
    }
    squeezed.pop();
    squeezed
}

/// The figures of a Markdown text, with their places in its squeezed form.
pub fn figures(text: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut offset = 0;
    let mut fence: Option<&str> = None;
    let mut is_made = false;
    for (number, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let tick = ["```", "~~~"].into_iter().find(|tick| start.starts_with(tick));
        let is_fence = tick.is_some() && (fence.is_none() || fence == tick);
        if is_fence {
            fence = if fence.is_some() { None } else { tick };
        }
        is_made |= start.starts_with("<!-- results: ") || start.starts_with("<!-- solver: ");
        is_made &= start != "<!-- end -->";
        let line_squeezed = squeezed(line);
        let is_code = is_fence || fence.is_some() || line.starts_with("    ");
        if !is_code && !is_made {
            for (from, to) in numbers(&line_squeezed) {
                let is_code = line_squeezed[..from].matches('`').count() % 2 == 1;
                if !is_code {
                    let (line, text) = (number + 1, line_squeezed[from..to].to_owned());
                    figures.push(Figure { line, from: offset + from, to: offset + to, text });
                }
            }
        }
        if !line_squeezed.is_empty() {
            offset += line_squeezed.len() + 1;
        }
    }
    figures
}

/// Where numbers with commas between thousands stand.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b',' || byte == b'.';
    let bytes = line.as_bytes();
    let mut numbers = Vec::new();
    let mut from = 0;
    while from < bytes.len() {
        if !bytes[from].is_ascii_digit() {
            from += 1;
            continue;
        }
        let mut to = from;
        while to < bytes.len() && is_part(bytes[to]) {
            to += 1;
        }
        let number = line[from..to].trim_end_matches([',', '.']);
        let mut groups = number.split(',');
        let has_first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
        let mut rest = groups.peekable();
        if has_first && rest.peek().is_some() && rest.all(|group| group.len() == 3) {
            numbers.push((from, from + number.len()));
        }
        from = to;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::{figures, squeezed};

    fn found(text: &str) -> Vec<(usize, String)> {
        figures(text).into_iter().map(|figure| (figure.line, figure.text)).collect()
    }

    #[test]
    fn numbers_with_commas_between_thousands_are_figures() {
        let text = "Of 148,062 files\nit reads 1,234,567, and 4.8.12, 12, 345 or 12,34 not.\n";
        assert_eq!(found(text), [(1, "148,062".to_owned()), (2, "1,234,567".to_owned())]);
    }

    #[test]
    fn code_and_made_parts_have_no_figures() {
        let text =
            "```\n1,000\n```\n    2,000\n`3,000`\n<!-- results: a b -->\n4,000\n<!-- end -->\n";
        assert!(found(text).is_empty());
    }

    #[test]
    fn places_are_those_of_the_squeezed_text() {
        let text = "# A  b\n\n  c 1,000\n d 2,000 e\n";
        let squeezed = squeezed(text);
        for figure in figures(text) {
            assert_eq!(squeezed[figure.from..figure.to], figure.text);
        }
        assert_eq!(squeezed, "# A b c 1,000 d 2,000 e");
    }
}
