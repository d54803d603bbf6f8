//! Repeated factors as variables: the form of a problem before its equations were solved.
//!
//! Rewriting solves `u = p·"12"·q` for `u`, so `u·v = v·u` becomes an equation of six parts, each
//! with a domain of its own, and a period of `u` is none of any part. Here a factor that occurs
//! twice in concatenations, such as `p·"12"·q`, becomes a variable `w` again, and its parts become
//! slices of it, which is what words consist of anyway:
//!
//! ```text
//! p = substr(w, 0, n)    q = substr(w, n + 2, |w| − n − 2)    substr(w, n, 2) = "12"    0 ≤ n ≤ |w| − 2
//! ```
//!
//! Equisatisfiable: given the parts, `w` is their concatenation; given `w` and `n`, the parts are
//! these slices, and their concatenation is `w`. Parts that are other terms, or occur again, are equal
//! to the slice in their place. Source: ours. Limits: `flat.factors`, `flat.factor_parts`; beyond
//! them the problem stays as it is.

use luthier_semantics::{Evaluator, Model};
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool, substitute_with};
use rustc_hash::FxHashMap;

use crate::rewrite::fresh_constant;
use crate::{Budget, Limit, Problem};

/// The longest factor.
const LONGEST: usize = 12;

/// A problem in which repeated factors are variables.
pub struct Factored {
    /// The problem over these variables.
    pub problem: Problem,
    /// Constants of the given problem that no longer occur, as slices of those that do.
    slices: Vec<(FunctionId, TermId)>,
}

impl Factored {
    /// The problem with factors as variables; `None` if no factor is repeated, or beyond a limit.
    pub fn new(problem: &Problem, budget: &Budget) -> Option<Self> {
        let mut pool = (*problem.pool).clone();
        let mut assertions = problem.assertions.clone();
        let mut factors: Vec<(TermId, Vec<TermId>)> = Vec::new();
        while factors.len() < budget.limit(Limit::FlatFactors) {
            budget.check().ok()?;
            let Some(parts) = best_factor(&pool, &assertions, budget) else { break };
            let variable = fresh_constant(&mut pool, b"factor", Sort::String)?;
            assertions = with_variable(&mut pool, &assertions, &parts, variable)?;
            factors.push((variable, parts));
        }
        if factors.is_empty() {
            return None;
        }
        let mut slicing = Slicing {
            pool,
            map: FxHashMap::default(),
            lengths: FxHashMap::default(),
            facts: Vec::new(),
            slices: Vec::new(),
        };
        // A factor may have earlier ones as parts.
        for (variable, parts) in factors.iter().rev() {
            slicing.define(*variable, parts)?;
        }
        let Slicing { mut pool, map, facts, slices, .. } = slicing;
        let mut done = map.clone();
        let mut result = Vec::with_capacity(facts.len() + assertions.len());
        // Parts that are other terms may have variables that are slices now.
        for &assertion in facts.iter().chain(&assertions) {
            result.push(substitute_with(&mut pool, assertion, &map, &mut done)?);
        }
        Some(Self { problem: Problem { pool: pool.into(), assertions: result }, slices })
    }

    /// A model of the given problem from one of this one; `None` if a slice cannot be evaluated.
    pub fn complete(&self, given: &Problem, mut model: Model, budget: &Budget) -> Option<Model> {
        let limits = budget.evaluation_limits();
        let mut values = Vec::with_capacity(self.slices.len());
        let mut evaluator = Evaluator::with_limits(&self.problem.pool, &model, limits);
        for &(function, slice) in &self.slices {
            values.push((function, evaluator.evaluate(slice).known()?.clone()));
        }
        for (function, value) in values {
            model.insert_value(function, value);
        }
        // Without the constants that only this problem has.
        let mut result = Model::new();
        for function in given.declared() {
            result.insert(function, model.get(function)?.clone());
        }
        Some(result)
    }
}

/// The factor of concatenations whose repetition costs most parts; `None` if there is none.
fn best_factor(pool: &TermPool, assertions: &[TermId], budget: &Budget) -> Option<Vec<TermId>> {
    let mut counts: FxHashMap<&[TermId], usize> = FxHashMap::default();
    let mut factors: Vec<&[TermId]> = Vec::new();
    let mut seen = 0;
    for term in PostOrder::new(pool, assertions.iter().copied()) {
        let Term::Op(Op::StrConcat, parts) = pool.term(term) else { continue };
        seen += parts.len();
        if budget.limits().exceeds(Limit::FlatFactorParts, seen) {
            return None;
        }
        for length in 2..=parts.len().min(LONGEST) {
            for factor in parts.windows(length) {
                let count = counts.entry(factor).or_insert(0);
                *count += 1;
                // Each factor once, in the order of first occurrence.
                if *count == 1 {
                    factors.push(factor);
                }
            }
        }
    }
    let is_variable = |&part: &TermId| matches!(pool.term(part), Term::Apply(_, []));
    let is_useful = |factor: &&&[TermId]| {
        counts[**factor] > 1
            && factor.iter().any(is_variable)
            && factor.iter().any(|part| *part != factor[0])
    };
    let saved = |factor: &&&[TermId]| (counts[**factor] - 1) * (factor.len() - 1);
    // The first of the best ones.
    let best = factors.iter().filter(is_useful).rev().max_by_key(saved)?;
    Some(best.to_vec())
}

/// The assertions with a variable in place of a factor, wherever it occurs; `None` if the pool is
/// full.
fn with_variable(
    pool: &mut TermPool,
    assertions: &[TermId],
    factor: &[TermId],
    variable: TermId,
) -> Option<Vec<TermId>> {
    let concatenations: Vec<TermId> = PostOrder::new(pool, assertions.iter().copied())
        .filter(|&term| matches!(pool.term(term), Term::Op(Op::StrConcat, _)))
        .collect();
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in concatenations {
        let parts = pool.children(term).to_vec();
        let mut kept = Vec::with_capacity(parts.len());
        let mut at = 0;
        while at < parts.len() {
            if parts[at..].starts_with(factor) {
                kept.push(variable);
                at += factor.len();
            } else {
                kept.push(parts[at]);
                at += 1;
            }
        }
        if kept.len() < parts.len() {
            let word =
                if let [only] = kept[..] { only } else { pool.op(Op::StrConcat, &kept).ok()? };
            map.insert(term, word);
        }
    }
    let mut done = map.clone();
    assertions.iter().map(|&one| substitute_with(pool, one, &map, &mut done)).collect()
}

struct Slicing {
    pool: TermPool,
    /// Variables, and their lengths, with what replaces them.
    map: FxHashMap<TermId, TermId>,
    /// The length of each variable that is a slice.
    lengths: FxHashMap<TermId, TermId>,
    facts: Vec<TermId>,
    slices: Vec<(FunctionId, TermId)>,
}

impl Slicing {
    fn op(&mut self, op: Op, children: &[TermId]) -> Option<TermId> {
        self.pool.op(op, children).ok()
    }

    /// The length of a part: a number that depends on no variable which becomes a slice.
    fn length(&mut self, part: TermId) -> Option<TermId> {
        if let Some(&length) = self.lengths.get(&part) {
            return Some(length);
        }
        if let Some(text) = self.pool.as_string(part) {
            let length = text.len();
            return self.pool.integer(length).ok();
        }
        let (length, of_part) = (self.number()?, self.op(Op::StrLen, &[part])?);
        let same = self.op(Op::Eq, &[length, of_part])?;
        self.facts.push(same);
        self.lengths.insert(part, length);
        Some(length)
    }

    fn number(&mut self) -> Option<TermId> {
        fresh_constant(&mut self.pool, b"length", Sort::Int)
    }

    /// Makes the parts of a variable slices of it. `None` if the pool is full.
    fn define(&mut self, variable: TermId, parts: &[TermId]) -> Option<()> {
        let base = self.map.get(&variable).copied().unwrap_or(variable);
        let whole = match self.lengths.get(&variable) {
            Some(&length) => length,
            None => self.op(Op::StrLen, &[variable])?,
        };
        let zero = self.pool.integer(0).ok()?;
        let mut offset = zero;
        for (position, &part) in parts.iter().enumerate() {
            let is_last = position + 1 == parts.len();
            let function = match self.pool.term(part) {
                Term::Apply(function, []) if !self.map.contains_key(&part) => Some(function),
                _ => None,
            };
            let length = match function {
                Some(_) if is_last => self.op(Op::Sub, &[whole, offset])?,
                Some(_) => self.number()?,
                None => self.length(part)?,
            };
            let slice = self.op(Op::StrSubstr, &[base, offset, length])?;
            match function {
                Some(function) => {
                    let natural = self.op(Op::Ge, &[length, zero])?;
                    self.facts.push(natural);
                    let of_part = self.op(Op::StrLen, &[part])?;
                    self.map.insert(part, slice);
                    self.map.insert(of_part, length);
                    self.lengths.insert(part, length);
                    self.slices.push((function, slice));
                }
                None => {
                    let known = self.map.get(&part).copied().unwrap_or(part);
                    let same = self.op(Op::Eq, &[slice, known])?;
                    self.facts.push(same);
                }
            }
            if !(is_last && function.is_some()) {
                offset = self.op(Op::Add, &[offset, length])?;
            }
            if is_last && function.is_none() {
                let end = self.op(Op::Eq, &[whole, offset])?;
                self.facts.push(end);
            }
        }
        Some(())
    }
}
