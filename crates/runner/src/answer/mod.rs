//! Parses the standard output of a solver into verdicts, models, values, cores and errors.
//!
//! Tools that search an output for the word `sat` take a model with the value `"unsat core"` for
//! unsat, and a message about satisfiability for sat. Here the output is parsed as what the SMT-LIB
//! standard ("Command responses") says it is: a sequence of replies, each an atom or a list.
//!
//! * A **verdict** is one of the words `sat`, `unsat`, `unknown`, alone on its line but for other
//!   replies and comments. It is never looked for inside lists, strings, `|symbols|`, comments or
//!   sentences.
//! * An **error** belongs to the command that it answers, found by its position among the replies
//!   and never by its wording (`read.rs`).
//! * **Lists** after a verdict are classified by their form as model, values, core, reason for
//!   unknown or errors (`read.rs`).
//! * **Everything else** is noise, counted and skipped line by line, because solvers print
//!   warnings and statistics on standard output (`replies.rs`).
//!
//! Where a text is ambiguous, it is parsed as no verdict: a lost verdict is classified as malformed
//! and visible, a verdict that was never given would be attributed to the solver.
//!
//! Nothing recurses, so models may nest to any depth.

mod read;
mod replies;

pub use read::{Request, lists, pairs, read, read_with_requests};
pub use replies::parts as list_parts;

#[cfg(test)]
mod tests;
