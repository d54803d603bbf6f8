//! Rewriting: terms become simpler terms with the same value under every model.
//!
//! Each rule is a law with a name, found in [`RULES`] and counted. Terms are rewritten bottom-up,
//! each shared one once, until no rule applies or the bound on steps is reached. The constant
//! folding is the solver's own.
//!
//! # Normal form
//!
//! After rewriting, these are gone, except in what is left over when a bound is reached:
//!
//! - `=>`, `xor`, `distinct` (up to 300 arguments), `=` and comparisons with more than two
//!   arguments, names, defined functions that are not recursive;
//! - `-`, `abs`, `divisible`, `<`, `<=`, `>`: sums are flat `+` of `t` or `(* c t)` by age of `t`,
//!   with a constant other than zero last; comparisons are `(>= sum c)` with a numeral `c`, coprime
//!   coefficients and a positive first one, so an upper bound is a negated `>=`. Equations of
//!   integers are `(= sum c)` in the same way, or `(= t u)`. Numerals below zero are literals;
//! - `str.at`, `str.<=`, `str.is_digit`; `str.++` is flat, without empty and neighbouring literals;
//! - `re.+`, `re.opt`, `re.diff`, `re.^`; `re.++`, `re.union` and `re.inter` are flat.
//!
//! `and` and `or` are flat, ordered by age, without repetition or complements; `not` stands only
//! before atoms and equations of formulas. In equations a literal is on the right.

mod affixes;
mod arithmetic;
mod boolean;
mod cases;
mod codes;
mod concat;
mod conjunction;
mod contains;
mod context;
mod entail;
mod equality;
mod facts;
mod fold;
mod free;
mod indexof;
mod length;
mod linear;
mod literals;
mod matching;
mod order;
mod powers;
mod regex;
mod replace;
mod rewriter;
mod rule;
mod skolem;
mod solve;
mod string_equality;
mod substitute;
mod substr;
mod word_equation;

use luthier_semantics::Model;

use crate::{Budget, Engine, Problem, Proof, UnknownReason, Verdict};

pub use conjunction::{Simplified, simplify, with_witnesses};
pub use linear::Linear;
pub use rewriter::{Counts, Rewriter, Step};
pub use rule::{RULES, Rule};

/// The name of the engine.
pub(crate) const NAME: &str = "rewrite";

/// Rewriting as an engine: it decides what rewriting alone decides.
pub(crate) struct Rewriting;

impl Engine for Rewriting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let simplified = simplify(problem, budget);
        if let Some(argument) = simplified.contradiction {
            return Verdict::Unsat(Proof { engine: NAME, argument });
        }
        let left = simplified.problem.assertions.len();
        if left > 0 {
            let reason = format!("{left} assertions are left after rewriting");
            return Verdict::Unknown(UnknownReason::Incomplete(reason));
        }
        // Nothing is left to satisfy, so any values do.
        let mut model = Model::new();
        match simplified.complete_within(&mut model, budget) {
            Ok(_) => Verdict::Sat(model),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}
