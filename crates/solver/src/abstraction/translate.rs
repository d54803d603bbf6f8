//! The abstraction of formulas to arithmetic with uninterpreted functions.
//!
//! Booleans and integers keep their meaning. Strings, regular expressions and arrays become
//! elements of uninterpreted sorts, and their operators uninterpreted functions; a quantified
//! formula becomes an uninterpreted Boolean. So every model of the formula is one of the
//! translation (an over-approximation). Literals are pairwise distinct: a numbering function
//! has a different value for each.

use luthier_terms::{FunctionId, Op, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::arithmetic::{Arena, FnId, Id, Sort as Plain};
use crate::operators::linear;
use crate::{Budget, Limit, UnknownReason};

/// Translates terms of one pool, each once.
pub(super) struct Translator {
    pub(super) arena: Arena,
    /// Products of more bits are uninterpreted.
    product_bits: usize,
    known: FxHashMap<TermId, Id>,
    sorts: FxHashMap<Sort, Plain>,
    operators: FxHashMap<(Op, Vec<Plain>, Plain), FnId>,
    functions: FxHashMap<FunctionId, FnId>,
    /// The numbering function, which makes literals pairwise distinct.
    numbering: Option<FnId>,
    literals: Vec<(TermId, Id)>,
    /// Facts about literals that are yet to be asserted.
    pending: Vec<Id>,
}

impl Translator {
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            product_bits: budget.limit(Limit::SharedProductBits),
            arena: Arena::new(),
            known: FxHashMap::default(),
            sorts: FxHashMap::default(),
            operators: FxHashMap::default(),
            functions: FxHashMap::default(),
            numbering: None,
            literals: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// The translation of a term, if there is one.
    pub(super) fn get(&self, term: TermId) -> Option<Id> {
        self.known.get(&term).copied()
    }

    /// The string literals so far.
    pub(super) fn literals(&self) -> &[(TermId, Id)] {
        &self.literals
    }

    /// Facts that must be asserted besides the translated formulas; each is returned once.
    pub(super) fn take_pending(&mut self) -> Vec<Id> {
        std::mem::take(&mut self.pending)
    }

    /// The translation of a term.
    pub(super) fn translate(
        &mut self,
        pool: &TermPool,
        root: TermId,
        budget: &Budget,
    ) -> Result<Id, UnknownReason> {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let inner = match pool.term(term) {
                Term::Op(_, children) | Term::Apply(_, children) => children,
                Term::Named(..) => pool.children(term),
                _ => &[],
            };
            if !expanded {
                stack.push((term, true));
                stack.extend(inner.iter().rev().map(|&child| (child, false)));
                continue;
            }
            if self.known.len().is_multiple_of(64) {
                budget.check()?;
            }
            let children: Vec<Id> = inner.iter().map(|child| self.known[child]).collect();
            let id = self.one(pool, term, &children);
            self.known.insert(term, id);
        }
        Ok(self.known[&root])
    }

    fn one(&mut self, pool: &TermPool, term: TermId, children: &[Id]) -> Id {
        match pool.term(term) {
            Term::Integer(number) => self.arena.int(number.clone()),
            Term::String(_) => self.literal(term),
            Term::Named(..) => children[0],
            Term::Apply(function, _) => {
                let result = self.sort(pool.sort(term));
                let parameters: Vec<Plain> =
                    children.iter().map(|&child| self.arena.sort_of(child)).collect();
                let arena = &mut self.arena;
                let function = *self.functions.entry(function).or_insert_with(|| {
                    arena.function(&pool.function_name(function), &parameters, result)
                });
                self.arena.apply(function, children)
            }
            Term::Quantifier(_) | Term::Variable(_) => {
                let sort = self.sort(pool.sort(term));
                let function = self.arena.function("open", &[], sort);
                self.arena.apply(function, &[])
            }
            Term::Op(op, _) => {
                let exact = linear(&mut self.arena, op, children, self.product_bits);
                exact.unwrap_or_else(|| {
                    let result = self.sort(pool.sort(term));
                    self.uninterpreted(op, children, result)
                })
            }
        }
    }

    fn uninterpreted(&mut self, op: Op, parts: &[Id], result: Plain) -> Id {
        match op {
            // `str.at` is a substring of length one.
            Op::StrAt => {
                let one = self.arena.int(1);
                let parts: Vec<Id> = parts.iter().copied().chain([one]).collect();
                return self.function(Op::StrSubstr, &parts, result);
            }
            Op::StrLt | Op::StrLe if parts.len() > 2 => {
                let pairs: Vec<Id> =
                    parts.windows(2).map(|pair| self.function(op, pair, result)).collect();
                return self.arena.and(&pairs);
            }
            _ => {}
        }
        self.function(op, parts, result)
    }

    fn function(&mut self, op: Op, parts: &[Id], result: Plain) -> Id {
        let sorts: Vec<Plain> = parts.iter().map(|&part| self.arena.sort_of(part)).collect();
        let arena = &mut self.arena;
        let function = *self
            .operators
            .entry((op, sorts.clone(), result))
            .or_insert_with(|| arena.function(op.name(), &sorts, result));
        self.arena.apply(function, parts)
    }

    fn literal(&mut self, term: TermId) -> Id {
        let word = self.sort(Sort::String);
        let function = self.arena.function("word", &[], word);
        let id = self.arena.apply(function, &[]);
        let arena = &mut self.arena;
        let numbering =
            *self.numbering.get_or_insert_with(|| arena.function("number", &[word], Plain::Int));
        let (number, position) =
            (self.arena.apply(numbering, &[id]), self.arena.int(self.literals.len()));
        self.pending.push(self.arena.eq(number, position));
        self.literals.push((term, id));
        id
    }

    fn sort(&mut self, sort: Sort) -> Plain {
        match sort {
            Sort::Bool => Plain::Bool,
            Sort::Int => Plain::Int,
            _ => {
                let arena = &mut self.arena;
                *self
                    .sorts
                    .entry(sort)
                    .or_insert_with(|| Plain::Uninterpreted(arena.sort(&sort.to_string())))
            }
        }
    }
}
