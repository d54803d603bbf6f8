//! Simplification of a conjunction: contextual rewriting, elimination of constants and
//! Skolemisation, to a fixed point.
//!
//! Each assertion is rewritten under the facts of all others in their current form, one after the
//! other. So the conjunction keeps its models, and no assertion is removed by a fact that was
//! derived from itself. Equations `x = t` eliminate `x`; [`Simplified::complete`] extends a model
//! of the result to the eliminated constants.

use luthier_semantics::{Evaluation, Evaluator, Model, Reason, Value};
use luthier_terms::{FunctionId, Op, PostOrder, Term, TermId, TermPool, dag_size, substitute_with};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::eliminate::{as_map, solutions};
use super::facts::Facts;
use super::learn::learn;
use super::rewriter::{Counts, Rewriter};
use super::skolem::{has_open_language, skolemise};
use super::unconstrained::unconstrained_constants;
use super::{case_split, eliminate};
use crate::{Budget, Cancel, Limit, Problem, UnknownReason};

/// A simplified problem.
#[derive(Clone)]
pub struct Simplified {
    /// The remaining assertions; equisatisfiable with the given problem.
    pub problem: Problem,
    /// Eliminated constants in the order of elimination, each with its definition over the
    /// constants that remained then.
    pub eliminated: Vec<(FunctionId, TermId)>,
    /// How often each rule was applied.
    pub counts: Counts,
    /// The argument of a refutation, if there is one.
    pub contradiction: Option<String>,
    /// The constants of the given problem.
    declared: Vec<FunctionId>,
}

impl Simplified {
    /// Extends a model of the simplified problem to one of the given problem: eliminated constants
    /// get the values of their definitions, constants that no longer occur get defaults.
    pub fn complete(&self, model: &mut Model) {
        // The budget has no deadline and its flag is never set.
        let _ = self.complete_within(model, &Budget::until_cancelled(Cancel::new()));
    }

    /// The same within a budget; an error leaves the model incomplete. Returns the reason why the
    /// definition of an eliminated constant could not be evaluated, if that happened.
    pub fn complete_within(
        &self,
        model: &mut Model,
        budget: &Budget,
    ) -> Result<Option<Reason>, UnknownReason> {
        let pool = &self.problem.pool;
        let eliminated: FxHashSet<FunctionId> =
            self.eliminated.iter().map(|(function, _)| *function).collect();
        let mut open = self.declared.clone();
        for (_, term) in &self.eliminated {
            for constant in eliminate::constants(pool, *term) {
                if let Term::Apply(function, _) = pool.term(constant) {
                    open.push(function);
                }
            }
        }
        for function in open {
            let declaration = pool.function(function);
            if !eliminated.contains(&function)
                && declaration.definition.is_none()
                && model.get(function).is_none()
            {
                model.insert_value(function, Value::default_of(declaration.result));
            }
        }
        let mut undecided = None;
        for &(function, term) in self.eliminated.iter().rev() {
            budget.check()?;
            let mut evaluator = Evaluator::with_limits(pool, model, budget.evaluation_limits());
            match evaluator.evaluate(term) {
                Evaluation::Known(value) => drop(model.insert_value(function, value)),
                Evaluation::Undecided(reasons) => {
                    undecided = undecided.or(reasons.as_slice().first().copied());
                }
            }
        }
        Ok(undecided)
    }
}

/// The problem with positive `exists` Skolemised. A model of it is a model of the given one.
pub fn skolemised(problem: &Problem) -> Problem {
    if !has_quantifier(&problem.pool, &problem.assertions) {
        return problem.clone();
    }
    let mut pool = (*problem.pool).clone();
    let skolemise_one = |&assertion: &TermId| skolemise(&mut pool, assertion).unwrap_or(assertion);
    let assertions = problem.assertions.iter().map(skolemise_one).collect();
    Problem { pool: pool.into(), assertions }
}

fn has_quantifier(pool: &TermPool, assertions: &[TermId]) -> bool {
    let mut terms = PostOrder::new(pool, assertions.iter().copied());
    terms.any(|term| matches!(pool.term(term), Term::Quantifier(_)))
}

/// Simplifies a problem until a fixed point, a limit, or the end of the budget.
pub fn simplify(problem: &Problem, budget: &Budget) -> Simplified {
    let mut conjunction = Conjunction::new((*problem.pool).clone());
    let mut eliminated = Vec::new();
    let outcome = conjunction.run(problem.assertions.clone(), &mut eliminated, budget);
    let (assertions, mut contradiction) = match outcome {
        ConjunctionOutcome::Left(assertions) => (assertions, None),
        ConjunctionOutcome::Contradiction(reason) => (Vec::new(), Some(reason)),
    };
    if contradiction.is_none() && case_split::refute(&mut conjunction, &assertions, budget) {
        contradiction = Some("every case of a case distinction is contradictory".to_owned());
    }
    let Conjunction { mut pool, counts } = conjunction;
    let assertions = match contradiction {
        Some(_) => pool.bool(false).into_iter().collect(),
        None => assertions,
    };
    let declared = problem.declared();
    let problem = Problem { pool: pool.into(), assertions };
    Simplified { problem, eliminated, counts, contradiction, declared }
}

/// The result of simplifying a list of assertions.
pub(super) enum ConjunctionOutcome {
    /// The remaining assertions.
    Left(Vec<TermId>),
    /// A contradiction, with its argument.
    Contradiction(String),
}

/// The pool and the statistics of a simplification.
pub(super) struct Conjunction {
    pub pool: TermPool,
    pub counts: Counts,
}

impl Conjunction {
    fn new(pool: TermPool) -> Self {
        Self { pool, counts: Counts::new() }
    }

    /// Simplifies assertions. Eliminated constants are added to `eliminated`.
    pub fn run(
        &mut self,
        mut assertions: Vec<TermId>,
        eliminated: &mut Vec<(FunctionId, TermId)>,
        budget: &Budget,
    ) -> ConjunctionOutcome {
        for _ in 0..budget.limit(Limit::RewriteRounds) {
            let before = assertions.clone();
            assertions = self.rewrite_all(&assertions, budget);
            self.skolemise(&mut assertions);
            match self.flatten(&assertions, budget) {
                Ok(flat) => assertions = flat,
                Err(reason) => return ConjunctionOutcome::Contradiction(reason),
            }
            if budget.check().is_err() {
                break;
            }
            if self.eliminate(&mut assertions, eliminated, budget) {
                continue;
            }
            self.rewrite_in_context(&mut assertions, budget);
            match self.flatten(&assertions, budget) {
                Ok(flat) => assertions = flat,
                Err(reason) => return ConjunctionOutcome::Contradiction(reason),
            }
            if assertions == before || budget.check().is_err() {
                break;
            }
        }
        ConjunctionOutcome::Left(assertions)
    }

    fn count(&mut self, counts: Counts) {
        for (rule, count) in counts {
            *self.counts.entry(rule).or_default() += count;
        }
    }

    fn rewrite_all(&mut self, assertions: &[TermId], budget: &Budget) -> Vec<TermId> {
        let mut rewriter = Rewriter::new(&mut self.pool, budget);
        let result = assertions.iter().map(|&assertion| rewriter.rewrite(assertion)).collect();
        let counts = rewriter.counts();
        self.count(counts);
        result
    }

    fn skolemise(&mut self, assertions: &mut [TermId]) {
        if !has_quantifier(&self.pool, assertions) && !has_open_language(&self.pool, assertions) {
            return;
        }
        for assertion in assertions {
            if let Some(result) = skolemise(&mut self.pool, *assertion)
                && result != *assertion
            {
                *assertion = result;
                *self.counts.entry("skolemise").or_default() += 1;
            }
        }
    }

    /// The conjuncts, each once; an error if one is false or two are complementary.
    fn flatten(&mut self, assertions: &[TermId], budget: &Budget) -> Result<Vec<TermId>, String> {
        let cx = Context::new(&mut self.pool, None, budget);
        let mut flat = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
        while let Some(term) = stack.pop() {
            if let Some(parts) = cx.args(term, Op::And) {
                stack.extend(parts.iter().rev());
            } else if cx.truth(term) == Some(false) {
                return Err("an assertion is false by rewriting".to_owned());
            } else if cx.truth(term).is_none() && seen.insert(term) {
                flat.push(term);
            }
        }
        for &term in &flat {
            if let Some(inner) = cx.args(term, Op::Not)
                && seen.contains(&inner[0])
            {
                return Err("an assertion and its negation".to_owned());
            }
        }
        Ok(flat)
    }

    /// Eliminates constants; whether there was one.
    fn eliminate(
        &mut self,
        assertions: &mut Vec<TermId>,
        eliminated: &mut Vec<(FunctionId, TermId)>,
        budget: &Budget,
    ) -> bool {
        let mut cx = Context::new(&mut self.pool, None, budget);
        let mut found = solutions(&mut cx, assertions);
        let mut name = "solve-equation";
        if found.is_empty() {
            found = unconstrained_constants(&mut cx, assertions);
            name = "free-of-contains";
        }
        if found.is_empty() {
            return false;
        }
        let map = as_map(&found);
        let sources: FxHashSet<usize> =
            found.iter().filter_map(|solution| solution.source).collect();
        let mut done = map.clone();
        let mut kept = Vec::with_capacity(assertions.len());
        for (source, &assertion) in assertions.iter().enumerate() {
            if sources.contains(&source) {
                continue;
            }
            match substitute_with(&mut self.pool, assertion, &map, &mut done) {
                Some(result) => kept.push(result),
                // The pool is full, so the constants stay.
                None => return false,
            }
        }
        *self.counts.entry(name).or_default() += found.len() as u64;
        eliminated.extend(found.into_iter().map(|solution| (solution.function, solution.value)));
        *assertions = kept;
        true
    }

    /// Rewrites each assertion under the facts of the others.
    fn rewrite_in_context(&mut self, assertions: &mut [TermId], budget: &Budget) {
        // Each assertion is rewritten with its own cache, so shared terms count each time.
        let mut size = 0;
        for &assertion in assertions.iter() {
            size += dag_size(&self.pool, assertion);
            if budget.limits().exceeds(Limit::RewriteContextTerms, size) || budget.check().is_err()
            {
                return;
            }
        }
        let mut facts = Facts::default();
        for (source, &assertion) in assertions.iter().enumerate() {
            self.learn_all(&mut facts, source, assertion, budget);
        }
        let unchanged = self.unchanged(&facts, assertions, budget);
        for (source, assertion) in assertions.iter_mut().enumerate() {
            if budget.check().is_err() {
                return;
            }
            facts.excluded = Some(source);
            let mut rewriter = Rewriter::in_context(&mut self.pool, Some(&facts), budget);
            rewriter.keep_unchanged(&unchanged);
            let result = rewriter.rewrite(*assertion);
            let counts = rewriter.counts();
            self.count(counts);
            if result != *assertion {
                *assertion = result;
                *self.counts.entry("in-context").or_default() += 1;
                facts.remove(source);
                self.learn_all(&mut facts, source, result, budget);
            }
        }
    }

    /// Subterms of the assertions that are in normal form even under all facts together. With fewer
    /// facts they are, too, so they are skipped for each assertion.
    fn unchanged(
        &mut self,
        facts: &Facts,
        assertions: &[TermId],
        budget: &Budget,
    ) -> FxHashSet<TermId> {
        let roots: FxHashSet<TermId> = {
            let cx = Context::new(&mut self.pool, None, budget);
            let atom = |&term: &TermId| cx.args(term, Op::Not).map_or(term, |inner| inner[0]);
            assertions.iter().map(atom).chain(assertions.iter().copied()).collect()
        };
        let inside: Vec<TermId> = PostOrder::new(&self.pool, assertions.iter().copied())
            .filter(|term| !roots.contains(term))
            .collect();
        let mut rewriter = Rewriter::in_context(&mut self.pool, Some(facts), budget);
        inside.into_iter().filter(|&term| rewriter.rewrite(term) == term).collect()
    }

    fn learn_all(&mut self, facts: &mut Facts, source: usize, assertion: TermId, budget: &Budget) {
        let mut cx = Context::new(&mut self.pool, None, budget);
        let mut stack = vec![assertion];
        while let Some(term) = stack.pop() {
            match cx.args(term, Op::And) {
                Some(parts) => stack.extend_from_slice(parts),
                // The pool is full: the fact is not used.
                None => {
                    let _ = learn(&mut cx, facts, source, term);
                }
            }
        }
    }
}
