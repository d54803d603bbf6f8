//! Lemmas from candidate models of the abstraction.
//!
//! A candidate may assign `x = "ab"` and yet `contains(x, "b") = false`. Three kinds of lemmas
//! exclude such values. Evaluation: for a term whose arguments are constants in the candidate,
//! `arguments = constants → term = value`. Rewriting in context: the same with literals and
//! concatenations for strings, and the rewritten term as the value. Letter decomposition: `|x| = n
//! → x = at(x, 0)·…·at(x, n−1)` for short strings of which a substring occurs. All of them hold for
//! all strings.

use luthier_terms::{BigInt, Op, Sort, Term, TermId, TermPool, Theory};
use rustc_hash::{FxHashMap, FxHashSet};

use super::constants;
use super::terms::{BuildResult, TermBuilder};
use super::translate::Translator;
use super::universe::Universe;
use crate::arithmetic::{ArithmeticSolver, Id, Value};
use crate::rewrite::Rewriter;
use crate::{Budget, Limit, UnknownReason};

/// Facts `term = rewritten term` about the terms of a problem.
pub(super) fn rewritten(
    pool: &mut TermPool,
    universe: &Universe,
    budget: &Budget,
) -> BuildResult<Vec<TermId>> {
    let terms: Vec<TermId> = universe
        .since(0)
        .iter()
        .map(|&(term, _)| term)
        .filter(|&t| is_about_strings(pool, t))
        .collect();
    let mut rewriter = Rewriter::new(pool, budget);
    let pairs: Vec<(TermId, TermId)> = terms
        .into_iter()
        .take_while(|_| budget.check().is_ok())
        .map(|term| (term, rewriter.rewrite(term)))
        .collect();
    drop(rewriter);
    let mut terms = TermBuilder { pool, budget };
    let changed = pairs.into_iter().filter(|(term, result)| term != result);
    changed.map(|(term, result)| terms.eq(term, result)).collect()
}

/// Whether a term has an operator of strings and is not a regular expression.
fn is_about_strings(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.term(term), Term::Op(op, _) if op.info().theory == Theory::Strings)
        && pool.sort(term) != Sort::RegLan
}

/// A model of the abstraction: the values of the terms of a universe.
pub(super) struct CandidateModel {
    values: FxHashMap<TermId, Value>,
    /// The literal of each element of the string sort that has one.
    literals: FxHashMap<u32, TermId>,
}

impl CandidateModel {
    /// A candidate with given values.
    #[cfg(test)]
    pub(super) fn from_values(
        values: FxHashMap<TermId, Value>,
        literals: FxHashMap<u32, TermId>,
    ) -> Self {
        Self { values, literals }
    }

    /// Queries all values from the solver, whose last check was `sat`.
    pub(super) fn from_solver(
        pool: &TermPool,
        universe: &Universe,
        translator: &Translator,
        solver: &mut dyn ArithmeticSolver,
        budget: &Budget,
    ) -> Result<Self, UnknownReason> {
        let mut queried: Vec<TermId> = Vec::new();
        for &(term, _) in universe.since(0) {
            if is_about_strings(pool, term) {
                queried.push(term);
                queried.extend(pool.children(term));
            }
        }
        let plain = |sort: Sort| matches!(sort, Sort::String | Sort::Int | Sort::Bool);
        queried.retain(|&term| plain(pool.sort(term)) && pool.as_integer(term).is_none());
        queried.sort_unstable();
        queried.dedup();
        queried.truncate(budget.limit(Limit::AbstractionValues));
        queried.extend(translator.literals().iter().map(|(literal, _)| literal));
        let (terms, ids): (Vec<TermId>, Vec<Id>) =
            queried.into_iter().filter_map(|term| Some((term, translator.get(term)?))).unzip();
        let values = solver.values(&translator.arena, &ids)?;
        let values: FxHashMap<TermId, Value> = terms.into_iter().zip(values).collect();
        let mut literals = FxHashMap::default();
        for (term, _) in translator.literals() {
            if let Some(Value::Uninterpreted(class)) = values.get(term) {
                literals.insert(*class, *term);
            }
        }
        Ok(Self { values, literals })
    }

    /// The value of a term in the candidate, as a constant term.
    fn constant(&self, terms: &mut TermBuilder<'_>, term: TermId) -> BuildResult<Option<TermId>> {
        if let Some(number) = terms.pool.as_integer(term) {
            // Negative numerals have two representations.
            return terms.int(number).map(Some);
        }
        Ok(match (terms.pool.sort(term), self.values.get(&term)) {
            (Sort::RegLan, _) => Some(term),
            (_, Some(Value::Int(number))) => Some(terms.int(number.clone())?),
            (_, Some(Value::Bool(value))) => Some(terms.pool.bool(*value)?),
            (_, Some(Value::Uninterpreted(class))) => self.literals.get(class).copied(),
            (_, None) => None,
        })
    }

    fn length(&self, terms: &mut TermBuilder<'_>, text: TermId) -> BuildResult<Option<BigInt>> {
        let length = terms.len(text)?;
        Ok(self.values.get(&length).and_then(Value::as_int).cloned())
    }

    /// Evaluation lemmas that the candidate violates; not all of them when the budget is used up.
    pub(super) fn evaluations(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        budget: &Budget,
    ) -> BuildResult<Vec<TermId>> {
        let mut lemmas = Vec::new();
        let mut terms = TermBuilder { pool, budget };
        for &(term, _) in universe.since(0) {
            if budget.check().is_err() {
                break;
            }
            let Term::Op(op, arguments) = terms.pool.term(term) else { continue };
            if !is_about_strings(terms.pool, term) {
                continue;
            }
            let arguments = arguments.to_vec();
            let mut constants = Vec::with_capacity(arguments.len());
            for &argument in &arguments {
                match self.constant(&mut terms, argument)? {
                    Some(constant) => constants.push(constant),
                    None => break,
                }
            }
            if constants.len() < arguments.len() {
                continue;
            }
            let Some(value) = constants::evaluate(terms.pool, op, &constants, terms.budget)? else {
                continue;
            };
            if self.constant(&mut terms, term)? == Some(value) {
                continue;
            }
            lemmas.push(lemma(&mut terms, &arguments, &constants, term, value)?);
            if lemmas.len() >= terms.limit(Limit::AbstractionLemmas) {
                break;
            }
        }
        Ok(lemmas)
    }

    /// Lemmas `arguments = values → term = rewritten term`, with literals and concatenations as the
    /// values of strings. Those that the candidate satisfies are omitted.
    pub(super) fn rewritten(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        budget: &Budget,
    ) -> BuildResult<Vec<TermId>> {
        let mut forms = self.literals.clone();
        for concat in universe.with_op(Op::StrConcat, 1) {
            if let Some(Value::Uninterpreted(class)) = self.values.get(&concat) {
                forms.entry(*class).or_insert(concat);
            }
        }
        let mut candidates = Vec::new();
        for &(term, level) in universe.since(0) {
            let Term::Op(op, arguments) = pool.term(term) else { continue };
            if level > 1 || op == Op::StrConcat || !is_about_strings(pool, term) {
                continue;
            }
            let arguments = arguments.to_vec();
            let form = |argument: &TermId| match self.values.get(argument) {
                Some(Value::Uninterpreted(class)) => forms.get(class).copied(),
                _ => None,
            };
            let changed: Vec<TermId> =
                arguments.iter().map(|argument| form(argument).unwrap_or(*argument)).collect();
            if changed != arguments && candidates.len() < budget.limit(Limit::AbstractionRewritten)
            {
                candidates.push((term, pool.op(op, &changed)?, arguments, changed));
            }
        }
        let mut rewriter = Rewriter::new(pool, budget);
        // When the budget is used up, the remaining lemmas are omitted.
        let results: Vec<TermId> = candidates
            .iter()
            .take_while(|_| budget.check().is_ok())
            .map(|(_, changed, ..)| rewriter.rewrite(*changed))
            .collect();
        drop(rewriter);
        let mut lemmas = Vec::new();
        let mut terms = TermBuilder { pool, budget };
        for ((term, plain, arguments, changed), result) in candidates.into_iter().zip(results) {
            let holds = match (self.values.get(&result), self.values.get(&term)) {
                (Some(one), Some(other)) => one == other,
                _ => self.constant(&mut terms, term)? == Some(result),
            };
            if result == plain || holds {
                continue;
            }
            lemmas.push(lemma(&mut terms, &arguments, &changed, term, result)?);
            if lemmas.len() >= terms.limit(Limit::AbstractionLemmas) {
                break;
            }
        }
        Ok(lemmas)
    }

    /// Lemmas that short strings are the concatenation of their letters, for every string of which
    /// a substring occurs and that has no such lemma yet.
    pub(super) fn letter_decompositions(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        asserted: &mut FxHashSet<(TermId, usize)>,
        budget: &Budget,
    ) -> BuildResult<Vec<TermId>> {
        let mut lemmas = Vec::new();
        let mut terms = TermBuilder { pool, budget };
        for node in universe.with_op(Op::StrSubstr, 1).collect::<Vec<_>>() {
            let &[text, ..] = terms.pool.children(node) else { continue };
            if terms.pool.as_string(text).is_some() {
                continue;
            }
            let Some(length) = self.length(&mut terms, text)? else { continue };
            let Ok(length) = usize::try_from(length) else { continue };
            if length > terms.limit(Limit::AbstractionSpelled) || !asserted.insert((text, length)) {
                continue;
            }
            lemmas.push(letter_decomposition(&mut terms, text, length)?);
            if lemmas.len() >= terms.limit(Limit::AbstractionLemmas) {
                break;
            }
        }
        Ok(lemmas)
    }
}

/// `arguments = constants implies term = value`
fn lemma(
    terms: &mut TermBuilder<'_>,
    arguments: &[TermId],
    constants: &[TermId],
    term: TermId,
    value: TermId,
) -> BuildResult {
    let mut premises = Vec::new();
    for (&argument, &constant) in arguments.iter().zip(constants) {
        if argument != constant {
            premises.push(terms.eq(argument, constant)?);
        }
    }
    let premise = terms.op(Op::And, &premises)?;
    let conclusion = terms.eq(term, value)?;
    terms.implies(premise, conclusion)
}

/// `|x| = n implies x = at(x, 0) ++ … ++ at(x, n - 1)`
pub(super) fn letter_decomposition(
    terms: &mut TermBuilder<'_>,
    text: TermId,
    length: usize,
) -> BuildResult {
    let mut letters = Vec::with_capacity(length);
    let one = terms.int(1)?;
    for position in 0..length {
        let position = terms.int(position)?;
        letters.push(terms.op(Op::StrSubstr, &[text, position, one])?);
    }
    let (size, number) = (terms.len(text)?, terms.int(length)?);
    let premise = terms.eq(size, number)?;
    let whole = terms.concat(&letters)?;
    let conclusion = terms.eq(text, whole)?;
    terms.implies(premise, conclusion)
}
