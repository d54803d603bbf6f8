//! The scripts in which a release is asked, and which part of an output belongs to which fact.
//!
//! Many facts share a process, each between `push` and `pop` and behind a mark that the release
//! is told to `echo`. An output is cut at the marks, so that a reply that is missing or one too
//! many cannot be taken for the reply to another fact.

/// The words of a mark, before its number.
const MARK: &str = "luthier fact ";

/// Asks whether the negation of a fact has a model, and nothing else.
pub fn single_negation(logic: &str, fact: &str) -> String {
    format!("(set-logic {logic})\n(assert (not {fact}))\n(check-sat)\n")
}

/// Asks whether the fact itself has a model, and nothing else.
pub fn single_statement(logic: &str, fact: &str) -> String {
    format!("(set-logic {logic})\n(assert {fact})\n(check-sat)\n")
}

/// Asks for the negations of many facts. A mark stands before each and at the end.
pub(crate) fn many_negations<'a>(
    logic: &str,
    facts: impl IntoIterator<Item = &'a String>,
) -> String {
    let mut script = format!("(set-logic {logic})\n");
    let mut count = 0;
    for fact in facts {
        script.push_str(&format!(
            "(echo \"{MARK}{count}\")\n(push 1)\n(assert (not {fact}))\n(check-sat)\n(pop 1)\n"
        ));
        count += 1;
    }
    script.push_str(&format!("(echo \"{MARK}{count}\")\n"));
    script
}

/// The parts of an output that follow its marks. `None` from the first mark on that is not there.
///
/// The part after the last mark, which stands behind all facts, is of no interest.
pub(crate) fn replies(output: &[u8], count: usize) -> Vec<Option<Part<'_>>> {
    let mut parts: Vec<Option<Part<'_>>> = Vec::new();
    let mut start = None;
    let mut position = 0;
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let begin = position;
        position += line.len();
        if is_mark(line, parts.len() + usize::from(start.is_some())) {
            if let Some(start) = start {
                parts.push(Some(Part { bytes: &output[start..begin], is_complete: true }));
            }
            start = Some(position);
        }
    }
    if let Some(start) = start {
        parts.push(Some(Part { bytes: &output[start..], is_complete: false }));
    }
    parts.resize(count, None);
    parts
}

/// What a release said about one of many facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub bytes: &'a [u8],
    /// The next mark follows it, so the release had nothing more to say.
    pub is_complete: bool,
}

/// Some solvers print the text of an `echo` with its quotation marks, some without.
fn is_mark(line: &[u8], number: usize) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    line.strip_prefix(MARK.as_bytes()) == Some(number.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(output: &str, count: usize) -> Vec<Option<(&str, bool)>> {
        let parts = replies(output.as_bytes(), count);
        let text = |part: Part<'_>| {
            let start = part.bytes.as_ptr() as usize - output.as_ptr() as usize;
            (&output[start..start + part.bytes.len()], part.is_complete)
        };
        parts.into_iter().map(|part| part.map(text)).collect()
    }

    #[test]
    fn outputs_are_cut_at_their_marks_with_and_without_quotes() {
        let output = "noise\nluthier fact 0\nunsat\n\"luthier fact 1\"\nsat\nluthier fact 2\n";
        assert_eq!(parts(output, 2), [Some(("unsat\n", true)), Some(("sat\n", true))]);
    }

    #[test]
    fn what_was_not_reached_has_no_part() {
        let output = "luthier fact 0\nunsat\nluthier fact 1\n(error \"x\")";
        let error = Some(("(error \"x\")", false));
        assert_eq!(parts(output, 3), [Some(("unsat\n", true)), error, None]);
        assert_eq!(parts("unsat\nunsat\n", 2), [None, None]);
        assert_eq!(parts("", 1), [None]);
    }

    #[test]
    fn a_mark_out_of_order_is_no_mark() {
        let output = "luthier fact 0\nluthier fact 2\nluthier fact 1\n";
        assert_eq!(parts(output, 2), [Some(("luthier fact 2\n", true)), Some(("", false))]);
    }

    #[test]
    fn scripts_have_a_mark_before_each_fact_and_one_behind_all() {
        let script = many_negations("QF_S", &["a".to_owned(), "b".to_owned()]);
        let marks: Vec<&str> = script.lines().filter(|line| line.contains(MARK)).collect();
        assert_eq!(marks.len(), 3);
        assert!(script.contains("(push 1)\n(assert (not a))\n(check-sat)\n(pop 1)\n"));
        assert_eq!(script.lines().last(), Some("(echo \"luthier fact 2\")"));
    }
}
