//! From a failing run to a report that a maintainer of a solver can act on.
//!
//! ```text
//! failing formula ──reduce──▶ minimal formula with a proven answer ──▶ clusters, bisection, report
//! ```
//!
//! * [`Truth`] is the answer to a formula with its evidence; [`Provers`] establish it.
//! * [`Trial`] puts many candidate scripts to a solver.
//! * [`observe()`] says how one release fails on a formula, if it does.
//! * [`bisect`] finds the releases between which a failure came and went.
//! * [`cluster`] groups failures by their likely cause.
//! * [`Report`] is a report for the maintainers of a solver.
//! * [`reduce()`] makes a failing formula smaller while it fails in the same way and its answer is known.
//!
//! The crate prints nothing and knows no solver by name.

mod annotate;
pub mod bisect;
pub mod cluster;
mod issue;
mod observe;
mod prove;
mod query;
mod reduce;
mod trial;
mod truth;

pub use annotate::{Annotated, annotated};
pub use issue::{Report, priority};
pub use observe::{Observation, observe};
pub use prove::Provers;
pub use query::{last_query, nodes};
pub use reduce::{
    CommandTest, Confirmed, Input, Keep, Progress, ReduceError, Reduced, Settings, confirm, reduce,
};
pub use trial::Trial;
pub use truth::{Evidence, Truth, accepted_model, printed_model, stated_truth};
