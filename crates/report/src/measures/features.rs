//! Performance of each solver by operator and other features of the instances.
//!
//! For each feature that some entry of the view uses: how many entries use it, and the outcomes of the
//! solvers on these. The *lift* of a solver is the share of entries with the feature that it solved,
//! divided by the share of all entries of known features that it solved: below 1 the feature is
//! associated with failure. Only scored runs count in shares. It is an association and no cause:
//! features are correlated.
//!
//! Entries whose features are not known, such as files that could not be read, are counted separately
//! and are in no row.

use luthier_records::{Class, CpuTime};

use super::rows::{add, for_each_row, scored};
use crate::{Results, ScoredRun, View};

/// Features with what solvers did on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureTable {
    /// Entries of known features.
    pub known: u64,
    /// Entries of unknown features.
    pub unknown: u64,
    /// What each solver of the view did on all entries of known features, in the order of the view.
    pub overall: Vec<FeatureCell>,
    /// The features that occur, in the order of the results, which is by name.
    pub rows: Vec<FeatureRow>,
}

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureRow {
    /// The feature, as an index of the results.
    pub feature: usize,
    /// Entries that use it.
    pub entries: u64,
    /// What each solver of the view did on them, in the order of the view.
    pub cells: Vec<FeatureCell>,
}

/// What a solver did on some entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureCell {
    /// Entries with a scored run.
    pub instances: u64,
    /// Solved ones.
    pub solved: u64,
    /// Entries with a wrong answer or an invalid model.
    pub wrong: u64,
    /// Entries that ended at a time limit.
    pub timeout: u64,
    /// Entries that were answered `unknown`.
    pub unknown: u64,
    /// The sum of penalised times.
    pub par2: CpuTime,
}

impl FeatureCell {
    /// The share of scored entries that are solved, from 0 to 1.
    pub fn share(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.solved as f64 / self.instances as f64)
    }

    /// The share as a multiple of that in `overall`; `None` if nothing is solved there.
    pub fn lift(&self, overall: &FeatureCell) -> Option<f64> {
        let whole = overall.share().filter(|share| *share > 0.0)?;
        Some(self.share()? / whole)
    }

    /// PAR2 per scored entry, in seconds.
    pub fn par2_mean(&self) -> Option<f64> {
        (self.instances > 0).then(|| self.par2.as_secs_f64() / self.instances as f64)
    }

    /// What one run counts for.
    fn of(run: &ScoredRun) -> Self {
        FeatureCell {
            instances: 1,
            solved: u64::from(run.is_solved()),
            wrong: u64::from(run.is_refuted()),
            timeout: u64::from(run.class == Class::Timeout),
            unknown: u64::from(run.class == Class::Unknown),
            par2: run.penalised(),
        }
    }

    fn add(&mut self, other: &FeatureCell) {
        self.instances += other.instances;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.timeout += other.timeout;
        self.unknown += other.unknown;
        add(&mut self.par2, other.par2);
    }
}

impl FeatureTable {
    /// The rows, the most used feature first; equally used ones by name.
    pub fn by_use(&self) -> Vec<&FeatureRow> {
        let mut rows: Vec<&FeatureRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.entries));
        rows
    }

    /// The rows, operators of the theory of strings first and then everything else, each by use:
    /// `and` and `=` are in nearly every file and say little about a string solver.
    pub fn strings_first(&self, results: &Results) -> Vec<&FeatureRow> {
        let mut rows = self.by_use();
        rows.sort_by_key(|row| !is_string_operator(&results.features[row.feature]));
        rows
    }
}

/// Whether a feature is an operator of the theory of strings, by the spelling of SMT-LIB 2.6 and
/// later or that of older dialects.
pub fn is_string_operator(feature: &str) -> bool {
    let prefixes = ["str.", "re.", "seq."];
    prefixes.iter().any(|prefix| feature.starts_with(prefix)) || feature == "int.to.str"
}

/// How the solvers of the view fare by feature.
pub fn features(view: &View<'_>) -> FeatureTable {
    let solvers = view.solvers.len();
    let count = view.results.features.len();
    let mut uses = vec![0_u64; count];
    let mut overall = vec![FeatureCell::default(); solvers];
    // All cells in one list, those of a feature side by side.
    let mut cells = vec![FeatureCell::default(); count * solvers];
    let (mut known, mut unknown) = (0, 0);
    for_each_row(view, |_, entry, runs| {
        let Some(features) = &entry.judged.content.features else {
            unknown += 1;
            return;
        };
        known += 1;
        features.iter().for_each(|&feature| uses[feature as usize] += 1);
        for (position, run) in runs.iter().enumerate() {
            let Some(run) = scored(*run) else { continue };
            let cell = FeatureCell::of(&run.scored);
            overall[position].add(&cell);
            for &feature in features.iter() {
                cells[feature as usize * solvers + position].add(&cell);
            }
        }
    });
    let row = |feature: usize| FeatureRow {
        feature,
        entries: uses[feature],
        cells: cells[feature * solvers..(feature + 1) * solvers].to_vec(),
    };
    let rows = (0..count).filter(|&feature| uses[feature] > 0).map(row).collect();
    FeatureTable { known, unknown, overall, rows }
}
