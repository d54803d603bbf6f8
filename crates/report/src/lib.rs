//! Scores, measures, charts and documents from judged runs.
//!
//! Everything here is a pure function of records: the crate reads no files, prints nothing and
//! knows no formulas. [`ScoredRun`] is the outcome of one run, [`Score`] sums runs and lists all scores,
//! [`SummaryBuilder`] does so for every configuration on every set, and [`render_table`] lays
//! out any table as text. [`TestResults`] is the table of the ICSE 2020 paper.
//!
//! [`Results`] is everything in a database, judged, in memory; a [`View`] selects solvers and entries
//! of it, and is the input of everything shown. [`measures`] defines all figures that compare solvers
//! in a view, and [`figures`] formats them, so that all outputs agree.
//! [`documents`] renders them for papers, mail and continuous integration.
//! [`sample`] builds results without a database, for tests and examples.

pub mod documents;
pub mod figures;
mod icse20;
mod labels;
pub mod measures;
mod observation;
pub mod plots;
mod results;
pub mod sample;
mod score;
mod score_fields;
mod summary;
mod table;
mod view;
mod width;

pub use icse20::{TEST_CATEGORIES, TestCategory, TestColumn, TestCounts, TestResults, test_legend};
pub use labels::labels;
pub use observation::{Observation, different_opinions, observe};
pub use results::{
    CampaignInfo, Content, Entry, JudgedContent, Results, RunInfo, SetInfo, SolverInfo, TrackInfo,
    representative,
};
pub use score::{ScoredRun, best_of};
pub use score_fields::{Prominence, Score, ScoreField, ScoreUnit, ScoreValue};
pub use summary::{Summary, SummaryBuilder, SummaryRow};
pub use table::{Alignment, Column, Table, render_table};
pub use view::View;
pub use width::text_width;
