//! Flat under-approximation: models among words that repeat a few letters.
//!
//! The engine looks for a model in which every string variable has a flat value (see
//! `domain`). The formula is translated to integers, at first without what its operators say
//! about letters; each candidate model is evaluated, and what it got wrong is said (see
//! `define`), until a candidate is right or there is none. If there is none because of the size
//! of domains, those that are to blame grow. If there is none whatever the sizes are, the formula
//! has no model at all.

mod bounds;
mod conversion;
mod define;
mod domain;
mod encode;
mod facts;
pub mod measure;
mod membership;
mod not_substring;
mod reading;
mod refine;
mod word;

use luthier_terms::{PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use crate::arithmetic::Backend;
use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use domain::Size;
pub use not_substring::NotSubstring;
use refine::{Round, round};

/// The engine.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The arithmetic solver.
    pub backend: Backend,
    /// How it is said that a needle does not occur.
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
        let mut rungs = FxHashMap::default();
        let mut slice = budget.limits().time(Limit::FlatCheckTime);
        let mut timeouts = 0;
        loop {
            let grow = match round(self, problem, &rungs, budget, slice) {
                Ok(Round::Model(model)) => return Verdict::Sat(model),
                Ok(Round::TooSmall(terms)) => terms,
                Ok(Round::Contradiction) => {
                    return Verdict::Unsat(Proof {
                        engine: self.name(),
                        argument: "a contradiction that needs no domain".to_owned(),
                    });
                }
                // What takes too long in these domains may be easy in larger ones, or with a
                // little more time.
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
                if Size::on(*rung + 1).is_some() && *rung + 1 < budget.limit(Limit::FlatRungs) {
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
