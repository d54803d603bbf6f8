//! `cargo xtask solve-tables`: generates the tables of engines and limits in `docs/solve.md` from the
//! tables of the solver.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use luthier_solver::strategy::{ENGINES, Entry, Proves, Scope, Thread};
use luthier_solver::{Limit, Limits};

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {}

/// A table, which stands between two lines of the document.
struct Table {
    begin: &'static str,
    end: &'static str,
    make: fn() -> String,
}

const TABLES: [Table; 2] = [
    Table {
        begin: "<!-- engines: made by cargo xtask solve-tables -->",
        end: "<!-- engines end -->",
        make: engines,
    },
    Table {
        begin: "<!-- limits: made by cargo xtask solve-tables -->",
        end: "<!-- limits end -->",
        make: limits,
    },
];

pub fn run(_: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let path = document();
    let text = fs::read_to_string(&path)?;
    let made = renewed(&text)?;
    match made == text {
        true => output::talk("docs/solve.md: nothing to change"),
        false => {
            fs::write(&path, made)?;
            output::talk("docs/solve.md: the tables are written");
        }
    }
    Ok(Ending::Fine)
}

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/solve.md")
}

/// The document with the tables as they are now.
fn renewed(text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for Table { begin, end, make } in TABLES {
        let missing = |mark: &str| format!("docs/solve.md: the line {mark} is missing");
        let from = text.find(begin).ok_or_else(|| missing(begin))? + begin.len();
        let length = text[from..].find(end).ok_or_else(|| missing(end))?;
        text.replace_range(from..from + length, &format!("\n\n{}\n", make()));
    }
    Ok(text)
}

fn engines() -> String {
    let mut text =
        "| engine | thread | runs on | proves | accepts | time |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for entry in ENGINES {
        let thread = match entry.thread {
            Thread::Preprocessing => "preprocessing",
            Thread::Models => "models",
            Thread::Proofs => "proofs",
        };
        let scope = match entry.scope {
            Scope::Whole => "the problem",
            Scope::Together => "all components that it accepts, together",
            Scope::Each => "each open component",
        };
        let proves = match entry.proves {
            Proves::Sat => "sat",
            Proves::Unsat => "unsat",
            Proves::Both => "both",
        };
        let (name, accepts) = (entry.name, entry.accepts);
        let time = time(entry);
        // Writing to a string does not fail.
        let _ = writeln!(text, "| `{name}` | {thread} | {scope} | {proves} | {accepts} | {time} |");
    }
    for Entry { name, first_if, needs_arithmetic, soundness, paper, .. } in ENGINES {
        let arithmetic = if *needs_arithmetic { " It needs arithmetic." } else { "" };
        let first = first_if
            .as_ref()
            .map(|one| format!(" It goes first among those for components if {}.", one.condition));
        let first = first.unwrap_or_default();
        let _ = write!(text, "\n- **`{name}`**: {soundness}.{arithmetic}{first} Source: {paper}.");
    }
    text.push('\n');
    text
}

/// The share of an engine and the limit on its time.
fn time(entry: &Entry) -> String {
    let max_time = entry.max_time.map(|limit| limit.default_text());
    match (entry.share, max_time) {
        (Some(parts), Some(max_time)) => format!("1/{parts} of what is left, at most {max_time}"),
        (Some(parts), None) => format!("1/{parts} of what is left"),
        (None, Some(max_time)) => format!("at most {max_time}"),
        (None, None) => "all that is left".to_owned(),
    }
}

fn limits() -> String {
    let mut text = "| limit | default | bounds |\n|---|---:|---|\n".to_owned();
    let defaults = Limits::default();
    for &limit in Limit::ALL {
        let (name, bounds) = (limit.name(), limit.bounds());
        let default = match limit.is_time() {
            true => limit.default_text(),
            false => format!("{} {}", grouped(defaults.count(limit)), limit.unit()),
        };
        let _ = writeln!(text, "| `{name}` | {default} | {bounds} |");
    }
    text
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_document_are_those_of_the_solver() {
        let text = fs::read_to_string(document()).unwrap();
        let is_made = renewed(&text).unwrap() == text;
        assert!(is_made, "docs/solve.md: run cargo xtask solve-tables");
    }

    #[test]
    fn a_document_without_marks_is_refused() {
        assert!(renewed("# Solving\n").unwrap_err().contains("is missing"));
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
