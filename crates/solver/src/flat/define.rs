//! Definitions of deferred terms, asserted when a candidate model assigns them a wrong value.
//!
//! A candidate assigns a value to each deferred term; the evaluator computes the actual one. Where
//! they differ, the part of the definition that excludes this is asserted, once: for an equation
//! that is assigned true, that the letters agree; for one that is assigned false, that some letter
//! differs; for `¬contains`, that there is a mismatch at the shift that was found. Operators
//! without a definition in letters get a pointwise lemma: for these arguments, this value.
//!
//! Sound: each definition holds for all words in the domains, and letters of a variable are guarded
//! by its domain.

use luthier_semantics::Value;
use luthier_terms::{BigInt, Op, TermId};
use num_traits::{Signed, ToPrimitive};

use super::encode::{DefinitionPart, Encoder, full};
use super::word::Word;
use crate::UnknownReason;
use crate::arithmetic::Id;

/// Whether a definition was added for a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A part of the definition was added.
    Added,
    /// All parts were already asserted.
    Nothing,
}

/// A deferred term whose assigned value is not its value under the candidate.
pub struct WrongValue<'a> {
    /// The term.
    pub term: TermId,
    /// Its value in the arithmetic model.
    pub assigned: &'a Value,
    /// Its value under the candidate.
    pub actual: &'a Value,
    /// The terms that its value depends on, with their values under the candidate: its children,
    /// and in place of regular expressions their subterms.
    pub inputs: &'a [(TermId, Value)],
    /// The positions of the slices of its first argument in the arithmetic model, if that is a
    /// string.
    pub starts: &'a [BigInt],
}

impl Encoder {
    /// Asserts the part of the definition that the candidate violates.
    pub fn define(&mut self, wrong: &WrongValue<'_>) -> Result<Progress, UnknownReason> {
        let Some(deferred) = self.deferred.get(&wrong.term) else { return Ok(Progress::Nothing) };
        let op = deferred.op;
        let children = self.pool.children(wrong.term).to_vec();
        match (op, wrong.assigned) {
            (Op::Eq, Value::Bool(assigned)) if self.is_string(children[0]) => {
                self.assert_once(wrong.term, polarity(*assigned), |this, value| {
                    this.equality(value, &children, *assigned);
                })
            }
            (Op::StrPrefixOf | Op::StrSuffixOf, Value::Bool(assigned)) => {
                self.assert_once(wrong.term, polarity(*assigned), |this, value| {
                    this.affix(value, &children, op == Op::StrPrefixOf, *assigned);
                })
            }
            (Op::StrContains, Value::Bool(true)) => {
                self.assert_once(wrong.term, DefinitionPart::Positive, |this, value| {
                    this.occurs(value, &children)
                })
            }
            (Op::StrContains, Value::Bool(false)) => self.not_contained(wrong, &children),
            (Op::StrIndexOf, Value::Int(assigned)) => self.index(wrong, &children, assigned),
            (Op::StrLt, Value::Bool(assigned)) if children.len() == 2 => {
                self.assert_once(wrong.term, polarity(*assigned), |this, value| {
                    this.order(value, &children, *assigned);
                })
            }
            (Op::StrToCode, _) => {
                self.assert_once(wrong.term, DefinitionPart::Positive, |this, value| {
                    let word = this.word(children[0]);
                    this.code(&word, value);
                })
            }
            (Op::StrFromCode, _) => {
                self.assert_once(wrong.term, DefinitionPart::Positive, |this, _| {
                    let (word, number) = (this.word(wrong.term), this.formula(children[0]));
                    this.code(&word, number);
                })
            }
            (Op::StrToInt, _) => {
                self.assert_once(wrong.term, DefinitionPart::Positive, |this, value| {
                    let word = this.word(children[0]);
                    this.number(wrong.term, &word, value);
                })
            }
            (Op::StrFromInt, _) => {
                self.assert_once(wrong.term, DefinitionPart::Positive, |this, _| {
                    let (word, number) = (this.word(wrong.term), this.formula(children[0]));
                    this.numeral(wrong.term, &word, number);
                })
            }
            (Op::StrInRe, Value::Bool(assigned)) => self.membership(wrong, &children, *assigned),
            _ => self.pointwise(wrong),
        }
    }

    /// Asserts a part of the definition of a term unless it was asserted before.
    pub(super) fn assert_once(
        &mut self,
        term: TermId,
        part: DefinitionPart,
        say: impl FnOnce(&mut Self, Id),
    ) -> Result<Progress, UnknownReason> {
        let new =
            self.deferred.get_mut(&term).is_some_and(|deferred| deferred.asserted.insert(part));
        if !new {
            return Ok(Progress::Nothing);
        }
        let value = self.formula(term);
        say(self, value);
        Ok(Progress::Added)
    }

    fn equality(&mut self, value: Id, children: &[TermId], assigned: bool) {
        let zero = self.words.arena.int(0);
        let mut differ = Vec::new();
        for pair in children.windows(2) {
            let (left, right) = (self.word(pair[0]), self.word(pair[1]));
            if assigned {
                self.words.assert_occurrence(value, &left, &right, zero);
            } else {
                let same = self.words.arena.eq(left.length(), right.length());
                let mismatch = self.words.mismatch(&left, &right, zero);
                differ.extend([self.words.arena.not(same), mismatch]);
            }
        }
        if !assigned {
            differ.push(value);
            let fact = self.words.arena.or(&differ);
            self.words.fact(fact);
        }
    }

    fn affix(&mut self, value: Id, children: &[TermId], prefix: bool, assigned: bool) {
        let (affix, whole) = (self.word(children[0]), self.word(children[1]));
        let arena = &mut self.words.arena;
        let zero = arena.int(0);
        let shift = if prefix { zero } else { arena.sub(whole.length(), affix.length()) };
        if assigned {
            return self.words.assert_occurrence(value, &affix, &whole, shift);
        }
        let longer = arena.gt(affix.length(), whole.length());
        let mismatch = self.words.mismatch(&affix, &whole, shift);
        let fact = self.words.arena.or(&[value, longer, mismatch]);
        self.words.fact(fact);
    }

    fn occurs(&mut self, value: Id, children: &[TermId]) {
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        let arena = &mut self.words.arena;
        let shift = arena.fresh_int("at");
        let zero = arena.int(0);
        let end = arena.add(&[shift, needle.length()]);
        let (after, fits) = (arena.ge(shift, zero), arena.le(end, hay.length()));
        let inside = arena.and(&[after, fits]);
        self.words.fact_if(&[value], inside);
        self.words.assert_occurrence(value, &needle, &hay, shift);
    }

    /// `str.contains` is assigned false, but the needle occurs in the candidate: excludes that
    /// shift.
    pub(super) fn exclude_found_shift(
        &mut self,
        wrong: &WrongValue<'_>,
        children: &[TermId],
    ) -> Result<Progress, UnknownReason> {
        let [(_, Value::String(hay)), (_, Value::String(needle))] = wrong.inputs else {
            return Ok(Progress::Nothing);
        };
        let found = luthier_semantics::strings::index_of(hay, needle, &BigInt::ZERO);
        let value = self.formula(wrong.term);
        self.exclude_shift(wrong, children, &found, |this, _| this.words.arena.not(value))
    }

    /// Asserts that under a condition the needle does not occur at a shift that was found.
    fn exclude_shift(
        &mut self,
        wrong: &WrongValue<'_>,
        children: &[TermId],
        found: &BigInt,
        condition: impl FnOnce(&mut Self, Id) -> Id,
    ) -> Result<Progress, UnknownReason> {
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        // The shift is relative to the slice in which the occurrence starts, so that the lemma
        // still applies when that slice moves.
        let anchor = wrong.starts.iter().rposition(|start| start <= found).unwrap_or(0);
        let offset = wrong.starts.get(anchor).map_or_else(|| found.clone(), |start| found - start);
        let Some(number) = offset.to_usize() else { return Ok(Progress::Nothing) };
        let part = DefinitionPart::At(number.saturating_mul(64).saturating_add(anchor.min(63)));
        self.assert_once(wrong.term, part, |this, _| {
            let start = hay.placed().get(anchor).map(|&(start, _)| start);
            let arena = &mut this.words.arena;
            let offset = arena.int(offset);
            let shift = start.map_or(offset, |start| arena.add(&[start, offset]));
            let condition = condition(this, shift);
            this.mismatch_at(condition, &needle, &hay, shift);
        })
    }

    fn mismatch_at(&mut self, condition: Id, needle: &Word, hay: &Word, shift: Id) {
        let mismatch = self.words.mismatch(needle, hay, shift);
        let arena = &mut self.words.arena;
        let end = arena.add(&[shift, needle.length()]);
        let fits = arena.le(end, hay.length());
        self.words.fact_if(&[condition, fits], mismatch);
    }

    fn index(
        &mut self,
        wrong: &WrongValue<'_>,
        children: &[TermId],
        assigned: &BigInt,
    ) -> Result<Progress, UnknownReason> {
        let Value::Int(actual) = wrong.actual else { return Ok(Progress::Nothing) };
        // The needle occurs before the assigned index.
        if !actual.is_negative() && (assigned.is_negative() || actual < assigned) {
            let (index, from) = (self.formula(wrong.term), self.formula(children[2]));
            return self.exclude_shift(wrong, children, actual, |this, shift| {
                let arena = &mut this.words.arena;
                let zero = arena.int(0);
                let (nowhere, later) = (arena.lt(index, zero), arena.lt(shift, index));
                let missed = arena.or(&[nowhere, later]);
                let (valid, after) = (arena.ge(from, zero), arena.ge(shift, from));
                arena.and(&[missed, valid, after])
            });
        }
        self.assert_once(wrong.term, DefinitionPart::Positive, |this, index| {
            let (hay, needle) = (this.word(children[0]), this.word(children[1]));
            let zero = this.words.arena.int(0);
            let found = this.words.arena.ge(index, zero);
            this.words.assert_occurrence(found, &needle, &hay, index);
        })
    }

    /// `str.<`: the words agree up to a position, and there the first is smaller or at its end.
    /// If it is false, the second is smaller, or at its end.
    fn order(&mut self, value: Id, children: &[TermId], assigned: bool) {
        let (mut small, mut large) = (self.word(children[0]), self.word(children[1]));
        let condition = if assigned { value } else { self.words.arena.not(value) };
        if !assigned {
            std::mem::swap(&mut small, &mut large);
        }
        let arena = &mut self.words.arena;
        let position = arena.fresh_int("pos");
        let zero = arena.int(0);
        let start = arena.ge(position, zero);
        let (at_end, before_end) =
            (arena.eq(position, small.length()), arena.lt(position, small.length()));
        let goes_on = arena.lt(position, large.length());
        let fits = arena.le(position, large.length());
        let common = small.cut(arena, zero, position);
        let common = Word::new(arena, common);
        let (left, right) =
            (self.words.letter_at(&small, position), self.words.letter_at(&large, position));
        let arena = &mut self.words.arena;
        let less = arena.lt(left, right);
        let differ = arena.and(&[before_end, goes_on, less]);
        let shorter = if assigned { goes_on } else { fits };
        let ended = arena.and(&[at_end, shorter]);
        let either = arena.or(&[differ, ended]);
        self.words.fact_if(&[condition], start);
        self.words.fact_if(&[condition], either);
        self.words.assert_occurrence(condition, &common, &large, zero);
    }

    /// If a word has one letter, this is its code.
    fn code(&mut self, word: &Word, code: Id) {
        let (zero, one) = (self.words.arena.int(0), self.words.arena.int(1));
        let single = self.words.arena.eq(word.length(), one);
        let letter = self.words.letter_at(word, zero);
        let expected = self.words.letters.code(&mut self.words.arena, letter);
        let same = self.words.arena.eq(code, expected);
        self.words.fact_if(&[single], same);
    }

    /// A pointwise lemma: for these arguments the term has this value.
    pub(super) fn pointwise(&mut self, wrong: &WrongValue<'_>) -> Result<Progress, UnknownReason> {
        let mut cases = Vec::new();
        let mut equations = Vec::new();
        for (input, value) in wrong.inputs {
            let constant = value.to_term(self.own_pool()).map_err(full)?;
            if constant != *input {
                let same = self.own_pool().op(Op::Eq, &[*input, constant]).map_err(full)?;
                cases.push(self.own_pool().op(Op::Not, &[same]).map_err(full)?);
                equations.push((same, [*input, constant], false));
            }
        }
        let constant = wrong.actual.to_term(self.own_pool()).map_err(full)?;
        let same = self.own_pool().op(Op::Eq, &[wrong.term, constant]).map_err(full)?;
        cases.push(same);
        equations.push((same, [wrong.term, constant], true));
        let lemma = match cases[..] {
            [only] => only,
            _ => self.own_pool().op(Op::Or, &cases).map_err(full)?,
        };
        if self.lemmas.contains(&lemma) {
            return Ok(Progress::Nothing);
        }
        self.lemmas.push(lemma);
        self.assert(lemma)?;
        // The lemma is valid, so evaluation would never reveal wrong values of its equations: they
        // are defined at once.
        for (equation, sides, assigned) in equations {
            if self.deferred.contains_key(&equation) {
                self.assert_once(equation, polarity(assigned), |this, value| {
                    this.equality(value, &sides, assigned);
                })?;
            }
        }
        Ok(Progress::Added)
    }
}

fn polarity(assigned: bool) -> DefinitionPart {
    if assigned { DefinitionPart::Positive } else { DefinitionPart::Negative }
}
