//! Answers that are proven by what was observed: the ground truth of a query without labels and statuses, and
//! who is behind it. They can be published beside instances, since they do not rest on what others claim.

use crate::{Evidence, Verdict};

/// A proven answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenAnswer {
    /// The answer, never `unknown`.
    pub verdict: Verdict,
    /// The evidence: a planted answer, a checked model, or the agreement of independent solvers.
    pub evidence: Evidence,
    /// The configurations behind it: of a model the one that printed it, of an agreement all that agree.
    pub by: Vec<String>,
}
