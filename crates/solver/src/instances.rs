//! Instances of quantified formulas: a problem without quantifiers that the given one implies.
//!
//! Each closed quantified formula becomes a Boolean constant q. For `∀x. F` the problem gets
//! `q → F(t)` for ground terms t of the right sorts, and `¬q → ¬F(c)` for fresh constants c; the dual
//! for `∃`. Quantifiers within instances are instantiated in further rounds.
//!
//! Sound for unsatisfiability: a model of the given problem becomes one of the result if q has the
//! value of the formula and c, if that is false, values of a counterexample. A model of the result
//! need not be one of the given problem; the referee decides.
//!
//! Ground terms: for integers, the ends of the ranges that the body demands, zero, and terms of the
//! problem; for strings, terms of the problem. Limits: [`Limit::SharedInstances`] of one formula, and
//! two rounds; what is left stays as a Boolean constant.

use std::sync::Arc;

use luthier_terms::{
    Op, PostOrder, Quantifier, Sort, Term, TermId, TermPool, substitute, substitute_with,
};
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rewrite::{Linear, fresh_constant};
use crate::{Budget, Limit, Problem};

/// How often quantifiers of instances are instantiated.
const ROUNDS: usize = 2;

/// The most terms for one variable.
const CANDIDATES: usize = 14;

/// The problem with instances; `None` if it has no quantifier, or if the pool is full.
pub(crate) fn instantiated(problem: &Problem, budget: &Budget) -> Option<Problem> {
    let is_quantifier = |pool: &TermPool, term| matches!(pool.term(term), Term::Quantifier(_));
    let mut terms = PostOrder::new(&problem.pool, problem.assertions.iter().copied());
    if !terms.any(|term| is_quantifier(&problem.pool, term)) {
        return None;
    }
    let mut pool = (*problem.pool).clone();
    let mut assertions = problem.assertions.clone();
    let mut names: FxHashMap<TermId, TermId> = FxHashMap::default();
    for round in 0..=ROUNDS {
        let found: Vec<TermId> = outermost(&pool, &assertions)
            .into_iter()
            .filter(|formula| !names.contains_key(formula))
            .collect();
        for &formula in &found {
            names.insert(formula, fresh_constant(&mut pool, b"quantified", Sort::Bool)?);
        }
        let mut done = names.clone();
        for assertion in &mut assertions {
            budget.check().ok()?;
            *assertion = substitute_with(&mut pool, *assertion, &names, &mut done)?;
        }
        if found.is_empty() || round == ROUNDS {
            break;
        }
        let ground = ground_terms(&pool, &assertions);
        for formula in found {
            add_instances(&mut pool, formula, names[&formula], &ground, &mut assertions, budget)?;
        }
    }
    Some(Problem { pool: Arc::new(pool), assertions })
}

/// The quantified formulas that are in no other one. They are closed.
fn outermost(pool: &TermPool, assertions: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.term(term) {
            Term::Quantifier(_) => found.push(term),
            _ => stack.extend(pool.children(term)),
        }
    }
    found
}

/// Terms without variables and quantifiers: constants first, then by size.
fn ground_terms(pool: &TermPool, assertions: &[TermId]) -> Vec<TermId> {
    let mut open: FxHashSet<TermId> = FxHashSet::default();
    let mut found = Vec::new();
    for term in PostOrder::new(pool, assertions.iter().copied()) {
        let is_open = matches!(pool.term(term), Term::Variable(_) | Term::Quantifier(_))
            || pool.children(term).iter().any(|child| open.contains(child));
        if is_open {
            open.insert(term);
        } else if matches!(pool.sort(term), Sort::Int | Sort::String) {
            found.push(term);
        }
    }
    found.sort_by_key(|&term| !matches!(pool.term(term), Term::Apply(_, [])));
    found
}

/// Adds what follows from a formula being true or false.
fn add_instances(
    pool: &mut TermPool,
    formula: TermId,
    name: TermId,
    ground: &[TermId],
    assertions: &mut Vec<TermId>,
    budget: &Budget,
) -> Option<()> {
    let Term::Quantifier(view) = pool.term(formula) else { return Some(()) };
    let (quantifier, variables, body) = (view.quantifier, view.variables.to_vec(), view.body);
    let not_name = pool.op(Op::Not, &[name]).ok()?;
    // `forall` implies each instance, and without it one is false; `exists` implies one for the
    // witnesses, and without it all are false.
    let is_forall = quantifier == Quantifier::Forall;
    let mut add = |pool: &mut TermPool, map: &FxHashMap<TermId, TermId>, is_witness: bool| {
        let instance = substitute(pool, body, map)?;
        let is_true = is_forall != is_witness;
        let (premise, fact) = match is_true {
            true => (not_name, instance),
            false => (name, pool.op(Op::Not, &[instance]).ok()?),
        };
        assertions.push(pool.op(Op::Or, &[premise, fact]).ok()?);
        Some(())
    };
    let mut witness = FxHashMap::default();
    let mut candidates: Vec<Vec<TermId>> = Vec::new();
    for &variable in &variables {
        let sort = pool.sort(variable);
        witness.insert(variable, fresh_constant(pool, b"witness", sort)?);
        candidates.push(candidates_for(pool, variable, body, &variables, ground)?);
    }
    add(pool, &witness, true)?;
    // All tuples in the order of the sum of their positions would be fairer; the last variable
    // changes fastest.
    let mut positions = vec![0; variables.len()];
    let mut count = 0;
    loop {
        budget.check().ok()?;
        let map = variables.iter().zip(&positions).zip(&candidates);
        let map: FxHashMap<TermId, TermId> =
            map.map(|((&variable, &position), terms)| (variable, terms[position])).collect();
        add(pool, &map, false)?;
        count += 1;
        if budget.limits().exceeds(Limit::SharedInstances, count + 1) {
            return Some(());
        }
        let Some(next) = (0..positions.len())
            .rev()
            .find(|&place| positions[place] + 1 < candidates[place].len())
        else {
            return Some(());
        };
        positions[next] += 1;
        positions[next + 1..].fill(0);
    }
}

/// Terms for a variable, the most promising first; there is at least one.
fn candidates_for(
    pool: &mut TermPool,
    variable: TermId,
    body: TermId,
    variables: &[TermId],
    ground: &[TermId],
) -> Option<Vec<TermId>> {
    let sort = pool.sort(variable);
    let mut found = Vec::new();
    match sort {
        Sort::Bool => found.extend([pool.bool(false).ok()?, pool.bool(true).ok()?]),
        Sort::Int => {
            found.extend(ends(pool, variable, body, variables));
            found.push(pool.integer(0).ok()?);
        }
        Sort::String => found.push(pool.string(Default::default()).ok()?),
        _ => {
            found.push(fresh_constant(pool, b"any", sort)?);
            return Some(found);
        }
    }
    found.extend(ground.iter().copied().filter(|&term| pool.sort(term) == sort));
    let mut seen = FxHashSet::default();
    found.retain(|&term| seen.insert(term));
    found.truncate(CANDIDATES);
    Some(found)
}

/// The ends of the ranges that comparisons give a variable: for `x + f ≥ 0`, the values `-f` and
/// `-f - 1`.
fn ends(pool: &mut TermPool, variable: TermId, body: TermId, variables: &[TermId]) -> Vec<TermId> {
    let comparisons: Vec<[TermId; 2]> = PostOrder::new(pool, [body])
        .filter_map(|term| match pool.term(term) {
            Term::Op(Op::Ge | Op::Gt | Op::Le | Op::Lt | Op::Eq, &[left, right])
                if pool.sort(left) == Sort::Int =>
            {
                Some([left, right])
            }
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for [left, right] in comparisons {
        let mut form = Linear::of(pool, left, 64).minus(&Linear::of(pool, right, 64));
        let Some(factor) = form.terms.remove(&variable) else { continue };
        let is_open =
            |&term: &TermId| PostOrder::new(pool, [term]).any(|part| variables.contains(&part));
        if !factor.abs().is_one() || form.terms.keys().any(is_open) {
            continue;
        }
        let end = if factor.is_positive() { form.negated() } else { form };
        for value in [end.shifted(-1), end.clone(), end.shifted(1)] {
            found.extend(value.build(pool));
        }
    }
    found
}
