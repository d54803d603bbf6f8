//! Measures that compare solvers. Each is a pure function of a [`View`](crate::View), computed in one
//! pass over its entries; the header of its file has the exact definition.
//!
//! Where a solver has several runs on an entry, [`representative`](crate::representative) says which
//! one counts. Exceptions are named: [`Standing::score`] adds up every run, as `luthier summary` does,
//! and findings look at every run.

mod bootstrap;
mod by_answer;
mod changes;
mod comparison;
mod competition;
mod contribution;
mod features;
mod filter;
mod findings;
mod leads;
mod noise;
mod random;
mod rows;
mod shift;
mod sorting;
mod standings;

pub use bootstrap::{Bootstrap, Interval, Intervals, Method, Resampling};
pub use by_answer::{AnswerCell, AnswerRow, by_answer};
pub use changes::{Change, ChangeKind, Changes, Side, SideTotals, Tally, changes};
pub use comparison::{
    Comparison, Conditions, Outcome, Part, Reason, Thresholds, Times, TimesVerdict, compare,
};
pub use competition::{
    Competition, CompetitionKind, CompetitionScore, CompetitionTable, competition,
    competition_per_set,
};
pub use contribution::{Contribution, Contributions, contributions};
pub use features::{FeatureCell, FeatureRow, FeatureTable, features, is_string_operator};
pub use filter::{Expected, Filter, FilterError, FilterKind};
pub use findings::{Finding, Findings, findings};
pub use leads::{Lead, SetContribution, largest_contributions, leads};
pub use luthier_records::FindingKind;
pub use noise::{NoiseBand, NoiseSource};
pub(crate) use random::Random;
pub use shift::Shift;
pub use sorting::{SortKey, Sorting};
pub use standings::{Competitor, Standing, by_rank, standings};
