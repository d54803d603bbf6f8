//! The conformance suite, run on a solver release.
//!
//! The suite (`conformance/` of the repository, embedded here) consists of ground facts that are
//! true by the SMT-LIB standard. For every fact the release is asked whether its negation is
//! satisfiable: `unsat` is right, `sat` is wrong, and every other reply has an outcome of its own
//! ([`FactOutcome`]).
//!
//! * `suite.rs` reads the facts and the operator that each is about.
//! * `fact_text.rs` writes a fact for a release: as in the suite where the release reads the
//!   standard, in its own dialect where it does not.
//! * `fact_check.rs` checks many facts in one process ([`luthier_ask`]) and gives every fact its
//!   own outcome, whatever happens to the process.
//! * `suite_run.rs` checks all facts on all releases, under limits.
//! * `outcome.rs` and `tally.rs` are the results and their counts.
//!
//! The crate prints nothing and installs nothing.

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
