//! From records of runs to scores and tables.
//!
//! Everything here is a pure function of records: the crate reads no files, prints nothing and
//! knows no formulas. [`ScoredRun`] says what one run counts for, [`Score`] adds runs up and lists all scores,
//! and [`render_table`] lays out any table as text. [`TestResults`] is a published table of results of one suite.
//!
//! [`Results`] is everything in a database, judged, in memory; a [`View`] is a choice of it, which
//! whatever is shown is made of. [`measures`] has all figures that compare solvers in a view, and
//! [`figures`] how they are written, so that everything that shows them shows the same.
//! [`documents`] writes them for papers, mail and continuous integration.
//! [`sample`] makes results without a database, for tests and examples.

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
pub use table::{Alignment, Column, Table, render_table};
pub use view::View;
pub use width::text_width;
