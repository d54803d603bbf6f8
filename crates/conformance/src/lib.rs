//! The conformance suite, asked of a solver release.
//!
//! The suite (`conformance/` of the repository, embedded here) has ground facts that are true by
//! the standard. For every fact a release is asked whether its negation has a model: `unsat` is
//! right, `sat` is wrong, and whatever else it says is told apart ([`FactOutcome`]).
//!
//! * `suite.rs` reads the facts and says which operator each is about.
//! * `printer.rs` is the texts in which a release is asked: those of the suite where it reads the
//!   standard, those of its own dialect where it does not.
//! * `check_facts.rs` asks many facts in one process ([`luthier_ask`]) and sees to it that every fact
//!   gets an outcome of its own, whatever happens to the process.
//! * `run_suite.rs` asks releases for all facts, under limits.
//! * `outcome.rs` and `tally.rs` are what comes out.
//!
//! The crate prints nothing and installs nothing; tables are for the edges.

mod fact_check;
mod fact_text;
mod outcome;
mod suite;
mod suite_run;
mod tally;

pub use fact_check::check_facts;
pub use fact_text::{FactPrinter, FactTexts};
pub use outcome::{FactOutcome, FactResult, WrongAnswer};
pub use suite::{Fact, Suite, SuiteError, SuiteFile};
pub use suite_run::run_suite;
pub use tally::Tally;
