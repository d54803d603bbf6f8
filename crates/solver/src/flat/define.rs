//! What open terms mean, said when a candidate model gets them wrong.

use luthier_semantics::Value;
use luthier_terms::{BigInt, Op, TermId};
use num_traits::{Signed, ToPrimitive};

use super::encode::{Encoder, Part, full};
use super::word::Word;
use crate::UnknownReason;
use crate::arithmetic::Id;

/// What came of saying more about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// More than before.
    More,
    /// There is nothing more to say.
    Nothing,
}

/// The candidate's view of an open term and what the term is worth.
pub struct Wrong<'a> {
    /// The term.
    pub term: TermId,
    /// What the arithmetic model says.
    pub claimed: &'a Value,
    /// What it is under the candidate.
    pub actual: &'a Value,
    /// What its value depends on: its children, and what its regular languages are made of, each
    /// with its value under the candidate.
    pub inputs: &'a [(TermId, Value)],
    /// Where the slices of the first string among its children start in the arithmetic model.
    pub starts: &'a [BigInt],
}

impl Encoder {
    /// Says what the candidate got wrong.
    pub fn define(&mut self, wrong: &Wrong<'_>) -> Result<Said, UnknownReason> {
        let Some(open) = self.open.get(&wrong.term) else { return Ok(Said::Nothing) };
        let op = open.op;
        let children = self.pool.children(wrong.term).to_vec();
        match (op, wrong.claimed) {
            (Op::Eq, Value::Bool(claimed)) if self.is_string(children[0]) => {
                self.once(wrong.term, polarity(*claimed), |this, value| {
                    this.equality(value, &children, *claimed);
                })
            }
            (Op::StrPrefixOf | Op::StrSuffixOf, Value::Bool(claimed)) => {
                self.once(wrong.term, polarity(*claimed), |this, value| {
                    this.affix(value, &children, op == Op::StrPrefixOf, *claimed);
                })
            }
            (Op::StrContains, Value::Bool(true)) => {
                self.once(wrong.term, Part::Positive, |this, value| this.occurs(value, &children))
            }
            (Op::StrContains, Value::Bool(false)) => self.not_contained(wrong, &children),
            (Op::StrIndexOf, Value::Int(claimed)) => self.index(wrong, &children, claimed),
            (Op::StrLt, Value::Bool(claimed)) if children.len() == 2 => {
                self.once(wrong.term, polarity(*claimed), |this, value| {
                    this.order(value, &children, *claimed);
                })
            }
            (Op::StrToCode, _) => self.once(wrong.term, Part::Positive, |this, value| {
                let word = this.word(children[0]);
                this.code(&word, value);
            }),
            (Op::StrFromCode, _) => self.once(wrong.term, Part::Positive, |this, _| {
                let (word, number) = (this.word(wrong.term), this.formula(children[0]));
                this.code(&word, number);
            }),
            (Op::StrToInt, _) => self.once(wrong.term, Part::Positive, |this, value| {
                let word = this.word(children[0]);
                this.number(wrong.term, &word, value);
            }),
            (Op::StrFromInt, _) => self.once(wrong.term, Part::Positive, |this, _| {
                let (word, number) = (this.word(wrong.term), this.formula(children[0]));
                this.numeral(wrong.term, &word, number);
            }),
            (Op::StrInRe, Value::Bool(claimed)) => self.membership(wrong, &children, *claimed),
            _ => self.pointwise(wrong),
        }
    }

    /// Says a part of what a term means, unless it was said.
    pub(super) fn once(
        &mut self,
        term: TermId,
        part: Part,
        say: impl FnOnce(&mut Self, Id),
    ) -> Result<Said, UnknownReason> {
        let new = self.open.get_mut(&term).is_some_and(|open| open.said.insert(part));
        if !new {
            return Ok(Said::Nothing);
        }
        let value = self.formula(term);
        say(self, value);
        Ok(Said::More)
    }

    fn equality(&mut self, value: Id, children: &[TermId], claimed: bool) {
        let zero = self.reader.arena.int(0);
        let mut differ = Vec::new();
        for pair in children.windows(2) {
            let (left, right) = (self.word(pair[0]), self.word(pair[1]));
            if claimed {
                self.reader.agree(value, &left, &right, zero);
            } else {
                let same = self.reader.arena.eq(left.length(), right.length());
                let mismatch = self.reader.mismatch(&left, &right, zero);
                differ.extend([self.reader.arena.not(same), mismatch]);
            }
        }
        if !claimed {
            differ.push(value);
            let fact = self.reader.arena.or(&differ);
            self.reader.fact(fact);
        }
    }

    fn affix(&mut self, value: Id, children: &[TermId], prefix: bool, claimed: bool) {
        let (affix, whole) = (self.word(children[0]), self.word(children[1]));
        let arena = &mut self.reader.arena;
        let zero = arena.int(0);
        let shift = if prefix { zero } else { arena.sub(whole.length(), affix.length()) };
        if claimed {
            return self.reader.agree(value, &affix, &whole, shift);
        }
        let longer = arena.gt(affix.length(), whole.length());
        let mismatch = self.reader.mismatch(&affix, &whole, shift);
        let fact = self.reader.arena.or(&[value, longer, mismatch]);
        self.reader.fact(fact);
    }

    fn occurs(&mut self, value: Id, children: &[TermId]) {
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        let arena = &mut self.reader.arena;
        let shift = arena.fresh_int("at");
        let zero = arena.int(0);
        let end = arena.add(&[shift, needle.length()]);
        let (after, fits) = (arena.ge(shift, zero), arena.le(end, hay.length()));
        let inside = arena.and(&[after, fits]);
        self.reader.fact_if(&[value], inside);
        self.reader.agree(value, &needle, &hay, shift);
    }

    /// `str.contains` is false, but the needle occurs in the candidate: not at that shift.
    pub(super) fn not_at(
        &mut self,
        wrong: &Wrong<'_>,
        children: &[TermId],
    ) -> Result<Said, UnknownReason> {
        let [(_, Value::String(hay)), (_, Value::String(needle))] = wrong.inputs else {
            return Ok(Said::Nothing);
        };
        let found = luthier_semantics::strings::index_of(hay, needle, &BigInt::ZERO);
        let value = self.formula(wrong.term);
        self.excluded(wrong, children, &found, |this, _| this.reader.arena.not(value))
    }

    /// That under a condition the needle does not stand at a shift that was found.
    fn excluded(
        &mut self,
        wrong: &Wrong<'_>,
        children: &[TermId],
        found: &BigInt,
        condition: impl FnOnce(&mut Self, Id) -> Id,
    ) -> Result<Said, UnknownReason> {
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        // The shift is counted from the slice in which the occurrence starts, so that what is
        // said stays useful when that slice moves.
        let anchor = wrong.starts.iter().rposition(|start| start <= found).unwrap_or(0);
        let offset = wrong.starts.get(anchor).map_or_else(|| found.clone(), |start| found - start);
        let Some(number) = offset.to_usize() else { return Ok(Said::Nothing) };
        let part = Part::At(number.saturating_mul(64).saturating_add(anchor.min(63)));
        self.once(wrong.term, part, |this, _| {
            let start = hay.placed().get(anchor).map(|&(start, _)| start);
            let arena = &mut this.reader.arena;
            let offset = arena.int(offset);
            let shift = start.map_or(offset, |start| arena.add(&[start, offset]));
            let condition = condition(this, shift);
            this.not_here(condition, &needle, &hay, shift);
        })
    }

    fn not_here(&mut self, condition: Id, needle: &Word, hay: &Word, shift: Id) {
        let mismatch = self.reader.mismatch(needle, hay, shift);
        let arena = &mut self.reader.arena;
        let end = arena.add(&[shift, needle.length()]);
        let fits = arena.le(end, hay.length());
        self.reader.fact_if(&[condition, fits], mismatch);
    }

    fn index(
        &mut self,
        wrong: &Wrong<'_>,
        children: &[TermId],
        claimed: &BigInt,
    ) -> Result<Said, UnknownReason> {
        let Value::Int(actual) = wrong.actual else { return Ok(Said::Nothing) };
        // The needle occurs before what is claimed to be its first place.
        if !actual.is_negative() && (claimed.is_negative() || actual < claimed) {
            let (index, from) = (self.formula(wrong.term), self.formula(children[2]));
            return self.excluded(wrong, children, actual, |this, shift| {
                let arena = &mut this.reader.arena;
                let zero = arena.int(0);
                let (nowhere, later) = (arena.lt(index, zero), arena.lt(shift, index));
                let missed = arena.or(&[nowhere, later]);
                let (valid, after) = (arena.ge(from, zero), arena.ge(shift, from));
                arena.and(&[missed, valid, after])
            });
        }
        self.once(wrong.term, Part::Positive, |this, index| {
            let (hay, needle) = (this.word(children[0]), this.word(children[1]));
            let zero = this.reader.arena.int(0);
            let found = this.reader.arena.ge(index, zero);
            this.reader.agree(found, &needle, &hay, index);
        })
    }

    /// `str.<`: the words agree up to a position, and there the first is smaller or at its end.
    /// If it is false, the second is smaller, or at its end.
    fn order(&mut self, value: Id, children: &[TermId], claimed: bool) {
        let (mut small, mut large) = (self.word(children[0]), self.word(children[1]));
        let condition = if claimed { value } else { self.reader.arena.not(value) };
        if !claimed {
            std::mem::swap(&mut small, &mut large);
        }
        let arena = &mut self.reader.arena;
        let place = arena.fresh_int("pos");
        let zero = arena.int(0);
        let start = arena.ge(place, zero);
        let (at_end, before_end) =
            (arena.eq(place, small.length()), arena.lt(place, small.length()));
        let goes_on = arena.lt(place, large.length());
        let fits = arena.le(place, large.length());
        let common = small.cut(arena, zero, place);
        let common = Word::new(arena, common);
        let (left, right) =
            (self.reader.letter_at(&small, place), self.reader.letter_at(&large, place));
        let arena = &mut self.reader.arena;
        let less = arena.lt(left, right);
        let differ = arena.and(&[before_end, goes_on, less]);
        let shorter = if claimed { goes_on } else { fits };
        let ended = arena.and(&[at_end, shorter]);
        let either = arena.or(&[differ, ended]);
        self.reader.fact_if(&[condition], start);
        self.reader.fact_if(&[condition], either);
        self.reader.agree(condition, &common, &large, zero);
    }

    /// A word of one letter has this code.
    fn code(&mut self, word: &Word, code: Id) {
        let (zero, one) = (self.reader.arena.int(0), self.reader.arena.int(1));
        let single = self.reader.arena.eq(word.length(), one);
        let letter = self.reader.letter_at(word, zero);
        let expected = self.reader.letters.code(&mut self.reader.arena, letter);
        let same = self.reader.arena.eq(code, expected);
        self.reader.fact_if(&[single], same);
    }

    /// For these arguments the term has that value.
    pub(super) fn pointwise(&mut self, wrong: &Wrong<'_>) -> Result<Said, UnknownReason> {
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
            return Ok(Said::Nothing);
        }
        self.lemmas.push(lemma);
        self.assert(lemma)?;
        // The lemma is true whatever the arithmetic solver thinks of its parts, so nobody would
        // notice that they are wrong: what they mean is said at once.
        for (equation, sides, claimed) in equations {
            if self.open.contains_key(&equation) {
                self.once(equation, polarity(claimed), |this, value| {
                    this.equality(value, &sides, claimed);
                })?;
            }
        }
        Ok(Said::More)
    }
}

fn polarity(claimed: bool) -> Part {
    if claimed { Part::Positive } else { Part::Negative }
}
