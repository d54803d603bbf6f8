//! Arguments that fit the operator and the arguments before them, so that interesting cases are
//! likely: a factor of the string that is searched, an offset near its length, a divisor that is
//! not zero, a value close to the one it is compared with.

use luthier_semantics::Value;
use luthier_terms::{Op, Sort, TermId};

use super::Generator;
use super::vocabulary::{CODES, LAST, slice};

impl Generator {
    /// Sometimes an argument that fits the operator and the arguments before it.
    pub(super) fn fitting(&mut self, op: Op, before: &[TermId]) -> Option<TermId> {
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
                Some(self.string(vec![(low + width).min(LAST)]))
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
                self.near_value(before[position - 1])
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
                let piece = slice(&mut self.dice, &whole);
                Some(self.string(piece))
            }
            _ => None,
        }
    }

    /// A term with the value of the given term, or a similar one.
    fn near_value(&mut self, term: TermId) -> Option<TermId> {
        if self.pool.sort(term) == Sort::RegLan {
            return Some(self.near_language(term));
        }
        let change = self.dice.percent(35);
        match self.value_of(term)? {
            Value::Bool(value) => Some(self.op(if value { Op::True } else { Op::False }, &[])),
            Value::Int(number) => {
                let step = if change { self.dice.pick(&[1, -1]) } else { 0 };
                Some(self.numeral(number + step))
            }
            Value::String(text) => {
                let mut text: Vec<u32> = text.iter().map(|character| character.code()).collect();
                if change {
                    text.truncate(self.dice.below(text.len() + 1));
                    text.push(self.letter());
                }
                Some(self.string(text))
            }
            Value::RegLan(_) | Value::Array(_) => None,
        }
    }

    /// The same language, or one that is a little larger.
    fn near_language(&mut self, term: TermId) -> TermId {
        match self.dice.below(4) {
            0 => {
                let inner = self.op(Op::ReComp, &[term]);
                self.op(Op::ReComp, &[inner])
            }
            1 => self.op(Op::ReOpt, &[term]),
            2 => self.op(Op::ReInter, &[term, term]),
            _ => {
                let other = self.leaf(luthier_terms::BasicSort::RegLan);
                self.op(Op::ReUnion, &[other, term])
            }
        }
    }
}
