//! The strategy: one table of engines, which [`Portfolio`] and
//! [`ComponentPortfolio`](crate::ComponentPortfolio) execute.
//!
//! Preprocessing (rewriting) comes first. Then two threads run at the same time, each through its
//! engines in the order of the table: one looks for models, the other for proofs of
//! unsatisfiability. An engine gets a share of the time that is left, up to its maximum. Model
//! engines that need arithmetic work on components (assertions that share no constant with the
//! rest), because one unsatisfiable component decides the whole problem.
//!
//! To change the order of engines, a share or a preference, change [`ENGINES`]; limits are in
//! [`Limit`]. The tables of `docs/solve.md` are made from both by `cargo xtask documents`.

use crate::abstraction::Abstraction;
use crate::cells::Cells;
use crate::flat::Flat;
use crate::languages::Languages;
use crate::nielsen::{self, Nielsen};
use crate::noodles::{self, Noodles};
use crate::rewrite::Rewriting;
use crate::search::Search;
use crate::{Budget, Engine, Limit, Portfolio, Problem};

/// The entry of one engine in the strategy.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Which thread runs it.
    pub thread: Thread,
    /// On what it runs.
    pub scope: Scope,
    /// What it can prove.
    pub proves: Proves,
    /// What it accepts, in words; [`Engine::accepts`] decides.
    pub accepts: &'static str,
    /// When it goes before the others of its thread and scope.
    pub first_if: Option<Preference>,
    /// Its share of the time that is left, as a divisor: `Some(3)` is a third; all of it if `None`.
    pub share: Option<u32>,
    /// The limit on its time.
    pub max_time: Option<Limit>,
    /// Whether it needs an arithmetic solver.
    pub needs_arithmetic: bool,
    /// Why its answers are right.
    pub soundness: &'static str,
    /// Where the method comes from.
    pub paper: &'static str,
    /// The engine as a portfolio is set up; `None` without the arithmetic solver that it needs.
    make: fn(&Portfolio) -> Option<Box<dyn Engine>>,
}

/// Which thread runs an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread {
    /// Before both threads, on the problem as it was given.
    Preprocessing,
    /// The thread of the engines that look for models.
    Models,
    /// The thread of the engines that look for proofs of unsatisfiability.
    Proofs,
}

/// On what an engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On the whole problem.
    Whole,
    /// On all components that it accepts, together: there can be hundreds of them.
    Together,
    /// On each component that is still open.
    Each,
}

/// What an engine can prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// It finds models.
    Sat,
    /// It proves unsatisfiability.
    Unsat,
    /// It finds either.
    Both,
}

/// A condition under which an engine goes first.
pub struct Preference {
    /// The condition in words.
    pub condition: &'static str,
    /// Whether a problem fulfils it.
    pub holds: fn(&Problem, &Budget) -> bool,
}

/// All engines; those of one thread run in this order.
pub static ENGINES: &[Entry] = &[
    Entry {
        name: "rewrite",
        thread: Thread::Preprocessing,
        scope: Scope::Whole,
        proves: Proves::Both,
        accepts: "everything; terms without a rule stay as they are",
        first_if: None,
        share: Some(4),
        max_time: Some(Limit::RewriteTime),
        needs_arithmetic: false,
        soundness: "each rule is an equation that holds under every model; elimination of constants and Skolemisation \
                    keep satisfiability, and eliminated constants get values from their definitions",
        paper: "Reynolds, Nötzli, Barrett, Tinelli: High-Level Abstractions for Simplifying Extended String \
                Constraints in SMT (CAV 2019), arithmetic entailment; most rules are ours",
        make: |_| Some(Box::new(Rewriting)),
    },
    Entry {
        name: "search",
        thread: Thread::Models,
        scope: Scope::Whole,
        proves: Proves::Sat,
        accepts: "constants of sort Bool, Int and String; no functions, no quantifiers",
        first_if: None,
        share: None,
        max_time: Some(Limit::SearchTime),
        needs_arithmetic: false,
        soundness: "only `sat` is reported, and the referee evaluates every assertion under the model",
        paper: "ours; inverse values as in Niemetz, Preiner, Biere: Propagation Based Local Search for Bit-Precise \
                Reasoning (FMSD 2017)",
        make: |portfolio| Some(Box::new(Search { seed: portfolio.seed })),
    },
    Entry {
        name: "languages",
        thread: Thread::Models,
        scope: Scope::Together,
        proves: Proves::Both,
        accepts: "assertions about the regular language of one constant, or about lengths only",
        first_if: None,
        share: Some(3),
        max_time: Some(Limit::LanguagesTime),
        needs_arithmetic: true,
        soundness: "the languages of a constant are intersected exactly, and the lengths of a regular language are \
                    an ultimately periodic set, so arithmetic over these sets decides; unsat needs exact sets and a \
                    core without length limits",
        paper: "Brzozowski: Derivatives of Regular Expressions (JACM 1964), sections 3 to 5",
        make: |portfolio| Some(Box::new(Languages { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "cells",
        thread: Thread::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "constants of sort Bool, Int and String, and an operator that relates letters of two strings",
        first_if: None,
        share: Some(3),
        max_time: Some(Limit::CellsTime),
        needs_arithmetic: true,
        soundness: "every asserted formula follows from the problem: a letter conflict becomes the negation of the offset \
                    equations that lead to it; unsat needs a core without length limits",
        paper: "ours",
        make: |portfolio| Some(Box::new(Cells { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "nielsen",
        thread: Thread::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "at least one word equation over constants and literals",
        first_if: Some(Preference {
            condition: "all other assertions are about lengths",
            holds: nielsen::has_only_length_conditions,
        }),
        share: Some(3),
        max_time: Some(Limit::NielsenTime),
        needs_arithmetic: true,
        soundness: "each solution of a system is one of a successor in the graph of Nielsen transformations; unsat only \
                    if the graph is complete and has no empty system, or if letters of an equation differ at once",
        paper: "Lin, Majumdar: Quadratic Word Equations with Length Constraints, Counter Systems, and Presburger \
                Arithmetic with Divisibility (ATVA 2018), counter systems along the graph",
        make: |portfolio| Some(Box::new(Nielsen { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "noodles",
        thread: Thread::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "constants of sort Bool, Int and String, and a membership, an equation of a concatenation and a \
                  literal or with a conversion to a number beside it, or a replacement of all matches or of a \
                  regular language",
        first_if: Some(Preference {
            condition: "all assertions are about memberships of concatenations and about lengths",
            holds: noodles::has_only_memberships,
        }),
        share: Some(3),
        max_time: Some(Limit::NoodlesTime),
        needs_arithmetic: true,
        soundness: "the alignments of word equations cover all solutions, and the languages between the states of a \
                    deterministic automaton partition its words; unsat only if every case is refuted by an empty \
                    language, by arithmetic over exact sets of lengths, or by an assertion that is false under \
                    values that a case determines, and no case was left out",
        paper: "Chen, Chocholatý, Havlena, Holík, Lengál, Síč: Solving String Constraints with Lengths by Stabilization \
                (OOPSLA 2023), noodlification; Abdulla and others: String Constraints for Verification (CAV 2014), \
                residual languages between states",
        make: |portfolio| Some(Box::new(Noodles { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "flat",
        thread: Thread::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "constants of sort Bool, Int and String; no functions, no quantifiers",
        first_if: None,
        share: None,
        max_time: None,
        needs_arithmetic: true,
        soundness: "an under-approximation for `sat`: each candidate is evaluated; constraints on letters are guarded by the \
                    domain of each variable, so a core without domains is a contradiction for all words",
        paper: "Solving Not-Substring Constraint with Flat Abstraction (APLAS 2021), section 5; slices and lazy \
                letters are ours",
        make: |portfolio| {
            let backend = portfolio.backend.clone()?;
            Some(Box::new(Flat { backend, not_substring: portfolio.not_substring }))
        },
    },
    Entry {
        name: "abstraction",
        thread: Thread::Proofs,
        scope: Scope::Whole,
        proves: Proves::Unsat,
        accepts: "everything; quantified formulas are uninterpreted Booleans",
        first_if: None,
        share: None,
        max_time: None,
        needs_arithmetic: true,
        soundness: "an over-approximation: strings are elements of an uninterpreted sort, and each fact that is added \
                    holds for all strings",
        paper: "ours; rewriting in the context of a candidate as in Reynolds and others: Scaling Up DPLL(T) String \
                Solvers Using Context-Dependent Simplification (CAV 2017)",
        make: |portfolio| Some(Box::new(Abstraction { backend: portfolio.backend.clone()? })),
    },
];

/// The entry of a name.
pub fn engine(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

/// The entries of a thread, in their order.
pub(crate) fn on_thread(thread: Thread) -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(move |entry| entry.thread == thread)
}

impl Entry {
    /// The engine as a portfolio is set up; `None` without the arithmetic solver that it needs.
    pub fn build(&self, portfolio: &Portfolio) -> Option<Box<dyn Engine>> {
        (self.make)(portfolio)
    }

    /// The limits of this engine.
    pub fn limits(&self) -> impl Iterator<Item = Limit> {
        Limit::ALL.iter().copied().filter(|limit| limit.engine() == self.name)
    }

    /// The part of a budget that the engine gets: its share of the time that is left, up to its
    /// maximum.
    pub fn slice(&self, budget: &Budget) -> Budget {
        let max_time = self.max_time.map(|limit| budget.limits().time(limit));
        let share = self.share.and_then(|parts| Some(budget.left()? / parts));
        match max_time.into_iter().chain(share).min() {
            Some(time) => budget.at_most(time),
            None => budget.clone(),
        }
    }

    /// Whether the engine goes before others of its thread and scope on this problem.
    pub(crate) fn is_first(&self, problem: &Problem, budget: &Budget) -> bool {
        self.first_if.as_ref().is_some_and(|preference| (preference.holds)(problem, budget))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Cancel, Limits};

    #[test]
    fn every_engine_has_the_name_of_its_entry() {
        let backend = crate::arithmetic::Backend::z3("z3");
        let with = Portfolio { backend: Some(backend), ..Portfolio::default() };
        let without = Portfolio::default();
        for entry in ENGINES {
            assert_eq!(entry.build(&with).unwrap().name(), entry.name);
            assert_eq!(entry.build(&without).is_none(), entry.needs_arithmetic, "{}", entry.name);
            assert!(entry.max_time.is_none_or(Limit::is_time), "{}", entry.name);
            assert!(std::ptr::eq(engine(entry.name).unwrap(), entry), "{}", entry.name);
        }
        assert!(engine("no such engine").is_none());
    }

    #[test]
    fn a_slice_is_a_share_up_to_the_longest_time() {
        let cells = engine("cells").unwrap();
        let endless = Budget::until_cancelled(Cancel::new());
        let within = |budget: &Budget, low: u64, high: u64| {
            let left = cells.slice(budget).left().unwrap();
            assert!((Duration::from_millis(low)..=Duration::from_millis(high)).contains(&left));
        };
        within(&endless, 2_500, 3_000);
        within(&endless.at_most(Duration::from_secs(6)), 1_500, 2_000);
        within(&endless.at_most(Duration::from_secs(60)), 2_500, 3_000);
        let mut limits = Limits::default();
        limits.set("cells.time=50s").unwrap();
        within(&endless.within(limits.into()), 49_000, 50_000);
        assert!(engine("flat").unwrap().slice(&endless).left().is_none());
    }
}
