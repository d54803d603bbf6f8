//! The cheap engine for `unsat`: strings as elements of a set of which little is known.
//!
//! The Boolean and integer structure of a problem is kept. Strings become elements of an
//! uninterpreted sort, their operators uninterpreted functions, and for every term the facts of a
//! table of axioms are added. If an arithmetic solver refutes that, the problem has no model:
//! every model of the problem is one of the abstraction. If it finds a model, constants are put
//! through the operators, which gives further facts, for some rounds. The engine never says `sat`.

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
use refine::Reading;
use terms::Terms;
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
    /// Who decides arithmetic.
    pub backend: Backend,
}

impl Abstraction {
    fn prove(&self, problem: &Problem, budget: &Budget) -> Result<Proof, UnknownReason> {
        let mut solver = self.backend.start()?;
        let mut session = Session::new(problem, &mut *solver, budget)?;
        let rounds = budget.limit(Limit::AbstractionRounds);
        for round in 0..=rounds {
            budget.check()?;
            match session.check()? {
                Answer::Unsat(core) => return Ok(session.proof(&core, round)),
                Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
                Answer::Sat if round == rounds => break,
                Answer::Sat => {
                    if !session.refine()? {
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

/// One problem and the solver that is asked about it.
struct Session<'a> {
    pool: TermPool,
    universe: Universe,
    translator: Translator,
    solver: &'a mut dyn ArithmeticSolver,
    budget: &'a Budget,
    /// The literal that switches a kind of fact on.
    switches: BTreeMap<&'static str, Id>,
    /// How many facts of each kind there are.
    counts: FxHashMap<Id, usize>,
    facts: FxHashSet<TermId>,
    spelled: FxHashSet<(TermId, usize)>,
}

impl<'a> Session<'a> {
    fn new(
        problem: &Problem,
        solver: &'a mut dyn ArithmeticSolver,
        budget: &'a Budget,
    ) -> Result<Self, UnknownReason> {
        let mut session = Self {
            pool: (*problem.pool).clone(),
            universe: Universe::default(),
            translator: Translator::new(budget),
            solver,
            budget,
            switches: BTreeMap::new(),
            counts: FxHashMap::default(),
            facts: FxHashSet::default(),
            spelled: FxHashSet::default(),
        };
        for &assertion in &problem.assertions {
            budget.check()?;
            session.universe.add(&mut session.pool, assertion, 0).map_err(full)?;
            let formula = session.translator.translate(&session.pool, assertion, budget)?;
            session.solver.assert(&session.translator.arena, formula)?;
        }
        let rewritten = refine::rewritten(
            &mut session.pool,
            &session.universe,
            &budget.at_most(budget.limits().time(Limit::AbstractionRewriteTime)),
        )
        .map_err(full)?;
        session.add_facts(REWRITING, rewritten, 1)?;
        session.saturate(0)?;
        for axiom in axioms::compiled() {
            let mut found = Vec::new();
            let mut terms = Terms { pool: &mut session.pool, budget };
            let left = axiom.together(&mut terms, &session.universe, budget, &mut found);
            left.map_err(full)?;
            let start = session.universe.len();
            session.add_facts(axiom.axiom.name, found, 2)?;
            session.saturate(start)?;
        }
        Ok(session)
    }

    /// Adds facts about the terms from a position on, and about those that the facts bring in.
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
                if axiom.axiom.level < level || !axiom.is_about(op) {
                    continue;
                }
                let mut found = Vec::new();
                let mut terms = Terms { pool: &mut self.pool, budget: self.budget };
                axiom.about(&mut terms, &self.universe, term, &mut found).map_err(full)?;
                self.add_facts(axiom.axiom.name, found, level + 1)?;
            }
        }
        Ok(())
    }

    /// Asserts facts of one kind, under its switch.
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
            let switch = *self.switches.entry(name).or_insert_with(|| arena.fresh_bool(name));
            *self.counts.entry(switch).or_insert(0) += 1;
            self.universe.add(&mut self.pool, fact, level).map_err(full)?;
            let formula = self.translator.translate(&self.pool, fact, self.budget)?;
            let formula = self.translator.arena.implies(switch, formula);
            self.solver.assert(&self.translator.arena, formula)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<Answer, UnknownReason> {
        for fact in self.translator.take_pending() {
            self.solver.assert(&self.translator.arena, fact)?;
        }
        let switches: Vec<Id> = self.switches.values().copied().collect();
        self.solver.check(&self.translator.arena, &switches, self.budget)
    }

    /// Adds what excludes the model that was found; `false` if there is nothing.
    fn refine(&mut self) -> Result<bool, UnknownReason> {
        let reading = Reading::take(
            &self.pool,
            &self.universe,
            &self.translator,
            &mut *self.solver,
            self.budget,
        )?;
        let start = self.universe.len();
        let before = self.facts.len();
        let lemmas =
            reading.evaluations(&mut self.pool, &self.universe, self.budget).map_err(full)?;
        self.add_facts(EVALUATION, lemmas, 2)?;
        let rewriting = self.budget.limits().time(Limit::AbstractionRewriteTime);
        let lemmas = reading
            .rewritten(&mut self.pool, &self.universe, &self.budget.at_most(rewriting))
            .map_err(full)?;
        self.add_facts(REWRITING_IN_CONTEXT, lemmas, 2)?;
        if self.facts.len() == before {
            let lemmas = reading
                .spellings(&mut self.pool, &self.universe, &mut self.spelled, self.budget)
                .map_err(full)?;
            self.add_facts(SPELLING, lemmas, 2)?;
        }
        self.saturate(start)?;
        Ok(self.facts.len() > before)
    }

    fn proof(&self, core: &[Id], round: usize) -> Proof {
        let used: Vec<String> = self
            .switches
            .iter()
            .filter(|(_, switch)| core.contains(switch))
            .map(|(name, switch)| {
                format!("{name} ({})", self.counts.get(switch).copied().unwrap_or(0))
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
