//! The translation of string formulas to integer formulas, with deferred operators.
//!
//! Boolean and integer structure is translated exactly, string terms become words of slices. An
//! operator that depends on letters (`=`, `contains`, `indexof`, `in_re`, …) is deferred: its value
//! is a fresh constant, constrained only by facts about lengths (see `facts`). [`super::define`]
//! adds its definition when a candidate model assigns it a wrong value, so letters are constrained
//! only where needed. A string operator without slices (`replace_all`, `from_int`, …) is a variable
//! with a domain of its own.

use std::rc::Rc;
use std::sync::Arc;

use luthier_terms::{CodePoint, FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::upper_bounds;
use super::domain::{Base, Ladder, LetterEncoding};
use super::not_substring::NotSubstring;
use super::word::{Slice, Word};
use super::word_encoder::WordEncoder;
use crate::arithmetic::Id;
use crate::operators::polynomial;
use crate::{Budget, Limit, UnknownReason};

/// The translation of a term.
#[derive(Clone, Debug)]
pub enum Translation {
    /// A Boolean or an integer.
    Formula(Id),
    /// A string.
    Word(Word),
}

/// A deferred term: one whose definition is not asserted completely yet.
#[derive(Clone, Debug)]
pub struct Deferred {
    /// Its operator.
    pub op: Op,
    /// The parts of its definition that are asserted.
    pub asserted: FxHashSet<DefinitionPart>,
}

/// A part of the definition of a deferred term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionPart {
    /// What follows if it is true, or if its value is not the one for failure.
    Positive,
    /// What follows if it is false.
    Negative,
    /// What follows for one number: a shift, or a bound.
    At(usize),
}

/// The translation of a problem to the language of the arithmetic solver.
pub struct Encoder {
    /// The term pool: that of the problem until a new term is built.
    pub pool: Arc<TermPool>,
    /// The encoder of constraints on letters, with all formulas.
    pub words: WordEncoder,
    /// The rung of the domain of each variable, by its term; 0 if absent.
    rungs: FxHashMap<TermId, usize>,
    /// The sizes of domains by rung.
    ladder: Rc<Ladder>,
    /// Upper bounds on the lengths of terms, where known.
    bounds: FxHashMap<TermId, usize>,
    /// The string variables with the numbers of their bases: constants, and terms that are not
    /// slices of others.
    pub variables: Vec<(TermId, usize)>,
    /// The assumptions on sizes: for each variable that its value is in its domain, for some other
    /// terms that they are not longer than the letters that are encoded.
    pub assumptions: Vec<(TermId, Id)>,
    /// Bool and Int constants.
    pub scalars: Vec<(FunctionId, Id)>,
    /// The encoding of not-substring.
    pub form: NotSubstring,
    /// Lemmas over terms of the pool that were asserted.
    pub lemmas: Vec<TermId>,
    /// The deferred terms.
    pub deferred: FxHashMap<TermId, Deferred>,
    meanings: FxHashMap<TermId, Translation>,
    literals: FxHashMap<TermId, usize>,
}

impl Encoder {
    /// An encoder for formulas of a pool, with domains on these rungs.
    pub fn new(
        pool: Arc<TermPool>,
        roots: &[TermId],
        (rungs, ladder): (FxHashMap<TermId, usize>, Rc<Ladder>),
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
        let letters = LetterEncoding::avoiding(|letter| used.contains(&letter));
        let bounds = upper_bounds(&pool, roots, budget.limit(Limit::SharedProductBits));
        Self {
            pool,
            bounds,
            words: WordEncoder::new(letters, budget.clone()),
            rungs,
            ladder,
            variables: Vec::new(),
            assumptions: Vec::new(),
            scalars: Vec::new(),
            form: NotSubstring::default(),
            lemmas: Vec::new(),
            deferred: FxHashMap::default(),
            meanings: FxHashMap::default(),
            literals: FxHashMap::default(),
        }
    }

    /// The pool for building terms; cloned on first use.
    pub(super) fn own_pool(&mut self) -> &mut TermPool {
        Arc::make_mut(&mut self.pool)
    }

    /// Asserts a formula of the pool.
    pub fn assert(&mut self, root: TermId) -> Result<(), UnknownReason> {
        self.translate(root)?;
        let formula = self.formula(root);
        self.words.fact(formula);
        Ok(())
    }

    /// The translation of a Boolean or integer term; for a string, its length.
    pub fn formula(&self, term: TermId) -> Id {
        match &self.meanings[&term] {
            Translation::Formula(id) => *id,
            Translation::Word(word) => word.length(),
        }
    }

    /// The translation of a string term.
    pub fn word(&self, term: TermId) -> Word {
        match &self.meanings[&term] {
            Translation::Word(word) => word.clone(),
            Translation::Formula(_) => unreachable!("terms are well-sorted"),
        }
    }

    /// The translation of a term, if there is one.
    pub fn meaning(&self, term: TermId) -> Option<&Translation> {
        self.meanings.get(&term)
    }

    /// The rung of the domain of a variable.
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
            self.words.budget.check()?;
            let meaning = self.translate_one(term)?;
            self.meanings.insert(term, meaning);
        }
        Ok(())
    }

    /// Translates a term whose children are translated.
    fn translate_one(&mut self, term: TermId) -> Result<Translation, UnknownReason> {
        let sort = self.pool.sort(term);
        match self.pool.term(term) {
            Term::String(text) => {
                let text = text.clone();
                let base = *self.literals.entry(term).or_insert_with(|| {
                    let literal = Base::literal(&mut self.words.arena, self.words.letters, &text);
                    self.words.bases.push(literal);
                    self.words.bases.len() - 1
                });
                Ok(Translation::Word(self.whole(base)))
            }
            Term::Integer(number) => {
                let number = number.clone();
                Ok(Translation::Formula(self.words.arena.int(number)))
            }
            Term::Named(_, inner) => Ok(self.meanings[&inner].clone()),
            Term::Apply(function, []) if self.pool.function(function).definition.is_none() => {
                let name = self.pool.function_name(function).into_owned();
                let id = match sort {
                    Sort::Bool => self.words.arena.fresh_bool(&name),
                    Sort::Int => self.words.arena.fresh_int(&name),
                    Sort::String => return Ok(Translation::Word(self.variable(term, &name))),
                    other => return Err(unsupported(&format!("constants of sort {other}"))),
                };
                self.scalars.push((function, id));
                Ok(Translation::Formula(id))
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
    ) -> Result<Translation, UnknownReason> {
        if sort == Sort::String {
            return self.translate_string(term, op, children).map(Translation::Word);
        }
        if let Some(formula) = self.structure(op, children) {
            return Ok(Translation::Formula(formula));
        }
        let id = match sort {
            Sort::Bool => self.words.arena.fresh_bool(op.name()),
            Sort::Int => self.words.arena.fresh_int(op.name()),
            other => return Err(unsupported(&format!("terms of sort {other}"))),
        };
        self.defer(term, op);
        self.initial_facts(op, children, id);
        Ok(Translation::Formula(id))
    }

    /// The exact translation of Boolean and integer operators and of lengths; `None` if the
    /// operator depends on letters.
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
        let bits = self.words.budget.limit(Limit::SharedProductBits);
        polynomial(&mut self.words.arena, op, &of, bits)
    }

    fn translate_string(
        &mut self,
        term: TermId,
        op: Op,
        children: &[TermId],
    ) -> Result<Word, UnknownReason> {
        // Terms are shared (a DAG), slices are not.
        let parts = children.iter().filter(|&&child| self.pool.sort(child) == Sort::String);
        let slices: usize = parts.map(|&part| self.word(part).placed().len()).sum();
        if self.words.budget.limits().exceeds(Limit::FlatSlices, slices) {
            let most = self.words.budget.limit(Limit::FlatSlices);
            return Err(UnknownReason::Incomplete(format!("a word of more than {most} slices")));
        }
        let slices = match op {
            Op::StrConcat => children
                .iter()
                .flat_map(|&child| self.word(child).slices().collect::<Vec<_>>())
                .collect(),
            Op::Ite => {
                let condition = self.formula(children[0]);
                let otherwise = self.words.arena.not(condition);
                let (then, other) = (self.word(children[1]), self.word(children[2]));
                let mut slices = then.only_if(&mut self.words.arena, condition);
                slices.extend(other.only_if(&mut self.words.arena, otherwise));
                slices
            }
            Op::StrSubstr => {
                let (from, count) = (self.formula(children[1]), self.formula(children[2]));
                self.word(children[0]).substr(&mut self.words.arena, from, count)
            }
            Op::StrAt => {
                let from = self.formula(children[1]);
                let one = self.words.arena.int(1);
                self.word(children[0]).substr(&mut self.words.arena, from, one)
            }
            Op::StrReplace => self.replaced(children)?,
            _ => {
                let word = self.variable(term, op.name());
                self.defer(term, op);
                self.initial_string_facts(op, children, &word);
                return Ok(word);
            }
        };
        // An empty slice would only cost alignments.
        let zero = self.words.arena.int(0);
        let seen = slices.into_iter().filter(|slice| slice.length != zero);
        Ok(Word::new(&mut self.words.arena, seen))
    }

    /// `str.replace`: the prefix before the first occurrence, the new text, and the suffix after
    /// it; the old text if there is no occurrence.
    fn replaced(&mut self, children: &[TermId]) -> Result<Vec<Slice>, UnknownReason> {
        let pool = self.own_pool();
        let zero_term = pool.integer(0).map_err(full)?;
        let index_term =
            pool.op(Op::StrIndexOf, &[children[0], children[1], zero_term]).map_err(full)?;
        self.translate(index_term)?;
        let index = self.formula(index_term);
        let (hay, needle, new) =
            (self.word(children[0]), self.word(children[1]), self.word(children[2]));
        let arena = &mut self.words.arena;
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

    /// A string that is not a slice of others: it gets a domain.
    fn variable(&mut self, term: TermId, name: &str) -> Word {
        let budget = &self.words.budget;
        let (rung, short) = (self.rung(term), budget.limit(Limit::FlatShort));
        let (size, is_all) = self.ladder.within(rung, self.bounds.get(&term).copied(), short);
        let max_letters = budget.limit(Limit::FlatLength);
        let WordEncoder { arena, letters, facts, .. } = &mut self.words;
        let base = Base::variable(arena, *letters, name, size, max_letters, facts);
        match base.domain {
            // The domain contains every possible value of the variable, so that no assumption is
            // needed.
            Some(domain) if is_all => self.words.fact(domain),
            Some(domain) => self.assumptions.push((term, domain)),
            None => {}
        }
        self.words.bases.push(base);
        let number = self.words.bases.len() - 1;
        self.variables.push((term, number));
        self.whole(number)
    }

    fn whole(&mut self, base: usize) -> Word {
        let length = self.words.bases[base].length;
        let start = self.words.arena.int(0);
        let zero = start;
        let slice = Slice { base, start, length };
        Word::new(&mut self.words.arena, (length != zero).then_some(slice))
    }

    /// A new assumption about the size of a term.
    pub(super) fn assumption(&mut self, term: TermId) -> Id {
        let assumption = self.words.arena.fresh_bool("size");
        self.assumptions.push((term, assumption));
        assumption
    }

    fn defer(&mut self, term: TermId, op: Op) {
        self.deferred.insert(term, Deferred { op, asserted: FxHashSet::default() });
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!("{what} in the flat engine"))
}

/// The failure of a full term pool.
pub fn full(error: luthier_terms::BuildError) -> UnknownReason {
    UnknownReason::Failed(error.to_string())
}
