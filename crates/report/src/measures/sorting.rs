//! Sort orders of entries.
//!
//! Times are penalised CPU times of the representative runs, so unsolved entries come after slow ones.
//! Ratios treat times below a millisecond as a millisecond. Entries without the figure (a run is
//! missing or is a framework error) come last in both directions. Entries with equal figures stay in
//! the order of the results, which is by place.
//!
//! An order is written as its name, with a minus for descending: `place`, `-size`, `time:3`,
//! `-ratio:3:4`, `-spread`; the numbers are those of solvers, and labels are read, too, as long as they
//! have no colon.

use super::filter::{FilterError, find_solver};
use super::rows::{representative_run, scored};
use crate::{Entry, Results, View};

/// What entries are ordered by. Solvers are indices of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The place: set, track, name.
    #[default]
    Place,
    /// The size of the file.
    Size,
    /// The time of a solver.
    Time(usize),
    /// The time of the first solver divided by that of the second.
    Ratio(usize, usize),
    /// The longest time of a solver of the view divided by the shortest; at least two must have one.
    Spread,
}

/// An order of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sorting {
    /// By what.
    pub key: SortKey,
    /// The largest first.
    pub descending: bool,
}

/// Ratios of shorter times are noise.
const MIN_SECONDS: f64 = 0.001;

impl SortKey {
    /// The figure of an entry; `None` if it has none. Places have no figure.
    fn figure<'a>(self, view: &View<'a>, entry: &'a Entry) -> Option<f64> {
        let time = |solver: usize| {
            let run = scored(representative_run(view, entry, solver))?;
            Some(run.scored.penalised().as_secs_f64())
        };
        match self {
            SortKey::Place => None,
            SortKey::Size => Some(entry.judged.content.size.0 as f64),
            SortKey::Time(solver) => time(solver),
            SortKey::Ratio(first, second) => {
                Some(time(first)?.max(MIN_SECONDS) / time(second)?.max(MIN_SECONDS))
            }
            SortKey::Spread => {
                let times = view.solvers.iter().filter_map(|&solver| time(solver));
                let times = times.map(|time| time.max(MIN_SECONDS));
                let start = (0, f64::INFINITY, 0.0_f64);
                let (count, shortest, longest) =
                    times.fold(start, |(count, shortest, longest), time| {
                        (count + 1, shortest.min(time), longest.max(time))
                    });
                (count >= 2).then(|| longest / shortest)
            }
        }
    }
}

impl Sorting {
    /// The entries of the view, as indices of the results, in this order.
    pub fn sort(&self, view: &View<'_>) -> Vec<usize> {
        if self.key == SortKey::Place {
            let mut entries = view.entries.clone();
            if self.descending {
                entries.reverse();
            }
            return entries;
        }
        let figure = |&index: &usize| (self.key.figure(view, &view.results.entries[index]), index);
        let mut figures: Vec<(Option<f64>, usize)> = view.entries.iter().map(figure).collect();
        figures.sort_by(|(left, _), (right, _)| match (left, right) {
            (Some(left), Some(right)) if self.descending => right.total_cmp(left),
            (Some(left), Some(right)) => left.total_cmp(right),
            (left, right) => left.is_none().cmp(&right.is_none()),
        });
        figures.into_iter().map(|(_, index)| index).collect()
    }

    /// Reads an order.
    pub fn parse(text: &str, results: &Results) -> Result<Self, FilterError> {
        let fail = || FilterError {
            key: "sort".to_owned(),
            value: text.to_owned(),
            expected:
                "place, size, time:SOLVER, ratio:SOLVER:SOLVER or spread, with a minus before \
                       it for descending"
                    .to_owned(),
        };
        let (descending, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text),
        };
        let parts: Vec<&str> = name.split(':').collect();
        let solver = |value: &str| find_solver(results, "sort", value);
        let key = match parts.as_slice() {
            ["place"] => SortKey::Place,
            ["size"] => SortKey::Size,
            ["spread"] => SortKey::Spread,
            ["time", one] => SortKey::Time(solver(one)?),
            ["ratio", first, second] => SortKey::Ratio(solver(first)?, solver(second)?),
            _ => return Err(fail()),
        };
        Ok(Self { key, descending })
    }

    /// The order as [`Sorting::parse`] reads it.
    pub fn name(&self, results: &Results) -> String {
        let number = |solver: usize| results.solvers[solver].number;
        let name = match self.key {
            SortKey::Place => "place".to_owned(),
            SortKey::Size => "size".to_owned(),
            SortKey::Time(solver) => format!("time:{}", number(solver)),
            SortKey::Ratio(first, second) => format!("ratio:{}:{}", number(first), number(second)),
            SortKey::Spread => "spread".to_owned(),
        };
        if self.descending { format!("-{name}") } else { name }
    }
}
