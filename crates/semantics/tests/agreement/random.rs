//! Random well-sorted ground terms, always the same for the same seed.
//!
//! Blind dice would mostly make terms whose value is `false`, `-1` or `""`. So a term keeps to few
//! letters, repeats its own words, and arguments are often made to fit the arguments before them:
//! a needle is cut from the haystack, a position lies near the end, a word is taken from the
//! language it is matched with.

use luthier_terms::{BigInt, Op, Shape, SmtString, Sort, TermId, TermPool, Theory};

use crate::dice::{CODES, Dice, NASTY};
use crate::naive::{self, ByZero, Datum};
use crate::regex::Regex;
use crate::text::literal_of;

/// The operators that random terms are made of.
pub fn operators() -> Vec<Op> {
    Op::TABLE.iter().filter(|info| info.theory != Theory::Arrays).map(|info| info.op).collect()
}

/// Makes the parts of one random term.
pub struct Generator {
    pub pool: TermPool,
    pub dice: Dice,
    letters: Vec<u32>,
    words: Vec<Vec<u32>>,
}

impl Generator {
    pub fn new(mut dice: Dice) -> Self {
        let letters = match dice.below(4) {
            0 => vec![0x30, 0x31, 0x39],
            1 => vec![0x61, 0x62],
            2 => vec![dice.pick(&NASTY)],
            _ => vec![dice.pick(&NASTY), dice.pick(&NASTY)],
        };
        Self { pool: TermPool::new(), dice, letters, words: Vec::new() }
    }

    /// A term of another sort than `RegLan` with the operator at its root, or, for a language,
    /// right below it.
    pub fn term_about(&mut self, op: Op) -> TermId {
        let depth = 1 + self.dice.below(4);
        if matches!(op, Op::True | Op::False) {
            // A constant alone says little.
            let (constant, other) = (self.op(op, &[]), self.term(Sort::Bool, depth));
            let op = self.dice.pick(&[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq]);
            return self.op(op, &[constant, other]);
        }
        let sort = self.result_sort(op);
        let term = self.apply(op, sort, depth);
        if sort != Sort::RegLan {
            return term;
        }
        let word = match self.dice.below(4) {
            0 => self.term(Sort::String, depth.min(2)),
            _ => self.word_for(term),
        };
        match self.dice.below(4) {
            0 | 1 => self.op(Op::StrInRe, &[word, term]),
            choice => {
                let by = self.term(Sort::String, 0);
                let op = if choice == 2 { Op::StrReplaceRe } else { Op::StrReplaceReAll };
                self.op(op, &[word, term, by])
            }
        }
    }

    /// A term of the sort, nested at most `depth` levels.
    pub fn term(&mut self, sort: Sort, depth: usize) -> TermId {
        if depth == 0 || self.dice.percent(25) {
            return self.leaf(sort);
        }
        let fits = |shape: Shape| match shape {
            Shape::Exact(_, result) | Shape::Folded(_, result, _) => result == sort,
            Shape::Polymorphic(_) => sort == Sort::Bool,
            Shape::IfThenElse => true,
            Shape::Select | Shape::Store | Shape::ConstantArray => false,
        };
        let rows: Vec<Op> =
            Op::TABLE.iter().filter(|info| fits(info.shape)).map(|info| info.op).collect();
        let op = self.dice.pick(&rows);
        self.apply(op, sort, depth)
    }

    fn leaf(&mut self, sort: Sort) -> TermId {
        match sort {
            Sort::Bool => {
                let value = self.dice.percent(50);
                self.pool.bool(value).expect("room")
            }
            Sort::Int => {
                let number = self.number();
                self.integer(number)
            }
            Sort::String => {
                let word = self.word();
                self.string(word)
            }
            Sort::RegLan => match self.dice.below(10) {
                0 => self.op(Op::ReNone, &[]),
                1 => self.op(Op::ReAll, &[]),
                2 | 3 => self.op(Op::ReAllChar, &[]),
                4 | 5 => self.apply(Op::ReRange, sort, 0),
                _ => self.apply(Op::StrToRe, sort, 0),
            },
            Sort::Array(..) => panic!("random terms have no arrays"),
        }
    }

    /// The sort of the operator's value; for `ite` any one.
    fn result_sort(&mut self, op: Op) -> Sort {
        match op.info().shape {
            Shape::Exact(_, result) | Shape::Folded(_, result, _) => result,
            Shape::IfThenElse => self.any_sort(),
            _ => Sort::Bool,
        }
    }

    fn any_sort(&mut self) -> Sort {
        self.dice.pick(&[
            Sort::Bool,
            Sort::Int,
            Sort::Int,
            Sort::String,
            Sort::String,
            Sort::RegLan,
        ])
    }

    /// The operator applied to arguments that are nested one level less.
    fn apply(&mut self, op: Op, sort: Sort, depth: usize) -> TermId {
        let depth = depth.saturating_sub(1);
        let many = self.dice.pick(&[2, 2, 2, 2, 3, 3, 4]);
        let sorts = match op.info().shape {
            Shape::Exact(sorts, _) => sorts.to_vec(),
            Shape::Folded(sort, ..) => vec![sort; many],
            Shape::Polymorphic(_) => vec![self.any_sort(); many],
            _ => vec![Sort::Bool, sort, sort],
        };
        let mut arguments: Vec<TermId> = Vec::new();
        // The language comes first, so that the word can be chosen for it.
        if let [Sort::String, Sort::RegLan, ..] = sorts[..] {
            let language = self.term(Sort::RegLan, depth);
            let word = if self.dice.percent(60) {
                self.word_for(language)
            } else {
                self.term(Sort::String, depth)
            };
            arguments = vec![word, language];
        }
        for (position, &sort) in sorts.iter().enumerate().skip(arguments.len()) {
            let argument = if position < op.info().indices {
                let index = self.index(op);
                self.pool.integer(index).expect("room")
            } else {
                match self.fitting(op, &arguments) {
                    Some(argument) => argument,
                    None => self.term(sort, depth),
                }
            };
            arguments.push(argument);
        }
        self.op(op, &arguments)
    }

    /// An index: mostly small, at times beyond all lengths.
    fn index(&mut self, op: Op) -> BigInt {
        match (op, self.dice.below(40)) {
            (Op::Divisible, _) => self.dice.pick(&[1, 2, 2, 3, 5, 7, 10]).into(),
            (_, 0) => BigInt::from(10).pow(30),
            (_, 1 | 2) => 50.into(),
            _ => self.dice.pick(&[0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4]).into(),
        }
    }

    /// An argument that suits the operator and the arguments before it, at times.
    fn fitting(&mut self, op: Op, before: &[TermId]) -> Option<TermId> {
        let position = before.len();
        let chance = match op {
            Op::ReRange => 90,
            Op::StrAt | Op::StrSubstr | Op::StrIndexOf => 75,
            _ => 50,
        };
        if !self.dice.percent(chance) {
            return None;
        }
        match (op, position) {
            (Op::Div, 1..) | (Op::Mod, 1) => {
                let divisor = self.dice.pick(&[1, -1, 2, -2, 3, -3, 7, -10]);
                Some(self.integer(divisor.into()))
            }
            (Op::StrFromCode, _) => {
                let code = self.dice.pick(&CODES);
                Some(self.integer(code.into()))
            }
            (Op::ReRange, 1) if self.dice.percent(60) => {
                let low = *self.text_of(before[0])?.first()?;
                let width = self.dice.pick(&[0, 1, 2, 0x40, 0x20000]);
                Some(self.string(vec![(low + width).min(0x2FFFF)]))
            }
            (Op::StrToCode | Op::StrIsDigit | Op::ReRange, _) => {
                let word = vec![self.letter()];
                Some(self.string(word))
            }
            (Op::StrToInt, _) => {
                let length = self.dice.pick(&[1, 1, 2, 3, 25]);
                let digits = (0..length).map(|_| 0x30 + self.dice.below(10) as u32).collect();
                Some(self.string(digits))
            }
            (_, 0) => None,
            (Op::Eq | Op::Distinct | Op::ReInter | Op::ReDiff, _)
            | (Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::StrLt | Op::StrLe, _) => {
                self.nearly(before[position - 1])
            }
            (Op::StrAt | Op::StrSubstr, _) | (Op::StrIndexOf, 2) => {
                let length = self.text_of(before[0])?.len() as i64;
                let near = match self.dice.below(3) {
                    0 => self.dice.between(-1, length + 1),
                    _ => self.dice.between(i64::from(position == 2), length / 2 + 1),
                };
                Some(self.integer(near.into()))
            }
            (Op::StrPrefixOf | Op::StrSuffixOf, 1) => {
                let (inner, outer) = (self.text_of(before[0])?, self.word());
                let prefix = op == Op::StrPrefixOf;
                Some(self.string(if prefix { [inner, outer] } else { [outer, inner] }.concat()))
            }
            (Op::StrContains | Op::StrIndexOf | Op::StrReplace | Op::StrReplaceAll, 1) => {
                let whole = self.text_of(before[0])?;
                let piece = self.slice(&whole);
                Some(self.string(piece))
            }
            _ => None,
        }
    }

    /// A term whose value is that of the given term, or close to it.
    fn nearly(&mut self, term: TermId) -> Option<TermId> {
        let change = self.dice.percent(35);
        let value = match self.value_of(term)? {
            Datum::Int(number) if change => Datum::Int(number + self.dice.pick(&[1, -1])),
            Datum::Text(text) if change => {
                let cut = self.dice.below(text.len() + 1);
                Datum::Text([&text[..cut], &[self.letter()]].concat())
            }
            Datum::Language(_) => {
                // The same language, or one that differs from it in one word at most.
                let other = self.leaf(Sort::RegLan);
                let op = self.dice.pick(&[Op::ReComp, Op::ReUnion, Op::ReOpt, Op::ReInter]);
                return Some(match op {
                    Op::ReComp => {
                        let inner = self.op(Op::ReComp, &[term]);
                        self.op(Op::ReComp, &[inner])
                    }
                    Op::ReOpt => self.op(Op::ReOpt, &[term]),
                    Op::ReInter => self.op(Op::ReInter, &[term, term]),
                    _ => self.op(op, &[other, term]),
                });
            }
            other => other,
        };
        literal_of(&mut self.pool, &value)
    }

    /// A literal that is in the language, or has a piece that is, if that is easily found.
    fn word_for(&mut self, language: TermId) -> TermId {
        let mut word = Vec::new();
        if let Some(Datum::Language(language)) = self.value_of(language) {
            for _ in 0..self.dice.pick(&[1, 1, 1, 2]) {
                if self.dice.percent(20) {
                    word.extend(self.word());
                }
                self.sample(&language, &mut word);
            }
        }
        if self.dice.percent(15) {
            word.push(self.letter());
        }
        word.truncate(24);
        self.string(word)
    }

    /// Appends what may well be a word of the language.
    fn sample(&mut self, language: &Regex, word: &mut Vec<u32>) {
        match language {
            Regex::None => {}
            Regex::All | Regex::Comp(_) => word.extend(self.word()),
            Regex::AllChar => word.push(self.letter()),
            Regex::Literal(text) => word.extend(text),
            Regex::Range(low, high) => {
                let edges = [low.as_slice(), high.as_slice()];
                let mut edge = self.dice.pick(&edges).to_vec();
                if let ([character], true) = (&mut edge[..], self.dice.percent(30)) {
                    *character = self.dice.pick(&[*character + 1, character.saturating_sub(1)]);
                    *character = (*character).min(0x2FFFF);
                }
                word.extend(edge);
            }
            Regex::Concat(one, two) => {
                self.sample(one, word);
                self.sample(two, word);
            }
            Regex::Union(one, two) => {
                let part = if self.dice.percent(50) { one } else { two };
                self.sample(part, word);
            }
            Regex::Inter(one, two) => {
                let part = if self.dice.percent(50) { one } else { two };
                self.sample(part, word);
            }
            Regex::Diff(one, _) => self.sample(one, word),
            Regex::Star(one) => self.samples(one, 0, 3, word),
            Regex::Plus(one) => self.samples(one, 1, 3, word),
            Regex::Opt(one) => self.samples(one, 0, 1, word),
            Regex::Power(count, one) => {
                let count = i64::try_from(count).unwrap_or(5).min(5);
                self.samples(one, count, count, word);
            }
            Regex::Loop(least, most, one) => {
                let bound = |count: &BigInt| i64::try_from(count).unwrap_or(5).min(5);
                let (least, most) = (bound(least), bound(most));
                self.samples(one, least, most.max(least), word);
            }
        }
    }

    fn samples(&mut self, one: &Regex, least: i64, most: i64, word: &mut Vec<u32>) {
        for _ in 0..self.dice.between(least, most) {
            self.sample(one, word);
        }
    }

    fn value_of(&self, term: TermId) -> Option<Datum> {
        naive::evaluate(&self.pool, term, ByZero::SAMPLES[0]).ok().map(|(value, _)| value)
    }

    fn text_of(&self, term: TermId) -> Option<Vec<u32>> {
        Some(self.value_of(term)?.text().to_vec())
    }

    fn letter(&mut self) -> u32 {
        if self.dice.percent(88) { self.dice.pick(&self.letters) } else { self.dice.pick(&NASTY) }
    }

    fn slice(&mut self, word: &[u32]) -> Vec<u32> {
        let (one, two) = (self.dice.below(word.len() + 1), self.dice.below(word.len() + 1));
        word[one.min(two)..one.max(two)].to_vec()
    }

    fn word(&mut self) -> Vec<u32> {
        let word = match self.dice.below(10) {
            0 => Vec::new(),
            1..=3 if !self.words.is_empty() => {
                let known = self.words[self.dice.below(self.words.len())].clone();
                if self.dice.percent(50) { self.slice(&known) } else { known }
            }
            4 => [self.letter(), self.letter()].repeat(1 + self.dice.below(3)),
            _ => (0..1 + self.dice.below(5)).map(|_| self.letter()).collect(),
        };
        self.words.push(word.clone());
        word
    }

    fn number(&mut self) -> BigInt {
        match self.dice.below(20) {
            0..=9 => self.dice.between(-1, 4).into(),
            10..=13 => self.dice.between(-3, 10).into(),
            14 | 15 => self.dice.pick(&CODES).into(),
            16 if !self.words.is_empty() => {
                self.words[self.dice.below(self.words.len())].len().into()
            }
            16 | 17 => self.dice.between(10, 1000).into(),
            18 => {
                let power = BigInt::from(2).pow(self.dice.pick(&[31, 32, 63, 64]));
                let power = power + self.dice.between(-1, 1);
                if self.dice.percent(50) { power } else { -power }
            }
            _ => {
                let huge = BigInt::from(10).pow(30) + self.dice.between(-9, 9);
                if self.dice.percent(50) { huge } else { -huge }
            }
        }
    }

    fn integer(&mut self, number: BigInt) -> TermId {
        if number < BigInt::from(0) && self.dice.percent(50) {
            let positive = self.pool.integer(-number).expect("room");
            return self.op(Op::Neg, &[positive]);
        }
        self.pool.integer(number).expect("room")
    }

    fn string(&mut self, word: Vec<u32>) -> TermId {
        self.pool.string(SmtString::from_codes(word).expect("only characters")).expect("room")
    }

    pub fn op(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.pool.op(op, arguments).unwrap_or_else(|error| panic!("{}: {error}", op.name()))
    }
}
