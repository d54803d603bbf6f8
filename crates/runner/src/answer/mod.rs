//! Reads what a solver printed, strictly: what is not clearly an answer is none.
//!
//! Benchmark tools used to search outputs for the word `sat`. That books a model with the value
//! `"unsat core"` as unsat, and a message about satisfiability as sat. Here the output is read as
//! what the standard says it is: a sequence of replies, each an atom or a list.
//!
//! * A **verdict** is one of the words `sat`, `unsat`, `unknown`, alone on its line but for other
//!   replies and comments. It is never looked for inside lists, strings, `|symbols|`, comments or
//!   sentences.
//! * An **error** belongs to the command that it answers, found by its position among the replies
//!   and never by its wording (`read.rs`).
//! * **Lists** after a verdict are sorted by their form into model, values, core, reason and
//!   errors (`read.rs`).
//! * **Everything else** is noise, counted and skipped line by line, because solvers print
//!   warnings and statistics on standard output (`replies.rs`).
//!
//! Where a text can be read in two ways, the reading that gives no verdict is taken: an answer
//! that is lost is seen as malformed, an answer that was never given would be believed.
//!
//! Nothing recurses, so models may nest as deep as they like.

mod read;
mod replies;

pub use read::{Request, read, read_with_requests};

#[cfg(test)]
mod tests;
