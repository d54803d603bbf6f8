//! Formulas over strings as formulas over integers.
//!
//! Boolean and integer structure is kept as it is, string terms become words. What an operator
//! says about letters is left open at first: its value is a fresh constant, an *open* term, about
//! which only cheap facts are known. [`super::define`] adds what an open term means when a
//! candidate model gets it wrong.

use std::sync::Arc;

use luthier_terms::{CodePoint, FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::upper_bounds;
use super::domain::{Base, Letters, Size};
use super::not_substring::NotSubstring;
use super::reading::Reader;
use super::word::{Slice, Word};
use crate::arithmetic::Id;
use crate::operators::polynomial;
use crate::{Budget, Limit, UnknownReason};

/// What a term of the formula is to the arithmetic solver.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A Boolean or an integer.
    Formula(Id),
    /// A string.
    Word(Word),
}

/// A term whose meaning is not all said yet.
#[derive(Clone, Debug)]
pub struct Open {
    /// Its operator.
    pub op: Op,
    /// Which parts of its meaning were said.
    pub said: FxHashSet<Part>,
}

/// A part of what an open term means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// What follows if it is true, or if the value is not that for failure.
    Positive,
    /// What follows if it is not.
    Negative,
    /// What follows for one number: a shift, or a bound.
    At(usize),
}

/// The terms of a problem in the language of the arithmetic solver.
pub struct Encoder {
    /// The owner of the terms, that of the problem until a term is made that it does not have.
    pub pool: Arc<TermPool>,
    /// The owner of formulas, words and letters.
    pub reader: Reader,
    /// The size of the domain of each variable, by the term it stands for; the least if absent.
    rungs: FxHashMap<TermId, usize>,
    /// How long terms can be at most, where that is known.
    bounds: FxHashMap<TermId, usize>,
    /// The string variables: constants, and terms that are not words of others.
    pub variables: Vec<(TermId, usize)>,
    /// What is assumed about the size of terms: for each variable that it is in its domain, for
    /// some others that they are not longer than what is looked at.
    pub assumptions: Vec<(TermId, Id)>,
    /// Bool and Int constants.
    pub scalars: Vec<(FunctionId, Id)>,
    /// How it is said that a needle does not occur.
    pub form: NotSubstring,
    /// Formulas that hold for all values and were asserted too.
    pub lemmas: Vec<TermId>,
    /// Terms that are left open, by term.
    pub open: FxHashMap<TermId, Open>,
    meanings: FxHashMap<TermId, Meaning>,
    literals: FxHashMap<TermId, usize>,
}

impl Encoder {
    /// An encoder for formulas of a pool, with domains on these rungs.
    pub fn new(
        pool: Arc<TermPool>,
        roots: &[TermId],
        rungs: FxHashMap<TermId, usize>,
        budget: &Budget,
    ) -> Self {
        let mut used: FxHashSet<CodePoint> = FxHashSet::default();
        for term in PostOrder::new(&pool, roots.iter().copied()) {
            if let Term::String(text) = pool.term(term) {
                used.extend(text.iter());
            }
        }
        // Digits mean something even if no literal has them.
        used.extend((0x30..=0x39).filter_map(CodePoint::new));
        let letters = Letters::avoiding(|letter| used.contains(&letter));
        let bounds = upper_bounds(&pool, roots, budget.limit(Limit::SharedProductBits));
        Self {
            pool,
            bounds,
            reader: Reader::new(letters, budget.clone()),
            rungs,
            variables: Vec::new(),
            assumptions: Vec::new(),
            scalars: Vec::new(),
            form: NotSubstring::default(),
            lemmas: Vec::new(),
            open: FxHashMap::default(),
            meanings: FxHashMap::default(),
            literals: FxHashMap::default(),
        }
    }

    /// The pool, to make terms in: a copy from the first time on.
    pub(super) fn own_pool(&mut self) -> &mut TermPool {
        Arc::make_mut(&mut self.pool)
    }

    /// Says that a formula of the pool holds.
    pub fn assert(&mut self, root: TermId) -> Result<(), UnknownReason> {
        self.translate(root)?;
        let formula = self.formula(root);
        self.reader.fact(formula);
        Ok(())
    }

    /// The Boolean or integer that a translated term is.
    pub fn formula(&self, term: TermId) -> Id {
        match &self.meanings[&term] {
            Meaning::Formula(id) => *id,
            Meaning::Word(word) => word.length(),
        }
    }

    /// The word that a translated term is.
    pub fn word(&self, term: TermId) -> Word {
        match &self.meanings[&term] {
            Meaning::Word(word) => word.clone(),
            Meaning::Formula(_) => unreachable!("terms are well-sorted"),
        }
    }

    /// The meaning of a term, if it was translated.
    pub fn meaning(&self, term: TermId) -> Option<&Meaning> {
        self.meanings.get(&term)
    }

    /// The rung on which the domain of a variable is.
    pub fn rung(&self, variable: TermId) -> usize {
        self.rungs.get(&variable).copied().unwrap_or(0)
    }

    fn translate(&mut self, root: TermId) -> Result<(), UnknownReason> {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.meanings.contains_key(&term) || self.pool.sort(term) == Sort::RegLan {
                continue;
            }
            if !expanded && !matches!(self.pool.term(term), Term::Quantifier(_)) {
                stack.push((term, true));
                stack.extend(self.pool.children(term).iter().map(|&child| (child, false)));
                continue;
            }
            self.reader.budget.check()?;
            let meaning = self.translate_one(term)?;
            self.meanings.insert(term, meaning);
        }
        Ok(())
    }

    /// A term whose children are translated.
    fn translate_one(&mut self, term: TermId) -> Result<Meaning, UnknownReason> {
        let sort = self.pool.sort(term);
        match self.pool.term(term) {
            Term::String(text) => {
                let text = text.clone();
                let base = *self.literals.entry(term).or_insert_with(|| {
                    let literal = Base::literal(&mut self.reader.arena, self.reader.letters, &text);
                    self.reader.bases.push(literal);
                    self.reader.bases.len() - 1
                });
                Ok(Meaning::Word(self.whole(base)))
            }
            Term::Integer(number) => {
                let number = number.clone();
                Ok(Meaning::Formula(self.reader.arena.int(number)))
            }
            Term::Named(_, inner) => Ok(self.meanings[&inner].clone()),
            Term::Apply(function, []) if self.pool.function(function).definition.is_none() => {
                let name = self.pool.function_name(function).into_owned();
                let id = match sort {
                    Sort::Bool => self.reader.arena.fresh_bool(&name),
                    Sort::Int => self.reader.arena.fresh_int(&name),
                    Sort::String => return Ok(Meaning::Word(self.variable(term, &name))),
                    other => return Err(unsupported(&format!("constants of sort {other}"))),
                };
                self.scalars.push((function, id));
                Ok(Meaning::Formula(id))
            }
            Term::Apply(..) => Err(unsupported("functions with arguments")),
            Term::Quantifier(_) => Err(unsupported("quantifiers")),
            Term::Variable(_) => Err(unsupported("bound variables")),
            Term::Op(op, children) => {
                let children = children.to_vec();
                self.translate_op(term, op, &children, sort)
            }
        }
    }

    fn translate_op(
        &mut self,
        term: TermId,
        op: Op,
        children: &[TermId],
        sort: Sort,
    ) -> Result<Meaning, UnknownReason> {
        if sort == Sort::String {
            return self.translate_string(term, op, children).map(Meaning::Word);
        }
        if let Some(formula) = self.structure(op, children) {
            return Ok(Meaning::Formula(formula));
        }
        let id = match sort {
            Sort::Bool => self.reader.arena.fresh_bool(op.name()),
            Sort::Int => self.reader.arena.fresh_int(op.name()),
            other => return Err(unsupported(&format!("terms of sort {other}"))),
        };
        self.leave_open(term, op);
        self.cheap_facts(op, children, id);
        Ok(Meaning::Formula(id))
    }

    /// What Booleans and integers say, exactly; `None` if letters matter.
    fn structure(&mut self, op: Op, children: &[TermId]) -> Option<Id> {
        let strings = children.iter().any(|&child| self.pool.sort(child) == Sort::String);
        let regexes = children.iter().any(|&child| self.pool.sort(child) == Sort::RegLan);
        if op == Op::StrLen {
            return Some(self.formula(children[0]));
        }
        if strings || regexes {
            return None;
        }
        let of: Vec<Id> = children.iter().map(|&child| self.formula(child)).collect();
        let bits = self.reader.budget.limit(Limit::SharedProductBits);
        polynomial(&mut self.reader.arena, op, &of, bits)
    }

    fn translate_string(
        &mut self,
        term: TermId,
        op: Op,
        children: &[TermId],
    ) -> Result<Word, UnknownReason> {
        // Terms share parts, slices do not.
        let parts = children.iter().filter(|&&child| self.pool.sort(child) == Sort::String);
        let slices: usize = parts.map(|&part| self.word(part).placed().len()).sum();
        if self.reader.budget.limits().exceeds(Limit::FlatSlices, slices) {
            let most = self.reader.budget.limit(Limit::FlatSlices);
            return Err(UnknownReason::Incomplete(format!("a word of more than {most} slices")));
        }
        let slices = match op {
            Op::StrConcat => children
                .iter()
                .flat_map(|&child| self.word(child).slices().collect::<Vec<_>>())
                .collect(),
            Op::Ite => {
                let condition = self.formula(children[0]);
                let otherwise = self.reader.arena.not(condition);
                let (then, other) = (self.word(children[1]), self.word(children[2]));
                let mut slices = then.only_if(&mut self.reader.arena, condition);
                slices.extend(other.only_if(&mut self.reader.arena, otherwise));
                slices
            }
            Op::StrSubstr => {
                let (from, count) = (self.formula(children[1]), self.formula(children[2]));
                self.word(children[0]).substr(&mut self.reader.arena, from, count)
            }
            Op::StrAt => {
                let from = self.formula(children[1]);
                let one = self.reader.arena.int(1);
                self.word(children[0]).substr(&mut self.reader.arena, from, one)
            }
            Op::StrReplace => self.replaced(children)?,
            _ => {
                let word = self.variable(term, op.name());
                self.leave_open(term, op);
                self.cheap_string_facts(op, children, &word);
                return Ok(word);
            }
        };
        // A literal that is never seen costs alignments.
        let zero = self.reader.arena.int(0);
        let seen = slices.into_iter().filter(|slice| slice.length != zero);
        Ok(Word::new(&mut self.reader.arena, seen))
    }

    /// `str.replace`: what stands before the first occurrence, the new text, and what stands
    /// behind it; all of the old text if there is no occurrence.
    fn replaced(&mut self, children: &[TermId]) -> Result<Vec<Slice>, UnknownReason> {
        let pool = self.own_pool();
        let zero_term = pool.integer(0).map_err(full)?;
        let index_term =
            pool.op(Op::StrIndexOf, &[children[0], children[1], zero_term]).map_err(full)?;
        self.translate(index_term)?;
        let index = self.formula(index_term);
        let (hay, needle, new) =
            (self.word(children[0]), self.word(children[1]), self.word(children[2]));
        let arena = &mut self.reader.arena;
        let zero = arena.int(0);
        let found = arena.ge(index, zero);
        let before = arena.ite(found, index, hay.length());
        let mut slices = hay.cut(arena, zero, before);
        slices.extend(new.only_if(arena, found));
        let behind = arena.add(&[index, needle.length()]);
        let rest = arena.sub(hay.length(), behind);
        let rest = arena.ite(found, rest, zero);
        slices.extend(hay.cut(arena, behind, rest));
        Ok(slices)
    }

    /// A string that is no word of others: it gets a domain.
    fn variable(&mut self, term: TermId, name: &str) -> Word {
        let budget = &self.reader.budget;
        let (rung, short) = (self.rung(term), budget.limit(Limit::FlatShort));
        let (size, is_all) = Size::within(rung, self.bounds.get(&term).copied(), short);
        let longest = budget.limit(Limit::FlatLength);
        let Reader { arena, letters, facts, .. } = &mut self.reader;
        let base = Base::variable(arena, *letters, name, size, longest, facts);
        match base.domain {
            // Every word that the variable can be is in its domain: nothing is assumed.
            Some(domain) if is_all => self.reader.fact(domain),
            Some(domain) => self.assumptions.push((term, domain)),
            None => {}
        }
        self.reader.bases.push(base);
        let number = self.reader.bases.len() - 1;
        self.variables.push((term, number));
        self.whole(number)
    }

    fn whole(&mut self, base: usize) -> Word {
        let length = self.reader.bases[base].length;
        let start = self.reader.arena.int(0);
        let zero = start;
        let slice = Slice { base, start, length };
        Word::new(&mut self.reader.arena, (length != zero).then_some(slice))
    }

    /// A new assumption about the size of a term.
    pub(super) fn assumption(&mut self, term: TermId) -> Id {
        let assumption = self.reader.arena.fresh_bool("size");
        self.assumptions.push((term, assumption));
        assumption
    }

    fn leave_open(&mut self, term: TermId, op: Op) {
        self.open.insert(term, Open { op, said: FxHashSet::default() });
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!("{what} in the flat engine"))
}

/// A pool without room for more terms.
pub fn full(error: luthier_terms::BuildError) -> UnknownReason {
    UnknownReason::Failed(error.to_string())
}
