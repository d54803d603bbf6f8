//! Facts with a known truth value under the generator's model, and Boolean structure around them.
//!
//! A fact is an atom about a given operator, for example that a term equals another one, is a
//! prefix of it, or is in a language. The referee evaluates it. Boolean structure is built top-down
//! from the desired truth value: each part gets a truth value that gives the whole the desired one.
//! So a formula with the truth value `true` is satisfiable by the model.

use luthier_semantics::Value;
use luthier_smtlib::Assertion;
use luthier_terms::{BasicSort, Op, Sort, TermId, Theory};

use crate::languages::LANGUAGES;
use crate::random::{Generator, RARELY_SUPPORTED};

/// The attempts to find a fact that the referee decides and that contains a constant.
const ATTEMPTS: usize = 4;

/// The names of constants, by sort.
const STRINGS: [&str; 5] = ["x", "y", "z", "u", "v"];
const INTEGERS: [&str; 5] = ["i", "j", "k", "m", "n"];
const BOOLEANS: [&str; 5] = ["p", "q", "r", "s", "t"];

impl Generator {
    /// Declares a constant of the sort under a new name, with a value of the vocabulary.
    pub(crate) fn declare_some(&mut self, sort: BasicSort) -> TermId {
        let value = match sort {
            BasicSort::Bool => Value::Bool(self.dice.percent(50)),
            BasicSort::Int => Value::Int(self.number()),
            BasicSort::String | BasicSort::RegLan => {
                let word = self.word();
                let literal = self.string(word);
                self.value_of(literal).unwrap_or_else(|| Value::default_of(Sort::String))
            }
        };
        let name = self.unused_name(sort);
        self.declare(name, value)
    }

    /// A name for the next constant of the sort. There are five names for each sort.
    pub(crate) fn unused_name(&self, sort: BasicSort) -> &'static str {
        let sort_of = |constant: &TermId| self.pool.sort(*constant).as_basic() == Some(sort);
        let position = self.constants().iter().copied().filter(sort_of).count() % STRINGS.len();
        match sort {
            BasicSort::Bool => BOOLEANS[position],
            BasicSort::Int => INTEGERS[position],
            BasicSort::String | BasicSort::RegLan => STRINGS[position],
        }
    }

    /// One to five constants, the first mostly a string.
    pub(crate) fn declare_constants(&mut self) {
        let count = self.dice.pick(&[1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5]);
        for position in 0..count {
            let sort = match self.dice.below(100) {
                _ if position == 0 && self.dice.percent(80) => BasicSort::String,
                0..=64 => BasicSort::String,
                65..=89 => BasicSort::Int,
                _ => BasicSort::Bool,
            };
            self.declare_some(sort);
        }
    }

    /// A formula about the operator with this truth value under the model.
    pub(crate) fn formula(&mut self, truth: bool, depth: usize, about: Op) -> TermId {
        if depth == 0 || self.dice.percent(30) {
            return self.literal_fact(truth, about);
        }
        let below = depth - 1;
        match self.dice.below(12) {
            0 => {
                let part = self.formula(!truth, below, about);
                self.op(Op::Not, &[part])
            }
            1 => {
                let part = self.formula(truth, below, about);
                let part = self.op(Op::Not, &[part]);
                self.op(Op::Not, &[part])
            }
            2 | 3 => self.junction(Op::And, truth, below, about),
            4..=6 => self.junction(Op::Or, truth, below, about),
            7 => {
                // Odd numbers of true parts make it true.
                let count = self.dice.pick(&[2, 2, 3]);
                let mut truths: Vec<bool> = (0..count).map(|_| self.dice.percent(50)).collect();
                let odd = truths.iter().filter(|&&part| part).count() % 2 == 1;
                if odd != truth {
                    truths[0] = !truths[0];
                }
                let parts = self.parts(&truths, below, about);
                self.op(Op::Xor, &parts)
            }
            8 => {
                let truths = match (truth, self.dice.below(3)) {
                    (false, _) => [true, false],
                    (true, 0) => [true, true],
                    (true, choice) => [false, choice == 1],
                };
                let parts = self.parts(&truths, below, about);
                self.op(Op::Implies, &parts)
            }
            9 => {
                let (condition, other) = (self.dice.percent(50), self.dice.percent(50));
                let truths = if condition { [true, truth, other] } else { [false, other, truth] };
                let parts = self.parts(&truths, below, about);
                self.op(Op::Ite, &parts)
            }
            10 => {
                let first = self.dice.percent(50);
                let op = self.dice.pick(&[Op::Eq, Op::Eq, Op::Distinct]);
                let second = first == (truth == (op == Op::Eq));
                let parts = self.parts(&[first, second], below, about);
                self.op(op, &parts)
            }
            _ => {
                // A Boolean constant, defined by a formula.
                let Some(constant) = self.some_constant(BasicSort::Bool) else {
                    return self.literal_fact(truth, about);
                };
                let value = self.value_of(constant) == Some(Value::Bool(true));
                let part = self.formula(value == truth, below, about);
                self.op(Op::Eq, &[constant, part])
            }
        }
    }

    /// `and` or `or` with this truth value.
    fn junction(&mut self, op: Op, truth: bool, below: usize, about: Op) -> TermId {
        let neutral = op == Op::And;
        let count = self.dice.pick(&[2, 2, 2, 3]);
        let mut truths = vec![neutral; count];
        if truth != neutral {
            for part in &mut truths {
                *part = self.dice.percent(50);
            }
            let position = self.dice.below(count);
            truths[position] = truth;
        }
        let parts = self.parts(&truths, below, about);
        self.op(op, &parts)
    }

    /// Formulas with these truth values, one of them about the operator.
    fn parts(&mut self, truths: &[bool], below: usize, about: Op) -> Vec<TermId> {
        let position = self.dice.below(truths.len());
        let parts = truths.iter().enumerate().map(|(index, &truth)| {
            let about = if index == position { about } else { self.some_operator() };
            self.formula(truth, below, about)
        });
        parts.collect()
    }

    /// A random operator for a fact: mostly one of strings.
    pub(crate) fn some_operator(&mut self) -> Op {
        let strings = self.dice.percent(88);
        let suits = |theory| match theory {
            Theory::Strings => strings,
            Theory::Core | Theory::Ints => !strings,
            Theory::Arrays => false,
        };
        let rows: Vec<Op> =
            Op::TABLE.iter().filter(|info| suits(info.theory)).map(|info| info.op).collect();
        let op = self.dice.pick(&rows);
        if RARELY_SUPPORTED.contains(&op) && self.dice.percent(75) {
            self.dice.pick(&rows)
        } else {
            op
        }
    }

    /// A fact or its negation, whichever has this truth value.
    fn literal_fact(&mut self, truth: bool, about: Op) -> TermId {
        let mut chosen = self.fact(about);
        if chosen.1 != truth && self.dice.percent(40) {
            chosen = self.fact(about);
        }
        let (fact, value) = chosen;
        if value == truth { fact } else { self.op(Op::Not, &[fact]) }
    }

    /// A fact about the operator, and whether it is true.
    pub(crate) fn fact(&mut self, about: Op) -> (TermId, bool) {
        let mut ground = None;
        for _ in 0..ATTEMPTS {
            let Some(fact) = self.proposed_fact(about) else { continue };
            let Some(Value::Bool(truth)) = self.value_of(fact) else { continue };
            if self.mentions_constant(fact) {
                return (fact, truth);
            }
            ground = Some((fact, truth));
        }
        // Otherwise a ground fact, or an equation of a constant with its value.
        match ground {
            Some(found) => found,
            None => {
                let constants = self.constants().to_vec();
                let constant = self.dice.pick(&constants);
                let value = self.value_of(constant).unwrap_or(Value::Bool(true));
                let literal = self.literal(&value);
                (self.op(Op::Eq, &[constant, literal]), true)
            }
        }
    }

    fn proposed_fact(&mut self, about: Op) -> Option<TermId> {
        let regular = LANGUAGES.contains(&about) && about != Op::Ite;
        if (regular || about == Op::StrInRe) && self.dice.percent(70) {
            return self.membership(about);
        }
        let depth = self.dice.pick(&[1, 1, 1, 1, 1, 2, 2, 3]);
        let term = self.about_within(about, depth);
        match self.value_of(term)? {
            Value::Int(number) => self.fact_about_integer(term, &Value::Int(number)),
            Value::String(text) => {
                let word: Vec<u32> = text.iter().map(|character| character.code()).collect();
                self.fact_about_string(term, &word)
            }
            _ => Some(term),
        }
    }

    /// A string is, or is not, in a language about the operator.
    fn membership(&mut self, about: Op) -> Option<TermId> {
        let depth = self.dice.pick(&[0, 0, 1, 1, 2]);
        let term = self.term(BasicSort::String, depth);
        let word = self.text_of(term)?;
        self.membership_of(term, &word, about)
    }

    fn membership_of(&mut self, term: TermId, word: &[u32], about: Op) -> Option<TermId> {
        let depth = self.dice.pick(&[1, 1, 2, 2, 2, 3, 3, 4]);
        let matching = self.dice.percent(70);
        let language = match (about, matching) {
            (Op::StrInRe, true) => self.matching(word, depth),
            (Op::StrInRe, false) => self.avoiding(word, depth),
            (_, true) => self.matching_with(about, word, depth)?,
            (_, false) => self.avoiding_with(about, word, depth)?,
        };
        Some(self.op(Op::StrInRe, &[term, language]))
    }

    pub(crate) fn fact_about_integer(&mut self, term: TermId, value: &Value) -> Option<TermId> {
        match self.dice.below(10) {
            0..=3 => {
                let other = self.express(value, 2);
                Some(self.op(Op::Eq, &[term, other]))
            }
            4 => {
                let other = self.term(BasicSort::Int, 1);
                let op = self.dice.pick(&[Op::Eq, Op::Eq, Op::Distinct]);
                Some(self.op(op, &[term, other]))
            }
            5..=8 => {
                let Value::Int(number) = value else { return None };
                let near = number + self.dice.between(-1, 1);
                let near = self.express(&Value::Int(near), 1);
                let op = self.dice.pick(&[Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::Distinct]);
                let (one, two) = if self.dice.percent(50) { (term, near) } else { (near, term) };
                Some(self.op(op, &[one, two]))
            }
            _ => {
                // The character at this offset of a string.
                let source = self.term(BasicSort::String, 0);
                let piece = self.op(Op::StrAt, &[source, term]);
                let word = self.text_of(piece)?;
                let word = self.express_word(&word, 1);
                Some(self.op(Op::Eq, &[piece, word]))
            }
        }
    }

    pub(crate) fn fact_about_string(&mut self, term: TermId, word: &[u32]) -> Option<TermId> {
        match self.dice.below(20) {
            0..=6 => {
                let other = self.express_word(word, 2);
                Some(self.op(Op::Eq, &[term, other]))
            }
            7 => {
                let other = self.term(BasicSort::String, 1);
                let op = self.dice.pick(&[Op::Eq, Op::Distinct, Op::StrLt, Op::StrLe]);
                Some(self.op(op, &[term, other]))
            }
            8 | 9 => {
                // A word equation: concatenations on both sides, split at different offsets.
                let next = self.term(BasicSort::String, 0);
                let whole = [word, &self.text_of(next)?].concat();
                let cut = self.dice.below(whole.len() + 1);
                let left = self.op(Op::StrConcat, &[term, next]);
                let right = [&whole[..cut], &whole[cut..]].map(|part| self.express_word(part, 2));
                let right = self.op(Op::StrConcat, &right);
                Some(self.op(Op::Eq, &[left, right]))
            }
            10 | 11 => {
                let op = self.dice.pick(&[Op::StrLt, Op::StrLe, Op::StrLe, Op::Distinct]);
                let mut near = word.to_vec();
                if self.dice.percent(60) {
                    near.truncate(self.dice.below(word.len() + 1));
                    let letter = self.letter();
                    near.push(letter);
                }
                let near = self.express_word(&near, 1);
                let (one, two) = if self.dice.percent(50) { (term, near) } else { (near, term) };
                Some(self.op(op, &[one, two]))
            }
            12..=14 => {
                let (one, two) = (self.dice.below(word.len() + 1), self.dice.below(word.len() + 1));
                let piece = self.express_word(&word[one.min(two)..one.max(two)], 1);
                let rows = [
                    (Op::StrContains, [term, piece]),
                    (Op::StrPrefixOf, [piece, term]),
                    (Op::StrSuffixOf, [piece, term]),
                    (Op::StrPrefixOf, [term, piece]),
                ];
                let (op, arguments) = self.dice.pick(&rows);
                Some(self.op(op, &arguments))
            }
            15 | 16 => {
                let length = self.op(Op::StrLen, &[term]);
                self.fact_about_integer(length, &Value::Int(word.len().into()))
            }
            _ => self.membership_of(term, word, Op::StrInRe),
        }
    }
}

/// An assertion of the term; `uses_let`: shared subterms are printed with `let`.
pub(crate) fn assertion(term: TermId, uses_let: bool) -> Assertion {
    Assertion { term, name: None, uses_let }
}
