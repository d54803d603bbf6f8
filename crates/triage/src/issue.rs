//! A report for the maintainers of a solver, in Markdown, and the order in which reports are worth sending.
//!
//! The form follows what the issue trackers of Z3 and cvc5 ask for: the smallest input, the command, what
//! was printed, what was expected and why, the affected releases, and the environment. Every claim can be
//! checked by hand: a satisfiable formula comes with a model and the value of each subterm under it.
//!
//! Maintainers ration reports, so a queue orders them by severity (unsound `unsat` first, then unsound
//! `sat`, invalid models and cores, crashes, incompleteness), small formulas before large ones, and releases only so
//! many a week.

use std::fmt::Write as _;

use luthier_judge::EvaluationTable;
use luthier_records::FindingKind;

/// How much a failure matters to those who rely on the solver; smaller is worse.
pub fn priority(kind: FindingKind) -> u8 {
    match kind {
        FindingKind::WrongUnsat => 0,
        FindingKind::WrongSat | FindingKind::Contradiction => 1,
        FindingKind::InvalidModel | FindingKind::WrongValue | FindingKind::InvalidCore => 2,
        FindingKind::Crash => 3,
        _ => 4,
    }
}

/// Everything that a report says.
#[derive(Clone, Debug)]
pub struct Report {
    /// The failing release with its options: `z3@5.4.0`.
    pub solver: String,
    /// How it fails.
    pub kind: FindingKind,
    /// The input that the solver gets.
    pub input: String,
    /// The command; `{file}` stands for the input.
    pub command: String,
    /// What the solver said or did.
    pub said: String,
    /// `sat`, `unsat` or `unknown`.
    pub expected: &'static str,
    /// Why that is so, in a sentence without a full stop.
    pub evidence: String,
    /// Whose model the values below are: `the witness`, `the model that Z3 prints`.
    pub model_of: &'static str,
    /// Values of subterms.
    pub values: Option<EvaluationTable>,
    /// Operators of the formula, for the title.
    pub operators: Vec<&'static str>,
    /// The releases: which fail, and between which the failure came and went; in sentences.
    pub releases: Vec<String>,
    /// Each observed release and its outcome, oldest first.
    pub outcomes: Vec<(String, String)>,
    /// Whether the newest release fails, and which one that is.
    pub newest: Option<(String, bool)>,
    /// The platform and the version of Luthier.
    pub environment: String,
}

impl Report {
    /// A title of one line.
    pub fn title(&self) -> String {
        let what = match self.kind {
            FindingKind::WrongUnsat => "wrong `unsat` (refutation unsoundness)",
            FindingKind::WrongSat => "wrong `sat` (solution unsoundness)",
            FindingKind::InvalidModel => "invalid model",
            FindingKind::WrongValue => "wrong value of `get-value`",
            FindingKind::InvalidCore => "invalid unsat core",
            FindingKind::Contradiction => "contradictory answers to equisatisfiable formulas",
            FindingKind::Crash => "crash",
            FindingKind::Slow => "no answer to a small formula",
            _ => "`unknown` for a ground formula",
        };
        let operators: Vec<String> = self.operators.iter().map(|one| format!("`{one}`")).collect();
        match operators.is_empty() {
            true => format!("{}: {what}", self.solver),
            false => format!("{}: {what} with {}", self.solver, operators.join(", ")),
        }
    }

    /// The report.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title());
        if let Some((newest, fails)) = &self.newest {
            let _ = match fails {
                true => writeln!(text, "The newest release, {newest}, fails in the same way.\n"),
                false => writeln!(
                    text,
                    "**The newest release, {newest}, does not show this failure**; it may be fixed already.\n"
                ),
            };
        }
        let _ = writeln!(text, "## Input\n\n```smt2\n{}\n```\n", self.input.trim_end());
        let _ = writeln!(text, "```sh\n{}\n```\n", self.command);
        let _ = writeln!(text, "## What happens\n\n{}\n", quoted(&self.said));
        let _ = writeln!(text, "## What is expected\n\n{}\n", self.expectation());
        if let Some(values) = &self.values {
            let _ = writeln!(text, "Values of all subterms under {}:\n", self.model_of);
            text.push_str("| term | value |\n|---|---|\n");
            for row in &values.rows {
                let (term, value) = (code(&row.text), code(&row.value));
                let _ = match row.is_formula {
                    true => writeln!(text, "| **assertion** {term} | **{value}** |"),
                    false => writeln!(text, "| {term} | {value} |"),
                };
            }
            if values.cut > 0 {
                let _ = writeln!(text, "\n{} more subterms are left out.", values.cut);
            }
            text.push('\n');
        }
        if !self.releases.is_empty() || !self.outcomes.is_empty() {
            text.push_str("## Releases\n\n");
            for sentence in &self.releases {
                let _ = writeln!(text, "{sentence}\n");
            }
            if !self.outcomes.is_empty() {
                text.push_str("| release | outcome |\n|---|---|\n");
                for (release, outcome) in &self.outcomes {
                    let _ = writeln!(text, "| {release} | {outcome} |");
                }
                text.push('\n');
            }
        }
        let _ = writeln!(text, "## Environment\n\n{}", self.environment);
        text
    }

    fn expectation(&self) -> String {
        match self.kind {
            FindingKind::WrongUnsat | FindingKind::WrongSat | FindingKind::Contradiction => {
                format!("`{}`: {}.", self.expected, self.evidence)
            }
            FindingKind::InvalidModel => match self.expected {
                "unknown" => "A model that satisfies all assertions, or `unknown`.".to_owned(),
                expected => format!(
                    "A model that satisfies all assertions. The formula is {expected}: {}.",
                    self.evidence
                ),
            },
            FindingKind::InvalidCore => format!(
                "A core that is unsatisfiable. The whole formula is {}: {}.",
                self.expected, self.evidence
            ),
            _ => format!("An answer; the formula is {}: {}.", self.expected, self.evidence),
        }
    }
}

/// A text in a fenced block if it has lines, else as code in a line.
fn quoted(text: &str) -> String {
    match text.trim().contains('\n') {
        true => format!("```\n{}\n```", text.trim()),
        false => code(text.trim()),
    }
}

/// Code in a cell of a table: bars are escaped, and the fence is longer than any run of back quotes inside.
fn code(text: &str) -> String {
    let longest = text.split(|one| one != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let inner = text.replace('|', "\\|");
    match longest {
        0 => format!("{fence}{inner}{fence}"),
        _ => format!("{fence} {inner} {fence}"),
    }
}

#[cfg(test)]
mod tests {
    use luthier_judge::EvaluatedTerm;
    use luthier_terms::TermPool;

    use super::*;

    fn report() -> Report {
        let mut pool = TermPool::new();
        let term = pool.bool(true).unwrap();
        let row = |text: &str, value: &str, is_formula| EvaluatedTerm {
            term,
            text: text.to_owned(),
            value: value.to_owned(),
            is_formula,
        };
        let rows = vec![row("|a b|", "\"x\"", false), row("(= |a b| \"x\")", "true", true)];
        Report {
            solver: "z3@4.8.5".to_owned(),
            kind: FindingKind::WrongUnsat,
            input: "(assert true)\n".to_owned(),
            command: "z3 bug.smt2".to_owned(),
            said: "unsat".to_owned(),
            expected: "sat",
            evidence: "the model below satisfies every assertion".to_owned(),
            model_of: "this model",
            values: Some(EvaluationTable { rows, cut: 2 }),
            operators: vec!["str.at"],
            releases: vec!["First bad: 4.8.5.".to_owned()],
            outcomes: vec![("4.8.0".to_owned(), "sat".to_owned())],
            newest: Some(("5.4.0".to_owned(), false)),
            environment: "linux".to_owned(),
        }
    }

    #[test]
    fn a_report_says_what_is_wrong_why_and_where() {
        let text = report().markdown();
        for part in [
            "# z3@4.8.5: wrong `unsat` (refutation unsoundness) with `str.at`",
            "**The newest release, 5.4.0, does not show this failure**",
            "```smt2\n(assert true)\n```",
            "`sat`: the model below satisfies every assertion.",
            "| `\\|a b\\|` | `\"x\"` |",
            "| **assertion** `(= \\|a b\\| \"x\")` | **`true`** |",
            "2 more subterms",
            "| 4.8.0 | sat |",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn unsound_verdicts_come_before_models_and_crashes() {
        let order = [
            FindingKind::WrongUnsat,
            FindingKind::WrongSat,
            FindingKind::InvalidModel,
            FindingKind::Crash,
            FindingKind::Incomplete,
        ];
        assert!(order.map(priority).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn back_quotes_in_code_get_a_longer_fence() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(quoted("one\ntwo"), "```\none\ntwo\n```");
    }
}
