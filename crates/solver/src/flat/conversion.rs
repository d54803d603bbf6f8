//! Definitions of `str.to_int` and `str.from_int` by digits.
//!
//! The last `count` letters are digits of the number, `q = 10·q′ + d` from the end; that the word
//! has no more letters is an assumption on the size of the term, which grows with its rung.
//! `str.from_int` has no leading zeros; for `str.to_int = −1` the word is empty or some letter is
//! not a digit. Limit: `flat.digits`.

use luthier_terms::{CodePoint, TermId};

use super::encode::Encoder;
use super::word::Word;
use crate::Limit;
use crate::arithmetic::Id;

/// The number of digits that are encoded, by rung.
const DIGITS: [usize; 6] = [3, 6, 12, 20, 40, 80];

impl Encoder {
    /// `str.to_int`: `value` is the number whose digits the word has, or −1 if the word is empty or
    /// has other letters.
    pub(super) fn number(&mut self, term: TermId, word: &Word, value: Id) {
        let count = self.count_of_digits(term);
        let bound = self.assumption(term);
        let (zero, minus) = (self.words.arena.int(0), self.words.arena.int(-1));
        let is_number = self.words.arena.ge(value, zero);
        let most = self.words.arena.int(count);
        let short = self.words.arena.le(word.length(), most);
        self.words.fact_if(&[bound, is_number], short);
        let sum = self.digits(&[bound, is_number], word, count);
        let same = self.words.arena.eq(value, sum);
        self.words.fact_if(&[bound, is_number], same);
        // Not a number: empty, or some letter is not a digit.
        let position = self.words.arena.fresh_int("pos");
        let inside = self.words.between(zero, position, word.length());
        let letter = self.words.letter_at(word, position);
        let digit = self.is_digit(letter);
        let arena = &mut self.words.arena;
        let other = arena.not(digit);
        let bad = arena.and(&[inside, other]);
        let empty = arena.eq(word.length(), zero);
        let none = arena.eq(value, minus);
        let reason = arena.or(&[empty, bad]);
        self.words.fact_if(&[none], reason);
    }

    /// `str.from_int`: the word is the decimal representation of the number without leading zeros.
    pub(super) fn numeral(&mut self, term: TermId, word: &Word, number: Id) {
        let count = self.count_of_digits(term);
        let bound = self.assumption(term);
        let arena = &mut self.words.arena;
        let (zero, one) = (arena.int(0), arena.int(1));
        let natural = arena.ge(number, zero);
        let most = arena.int(count);
        let short = arena.le(word.length(), most);
        self.words.fact_if(&[bound, natural], short);
        let sum = self.digits(&[bound, natural], word, count);
        let same = self.words.arena.eq(number, sum);
        self.words.fact_if(&[bound, natural], same);
        let several = self.words.arena.gt(word.length(), one);
        let first = self.words.letter_at(word, zero);
        let null = self.digit_zero();
        let leading = self.words.arena.eq(first, null);
        let fine = self.words.arena.not(leading);
        self.words.fact_if(&[natural, several], fine);
    }

    /// The number of digits of a term that are encoded.
    fn count_of_digits(&self, term: TermId) -> usize {
        let rung = self.rung(term).min(DIGITS.len() - 1);
        DIGITS[rung].min(self.words.budget.limit(Limit::FlatDigits))
    }

    /// The number of which the last `count` letters are the digits, under the conditions.
    ///
    /// The number is decomposed from its end, `q = 10·q' + d`: the arithmetic solver finds each digit
    /// by bound propagation, while one sum with large coefficients makes it branch.
    fn digits(&mut self, conditions: &[Id], word: &Word, count: usize) -> Id {
        let zero = self.words.arena.int(0);
        let null = self.digit_zero();
        let mut rest = self.words.arena.fresh_int("digits");
        let whole = rest;
        for power in 0..count {
            let arena = &mut self.words.arena;
            let behind = arena.int(power + 1);
            let position = arena.sub(word.length(), behind);
            let there = arena.ge(position, zero);
            let letter = self.words.letter_at(word, position);
            let digit = self.is_digit(letter);
            let mut all = conditions.to_vec();
            all.push(there);
            self.words.fact_if(&all, digit);
            let arena = &mut self.words.arena;
            let amount = arena.sub(letter, null);
            let next = if power + 1 == count { zero } else { arena.fresh_int("digits") };
            let tenfold = arena.scale(10, next);
            let sum = arena.add(&[tenfold, amount]);
            let (split, ended) = (arena.eq(rest, sum), arena.eq(rest, zero));
            let step = arena.ite(there, split, ended);
            let natural = arena.ge(next, zero);
            self.words.fact_if(conditions, step);
            self.words.fact_if(conditions, natural);
            rest = next;
        }
        whole
    }

    fn digit_zero(&mut self) -> Id {
        self.words.letters.constant(&mut self.words.arena, CodePoint::from_byte(b'0'))
    }

    fn is_digit(&mut self, letter: Id) -> Id {
        let letters = self.words.letters;
        let arena = &mut self.words.arena;
        let least = letters.constant(arena, CodePoint::from_byte(b'0'));
        let greatest = letters.constant(arena, CodePoint::from_byte(b'9'));
        let (above, below) = (arena.ge(letter, least), arena.le(letter, greatest));
        arena.and(&[above, below])
    }
}
