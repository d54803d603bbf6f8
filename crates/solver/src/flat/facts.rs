//! Initial facts about deferred terms: consequences on lengths and ranges that do not depend on
//! letters.
//!
//! For instance `contains(x, y) → |x| ≥ |y|`, `indexof ≥ −1`, and the number of digits of
//! `str.from_int`. They hold for all strings, so they are asserted without a guard.

use luthier_terms::{CodePoint, Op, TermId};

use super::encode::Encoder;
use super::word::Word;
use crate::Limit;
use crate::arithmetic::Id;

impl Encoder {
    /// Facts about the value of a deferred Boolean or integer term.
    pub(super) fn initial_facts(&mut self, op: Op, children: &[TermId], value: Id) {
        match op {
            Op::Eq if self.is_string(children[0]) => {
                for pair in children.windows(2) {
                    let (left, right) = (self.word(pair[0]), self.word(pair[1]));
                    let same = self.words.arena.eq(left.length(), right.length());
                    self.words.fact_if(&[value], same);
                }
            }
            Op::StrContains => self.longer_facts(children[0], children[1], value),
            Op::StrPrefixOf | Op::StrSuffixOf => self.longer_facts(children[1], children[0], value),
            Op::StrLt if children.len() == 2 => {
                let right = self.word(children[1]);
                let one = self.words.arena.int(1);
                let filled = self.words.arena.ge(right.length(), one);
                self.words.fact_if(&[value], filled);
            }
            Op::StrIndexOf => self.index_facts(children, value),
            Op::StrToInt => {
                let word = self.word(children[0]);
                let arena = &mut self.words.arena;
                let (minus, zero) = (arena.int(-1), arena.int(0));
                let least = arena.ge(value, minus);
                let empty = arena.eq(word.length(), zero);
                let none = arena.eq(value, minus);
                self.words.fact(least);
                self.words.fact_if(&[empty], none);
                for digits in 1..4u32 {
                    let arena = &mut self.words.arena;
                    let (length, bound) = (arena.int(digits), arena.int(10_i64.pow(digits)));
                    let short = arena.le(word.length(), length);
                    let small = arena.lt(value, bound);
                    self.words.fact_if(&[short], small);
                }
            }
            Op::StrToCode => {
                let word = self.word(children[0]);
                let arena = &mut self.words.arena;
                let (minus, zero, one) = (arena.int(-1), arena.int(0), arena.int(1));
                let most = arena.int(CodePoint::MAX.code());
                let (least, greatest) = (arena.ge(value, minus), arena.le(value, most));
                let (single, is_code) = (arena.eq(word.length(), one), arena.ge(value, zero));
                let link = arena.iff(single, is_code);
                self.words.facts.extend([least, greatest, link]);
            }
            _ => {}
        }
    }

    /// Facts about a deferred string term.
    pub(super) fn initial_string_facts(&mut self, op: Op, children: &[TermId], word: &Word) {
        let length = word.length();
        match op {
            Op::StrFromInt => {
                let number = self.formula(children[0]);
                let most = self.words.budget.limit(Limit::FlatFactDigits);
                for digits in 0..u32::try_from(most).unwrap_or(u32::MAX) {
                    let arena = &mut self.words.arena;
                    // With `digits` = 0 the bound is 0: negative numbers give the empty string.
                    let bound = num_bigint::BigInt::from(10).pow(digits);
                    let bound = arena.int(if digits == 0 { 0.into() } else { bound });
                    let least = arena.int(digits + 1);
                    let (large, long) = (arena.ge(number, bound), arena.ge(length, least));
                    let fact = arena.iff(large, long);
                    self.words.fact(fact);
                }
            }
            Op::StrFromCode => {
                let number = self.formula(children[0]);
                let arena = &mut self.words.arena;
                let (zero, one) = (arena.int(0), arena.int(1));
                let end = arena.int(CodePoint::MAX.code() + 1);
                let valid = self.words.between(zero, number, end);
                let arena = &mut self.words.arena;
                let expected = arena.ite(valid, one, zero);
                let fact = arena.eq(length, expected);
                self.words.fact(fact);
            }
            _ => {}
        }
    }

    /// A word is at least as long as its factors, and the empty word is a factor of every word.
    fn longer_facts(&mut self, whole: TermId, part: TermId, value: Id) {
        let (whole, part) = (self.word(whole), self.word(part));
        let arena = &mut self.words.arena;
        let zero = arena.int(0);
        let fits = arena.ge(whole.length(), part.length());
        let empty = arena.eq(part.length(), zero);
        self.words.fact_if(&[value], fits);
        self.words.fact_if(&[empty], value);
    }

    fn index_facts(&mut self, children: &[TermId], index: Id) {
        let (hay, needle) = (self.word(children[0]), self.word(children[1]));
        let from = self.formula(children[2]);
        let arena = &mut self.words.arena;
        let (minus, zero, one) = (arena.int(-1), arena.int(0), arena.int(1));
        let least = arena.ge(index, minus);
        let behind = arena.add(&[hay.length(), one]);
        let end = arena.add(&[index, needle.length()]);
        let (found, fits, later) =
            (arena.ge(index, zero), arena.le(end, hay.length()), arena.ge(index, from));
        let empty = arena.eq(needle.length(), zero);
        let at_start = arena.eq(index, from);
        let nowhere = arena.eq(index, minus);
        let valid = self.words.between(zero, from, behind);
        let invalid = self.words.arena.not(valid);
        self.words.fact(least);
        self.words.fact_if(&[found], fits);
        self.words.fact_if(&[found], later);
        self.words.fact_if(&[invalid], nowhere);
        self.words.fact_if(&[valid, empty], at_start);
    }

    pub(super) fn is_string(&self, term: TermId) -> bool {
        self.pool.sort(term) == luthier_terms::Sort::String
    }
}
