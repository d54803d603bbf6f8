//! Lemmas from a model that is no model of strings.
//!
//! A model of the abstraction may say that `x` is `"ab"` and yet give `contains(x, "b")` the value
//! false. For every term whose arguments are constants in the model, the operator is evaluated,
//! and if the model has another value, the lemma `arguments = constants implies term = value`
//! excludes it and everything like it.

use luthier_terms::{BigInt, Op, Sort, Term, TermId, TermPool, Theory};
use rustc_hash::{FxHashMap, FxHashSet};

use super::constants;
use super::terms::{Made, Terms};
use super::translate::Translator;
use super::universe::Universe;
use crate::arithmetic::{ArithmeticSolver, Id, Value};
use crate::rewrite::Rewriter;
use crate::{Budget, Limit, UnknownReason};

/// Facts `term = what it is rewritten to` about the terms of a problem.
pub(super) fn rewritten(
    pool: &mut TermPool,
    universe: &Universe,
    budget: &Budget,
) -> Made<Vec<TermId>> {
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
    let mut terms = Terms { pool, budget };
    let changed = pairs.into_iter().filter(|(term, result)| term != result);
    changed.map(|(term, result)| terms.eq(term, result)).collect()
}

/// Whether a term has an operator of strings and a value that is no language.
fn is_about_strings(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.term(term), Term::Op(op, _) if op.info().theory == Theory::Strings)
        && pool.sort(term) != Sort::RegLan
}

/// What a model says about the terms of a universe.
pub(super) struct Reading {
    values: FxHashMap<TermId, Value>,
    /// The literal of each class of strings that has one.
    literals: FxHashMap<u32, TermId>,
}

impl Reading {
    /// What somebody else says the values are.
    #[cfg(test)]
    pub(super) fn from_values(
        values: FxHashMap<TermId, Value>,
        literals: FxHashMap<u32, TermId>,
    ) -> Self {
        Self { values, literals }
    }

    /// Asks the solver, which has a model, for all values.
    pub(super) fn take(
        pool: &TermPool,
        universe: &Universe,
        translator: &Translator,
        solver: &mut dyn ArithmeticSolver,
        budget: &Budget,
    ) -> Result<Self, UnknownReason> {
        let mut wanted: Vec<TermId> = Vec::new();
        for &(term, _) in universe.since(0) {
            if is_about_strings(pool, term) {
                wanted.push(term);
                wanted.extend(pool.children(term));
            }
        }
        let plain = |sort: Sort| matches!(sort, Sort::String | Sort::Int | Sort::Bool);
        wanted.retain(|&term| plain(pool.sort(term)) && pool.as_integer(term).is_none());
        wanted.sort_unstable();
        wanted.dedup();
        wanted.truncate(budget.limit(Limit::AbstractionValues));
        wanted.extend(translator.literals().iter().map(|(literal, _)| literal));
        let (terms, ids): (Vec<TermId>, Vec<Id>) =
            wanted.into_iter().filter_map(|term| Some((term, translator.get(term)?))).unzip();
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

    /// The constant that a term is in the model, as a term.
    fn constant(&self, terms: &mut Terms<'_>, term: TermId) -> Made<Option<TermId>> {
        if let Some(number) = terms.pool.as_integer(term) {
            // Numerals below zero can be written in two ways.
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

    fn length(&self, terms: &mut Terms<'_>, text: TermId) -> Made<Option<BigInt>> {
        let length = terms.len(text)?;
        Ok(self.values.get(&length).and_then(Value::as_int).cloned())
    }

    /// Lemmas that the model violates; some of them when the budget is used up.
    pub(super) fn evaluations(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        budget: &Budget,
    ) -> Made<Vec<TermId>> {
        let mut lemmas = Vec::new();
        let mut terms = Terms { pool, budget };
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

    /// Lemmas `arguments = what they are in the model implies term = what it is rewritten to then`,
    /// with literals and concatenations in place of strings. Those that the model satisfies are
    /// left out.
    pub(super) fn rewritten(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        budget: &Budget,
    ) -> Made<Vec<TermId>> {
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
        // Fewer lemmas are better than late ones.
        let results: Vec<TermId> = candidates
            .iter()
            .take_while(|_| budget.check().is_ok())
            .map(|(_, changed, ..)| rewriter.rewrite(*changed))
            .collect();
        drop(rewriter);
        let mut lemmas = Vec::new();
        let mut terms = Terms { pool, budget };
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

    /// Short strings are the concatenation of their letters: for every string of which a letter is
    /// asked for, if it was not said before.
    pub(super) fn spellings(
        &self,
        pool: &mut TermPool,
        universe: &Universe,
        said: &mut FxHashSet<(TermId, usize)>,
        budget: &Budget,
    ) -> Made<Vec<TermId>> {
        let mut lemmas = Vec::new();
        let mut terms = Terms { pool, budget };
        for piece in universe.with_op(Op::StrSubstr, 1).collect::<Vec<_>>() {
            let &[text, ..] = terms.pool.children(piece) else { continue };
            if terms.pool.as_string(text).is_some() {
                continue;
            }
            let Some(length) = self.length(&mut terms, text)? else { continue };
            let Ok(length) = usize::try_from(length) else { continue };
            if length > terms.limit(Limit::AbstractionSpelled) || !said.insert((text, length)) {
                continue;
            }
            lemmas.push(spelling(&mut terms, text, length)?);
            if lemmas.len() >= terms.limit(Limit::AbstractionLemmas) {
                break;
            }
        }
        Ok(lemmas)
    }
}

/// `arguments = constants implies term = value`
fn lemma(
    terms: &mut Terms<'_>,
    arguments: &[TermId],
    constants: &[TermId],
    term: TermId,
    value: TermId,
) -> Made {
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
pub(super) fn spelling(terms: &mut Terms<'_>, text: TermId, length: usize) -> Made {
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
