//! The tables of engines and limits in `docs/solve.md`, generated from the tables of the solver.

use std::fmt::Write as _;

use luthier_solver::strategy::{ENGINES, Entry, Proves, Scope, Thread};
use luthier_solver::{Limit, Limits};

/// A table by its name in marks.
pub fn table(name: &str) -> Option<String> {
    match name {
        "engines" => Some(engines()),
        "limits" => Some(limits()),
        _ => None,
    }
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
    use super::{grouped, table};

    #[test]
    fn there_are_two_tables_and_numbers_have_commas() {
        assert!(table("engines").unwrap().contains("| `flat` |"));
        assert!(table("limits").unwrap().contains("| `search.time` |"));
        assert!(table("others").is_none());
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
