//! The sections of standings: over all instances, and set by set.

use super::super::charts::ChartName;
use super::super::columns::{self, RowSource, TIMES};
use super::super::model::{Audience, Block, Table, Value, Visibility};
use super::setup::sets;
use super::{paragraph, picture};
use crate::View;
use crate::measures::{contributions, standings};

/// The section over everything.
pub(super) fn totals(view: &View<'_>, charts: bool) -> Vec<Block> {
    let mut table = Table::new("standings", "All benchmarks together", columns::columns());
    for column in &mut table.columns {
        if ["solved_share", "contribution"].contains(&column.name.as_str()) {
            column.shown = Visibility::Always;
        }
    }
    push(&mut table, view, None, 0);
    let mut blocks = vec![paragraph(
        "The rank is by PAR2: the CPU time of what is solved, twice the limit of the run for all \
         else, as a mean over instances. The virtual best has on each instance the best of all \
         runs. Unique is what no other solver solved; the contribution is what the virtual best would \
         lose without the solver.",
    )];
    if table.rows.iter().any(|row| row.cells.iter().any(is_not_comparable)) {
        table.notes.push(INCOMPARABLE.to_owned());
    }
    let times = TIMES.map(str::to_owned);
    if let Ok(mut times) = table.with_columns(&times) {
        "times".clone_into(&mut times.name);
        "Times over all benchmarks, in seconds".clone_into(&mut times.caption);
        times.notes.clear();
        blocks.push(Block::Table(table));
        blocks.push(Block::Table(times.for_audience(Audience::People)));
    }
    if charts {
        let names = [
            ChartName::Cactus,
            ChartName::Distribution,
            ChartName::Scatter,
            ChartName::Histogram,
            ChartName::Timeline,
        ];
        // Charts without content here, such as a timeline of single releases, are left out.
        for name in names {
            blocks.extend(name.of(view).ok().map(|chart| picture(name.name(), chart)));
        }
    }
    blocks
}

/// The section with a row for each set and solver.
pub(super) fn results(view: &View<'_>) -> Vec<Block> {
    let mut table = Table::new("results", "Results by benchmark set", columns::columns());
    for column in &mut table.columns {
        if column.name == "set" {
            column.shown = Visibility::Always;
        }
    }
    for (number, (set, part)) in sets(view).iter().enumerate() {
        push(&mut table, part, Some(&view.results.sets[*set].name), number);
    }
    if table.rows.iter().any(|row| row.cells.iter().any(is_not_comparable)) {
        table.notes.push(INCOMPARABLE.to_owned());
    }
    vec![Block::Table(table)]
}

const INCOMPARABLE: &str =
    "* over fewer instances than there are: some have no result of this solver.";

fn is_not_comparable(value: &Value) -> bool {
    matches!(value, Value::Rank { is_comparable: false, .. })
}

/// Adds the rows of a view. The virtual best is a group of its own over everything; in a set it
/// stays with the others.
fn push(table: &mut Table, view: &View<'_>, set: Option<&str>, number: usize) {
    let contributions = contributions(view);
    let times = columns::without_timeouts(view);
    for (position, standing) in standings(view).iter().enumerate() {
        // A solver without runs on a set has no row there.
        if set.is_some() && standing.score.total == 0 {
            continue;
        }
        let stand = RowSource {
            set,
            label: standing.competitor.label(view.results),
            standing,
            contribution: contributions.solvers.get(position),
            without_timeouts: times.get(position).copied().unwrap_or_default(),
        };
        let group = if set.is_some() { number } else { columns::group(standing) };
        table.push(group, columns::cells(&stand));
    }
}
