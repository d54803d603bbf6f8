//! Scores of every configuration on every set.

use std::collections::BTreeMap;

use crate::{Score, ScoredRun};

/// Collects runs, one at a time, in any order.
#[derive(Clone, Debug, Default)]
pub struct SummaryBuilder {
    scores: BTreeMap<(usize, usize), Score>,
}

/// The scores of all configurations on all sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// One row for each configuration and set that have runs, by configuration, then set.
    pub rows: Vec<SummaryRow>,
}

/// The score of one configuration on one set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SummaryRow {
    /// The index of the configuration, as it was given to the builder.
    pub configuration: usize,
    /// The index of the set, as it was given to the builder.
    pub set: usize,
    /// The score.
    pub score: Score,
}

impl SummaryBuilder {
    /// A builder without runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a run of a configuration on a set. Both are indices into lists of the caller. The
    /// virtual best solver, see [`best_of`](crate::best_of), is one more configuration.
    pub fn add(&mut self, configuration: usize, set: usize, run: &ScoredRun) {
        self.scores.entry((configuration, set)).or_default().add(run);
    }

    /// The summary of what was added.
    pub fn finish(self) -> Summary {
        let row = |((configuration, set), score)| SummaryRow { configuration, set, score };
        Summary { rows: self.scores.into_iter().map(row).collect() }
    }
}

impl Summary {
    /// The score of a configuration on a set; `None` if it has no runs there.
    pub fn score(&self, configuration: usize, set: usize) -> Option<&Score> {
        let key = (configuration, set);
        let place =
            self.rows.binary_search_by_key(&key, |row| (row.configuration, row.set)).ok()?;
        self.rows.get(place).map(|row| &row.score)
    }

    /// The configurations that have runs, in order, each with its score over all sets.
    pub fn totals(&self) -> Vec<(usize, Score)> {
        let mut totals: Vec<(usize, Score)> = Vec::new();
        for row in &self.rows {
            match totals.last_mut() {
                Some((configuration, total)) if *configuration == row.configuration => {
                    total.merge(&row.score);
                }
                _ => totals.push((row.configuration, row.score)),
            }
        }
        totals
    }
}
