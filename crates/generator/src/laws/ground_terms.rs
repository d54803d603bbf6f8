//! Ground terms with a given value, for example `(str.replace "a##b" "##" "")` for `"ab"`. The
//! referee checks the value.

use luthier_semantics::Value;
use luthier_terms::{BigInt, Op, SmtString, Term, TermId};

use super::ROOM;
use super::occurrences::Occurrences;
use super::refutation::Refutation;

/// A letter that most strings do not contain.
const MARK: u32 = 0x23;

impl Refutation {
    /// A ground term with the value; `None` if the chosen construction is not possible.
    pub fn ground_term(&mut self, value: &Value) -> Option<TermId> {
        let term = match value {
            Value::String(text) => {
                let codes: Vec<u32> = text.iter().map(|character| character.code()).collect();
                self.ground_string(&codes)?
            }
            Value::Int(number) => self.ground_number(number)?,
            Value::Bool(truth) => return self.ground_formula(*truth),
            _ => return None,
        };
        (self.generator.value_of(term)?.eq(value)).then_some(term)
    }

    /// The term, sometimes with one of its literals replaced by a new constant that a clause defines.
    pub fn with_named_literal(&mut self, term: TermId) -> TermId {
        if self.dice().percent(50) {
            return term;
        }
        let positions = Occurrences::new(&self.generator.pool, term, 50);
        let position = self.dice().below(positions.len());
        let literal = positions.term(position);
        if !matches!(self.generator.pool.term(literal), Term::String(_) | Term::Integer(_)) {
            return term;
        }
        match self.define(literal) {
            Some(constant) => positions.replaced(&mut self.generator.pool, position, constant),
            None => term,
        }
    }

    fn ground_string(&mut self, codes: &[u32]) -> Option<TermId> {
        let length = codes.len();
        let cut = self.dice().below(length + 1);
        let (begin, end) = codes.split_at(cut);
        Some(match self.dice().below(9) {
            0 => {
                let (begin, end) = (self.string(begin), self.string(end));
                self.op(Op::StrConcat, &[begin, end])
            }
            1 => {
                let start = self.dice().below(3);
                let padded = [vec![MARK; start], codes.to_vec(), vec![MARK]].concat();
                let padded = self.string(&padded);
                let (start, length) = (self.number(start), self.number(length));
                self.op(Op::StrSubstr, &[padded, start, length])
            }
            2 if length < 2 => {
                let outside = self.dice().below(2);
                let (text, position) = match length {
                    0 => (self.string(&[MARK]), self.number(1 + outside)),
                    _ => (self.string(&[MARK, codes[0], MARK]), self.number(1)),
                };
                self.op(Op::StrAt, &[text, position])
            }
            3 if length < 2 => {
                let code = codes.first().map_or(196_608, |&code| code as usize);
                let code = self.number(code);
                self.op(Op::StrFromCode, &[code])
            }
            3 | 4 => {
                // Only for digits without a leading zero; otherwise the check rejects it.
                let digits: Option<String> =
                    codes.iter().map(|&code| char::from_u32(code)).collect();
                let number = match digits?.parse::<BigInt>() {
                    Ok(number) => self.pool().integer(number).expect(ROOM),
                    Err(_) => {
                        let one = self.number(1);
                        self.op(Op::Neg, &[one])
                    }
                };
                self.op(Op::StrFromInt, &[number])
            }
            5 | 6 => {
                let marked = self.string(&[begin, &[MARK, MARK], end].concat());
                let (mark, nothing) = (self.string(&[MARK, MARK]), self.string(&[]));
                self.op(Op::StrReplace, &[marked, mark, nothing])
            }
            7 => {
                let marked = self.string(&[&[MARK], begin, &[MARK], end].concat());
                let (mark, nothing) = (self.string(&[MARK]), self.string(&[]));
                self.op(Op::StrReplaceAll, &[marked, mark, nothing])
            }
            _ => {
                let marked = self.string(&[begin, &[MARK], end].concat());
                let (mark, nothing) = (self.string(&[MARK]), self.string(&[]));
                let language = self.op(Op::StrToRe, &[mark]);
                let language = self.op(Op::RePlus, &[language]);
                self.op(Op::StrReplaceReAll, &[marked, language, nothing])
            }
        })
    }

    fn ground_number(&mut self, number: &BigInt) -> Option<TermId> {
        let small = usize::try_from(number).ok();
        Some(match (self.dice().below(6), small) {
            (0, Some(length)) if length < 9 => {
                let text = self.string(&vec![0x61; length]);
                self.op(Op::StrLen, &[text])
            }
            (1, Some(position)) if position < 9 => {
                let text = self.string(&[vec![0x62; position], vec![MARK]].concat());
                let (mark, zero) = (self.string(&[MARK]), self.number(0));
                self.op(Op::StrIndexOf, &[text, mark, zero])
            }
            (2, Some(code)) if code < 196_608 => {
                let text = self.string(&[code as u32]);
                self.op(Op::StrToCode, &[text])
            }
            (0..=3, Some(_)) => {
                let zeros = self.dice().below(3);
                let digits = format!("{}{number}", "0".repeat(zeros));
                let text = self.string(&digits.bytes().map(u32::from).collect::<Vec<_>>());
                self.op(Op::StrToInt, &[text])
            }
            (0 | 1, None) => {
                let text = self.string(&[0x61]);
                self.op(Op::StrToInt, &[text])
            }
            (2, None) => {
                let text = self.string(&[]);
                self.op(Op::StrToCode, &[text])
            }
            _ => {
                let step = self.dice().between(1, 9);
                let one = self.pool().integer(step).expect(ROOM);
                let other = Value::Int(number + step).to_term(self.pool()).expect(ROOM);
                self.op(Op::Sub, &[other, one])
            }
        })
    }

    /// A ground formula with the truth value.
    fn ground_formula(&mut self, truth: bool) -> Option<TermId> {
        let words: [&[u32]; 4] = [&[], &[0x61], &[0x61, 0x62], &[0x31]];
        let (one, two) = (self.dice().pick(&words), self.dice().pick(&words));
        let (one, two) = (self.string(one), self.string(two));
        let term = match self.dice().below(7) {
            0 => self.op(Op::StrContains, &[one, two]),
            1 => self.op(Op::StrPrefixOf, &[one, two]),
            2 => self.op(Op::StrSuffixOf, &[one, two]),
            3 => self.op(Op::StrLt, &[one, two]),
            4 => self.op(Op::StrLe, &[one, two]),
            5 => self.op(Op::StrIsDigit, &[one]),
            _ => {
                let language = self.op(Op::StrToRe, &[two]);
                let language = self.op(Op::ReStar, &[language]);
                self.op(Op::StrInRe, &[one, language])
            }
        };
        let found = self.generator.value_of(term)?;
        Some(if found == Value::Bool(truth) { term } else { self.op(Op::Not, &[term]) })
    }

    fn string(&mut self, codes: &[u32]) -> TermId {
        let text = SmtString::from_codes(codes.iter().copied());
        self.pool().string(text.expect("these are characters of the theory")).expect(ROOM)
    }

    fn number(&mut self, number: usize) -> TermId {
        self.pool().integer(number).expect(ROOM)
    }
}
