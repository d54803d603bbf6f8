//! The semantics of every operator, applied to the values of its arguments.
//!
//! [`Evaluator::apply_to_values`] covers all operators on known values.
//! [`Evaluator::apply_to_some`] lists those that have a value although some arguments are
//! undecided. The machine (`frames.rs`) evaluates the arguments of `ite` and of the connectives one
//! after the other, and stops when one of them decides.

use luthier_terms::{BigInt, CodePoint, Op, SmtString, Sort, TermId};
use num_traits::{Signed, Zero};

use super::Evaluator;
use super::compare::{
    Comparison, ComparisonError, are_one_term, chain, conjunction, has_repetition, implication,
    is_zero,
};
use super::cost::Stop;
use super::outcome::{Outcome, reasons};
use crate::limits::Exhausted;
use crate::{ArrayValue, Language, Reason, Value, integers, strings};

impl Evaluator<'_> {
    /// The value of an operator, given the outcomes of its children.
    pub(super) fn apply_operator(
        &mut self,
        op: Op,
        term: TermId,
        children: &[TermId],
        outcomes: &[Outcome],
    ) -> Result<Outcome, Exhausted> {
        self.budget.charge(outcomes.len())?;
        if let Some(reasons) = reasons(outcomes) {
            let known = self.apply_to_some(op, children, outcomes)?;
            return Ok(known.unwrap_or(Outcome::Undecided(reasons)));
        }
        let values: Vec<&Value> = outcomes.iter().filter_map(Outcome::value).collect();
        let value = self.apply_to_values(op, term, children, &values);
        self.outcome_of(term, value)
    }

    /// The value although some arguments are undecided. Most operators have none; `None` is always
    /// sound.
    fn apply_to_some(
        &mut self,
        op: Op,
        children: &[TermId],
        outcomes: &[Outcome],
    ) -> Result<Option<Outcome>, Exhausted> {
        let known: Vec<&Value> = outcomes.iter().filter_map(Outcome::value).collect();
        let fails = |comparison| (comparison == Comparison::Fails).then(|| Outcome::known(false));
        Ok(match op {
            Op::And => Some(conjunction(outcomes, true)),
            Op::Or => Some(conjunction(outcomes, false)),
            Op::Implies => Some(implication(outcomes)),
            // A term equals itself, whatever its value is.
            Op::Eq if are_one_term(children) => Some(Outcome::known(true)),
            Op::Eq => fails(self.all_equal(&known)?),
            Op::Distinct if has_repetition(children) => Some(Outcome::known(false)),
            Op::Distinct => fails(self.all_distinct(&known)?),
            Op::Lt => Some(chain(outcomes, |left, right| int(left) < int(right))),
            Op::Le => Some(chain(outcomes, |left, right| int(left) <= int(right))),
            Op::Gt => Some(chain(outcomes, |left, right| int(left) > int(right))),
            Op::Ge => Some(chain(outcomes, |left, right| int(left) >= int(right))),
            Op::StrLt => Some(chain(outcomes, |a, b| strings::less(string(a), string(b)))),
            Op::StrLe => Some(chain(outcomes, |a, b| strings::less_or_equal(string(a), string(b)))),
            // Zero times anything is zero.
            Op::Mul if outcomes.iter().any(is_zero) => Some(Outcome::known(BigInt::ZERO)),
            // Both branches may have the same value.
            Op::Ite => match outcomes {
                [_, Outcome::Known(yes), Outcome::Known(no)] => {
                    let same = children.get(1) == children.get(2)
                        || self.equal(&yes.value, &no.value)? == Some(true);
                    same.then(|| Outcome::Known(yes.clone()))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// The meaning of every operator on values. The match has no wildcard, so that an operator
    /// that is new in the table must be given its meaning here.
    pub(super) fn apply_to_values(
        &mut self,
        op: Op,
        term: TermId,
        children: &[TermId],
        values: &[&Value],
    ) -> Result<Value, Stop> {
        let given = Arguments(values);
        Ok(match op {
            Op::True => true.into(),
            Op::False => false.into(),
            Op::Not => (!given.bool(0)).into(),
            Op::And => values.iter().all(|value| bool(value)).into(),
            Op::Or => values.iter().any(|value| bool(value)).into(),
            // `(=> a b c)` is `(or (not a) (not b) c)`.
            Op::Implies => {
                let premises = &values[..values.len() - 1];
                let holds = given.bool(premises.len()) || !premises.iter().all(|one| bool(one));
                holds.into()
            }
            Op::Xor => values.iter().fold(false, |sum, value| sum ^ bool(value)).into(),
            Op::Eq if are_one_term(children) => true.into(),
            Op::Eq => decided(self.all_equal(values)?, term)?,
            Op::Distinct if has_repetition(children) => false.into(),
            Op::Distinct => decided(self.all_distinct(values)?, term)?,
            Op::Ite => values[if given.bool(0) { 1 } else { 2 }].clone(),

            Op::Neg => {
                self.allow_sum(term, given.int(0).bits(), 0)?;
                (-given.int(0)).into()
            }
            Op::Abs => {
                self.allow_sum(term, given.int(0).bits(), 0)?;
                given.int(0).abs().into()
            }
            Op::Sub => self.fold(term, values, |sum, next| sum - next)?,
            Op::Add => self.fold(term, values, |sum, next| sum + next)?,
            Op::Mul => self.product(term, values)?,
            Op::Div | Op::Mod => {
                let mut quotient = given.int(0).clone();
                for divisor in &values[1..] {
                    let divisor = int(divisor);
                    self.allow_division(quotient.bits(), divisor.bits())?;
                    let Some((q, r)) = integers::divide(&quotient, divisor) else {
                        return Err(Stop::Undecided(match op {
                            Op::Mod => Reason::ModuloByZero(term),
                            _ => Reason::DivisionByZero(term),
                        }));
                    };
                    quotient = if op == Op::Mod { r } else { q };
                }
                quotient.into()
            }
            Op::Lt => self.in_order(values, |left, right| int(left) < int(right))?,
            Op::Le => self.in_order(values, |left, right| int(left) <= int(right))?,
            Op::Gt => self.in_order(values, |left, right| int(left) > int(right))?,
            Op::Ge => self.in_order(values, |left, right| int(left) >= int(right))?,
            Op::Divisible => {
                self.allow_division(given.int(1).bits(), given.int(0).bits())?;
                integers::divisible(given.int(0), given.int(1)).into()
            }

            Op::StrConcat => {
                let parts: Vec<&[CodePoint]> = values.iter().map(|value| string(value)).collect();
                self.allow_length(term, parts.iter().map(|part| part.len()).sum())?;
                strings::concat(&parts).into()
            }
            Op::StrLen => strings::length(given.string(0)).into(),
            Op::StrLt => self.in_order(values, |a, b| strings::less(string(a), string(b)))?,
            Op::StrLe => {
                self.in_order(values, |a, b| strings::less_or_equal(string(a), string(b)))?
            }
            Op::StrAt => strings::at(given.string(0), given.int(1)).into(),
            Op::StrSubstr => {
                self.budget.charge(given.string(0).len())?;
                strings::substr(given.string(0), given.int(1), given.int(2)).into()
            }
            Op::StrPrefixOf => {
                self.budget.charge(given.string(0).len() / 64)?;
                strings::prefix_of(given.string(0), given.string(1)).into()
            }
            Op::StrSuffixOf => {
                self.budget.charge(given.string(0).len() / 64)?;
                strings::suffix_of(given.string(0), given.string(1)).into()
            }
            Op::StrContains => {
                self.budget.charge(given.string(0).len() + given.string(1).len())?;
                strings::contains(given.string(0), given.string(1)).into()
            }
            Op::StrIndexOf => {
                self.budget.charge(given.string(0).len() + given.string(1).len())?;
                strings::index_of(given.string(0), given.string(1), given.int(2)).into()
            }
            Op::StrReplace => {
                let (s, t, u) = (given.string(0), given.string(1), given.string(2));
                self.allow_length(term, s.len() + t.len() + u.len())?;
                strings::replace(s, t, u).into()
            }
            Op::StrReplaceAll => {
                let (s, t, u) = (given.string(0), given.string(1), given.string(2));
                self.budget.charge(s.len() + t.len())?;
                let inserted = strings::occurrences(s, t).count().saturating_mul(u.len());
                self.allow_length(term, s.len().saturating_add(inserted))?;
                strings::replace_all(s, t, u).into()
            }
            Op::StrIsDigit => strings::is_digit(given.string(0)).into(),
            Op::StrToCode => strings::to_code(given.string(0)).into(),
            Op::StrFromCode => strings::from_code(given.int(0)).into(),
            Op::StrToInt => {
                // A decimal digit is less than four bits.
                self.allow_decimal(term, 4 * given.string(0).len() as u64)?;
                strings::to_int(given.string(0)).into()
            }
            Op::StrFromInt => {
                self.allow_decimal(term, given.int(0).bits())?;
                strings::from_int(given.int(0)).into()
            }

            Op::StrInRe => {
                let (w, r) = (given.string(0), given.language(1));
                self.matching(term, |regexes, budget| regexes.contains(r, w, budget))?.into()
            }
            Op::StrReplaceRe => {
                let (s, r, u) = (given.string(0), given.language(1), given.string(2));
                self.allow_length(term, s.len() + u.len())?;
                self.matching(term, |regexes, budget| regexes.replace(s, r, u, budget))?.into()
            }
            Op::StrReplaceReAll => {
                let (s, r, u) = (given.string(0), given.language(1), given.string(2));
                self.matching(term, |regexes, budget| regexes.replace_all(s, r, u, budget))?.into()
            }

            Op::StrToRe => {
                self.budget.charge(given.string(0).len() / 64)?;
                Language::literal(SmtString::from(given.string(0))).into()
            }
            Op::ReNone => Language::none().into(),
            Op::ReAll => Language::all().into(),
            Op::ReAllChar => Language::all_characters().into(),
            Op::ReConcat => Language::concat(languages(values)).into(),
            Op::ReUnion => Language::union(languages(values)).into(),
            Op::ReInter => Language::intersection(languages(values)).into(),
            Op::ReStar => given.language(0).star().into(),
            Op::RePlus => given.language(0).plus().into(),
            Op::ReOpt => given.language(0).option().into(),
            Op::ReComp => given.language(0).complement().into(),
            // Left-associative: the first language without all others.
            Op::ReDiff => values[1..]
                .iter()
                .fold(given.language(0).clone(), |rest, other| rest.difference(language(other)))
                .into(),
            Op::ReRange => Language::range(given.string(0), given.string(1)).into(),
            Op::RePower => given.language(1).power(given.int(0)).into(),
            Op::ReLoop => given.language(2).between(given.int(0), given.int(1)).into(),

            Op::Select => match self.select(given.array(0), values[1]) {
                Ok(element) => element,
                Err(ComparisonError::Undecided) => {
                    return Err(Stop::Undecided(Reason::LanguageComparison(term)));
                }
                Err(ComparisonError::Exhausted) => return Err(Stop::Exhausted),
            },
            Op::Store => given
                .array(0)
                .store(values[1].clone(), values[2].clone())
                .expect("the pool is well-sorted")
                .into(),
            Op::ConstArray => {
                let Sort::Array(index, _) = self.pool.sort(term) else {
                    unreachable!("the pool is well-sorted")
                };
                ArrayValue::constant(index, values[0].clone())
                    .expect("the pool is well-sorted")
                    .into()
            }
        })
    }

    /// A sum or a difference, from the left.
    fn fold(
        &mut self,
        term: TermId,
        values: &[&Value],
        apply: fn(BigInt, &BigInt) -> BigInt,
    ) -> Result<Value, Stop> {
        let mut result = int(values[0]).clone();
        for value in &values[1..] {
            self.allow_sum(term, result.bits(), int(value).bits())?;
            result = apply(result, int(value));
        }
        Ok(result.into())
    }

    fn product(&mut self, term: TermId, values: &[&Value]) -> Result<Value, Stop> {
        if values.iter().any(|value| int(value).is_zero()) {
            return Ok(BigInt::ZERO.into());
        }
        let mut result = int(values[0]).clone();
        for value in &values[1..] {
            self.allow_product(term, result.bits(), int(value).bits())?;
            result *= int(value);
        }
        Ok(result.into())
    }

    /// An order on two or more values: it holds between neighbours.
    fn in_order(
        &mut self,
        values: &[&Value],
        holds: fn(&Value, &Value) -> bool,
    ) -> Result<Value, Stop> {
        for value in values {
            self.budget.charge(value.size() / 64)?;
        }
        Ok(values.windows(2).all(|pair| holds(pair[0], pair[1])).into())
    }
}

/// The values of the arguments. The pool is well-sorted, so each has the expected sort.
struct Arguments<'v>(&'v [&'v Value]);

impl<'v> Arguments<'v> {
    fn bool(&self, position: usize) -> bool {
        bool(self.0[position])
    }

    fn int(&self, position: usize) -> &'v BigInt {
        int(self.0[position])
    }

    fn string(&self, position: usize) -> &'v [CodePoint] {
        string(self.0[position])
    }

    fn language(&self, position: usize) -> &'v Language {
        language(self.0[position])
    }

    fn array(&self, position: usize) -> &'v ArrayValue {
        match self.0[position] {
            Value::Array(array) => array,
            _ => unreachable!("the pool is well-sorted"),
        }
    }
}

fn decided(comparison: Comparison, term: TermId) -> Result<Value, Stop> {
    match comparison {
        Comparison::Holds => Ok(true.into()),
        Comparison::Fails => Ok(false.into()),
        Comparison::Unsure => Err(Stop::Undecided(Reason::LanguageComparison(term))),
    }
}

fn bool(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        _ => unreachable!("the pool is well-sorted"),
    }
}

fn int(value: &Value) -> &BigInt {
    match value {
        Value::Int(number) => number,
        _ => unreachable!("the pool is well-sorted"),
    }
}

fn string(value: &Value) -> &[CodePoint] {
    match value {
        Value::String(text) => text,
        _ => unreachable!("the pool is well-sorted"),
    }
}

fn language(value: &Value) -> &Language {
    match value {
        Value::RegLan(language) => language,
        _ => unreachable!("the pool is well-sorted"),
    }
}

fn languages(values: &[&Value]) -> Vec<Language> {
    values.iter().map(|value| language(value).clone()).collect()
}
