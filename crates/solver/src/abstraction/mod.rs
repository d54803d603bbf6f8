//! The abstraction engine: proofs of `unsat` by abstraction refinement over an over-approximation.
//!
//! Boolean and integer structure is kept. Strings become elements of an uninterpreted sort, their
//! operators uninterpreted functions, and instances of axioms about strings are added, such as
//! `|x·y| = |x| + |y|`. If the arithmetic solver refutes this, the problem has no model, because
//! every model of the problem is one of the abstraction. A model of the abstraction is a candidate:
//! operators are evaluated, and terms rewritten, under its values, and violated instances are added
//! as lemmas, for some rounds. The engine never reports `sat`.
//!
//! Sound: each fact holds for all strings; tests evaluate random instances with the referee. Facts
//! of one kind share an activation literal, so that an unsat core names the axioms used. Source:
//! ours; rewriting under the values of a candidate as in Reynolds and others: Scaling Up DPLL(T)
//! String Solvers Using Context-Dependent Simplification (CAV 2017). Limits: those named
//! `abstraction.*`; then `unknown`.

mod axioms;
mod constants;
mod refine;
mod regexes;
mod template;
mod terms;
mod translate;
mod universe;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use luthier_terms::{BuildError, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id};
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use refine::CandidateModel;
use terms::TermBuilder;
use translate::Translator;
use universe::Universe;

/// The names of the lemmas that do not come from the table of axioms.
const EVALUATION: &str = "evaluation";
const SPELLING: &str = "spelling";
const REWRITING: &str = "rewriting";
const REWRITING_IN_CONTEXT: &str = "rewriting in context";

/// The engine.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The arithmetic solver.
    pub backend: Backend,
}

impl Abstraction {
    fn prove(&self, problem: &Problem, budget: &Budget) -> Result<Proof, UnknownReason> {
        let mut solver = self.backend.start()?;
        let mut refutation = Refutation::new(problem, &mut *solver, budget)?;
        let rounds = budget.limit(Limit::AbstractionRounds);
        for round in 0..=rounds {
            budget.check()?;
            match refutation.check()? {
                Answer::Unsat(core) => return Ok(refutation.proof(&core, round)),
                Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
                Answer::Sat if round == rounds => break,
                Answer::Sat => {
                    if !refutation.refine()? {
                        let what = format!("the abstraction has a model after {round} rounds");
                        return Err(UnknownReason::Incomplete(what));
                    }
                }
            }
        }
        budget.limits().hit(Limit::AbstractionRounds);
        Err(UnknownReason::Incomplete(format!("the abstraction has a model after {rounds} rounds")))
    }
}

impl Engine for Abstraction {
    fn name(&self) -> &'static str {
        "abstraction"
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.prove(problem, budget) {
            Ok(proof) => Verdict::Unsat(proof),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// The state of an attempt to refute one problem.
struct Refutation<'a> {
    pool: TermPool,
    universe: Universe,
    translator: Translator,
    solver: &'a mut dyn ArithmeticSolver,
    budget: &'a Budget,
    /// The activation literal of each kind of fact.
    activations: BTreeMap<&'static str, Id>,
    /// The number of facts of each kind.
    counts: FxHashMap<Id, usize>,
    facts: FxHashSet<TermId>,
    decomposed: FxHashSet<(TermId, usize)>,
}

impl<'a> Refutation<'a> {
    fn new(
        problem: &Problem,
        solver: &'a mut dyn ArithmeticSolver,
        budget: &'a Budget,
    ) -> Result<Self, UnknownReason> {
        let mut refutation = Self {
            pool: (*problem.pool).clone(),
            universe: Universe::default(),
            translator: Translator::new(budget),
            solver,
            budget,
            activations: BTreeMap::new(),
            counts: FxHashMap::default(),
            facts: FxHashSet::default(),
            decomposed: FxHashSet::default(),
        };
        for &assertion in &problem.assertions {
            budget.check()?;
            refutation.universe.add(&mut refutation.pool, assertion, 0).map_err(full)?;
            let formula = refutation.translator.translate(&refutation.pool, assertion, budget)?;
            refutation.solver.assert(&refutation.translator.arena, formula)?;
        }
        let rewritten = refine::rewritten(
            &mut refutation.pool,
            &refutation.universe,
            &budget.at_most(budget.limits().time(Limit::AbstractionRewriteTime)),
        )
        .map_err(full)?;
        refutation.add_facts(REWRITING, rewritten, 1)?;
        refutation.saturate(0)?;
        for axiom in axioms::compiled() {
            let mut found = Vec::new();
            let mut terms = TermBuilder { pool: &mut refutation.pool, budget };
            let left =
                axiom.instances_of_pairs(&mut terms, &refutation.universe, budget, &mut found);
            left.map_err(full)?;
            let start = refutation.universe.len();
            refutation.add_facts(axiom.axiom.name, found, 2)?;
            refutation.saturate(start)?;
        }
        Ok(refutation)
    }

    /// Instantiates the axioms for the terms from a position on, and for those that the instances
    /// introduce.
    fn saturate(&mut self, mut position: usize) -> Result<(), UnknownReason> {
        while position < self.universe.len()
            && self.universe.len() < self.budget.limit(Limit::AbstractionTerms)
        {
            let (term, level) = self.universe.since(position)[0];
            position += 1;
            self.budget.check()?;
            if usize::from(level) > self.budget.limit(Limit::AbstractionDepth) {
                continue;
            }
            let op = match self.pool.term(term) {
                Term::Op(op, _) => Some(op),
                _ => None,
            };
            for axiom in axioms::compiled() {
                if axiom.axiom.level < level || !axiom.may_match(op) {
                    continue;
                }
                let mut found = Vec::new();
                let mut terms = TermBuilder { pool: &mut self.pool, budget: self.budget };
                axiom
                    .instances_of_term(&mut terms, &self.universe, term, &mut found)
                    .map_err(full)?;
                self.add_facts(axiom.axiom.name, found, level + 1)?;
            }
        }
        Ok(())
    }

    /// Asserts facts of one kind under its activation literal.
    fn add_facts(
        &mut self,
        name: &'static str,
        facts: Vec<TermId>,
        level: u8,
    ) -> Result<(), UnknownReason> {
        for fact in facts {
            if !self.facts.insert(fact) {
                continue;
            }
            self.budget.check()?;
            let arena = &mut self.translator.arena;
            let activation =
                *self.activations.entry(name).or_insert_with(|| arena.fresh_bool(name));
            *self.counts.entry(activation).or_insert(0) += 1;
            self.universe.add(&mut self.pool, fact, level).map_err(full)?;
            let formula = self.translator.translate(&self.pool, fact, self.budget)?;
            let formula = self.translator.arena.implies(activation, formula);
            self.solver.assert(&self.translator.arena, formula)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<Answer, UnknownReason> {
        for fact in self.translator.take_pending() {
            self.solver.assert(&self.translator.arena, fact)?;
        }
        let activations: Vec<Id> = self.activations.values().copied().collect();
        self.solver.check(&self.translator.arena, &activations, self.budget)
    }

    /// Adds lemmas that exclude the candidate; `false` if there are none.
    fn refine(&mut self) -> Result<bool, UnknownReason> {
        let candidate = CandidateModel::from_solver(
            &self.pool,
            &self.universe,
            &self.translator,
            &mut *self.solver,
            self.budget,
        )?;
        let start = self.universe.len();
        let before = self.facts.len();
        let lemmas =
            candidate.evaluations(&mut self.pool, &self.universe, self.budget).map_err(full)?;
        self.add_facts(EVALUATION, lemmas, 2)?;
        let rewriting = self.budget.limits().time(Limit::AbstractionRewriteTime);
        let lemmas = candidate
            .rewritten(&mut self.pool, &self.universe, &self.budget.at_most(rewriting))
            .map_err(full)?;
        self.add_facts(REWRITING_IN_CONTEXT, lemmas, 2)?;
        if self.facts.len() == before {
            let lemmas = candidate
                .letter_decompositions(
                    &mut self.pool,
                    &self.universe,
                    &mut self.decomposed,
                    self.budget,
                )
                .map_err(full)?;
            self.add_facts(SPELLING, lemmas, 2)?;
        }
        self.saturate(start)?;
        Ok(self.facts.len() > before)
    }

    fn proof(&self, core: &[Id], round: usize) -> Proof {
        let used: Vec<String> = self
            .activations
            .iter()
            .filter(|(_, activation)| core.contains(activation))
            .map(|(name, activation)| {
                format!("{name} ({})", self.counts.get(activation).copied().unwrap_or(0))
            })
            .collect();
        let facts = if used.is_empty() {
            "arithmetic and congruence alone".to_owned()
        } else {
            format!("instances of {}", used.join(", "))
        };
        let rounds = match round {
            0 => "without refinement".to_owned(),
            1 => "after one round".to_owned(),
            _ => format!("after {round} rounds"),
        };
        Proof {
            engine: "abstraction",
            argument: format!("the abstraction contradicts {facts}, {rounds}"),
        }
    }
}

fn full(error: BuildError) -> UnknownReason {
    UnknownReason::Failed(error.to_string())
}
