//! The coverage map as text and as JSON.

use luthier_generator::coverage::{Coverage, PairCoverage};
use serde::Serialize;

use crate::error::CliError;
use crate::output::Output;

/// The map in JSON.
#[derive(Serialize)]
pub struct Record {
    covered: usize,
    total: usize,
    operators: Vec<Operator>,
    positions: Vec<Position>,
    /// Operators directly below others; of endless suites only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Pairs>,
}

#[derive(Serialize)]
struct Pairs {
    covered: usize,
    total: usize,
}

#[derive(Serialize)]
struct Operator {
    name: &'static str,
    covered: usize,
    total: usize,
    /// Corner cases that did not come up anywhere.
    never_met: Vec<&'static str>,
}

#[derive(Serialize)]
struct Position {
    name: &'static str,
    covered: usize,
    total: usize,
}

impl Record {
    /// What a map says.
    pub fn of(map: &Coverage, pairs: Option<&PairCoverage>) -> Self {
        let operators = map.summary().into_iter().map(|row| Operator {
            name: row.op.name(),
            covered: row.covered,
            total: row.total,
            never_met: row.never_met,
        });
        let positions = map.by_position().into_iter();
        let positions = positions.map(|(position, covered, total)| Position {
            name: position.name(),
            covered,
            total,
        });
        Self {
            covered: map.covered(),
            total: Coverage::total(),
            operators: operators.collect(),
            positions: positions.collect(),
            pairs: pairs.map(|map| Pairs { covered: map.covered(), total: PairCoverage::total() }),
        }
    }
}

/// How wide a full bar is.
const BAR: usize = 20;

/// Prints the map: a bar for each operator and for each position.
pub fn print(
    map: &Coverage,
    pairs: Option<&PairCoverage>,
    output: &mut Output,
) -> Result<(), CliError> {
    let Record { covered, total, operators, positions, pairs } = Record::of(map, pairs);
    output.line(format_args!(""))?;
    output.line(format_args!(
        "{covered} of {total} cells (operator x corner case x polarity x position) are covered"
    ))?;
    for Operator { name, covered, total, never_met } in operators {
        let missing = match &never_met[..] {
            [] => String::new(),
            corners => format!("  never: {}", corners.join(", ")),
        };
        let bar = bar(covered, total);
        output.line(format_args!("{name:>18} {bar} {covered:>3}/{total:<3}{missing}"))?;
    }
    for Position { name, covered, total } in positions {
        let bar = bar(covered, total);
        output.line(format_args!("{name:>18} {bar} {covered:>3}/{total}"))?;
    }
    if let Some(Pairs { covered, total }) = pairs {
        output.line(format_args!(
            "{covered} of {total} pairs (operator x operator of an argument x argument) are covered"
        ))?;
    }
    Ok(())
}

/// A bar that is full only if everything is covered.
fn bar(covered: usize, total: usize) -> String {
    let filled = (covered * BAR).checked_div(total).unwrap_or(BAR);
    format!("{}{}", "#".repeat(filled), ".".repeat(BAR - filled))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn a_bar_is_full_only_if_everything_is_covered() {
        assert_eq!(bar(0, 7), ".".repeat(20));
        assert_eq!(bar(7, 7), "#".repeat(20));
        assert!(bar(999, 1000).ends_with('.'));
    }
}
