//! Terms with a given value: a constant with this value, a substring of one, a concatenation, a
//! sum, a replacement.
//!
//! Every proposal is evaluated by the referee, and a literal is used instead if its value differs.
//! So the constructions need not be correct in all cases.

use luthier_semantics::Value;
use luthier_terms::{BasicSort, BigInt, Op, TermId};

use super::vocabulary::{LAST, slice};
use super::{Generator, Style};

/// The percentage of literals of a formula that are replaced by another term with the same value.
const EXPRESSED: usize = 35;

impl Generator {
    /// A term with this value, which is not a language or an array; nested a few levels at most.
    pub fn express(&mut self, value: &Value, depth: usize) -> TermId {
        let depth = depth.min(3);
        let constant = self.constant_with(value);
        if let Some(constant) = constant
            && self.dice.percent(45)
        {
            return constant;
        }
        let proposal = match value {
            _ if depth == 0 => None,
            Value::String(text) => {
                let word: Vec<u32> = text.iter().map(|character| character.code()).collect();
                self.propose_string(&word, depth - 1)
            }
            Value::Int(number) => self.propose_integer(number, depth - 1),
            Value::Bool(value) => self.propose_truth(*value, depth - 1),
            Value::RegLan(_) | Value::Array(_) => None,
        };
        match proposal {
            Some(term) if self.value_of(term).as_ref() == Some(value) => {
                self.remember(term);
                term
            }
            _ => self.literal(value),
        }
    }

    /// A string with this value, as [`Generator::express`] does it.
    pub(crate) fn express_word(&mut self, word: &[u32], depth: usize) -> TermId {
        let literal = self.string(word.to_vec());
        match self.value_of(literal) {
            Some(value) => self.express(&value, depth),
            None => literal,
        }
    }

    /// The literal itself or, sometimes in a formula, another term with its value.
    pub(super) fn perhaps_express(&mut self, literal: TermId) -> TermId {
        if self.style == Style::Terms || self.constants.is_empty() || !self.dice.percent(EXPRESSED)
        {
            return literal;
        }
        match self.value_of(literal) {
            Some(value @ (Value::Bool(_) | Value::Int(_) | Value::String(_))) => {
                self.express(&value, 1)
            }
            _ => literal,
        }
    }

    /// The value as a literal; the empty string for languages and arrays, which have none.
    pub(crate) fn literal(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(true) => self.op(Op::True, &[]),
            Value::Bool(false) => self.op(Op::False, &[]),
            Value::Int(number) => self.integer(number.clone()),
            Value::String(text) => {
                self.string(text.iter().map(|character| character.code()).collect())
            }
            Value::RegLan(_) | Value::Array(_) => self.string(Vec::new()),
        }
    }

    /// A constant with this value.
    fn constant_with(&mut self, value: &Value) -> Option<TermId> {
        let constants = self.constants.clone();
        let fitting: Vec<TermId> = constants
            .into_iter()
            .filter(|&constant| self.value_of(constant).as_ref() == Some(value))
            .collect();
        (!fitting.is_empty()).then(|| self.dice.pick(&fitting))
    }

    fn propose_string(&mut self, word: &[u32], depth: usize) -> Option<TermId> {
        match self.dice.below(12) {
            0..=2 => {
                let cut = self.dice.below(word.len() + 1);
                let parts = [&word[..cut], &word[cut..]];
                let parts = parts.map(|part| self.express_word(part, depth));
                Some(self.op(Op::StrConcat, &parts))
            }
            3 | 4 => self.piece_of_a_constant(word, depth),
            5..=7 => {
                // (str.replace (str.++ u p v) p q) where the word is u q v.
                let (one, two) = (self.dice.below(word.len() + 1), self.dice.below(word.len() + 1));
                let (start, end) = (one.min(two), one.max(two));
                let pattern = if self.dice.percent(25) { Vec::new() } else { self.word() };
                let source = [&word[..start], &pattern, &word[end..]].concat();
                let source = self.express_word(&source, depth);
                let by = self.express_word(&word[start..end], depth);
                let op = self.dice.pick(&[Op::StrReplace, Op::StrReplace, Op::StrReplaceAll]);
                let pattern = self.express_word(&pattern, depth);
                Some(self.op(op, &[source, pattern, by]))
            }
            8 => {
                let condition = self.term(BasicSort::Bool, 1);
                let truth = self.value_of(condition)? == Value::Bool(true);
                let (same, other) =
                    (self.express_word(word, depth), self.term(BasicSort::String, 0));
                let branches = if truth { [same, other] } else { [other, same] };
                Some(self.op(Op::Ite, &[condition, branches[0], branches[1]]))
            }
            9 if word.len() == 1 => {
                let code = self.express(&Value::Int(word[0].into()), depth);
                Some(self.op(Op::StrFromCode, &[code]))
            }
            9 | 10 if word.is_empty() => {
                // Empty results, mostly because of positions out of range.
                let number = self.dice.pick(&[-1, -1, 0, 2]);
                let number = self.express(&Value::Int(number.into()), depth);
                let source = self.term(BasicSort::String, 0);
                Some(match self.dice.below(4) {
                    0 => self.op(Op::StrFromInt, &[number]),
                    1 => self.op(Op::StrFromCode, &[number]),
                    2 => self.op(Op::StrAt, &[source, number]),
                    _ => {
                        let zero = self.numeral(BigInt::ZERO);
                        let arguments =
                            self.dice.pick(&[[source, number, zero], [source, zero, number]]);
                        self.op(Op::StrSubstr, &arguments)
                    }
                })
            }
            9 | 10 => {
                let number = decimal(word)?;
                let number = self.express(&Value::Int(number), depth);
                Some(self.op(Op::StrFromInt, &[number]))
            }
            _ => None,
        }
    }

    /// `(str.substr x i n)` or `(str.at x i)` if the word is a factor of a constant.
    fn piece_of_a_constant(&mut self, word: &[u32], depth: usize) -> Option<TermId> {
        let constant = self.some_constant(BasicSort::String)?;
        let whole = self.text_of(constant)?;
        let start = (0..=whole.len()).find(|&start| whole[start..].starts_with(word))?;
        let position = self.express(&Value::Int(start.into()), depth);
        if word.len() == 1 && self.dice.percent(60) {
            return Some(self.op(Op::StrAt, &[constant, position]));
        }
        let beyond = if start + word.len() == whole.len() { self.dice.below(3) } else { 0 };
        let length = self.express(&Value::Int((word.len() + beyond).into()), depth);
        Some(self.op(Op::StrSubstr, &[constant, position, length]))
    }

    fn propose_integer(&mut self, number: &BigInt, depth: usize) -> Option<TermId> {
        let small = u32::try_from(number).ok();
        match self.dice.below(12) {
            0..=2 => {
                let constants = self.constants.clone();
                let length = |constant: &&TermId| {
                    self.text_of(**constant).is_some_and(|text| BigInt::from(text.len()) == *number)
                };
                let fitting: Vec<TermId> = constants.iter().filter(length).copied().collect();
                if !fitting.is_empty() {
                    let constant = self.dice.pick(&fitting);
                    return Some(self.op(Op::StrLen, &[constant]));
                }
                let length = small.filter(|&length| length <= 4)?;
                let word: Vec<u32> = (0..length).map(|_| self.letter()).collect();
                let word = self.express_word(&word, depth);
                Some(self.op(Op::StrLen, &[word]))
            }
            3..=5 => {
                // The offset of a factor of a constant, or -1.
                let constant = self.some_constant(BasicSort::String)?;
                let text = self.text_of(constant)?;
                let start = small.map_or(0, |start| (start as usize).min(text.len()));
                let piece = if *number < BigInt::ZERO && self.dice.percent(60) {
                    self.word()
                } else {
                    slice(&mut self.dice, &text[start..])
                };
                let piece = self.express_word(&piece, depth);
                let from = self.dice.pick(&[-1, 0, 0, 0, 1])
                    + if self.dice.percent(50) { 0 } else { start as i64 };
                let from = self.integer(from.into());
                Some(self.op(Op::StrIndexOf, &[constant, piece, from]))
            }
            6 | 7 => {
                let other = self.some_constant(BasicSort::Int)?;
                let Value::Int(value) = self.value_of(other)? else { return None };
                let rest = self.express(&Value::Int(number - value), depth);
                Some(self.op(Op::Add, &[other, rest]))
            }
            8 => {
                let digits = match small {
                    Some(small) => small.to_string().bytes().map(u32::from).collect(),
                    None => self.word(),
                };
                let digits = self.express_word(&digits, depth);
                Some(self.op(Op::StrToInt, &[digits]))
            }
            9 => {
                let text = match small {
                    Some(code) if code <= LAST => vec![code],
                    _ => self.dice.pick(&[&[][..], &[0x61, 0x61]]).to_vec(),
                };
                let text = self.express_word(&text, depth);
                Some(self.op(Op::StrToCode, &[text]))
            }
            10 => {
                let step = self.dice.between(-2, 2);
                let (one, two) = (number + step, self.integer(step.into()));
                let one = self.express(&Value::Int(one), depth);
                Some(self.op(Op::Sub, &[one, two]))
            }
            _ => None,
        }
    }

    fn propose_truth(&mut self, value: bool, depth: usize) -> Option<TermId> {
        let term = self.term(BasicSort::Bool, depth + 1);
        let negate = self.value_of(term)? != Value::Bool(value);
        Some(if negate { self.op(Op::Not, &[term]) } else { term })
    }
}

/// The number whose `str.from_int` is the word, if there is one.
fn decimal(word: &[u32]) -> Option<BigInt> {
    let digits: Option<String> =
        word.iter().map(|&code| char::from_u32(code).filter(char::is_ascii_digit)).collect();
    let digits = digits.filter(|digits| !digits.is_empty())?;
    (digits == "0" || !digits.starts_with('0')).then(|| digits.parse().ok()).flatten()
}
