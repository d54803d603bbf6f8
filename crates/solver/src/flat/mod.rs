//! The flat engine: an under-approximation that looks for models among flat words.
//!
//! Every string variable ranges over a domain of flat words: blocks `(c₀…c_{p−1})` repeated and cut
//! off after `L` letters, with fixed periods `p` (see `domain`). Over a fixed domain the formula
//! becomes one over integers: letters and lengths are constants for the arithmetic solver. Other
//! string terms are slices of variables and literals (see `word`). Constraints on letters are added
//! lazily: operators are first abstracted by fresh constants, each candidate is evaluated, and only
//! the violated ones are defined (see `define`), until a candidate is a model or none is left. Then
//! the domains in the unsat core grow.
//!
//! A problem in which factors are repeated is first tried with these factors as variables (see
//! `factors`): that is what it looked like before its equations were solved.
//!
//! Sound: a candidate is evaluated, and constraints on letters are guarded by the domains, so a
//! core without domains refutes the formula for all words. Source: Abdulla and others: Solving
//! Not-Substring Constraint with Flat Abstraction (APLAS 2021), section 5; slices and lazy letters
//! are ours. Limits: those named `flat.*`; beyond the largest domains the answer is `unknown`.

mod bounds;
mod conversion;
mod define;
mod domain;
mod encode;
mod factors;
mod facts;
pub mod measure;
mod membership;
mod not_substring;
mod refine;
mod word;
mod word_encoder;

use std::rc::Rc;

use luthier_terms::{PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use crate::arithmetic::Backend;
use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use domain::Ladder;
use factors::Factored;
pub use not_substring::NotSubstring;
use refine::{RoundOutcome, round};

/// The engine.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The arithmetic solver.
    pub backend: Backend,
    /// The encoding of not-substring.
    pub not_substring: NotSubstring,
}

impl Engine for Flat {
    fn name(&self) -> &'static str {
        "flat"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        has_plain_constants(problem)
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        if let Some(factored) = Factored::new(problem, budget) {
            let half = budget.left().map(|left| left / 2);
            let most = budget.limits().time(Limit::FlatFactorTime);
            let time = half.map_or(most, |half| half.min(most));
            match self.decide_form(&factored.problem, &budget.at_most(time)) {
                Verdict::Sat(model) => {
                    if let Some(model) = factored.complete(problem, model, budget) {
                        return Verdict::Sat(model);
                    }
                }
                Verdict::Unsat(proof) => return Verdict::Unsat(proof),
                Verdict::Unknown(_) => {}
            }
        }
        self.decide_form(problem, budget)
    }
}

impl Flat {
    /// Decides a problem as it is, in growing domains.
    fn decide_form(&self, problem: &Problem, budget: &Budget) -> Verdict {
        let ladder = Rc::new(Ladder::new(problem, budget));
        let mut rungs = FxHashMap::default();
        let mut slice = budget.limits().time(Limit::FlatCheckTime);
        let mut timeouts = 0;
        loop {
            let domains = (&rungs, &ladder);
            let grow = match round(self, problem, domains, budget, slice) {
                Ok(RoundOutcome::Model(model)) => return Verdict::Sat(model),
                Ok(RoundOutcome::DomainsTooSmall(terms)) => terms,
                Ok(RoundOutcome::Contradiction) => {
                    return Verdict::Unsat(Proof {
                        engine: self.name(),
                        argument: "a contradiction that does not depend on the domains".to_owned(),
                    });
                }
                // A query that takes too long in these domains may be easy in larger ones, or with
                // a little more time.
                Err(UnknownReason::Timeout) if budget.check().is_ok() => {
                    slice = slice.mul_f64(1.5);
                    timeouts += 1;
                    if timeouts % 2 == 0 {
                        continue;
                    }
                    strings(problem)
                }
                Err(reason) => return Verdict::Unknown(reason),
            };
            let mut grown = false;
            for term in grow {
                let rung: &mut usize = rungs.entry(term).or_insert(0);
                if *rung + 1 < ladder.rungs() {
                    *rung += 1;
                    grown = true;
                }
            }
            if !grown {
                budget.limits().hit(Limit::FlatRungs);
                let reason = "no model among the largest domains".to_owned();
                return Verdict::Unknown(UnknownReason::Incomplete(reason));
            }
        }
    }
}

/// The string constants of a problem.
fn strings(problem: &Problem) -> Vec<TermId> {
    let pool = &problem.pool;
    PostOrder::new(pool, problem.assertions.iter().copied())
        .filter(|&term| {
            pool.sort(term) == Sort::String && matches!(pool.term(term), Term::Apply(_, []))
        })
        .collect()
}
