//! Parts of documents that are made from something else: tables of measurements from the records in
//! `results/`, tables of engines and limits from the solver.
//!
//! Such a part stands between two lines, `<!-- results: RECORD TABLE -->` or `<!-- solver: TABLE -->`
//! and `<!-- end -->`. `cargo xtask documents` writes it; `cargo xtask tidy` fails if it differs
//! (`tidy/results.rs`).

mod figures;
mod record;
mod solver_tables;
mod splice;

pub use figures::{figures, squeezed};
pub use record::Record;
pub use splice::{Mark, Splice, SpliceError, splice};

use std::collections::BTreeMap;

/// The folder of the records.
pub const RESULTS: &str = "results/";

/// All records by name.
pub type Records = BTreeMap<String, Record>;

/// What stands between the lines of `mark` in the document at the path `document`.
pub fn content(mark: &Mark, document: &str, records: &Records) -> Result<String, String> {
    match mark {
        Mark::Results { record, part } => {
            let found = records.get(record);
            let found =
                found.ok_or_else(|| format!("there is no record {RESULTS}{record}.toml"))?;
            let content = found.part(part).ok_or_else(|| {
                format!("the record {RESULTS}{record}.toml has no table or text `{part}`")
            })?;
            let up = "../".repeat(document.matches('/').count());
            let when = found.when();
            Ok(format!("{content}\nRecord: [{record}]({up}{RESULTS}{record}.toml), {when}.\n"))
        }
        Mark::Solver { table } => solver_tables::table(table)
            .ok_or_else(|| format!("the solver has no table `{table}`; there are engines, limits")),
    }
}
