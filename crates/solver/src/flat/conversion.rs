//! Numbers and the strings that write them.

use luthier_terms::{CodePoint, TermId};

use super::encode::Encoder;
use super::word::Word;
use crate::Limit;
use crate::arithmetic::Id;

/// How many digits are looked at, by rung.
const DIGITS: [usize; 6] = [3, 6, 12, 20, 40, 80];

impl Encoder {
    /// `str.to_int`: `value` is the number that the word writes, or −1 if it writes none.
    pub(super) fn number(&mut self, term: TermId, word: &Word, value: Id) {
        let count = self.count_of_digits(term);
        let bound = self.assumption(term);
        let (zero, minus) = (self.reader.arena.int(0), self.reader.arena.int(-1));
        let is_number = self.reader.arena.ge(value, zero);
        let most = self.reader.arena.int(count);
        let short = self.reader.arena.le(word.length(), most);
        self.reader.fact_if(&[bound, is_number], short);
        let sum = self.digits(&[bound, is_number], word, count);
        let same = self.reader.arena.eq(value, sum);
        self.reader.fact_if(&[bound, is_number], same);
        // No number: empty, or some letter is no digit.
        let place = self.reader.arena.fresh_int("pos");
        let inside = self.reader.between(zero, place, word.length());
        let letter = self.reader.letter_at(word, place);
        let digit = self.is_digit(letter);
        let arena = &mut self.reader.arena;
        let other = arena.not(digit);
        let bad = arena.and(&[inside, other]);
        let empty = arena.eq(word.length(), zero);
        let none = arena.eq(value, minus);
        let reason = arena.or(&[empty, bad]);
        self.reader.fact_if(&[none], reason);
    }

    /// `str.from_int`: the word writes the number without leading zeros.
    pub(super) fn numeral(&mut self, term: TermId, word: &Word, number: Id) {
        let count = self.count_of_digits(term);
        let bound = self.assumption(term);
        let arena = &mut self.reader.arena;
        let (zero, one) = (arena.int(0), arena.int(1));
        let natural = arena.ge(number, zero);
        let most = arena.int(count);
        let short = arena.le(word.length(), most);
        self.reader.fact_if(&[bound, natural], short);
        let sum = self.digits(&[bound, natural], word, count);
        let same = self.reader.arena.eq(number, sum);
        self.reader.fact_if(&[bound, natural], same);
        let several = self.reader.arena.gt(word.length(), one);
        let first = self.reader.letter_at(word, zero);
        let null = self.digit_zero();
        let leading = self.reader.arena.eq(first, null);
        let fine = self.reader.arena.not(leading);
        self.reader.fact_if(&[natural, several], fine);
    }

    /// How many digits of a term are looked at.
    fn count_of_digits(&self, term: TermId) -> usize {
        let rung = self.rung(term).min(DIGITS.len() - 1);
        DIGITS[rung].min(self.reader.budget.limit(Limit::FlatDigits))
    }

    /// The number that the last `count` letters write; under the conditions they are digits.
    ///
    /// The number is taken apart digit by digit from its end, `q = 10·q' + d`: the solver finds
    /// each of them from bounds, where one sum of large multiples makes it guess.
    fn digits(&mut self, conditions: &[Id], word: &Word, count: usize) -> Id {
        let zero = self.reader.arena.int(0);
        let null = self.digit_zero();
        let mut rest = self.reader.arena.fresh_int("digits");
        let whole = rest;
        for power in 0..count {
            let arena = &mut self.reader.arena;
            let behind = arena.int(power + 1);
            let place = arena.sub(word.length(), behind);
            let there = arena.ge(place, zero);
            let letter = self.reader.letter_at(word, place);
            let digit = self.is_digit(letter);
            let mut all = conditions.to_vec();
            all.push(there);
            self.reader.fact_if(&all, digit);
            let arena = &mut self.reader.arena;
            let amount = arena.sub(letter, null);
            let next = if power + 1 == count { zero } else { arena.fresh_int("digits") };
            let tenfold = arena.scale(10, next);
            let sum = arena.add(&[tenfold, amount]);
            let (split, ended) = (arena.eq(rest, sum), arena.eq(rest, zero));
            let step = arena.ite(there, split, ended);
            let natural = arena.ge(next, zero);
            self.reader.fact_if(conditions, step);
            self.reader.fact_if(conditions, natural);
            rest = next;
        }
        whole
    }

    fn digit_zero(&mut self) -> Id {
        self.reader.letters.constant(&mut self.reader.arena, CodePoint::from_byte(b'0'))
    }

    fn is_digit(&mut self, letter: Id) -> Id {
        let letters = self.reader.letters;
        let arena = &mut self.reader.arena;
        let least = letters.constant(arena, CodePoint::from_byte(b'0'));
        let greatest = letters.constant(arena, CodePoint::from_byte(b'9'));
        let (above, below) = (arena.ge(letter, least), arena.le(letter, greatest));
        arena.and(&[above, below])
    }
}
