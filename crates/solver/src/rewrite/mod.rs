//! Rewriting: preprocessing by equivalence-preserving rules, and an engine for what that alone
//! decides.
//!
//! Each rule is an equation of the theory with a name, listed in [`RULES`] and counted. Terms are
//! rewritten bottom-up, each shared term once, until no rule applies or the limit on steps is
//! reached. Side conditions on lengths are proved by arithmetic entailment (`entail`). A
//! conjunction is simplified as a whole: assertions are facts for each other, equations eliminate
//! constants, positive `exists` is Skolemised (`conjunction`), and small problems are refuted by
//! case splits (`case_split`).
//!
//! Sound: every rule holds under every model (tests evaluate both sides under random models);
//! elimination and Skolemisation keep satisfiability, and eliminated constants get values from
//! their definitions. Source: Reynolds, Nötzli, Barrett, Tinelli: High-Level Abstractions for
//! Simplifying Extended String Constraints in SMT (CAV 2019), arithmetic entailment; most rules are
//! ours.
//!
//! # Normal form
//!
//! After rewriting, these do not occur, unless a limit was reached:
//!
//! - `=>`, `xor`, `distinct` (up to 300 arguments), `=` and comparisons with more than two
//!   arguments, names, defined functions that are not recursive;
//! - `-`, `abs`, `divisible`, `<`, `<=`, `>`: sums are flat `+` of `t` or `(* c t)` in the order of
//!   term ids, with a constant other than zero last; comparisons are `(>= sum c)` with a numeral
//!   `c`, coprime coefficients and a positive first one, so an upper bound is a negated `>=`.
//!   Equations of integers are `(= sum c)` in the same way, or `(= t u)`. Negative numerals are
//!   literals;
//! - `str.at`, `str.<=`, `str.is_digit`; `str.++` is flat, without empty and neighbouring literals;
//! - `re.+`, `re.opt`, `re.diff`, `re.^`; `re.++`, `re.union` and `re.inter` are flat.
//!
//! `and` and `or` are flat, ordered by term ids, without repetition or complements; `not` is applied
//! only to atoms and equations of formulas. In equations a literal is on the right.

mod affixes;
mod arithmetic;
mod boolean;
mod case_split;
mod codes;
mod concat;
mod conjunction;
mod contains;
mod context;
mod eliminate;
mod entail;
mod equality;
mod facts;
mod fold;
mod indexof;
mod language_bounds;
mod learn;
mod length;
mod linear;
mod matching;
mod order;
mod powers;
mod quantifier;
mod regex;
mod replace;
mod replace_regex;
mod rewriter;
mod rule;
mod skolem;
mod string_equality;
mod substr;
mod unconstrained;
mod word_equation;

use luthier_semantics::Model;

use crate::{Budget, Engine, Problem, Proof, UnknownReason, Verdict};

pub use conjunction::{Simplified, simplify, skolemised};
pub use linear::Linear;
pub use rewriter::{Counts, RewriteStep, Rewriter};
pub use rule::{RULES, Rule};
pub(crate) use skolem::fresh_constant;

/// The name of the engine.
pub(crate) const NAME: &str = "rewrite";

/// Rewriting as an engine, for problems that it decides alone.
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
        // No assertion is left, so any values are a model.
        let mut model = Model::new();
        match simplified.complete_within(&mut model, budget) {
            Ok(_) => Verdict::Sat(model),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}
