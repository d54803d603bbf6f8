//! The strategy: one table of engines, which [`Portfolio`] and [`Parts`](crate::Parts) execute.
//!
//! Rewriting comes first. Then two lines of engines run at the same time, each in the order of the
//! table: one looks for models, the other for proofs. An engine gets a share of the time that is
//! left, and no more than its longest time. Engines of the line of models that need arithmetic work
//! on components (parts of the problem that share no constant), because a component without a model
//! decides the whole problem.
//!
//! To change the order of engines, a share or a preference, change [`ENGINES`]; limits are in
//! [`Limit`]. The tables of `docs/solve.md` are made from both by `cargo xtask documents`.

use crate::abstraction::Abstraction;
use crate::cells::Cells;
use crate::flat::Flat;
use crate::languages::Languages;
use crate::nielsen::{self, Nielsen};
use crate::rewrite::Rewriting;
use crate::search::Search;
use crate::{Budget, Engine, Limit, Portfolio, Problem};

/// What the strategy says about one engine.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Which thread runs it.
    pub line: Line,
    /// On what it runs.
    pub scope: Scope,
    /// What it can prove.
    pub proves: Proves,
    /// What it accepts, in words; [`Engine::accepts`] decides.
    pub accepts: &'static str,
    /// When it goes before the others of its line and scope.
    pub first_if: Option<Preference>,
    /// It gets one part in so many of the time that is left; all of it if `None`.
    pub share: Option<u32>,
    /// The limit that is its longest time.
    pub longest: Option<Limit>,
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
pub enum Line {
    /// Before both lines, on the problem as it was given.
    Before,
    /// The line of those that look for models.
    Models,
    /// The line of those that look for proofs.
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
    /// It finds contradictions.
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

/// All engines, in the order of each line.
pub static ENGINES: &[Entry] = &[
    Entry {
        name: "rewrite",
        line: Line::Before,
        scope: Scope::Whole,
        proves: Proves::Both,
        accepts: "everything; what it does not know stays as it is",
        first_if: None,
        share: Some(4),
        longest: Some(Limit::RewriteTime),
        needs_arithmetic: false,
        soundness: "each rule is an equation that holds under every model; elimination of constants and Skolemisation \
                    keep satisfiability, and eliminated constants get values from their definitions",
        paper: "Reynolds, Nötzli, Barrett, Tinelli: High-Level Abstractions for Simplifying Extended String \
                Constraints in SMT (CAV 2019), arithmetic entailment; most rules are ours",
        make: |_| Some(Box::new(Rewriting)),
    },
    Entry {
        name: "search",
        line: Line::Models,
        scope: Scope::Whole,
        proves: Proves::Sat,
        accepts: "constants of sort Bool, Int and String; no functions, no quantifiers",
        first_if: None,
        share: None,
        longest: Some(Limit::SearchTime),
        needs_arithmetic: false,
        soundness: "the values are a model: each assertion was evaluated, and the referee evaluates it again",
        paper: "ours; inverse values as in Niemetz, Preiner, Biere: Propagation Based Local Search for Bit-Precise \
                Reasoning (FMSD 2017)",
        make: |portfolio| Some(Box::new(Search { seed: portfolio.seed })),
    },
    Entry {
        name: "languages",
        line: Line::Models,
        scope: Scope::Together,
        proves: Proves::Both,
        accepts: "assertions about the regular language of one constant, or about lengths only",
        first_if: None,
        share: Some(3),
        longest: Some(Limit::LanguagesTime),
        needs_arithmetic: true,
        soundness: "the languages of a constant are intersected exactly, and the lengths of a regular language are \
                    an ultimately periodic set, so arithmetic over these sets decides; unsat needs exact sets and a \
                    core without length limits",
        paper: "Brzozowski: Derivatives of Regular Expressions (JACM 1964), sections 3 to 5",
        make: |portfolio| Some(Box::new(Languages { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "cells",
        line: Line::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "constants of sort Bool, Int and String, and an operator that relates letters of two strings",
        first_if: None,
        share: Some(3),
        longest: Some(Limit::CellsTime),
        needs_arithmetic: true,
        soundness: "all that arithmetic is told follows from the problem: a conflict of letters is the negation of \
                    the offset equations that lead to it; unsat needs a core without length limits",
        paper: "ours",
        make: |portfolio| Some(Box::new(Cells { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "nielsen",
        line: Line::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "at least one word equation over constants and literals",
        first_if: Some(Preference {
            condition: "all other assertions are about lengths",
            holds: nielsen::suits,
        }),
        share: Some(3),
        longest: Some(Limit::NielsenTime),
        needs_arithmetic: true,
        soundness: "each solution of a system is one of a successor in the graph of Nielsen transformations; unsat only \
                    if the graph is complete and has no empty system, or if letters of an equation differ at once",
        paper: "Lin, Majumdar: Quadratic Word Equations with Length Constraints, Counter Systems, and Presburger \
                Arithmetic with Divisibility (ATVA 2018), counter systems along the graph",
        make: |portfolio| Some(Box::new(Nielsen { backend: portfolio.backend.clone()? })),
    },
    Entry {
        name: "flat",
        line: Line::Models,
        scope: Scope::Each,
        proves: Proves::Both,
        accepts: "constants of sort Bool, Int and String; no functions, no quantifiers",
        first_if: None,
        share: None,
        longest: None,
        needs_arithmetic: true,
        soundness: "each candidate is evaluated; what is said about letters is guarded by the domain of each \
                    variable, so a core without domains is a contradiction for all words",
        paper: "Solving Not-Substring Constraint with Flat Abstraction (APLAS 2021), section 5; slices and lazy \
                letters are ours",
        make: |portfolio| {
            let backend = portfolio.backend.clone()?;
            Some(Box::new(Flat { backend, not_substring: portfolio.not_substring }))
        },
    },
    Entry {
        name: "abstraction",
        line: Line::Proofs,
        scope: Scope::Whole,
        proves: Proves::Unsat,
        accepts: "everything; quantified formulas are unknown truth values",
        first_if: None,
        share: None,
        longest: None,
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

/// The entries of a line, in their order.
pub(crate) fn line(line: Line) -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(move |entry| entry.line == line)
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

    /// What the engine gets of a budget: its share of what is left, but no more than its longest
    /// time.
    pub fn slice(&self, budget: &Budget) -> Budget {
        let longest = self.longest.map(|limit| budget.limits().time(limit));
        let share = self.share.and_then(|parts| Some(budget.left()? / parts));
        match longest.into_iter().chain(share).min() {
            Some(time) => budget.at_most(time),
            None => budget.clone(),
        }
    }

    /// Whether the engine goes before others of its line and scope on this problem.
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
            assert!(entry.longest.is_none_or(Limit::is_time), "{}", entry.name);
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
