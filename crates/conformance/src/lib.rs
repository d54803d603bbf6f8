//! The conformance suite, asked of a solver release.
//!
//! The suite (`conformance/` of the repository, embedded here) has ground facts that are true by
//! the standard. For every fact a release is asked whether its negation has a model: `unsat` is
//! right, `sat` is wrong, and whatever else it says is told apart ([`Outcome`]).
//!
//! * `suite.rs` reads the facts and says which operator each is about.
//! * `wording.rs` is the words in which a release is asked: those of the suite where it reads the
//!   standard, those of its own dialect where it does not.
//! * `survey.rs` asks many facts in one process ([`luthier_ask`]) and sees to it that every fact
//!   gets an outcome of its own, whatever happens to the process.
//! * `examine.rs` asks releases for all facts, under limits.
//! * `outcome.rs` and `tally.rs` are what comes out.
//!
//! The crate prints nothing and installs nothing; tables are for the edges.

mod examine;
mod outcome;
mod suite;
mod survey;
mod tally;
mod wording;

pub use examine::examine;
pub use outcome::{Finding, Outcome, WrongAnswer};
pub use suite::{Fact, Suite, SuiteError, SuiteFile};
pub use survey::survey;
pub use tally::Tally;
pub use wording::{Wording, Words};
