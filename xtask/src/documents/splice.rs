//! Finds the parts of a Markdown text that are made, and puts their contents in.
//!
//! A mark stands alone on its line: `<!-- results: RECORD TABLE -->` or `<!-- solver: TABLE -->`.
//! All from there to the line `<!-- end -->` is replaced. Marks in code blocks are examples.

const END: &str = "<!-- end -->";

/// What stands between the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A table or text of a record.
    Results { record: String, part: String },
    /// A table that the solver uses.
    Solver { table: String },
}

/// A document with its made parts as they should be.
pub struct Splice {
    pub text: String,
    /// The marks with their lines, from 1.
    pub marks: Vec<(usize, Mark)>,
}

/// A part cannot be made.
#[derive(Debug, PartialEq, Eq)]
pub struct SpliceError {
    /// From 1.
    pub line: usize,
    pub problem: String,
}

/// The text with the content of every mark put in its place.
pub fn splice(
    text: &str,
    content: impl Fn(&Mark) -> Result<String, String>,
) -> Result<Splice, SpliceError> {
    let mut made = Splice { text: String::new(), marks: Vec::new() };
    let mut fence: Option<&str> = None;
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        made.text.push_str(line);
        let start = line.trim_start();
        let tick = ["```", "~~~"].into_iter().find(|tick| start.starts_with(tick));
        if tick.is_some() && (fence.is_none() || fence == tick) {
            fence = if fence.is_some() { None } else { tick };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        let at = |problem: String| SpliceError { line: number + 1, problem };
        let Some(mark) = mark(line).map_err(at)? else { continue };
        let content = content(&mark).map_err(at)?;
        made.text.push_str(&format!("\n{content}\n{END}\n"));
        made.marks.push((number + 1, mark));
        if !lines.any(|(_, line)| line.trim_end() == END) {
            return Err(at(format!("the line {END} is missing")));
        }
    }
    Ok(made)
}

/// The mark that the line is, if it is one.
fn mark(line: &str) -> Result<Option<Mark>, String> {
    let inside = line.trim_end().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
    let Some((kind, rest)) = inside.and_then(|inside| inside.split_once(": ")) else {
        return Ok(None);
    };
    let words: Vec<&str> = rest.split(' ').collect();
    match (kind, words.as_slice()) {
        ("results", [record, part]) => {
            let (record, part) = ((*record).to_owned(), (*part).to_owned());
            Ok(Some(Mark::Results { record, part }))
        }
        ("solver", [table]) => Ok(Some(Mark::Solver { table: (*table).to_owned() })),
        ("results", _) => Err("a mark is `<!-- results: RECORD TABLE -->`".to_owned()),
        ("solver", _) => Err("a mark is `<!-- solver: TABLE -->`".to_owned()),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, splice};

    fn content(mark: &Mark) -> Result<String, String> {
        match mark {
            Mark::Results { record, part } => Ok(format!("{record}/{part}\n")),
            Mark::Solver { table } => Err(format!("no {table}")),
        }
    }

    #[test]
    fn the_part_between_the_marks_is_replaced_and_nothing_else() {
        let text =
            "a\n<!-- results: r t -->\nold\n```\nx\n```\n<!-- end -->\nb\n<!-- note: c -->\n";
        let made = splice(text, content).unwrap();
        let expected = "a\n<!-- results: r t -->\n\nr/t\n\n<!-- end -->\nb\n<!-- note: c -->\n";
        assert_eq!(made.text, expected);
        let mark = Mark::Results { record: "r".to_owned(), part: "t".to_owned() };
        assert_eq!(made.marks, [(2, mark)]);
        assert_eq!(splice(&made.text, content).unwrap().text, made.text);
    }

    #[test]
    fn marks_in_code_are_examples() {
        let text = "```\n<!-- results: r t -->\n```\n";
        assert_eq!(splice(text, content).unwrap().text, text);
    }

    #[test]
    fn what_cannot_be_made_is_told_with_its_line() {
        for (text, problem) in [
            ("\n<!-- results: r -->\n", "RECORD TABLE"),
            ("\n<!-- results: r t -->\nold\n", "is missing"),
            ("\n<!-- solver: x -->\n<!-- end -->\n", "no x"),
        ] {
            let error = splice(text, content).err().unwrap();
            assert_eq!(error.line, 2);
            assert!(error.problem.contains(problem), "{error:?}");
        }
    }
}
