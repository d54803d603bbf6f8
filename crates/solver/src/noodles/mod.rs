//! Word equations and memberships of words in regular languages, with lengths: alignment, splits
//! along automata (noodlification), and arithmetic at the leaves.
//!
//! String functions are reduced to equations, memberships and arithmetic (`reduce`). The arithmetic
//! solver chooses truth values; the string literals that justify them are a *cube* (`cube`). The
//! equations of a cube are aligned (`alignment`), the memberships of words are split into languages
//! of variables (`splits`). At a leaf the variables are independent: each has a regular language,
//! whose lengths are an ultimately periodic set. Arithmetic over these sets decides the leaf, and
//! words of the chosen lengths are a candidate model. A cube without a leaf is excluded by a clause.
//!
//! Example: `x·"z"·y ∈ (z|ba)*`, `x, y ∈ [a-u]*`, `|x| > |y|`. The automaton has the states 0 and 1
//! (after `b`). `x` leads from 0 to 0 or to 1; there is no `z` in state 1, so `x ∈ (ba)*` and
//! `y ∈ (ba)*`; both lengths are even, and arithmetic chooses 2 and 0.
//!
//! Sound: every step covers all solutions, or omits a constraint; `unsat` needs that every case was
//! refuted. Complete for memberships of concatenations with length constraints, and for word
//! equations whose alignment ends, which it does for straight-line systems. Source: Chen,
//! Chocholatý, Havlena, Holík, Lengál, Síč: Solving String Constraints with Lengths by Stabilization
//! (OOPSLA 2023); ours: deterministic automata, so that cases are disjoint, and alignments before
//! languages. Limits: those named `noodles.*`; beyond them `unknown`.

mod alignment;
mod cube;
mod leaves;
mod reduce;
mod splits;

use luthier_semantics::Model;
use luthier_terms::{Op, PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id};
use crate::length_abstraction::LengthAbstraction;
use crate::problem::has_plain_constants;
use crate::{Budget, Engine, Limit, Problem, Proof, UnknownReason, Verdict};
use cube::{is_string_atom, justification};
use leaves::Leaves;

/// The engine.
#[derive(Clone, Debug)]
pub struct Noodles {
    /// The arithmetic solver.
    pub backend: Backend,
}

/// String literals: atoms with their truth values.
type Literals = Vec<(TermId, bool)>;

impl Engine for Noodles {
    fn name(&self) -> &'static str {
        "noodles"
    }

    fn accepts(&self, problem: &Problem) -> Result<(), UnknownReason> {
        has_plain_constants(problem)?;
        let pool = &problem.pool;
        let (mut has_equation, mut has_number) = (false, false);
        for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
            let Term::Op(op, children) = pool.term(term) else { continue };
            let is_word = |&child: &TermId| matches!(pool.term(child), Term::Op(Op::StrConcat, _));
            let is_literal = |&child: &TermId| pool.as_string(child).is_some();
            match op {
                Op::StrInRe | Op::StrReplaceAll | Op::StrReplaceRe | Op::StrReplaceReAll => {
                    return Ok(());
                }
                Op::Eq if children.iter().any(is_word) => {
                    // `x·y·x = "abab"` has finitely many alignments.
                    if children.iter().any(is_literal) {
                        return Ok(());
                    }
                    has_equation = true;
                }
                // Digits are a regular language.
                Op::StrToInt => has_number = true,
                _ => {}
            }
        }
        match has_equation && has_number {
            true => Ok(()),
            false => Err(UnknownReason::Unsupported("no regular languages".to_owned())),
        }
    }

    fn decide(&self, problem: &Problem, budget: &Budget) -> Verdict {
        match self.solve(problem, budget) {
            Ok(Some(model)) => Verdict::Sat(model),
            Ok(None) => {
                let argument = "in every alignment of its words and for every choice of states a \
                                language is empty or lengths are contradictory"
                    .to_owned();
                Verdict::Unsat(Proof { engine: self.name(), argument })
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Whether all assertions are memberships of concatenations, negated or not, or about lengths: a
/// fragment that the engine decides.
pub(crate) fn has_only_memberships(problem: &Problem, _: &Budget) -> bool {
    let pool = &problem.pool;
    let mut has_membership = false;
    let are = PostOrder::new(pool, problem.assertions.iter().copied()).all(|term| {
        let Term::Op(op, children) = pool.term(term) else { return true };
        has_membership |= op == Op::StrInRe;
        matches!(op, Op::StrInRe | Op::StrConcat | Op::StrLen | Op::StrToRe | Op::ReRange)
            || children.iter().all(|&child| pool.sort(child) != Sort::String)
    });
    are && has_membership
}

impl Noodles {
    /// A model, or `None` if there is none.
    fn solve(&self, problem: &Problem, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let Some(reduced) = reduce::reduce(problem, budget)? else {
            return Err(UnknownReason::Incomplete("the reduced problem is too large".to_owned()));
        };
        let mut numbers = FxHashMap::default();
        let (pool, assertions) = (&reduced.problem.pool, &reduced.problem.assertions);
        // Texts of replacements need not occur elsewhere.
        let texts = reduced.replacements.iter().map(|one| one.text);
        for term in PostOrder::new(pool, assertions.iter().copied().chain(texts)) {
            let is_constant = matches!(pool.term(term), Term::Apply(_, []));
            if is_constant && pool.sort(term) == Sort::String {
                numbers.insert(term, numbers.len() as u32);
            }
        }
        let mut leaves = Leaves::new(problem, &reduced, &numbers, budget);
        // String literals only: there is one cube, and lengths are not constrained.
        let literal = |&assertion: &TermId| match pool.term(assertion) {
            Term::Op(Op::Not, &[inner]) => is_string_atom(pool, inner).then_some((inner, false)),
            _ => is_string_atom(pool, assertion).then_some((assertion, true)),
        };
        let literals: Option<Literals> = assertions.iter().map(literal).collect();
        if let Some(literals) = literals {
            return match leaves.decide(&literals, budget)? {
                None if leaves.is_incomplete => Err(incomplete()),
                result => Ok(result),
            };
        }
        self.solve_cubes(&reduced.problem, &mut leaves, budget)
    }

    /// A model of one of the cubes that the arithmetic solver chooses.
    fn solve_cubes(
        &self,
        reduced: &Problem,
        leaves: &mut Leaves<'_>,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        let mut started = self.backend.start()?;
        for &formula in &leaves.abstraction.formulas {
            started.assert(&leaves.abstraction.arena, formula)?;
        }
        leaves.solver = Some(started);
        for _ in 0..budget.limit(Limit::NoodlesCubes) {
            budget.check()?;
            let Some(solver) = &mut leaves.solver else { break };
            match solver.check(&leaves.abstraction.arena, &[], budget)? {
                Answer::Sat => {}
                Answer::Unsat(_) if leaves.is_incomplete => return Err(incomplete()),
                Answer::Unsat(_) => return Ok(None),
                Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
            }
            let literals = literals(reduced, &leaves.abstraction, &mut **solver)?;
            if let Some(model) = leaves.decide(&literals, budget)? {
                return Ok(Some(model));
            }
            let core = leaves.core(literals, budget)?;
            let clause = clause(&mut leaves.abstraction, &core);
            if let Some(solver) = &mut leaves.solver {
                solver.assert(&leaves.abstraction.arena, clause)?;
            }
        }
        budget.limits().hit(Limit::NoodlesCubes);
        Err(incomplete())
    }
}

fn incomplete() -> UnknownReason {
    UnknownReason::Incomplete("some cases were neither refuted nor gave a model".to_owned())
}

/// The string literals that justify the assertions under the present candidate.
fn literals(
    reduced: &Problem,
    abstraction: &LengthAbstraction,
    solver: &mut dyn ArithmeticSolver,
) -> Result<Literals, UnknownReason> {
    let pool = &reduced.pool;
    let formulas: Vec<(TermId, Id)> = PostOrder::new(pool, reduced.assertions.iter().copied())
        .filter(|&term| pool.sort(term) == Sort::Bool)
        .filter_map(|term| Some((term, abstraction.of(term)?)))
        .collect();
    let queried: Vec<Id> = formulas.iter().map(|&(_, id)| id).collect();
    let values = solver.values(&abstraction.arena, &queried)?;
    let values: FxHashMap<TermId, bool> =
        formulas.iter().zip(&values).map(|(&(term, _), value)| (term, value.is_true())).collect();
    justification(pool, &reduced.assertions, |term| values.get(&term).copied())
        .ok_or_else(|| UnknownReason::Incomplete("a formula without a truth value".to_owned()))
}

/// That not all of these literals hold.
fn clause(abstraction: &mut LengthAbstraction, literals: &Literals) -> Id {
    let mut parts = Vec::with_capacity(literals.len());
    for &(atom, holds) in literals {
        if let Some(id) = abstraction.of(atom) {
            parts.push(if holds { abstraction.arena.not(id) } else { id });
        }
    }
    abstraction.arena.or(&parts)
}
