//! Operators applied to the outcomes of their arguments.

use luthier_terms::{BasicSort, BigInt, CodePoint, Fold, Op, SmtString, Sort, TermId};
use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;

use super::Evaluator;
use super::call::ByZero;
use super::frames::{Division, Frame, Kind};
use super::outcome::{Outcome, reasons, undecided};
use crate::limits::{Budget, Exhausted};
use crate::{ArrayValue, Language, Reason, Value, integers, strings};

impl<'a> Evaluator<'a> {
    /// The value of an operator, given the outcomes of its children. `ite`, `div` and `mod` are
    /// not applied here, because they need not look at all of them or need a call.
    pub(super) fn apply_operator(
        &mut self,
        op: Op,
        term: TermId,
        children: &[TermId],
        outcomes: &[Outcome],
    ) -> Result<Outcome, Exhausted> {
        self.budget.charge(outcomes.len())?;
        match op {
            Op::And => return Ok(conjunction(outcomes, true)),
            Op::Or => return Ok(conjunction(outcomes, false)),
            Op::Implies => return Ok(implication(outcomes)),
            Op::Eq => return self.equality(term, children, outcomes),
            Op::Distinct => return self.distinctness(term, children, outcomes),
            // Zero times anything is zero.
            Op::Mul if outcomes.iter().any(is_zero) => return Ok(Outcome::known(BigInt::ZERO)),
            _ => {}
        }
        if op.fold() == Some(Fold::Chainable) {
            return Ok(chain(op, outcomes));
        }
        if let Some(reasons) = reasons(outcomes) {
            return Ok(Outcome::Undecided(reasons));
        }
        let values: Vec<&Value> = outcomes.iter().filter_map(Outcome::value).collect();
        match self.apply_to_values(op, term, &values)? {
            Some(value) => Ok(Outcome::known(value)),
            None => Ok(Outcome::because(limit_reason(op, term))),
        }
    }

    /// The value of a strict operator; `None` if it is beyond the limits.
    fn apply_to_values(
        &mut self,
        op: Op,
        term: TermId,
        values: &[&Value],
    ) -> Result<Option<Value>, Exhausted> {
        let value: Value = match (op, values) {
            (Op::True, _) => true.into(),
            (Op::False, _) => false.into(),
            (Op::Not, [a]) => (!bool(a)).into(),
            (Op::Xor, values) => values.iter().fold(false, |sum, value| sum ^ bool(value)).into(),

            (Op::Neg, [m]) => (-int(m)).into(),
            (Op::Abs, [m]) => int(m).abs().into(),
            (Op::Add | Op::Sub | Op::Mul, values) => return self.arithmetic(op, values),
            (Op::Divisible, [n, m]) => integers::divisible(int(n), int(m)).into(),

            (Op::StrConcat, values) => {
                let parts: Vec<&[CodePoint]> = values.iter().map(|value| string(value)).collect();
                let length = parts.iter().map(|part| part.len()).sum();
                if !self.allow_length(length)? {
                    return Ok(None);
                }
                strings::concat(&parts).into()
            }
            (Op::StrLen, [w]) => strings::length(string(w)).into(),
            (Op::StrAt, [w, i]) => strings::at(string(w), int(i)).into(),
            (Op::StrSubstr, [w, m, n]) => {
                self.budget.charge(string(w).len())?;
                strings::substr(string(w), int(m), int(n)).into()
            }
            (Op::StrPrefixOf, [prefix, w]) => strings::prefix_of(string(prefix), string(w)).into(),
            (Op::StrSuffixOf, [suffix, w]) => strings::suffix_of(string(suffix), string(w)).into(),
            (Op::StrContains, [s, t]) => {
                self.budget.charge(string(s).len() + string(t).len())?;
                strings::contains(string(s), string(t)).into()
            }
            (Op::StrIndexOf, [s, t, i]) => {
                self.budget.charge(string(s).len() + string(t).len())?;
                strings::index_of(string(s), string(t), int(i)).into()
            }
            (Op::StrReplace, [s, t, u]) => {
                if !self.allow_length(string(s).len() + string(t).len() + string(u).len())? {
                    return Ok(None);
                }
                strings::replace(string(s), string(t), string(u)).into()
            }
            (Op::StrReplaceAll, [s, t, u]) => {
                let (s, t, u) = (string(s), string(t), string(u));
                self.budget.charge(s.len() + t.len())?;
                let inserted = strings::occurrences(s, t).len().saturating_mul(u.len());
                if !self.allow_length(s.len().saturating_add(inserted))? {
                    return Ok(None);
                }
                strings::replace_all(s, t, u).into()
            }
            (Op::StrIsDigit, [s]) => strings::is_digit(string(s)).into(),
            (Op::StrToCode, [s]) => strings::to_code(string(s)).into(),
            (Op::StrFromCode, [n]) => strings::from_code(int(n)).into(),
            (Op::StrToInt, [s]) => {
                // A decimal digit is less than four bits.
                if !self.allow_bits(4 * string(s).len() as u64)? {
                    return Ok(None);
                }
                strings::to_int(string(s)).into()
            }
            (Op::StrFromInt, [n]) => {
                if !self.allow_bits(int(n).bits())? {
                    return Ok(None);
                }
                strings::from_int(int(n)).into()
            }

            (Op::StrInRe, [w, r]) => {
                let answer = self
                    .matching(|regexes, budget| regexes.contains(language(r), string(w), budget))?;
                return Ok(answer.map(Value::from));
            }
            (Op::StrReplaceRe, [s, r, u]) => {
                let (s, u) = (string(s), string(u));
                if !self.allow_length(s.len() + u.len())? {
                    return Ok(None);
                }
                let answer =
                    self.matching(|regexes, budget| regexes.replace(s, language(r), u, budget))?;
                return Ok(answer.map(Value::from));
            }
            (Op::StrReplaceReAll, [s, r, u]) => {
                let answer = self.matching(|regexes, budget| {
                    regexes.replace_all(string(s), language(r), string(u), budget)
                })?;
                return Ok(answer.map(Value::from));
            }

            (Op::StrToRe, [w]) => Language::literal(SmtString::from(string(w))).into(),
            (Op::ReNone, _) => Language::none().into(),
            (Op::ReAll, _) => Language::all().into(),
            (Op::ReAllChar, _) => Language::all_characters().into(),
            (Op::ReConcat, values) => Language::concat(languages(values)).into(),
            (Op::ReUnion, values) => Language::union(languages(values)).into(),
            (Op::ReInter, values) => Language::intersection(languages(values)).into(),
            (Op::ReStar, [r]) => language(r).star().into(),
            (Op::RePlus, [r]) => language(r).plus().into(),
            (Op::ReOpt, [r]) => language(r).option().into(),
            (Op::ReComp, [r]) => language(r).complement().into(),
            // Associative to the left: what is in the first and in none of the others.
            (Op::ReDiff, [first, others @ ..]) => others
                .iter()
                .fold(language(first).clone(), |rest, other| rest.difference(language(other)))
                .into(),
            (Op::ReRange, [first, last]) => Language::range(string(first), string(last)).into(),
            (Op::RePower, [n, r]) => language(r).power(int(n)).into(),
            (Op::ReLoop, [i, n, r]) => language(r).between(int(i), int(n)).into(),

            (Op::Select, [array, index]) => {
                let mut same = |left: &Value, right: &Value| self.same(left, right);
                return match self::array(array).select(index, &mut same) {
                    Ok(element) => Ok(Some(element.clone())),
                    Err(Unequal::Undecided) => Ok(None),
                    Err(Unequal::Exhausted) => Err(Exhausted),
                };
            }
            (Op::Store, [array, index, element]) => self::array(array)
                .store((*index).clone(), (*element).clone())
                .expect("the pool is well-sorted")
                .into(),
            (Op::ConstArray, [element]) => {
                let Sort::Array(index, _) = self.pool.sort(term) else {
                    unreachable!("the pool is well-sorted")
                };
                constant_array(index, element)
            }
            _ => unreachable!("the pool is well-sorted, and the other operators are not strict"),
        };
        Ok(Some(value))
    }

    /// `+`, `-` and `*` of two or more integers, from the left.
    fn arithmetic(&mut self, op: Op, values: &[&Value]) -> Result<Option<Value>, Exhausted> {
        let mut result = int(values[0]).clone();
        for value in &values[1..] {
            let number = int(value);
            let (left, right) = (result.bits(), number.bits());
            let words = if op == Op::Mul { (left / 64 + 1) * (right / 64 + 1) / 8 } else { 0 };
            self.budget.charge(usize::try_from(words).unwrap_or(usize::MAX))?;
            let bits = if op == Op::Mul { left + right } else { left.max(right) + 1 };
            if bits > self.limits.integer_bits {
                return Ok(None);
            }
            match op {
                Op::Add => result += number,
                Op::Sub => result -= number,
                _ => result *= number,
            }
        }
        Ok(Some(result.into()))
    }

    /// `div` (associative to the left) and `mod`. By zero, the model is asked.
    pub(super) fn divide(
        &mut self,
        mut frame: Frame<'a>,
        op: Op,
        mut division: Division,
    ) -> Result<(), Exhausted> {
        let count = frame.children.len();
        // The result of a call lies behind the outcomes of the children.
        if self.outcomes.len() > frame.slot.base + count {
            division.quotient = self.outcomes.pop();
        }
        let mut quotient = match division.quotient {
            Some(quotient) => quotient,
            None => {
                division.divided = 1;
                self.outcomes[frame.slot.base].clone()
            }
        };
        while division.divided < count {
            let divisor = self.outcomes[frame.slot.base + division.divided].clone();
            division.divided += 1;
            if is_zero(&divisor) {
                let (interpretation, reason) = match op {
                    Op::Mod => (&self.model.modulo_by_zero, Reason::ModuloByZero(frame.slot.term)),
                    _ => (&self.model.division_by_zero, Reason::DivisionByZero(frame.slot.term)),
                };
                let unknown = [quotient.clone(), Outcome::because(reason)];
                if let Some(interpretation) = interpretation {
                    let divided = division.divided;
                    // The quotient is only a mark here; the result of the call replaces it.
                    let waiting = Division { quotient: Some(quotient.clone()), divided };
                    frame.kind = Kind::Division(op, waiting);
                    match self.apply_by_zero(interpretation, frame, quotient)? {
                        ByZero::Called => return Ok(()),
                        ByZero::Known(returned, outcome) => {
                            frame = returned;
                            quotient = outcome;
                        }
                        ByZero::Unusable(returned) => {
                            frame = returned;
                            quotient = undecided(&unknown);
                        }
                    }
                } else {
                    quotient = undecided(&unknown);
                }
                continue;
            }
            quotient = match (&quotient, &divisor) {
                (Outcome::Known(m), Outcome::Known(n)) => {
                    let words = int(m).bits() / 64 + 1;
                    let cost = words * (int(n).bits() / 64 + 1) / 8;
                    self.budget.charge(usize::try_from(cost).unwrap_or(usize::MAX))?;
                    let (q, r) = integers::divide(int(m), int(n)).expect("it is not zero");
                    Outcome::known(if op == Op::Mod { r } else { q })
                }
                _ => undecided(&[quotient, divisor]),
            };
        }
        self.finish(frame.slot, quotient);
        Ok(())
    }

    /// `=` of two or more terms: all are the same.
    fn equality(
        &mut self,
        term: TermId,
        children: &[TermId],
        outcomes: &[Outcome],
    ) -> Result<Outcome, Exhausted> {
        // A term is equal to itself, whatever its value is.
        if children.iter().all(|&child| child == children[0]) {
            return Ok(Outcome::known(true));
        }
        let known: Vec<&Value> = outcomes.iter().filter_map(Outcome::value).collect();
        let mut unsure = false;
        if let [first, others @ ..] = &*known {
            for other in others {
                match self.equal(first, other)? {
                    Some(true) => {}
                    Some(false) => return Ok(Outcome::known(false)),
                    None => unsure = true,
                }
            }
        }
        Ok(match reasons(outcomes) {
            Some(reasons) => Outcome::Undecided(reasons),
            None if unsure => Outcome::because(Reason::LanguageComparison(term)),
            None => Outcome::known(true),
        })
    }

    /// `distinct`: no two are the same.
    fn distinctness(
        &mut self,
        term: TermId,
        children: &[TermId],
        outcomes: &[Outcome],
    ) -> Result<Outcome, Exhausted> {
        let mut seen = FxHashSet::default();
        if !children.iter().all(|child| seen.insert(child)) {
            return Ok(Outcome::known(false));
        }
        let known: Vec<&Value> = outcomes.iter().filter_map(Outcome::value).collect();
        let mut unsure = false;
        let keys: Option<Vec<_>> = known.iter().map(|value| value.key()).collect();
        if let Some(keys) = keys {
            let mut seen = FxHashSet::default();
            if !keys.into_iter().all(|key| seen.insert(key)) {
                return Ok(Outcome::known(false));
            }
        } else {
            for (position, left) in known.iter().enumerate() {
                for right in &known[..position] {
                    match self.equal(left, right)? {
                        Some(true) => return Ok(Outcome::known(false)),
                        Some(false) => {}
                        None => unsure = true,
                    }
                }
            }
        }
        Ok(match reasons(outcomes) {
            Some(reasons) => Outcome::Undecided(reasons),
            None if unsure => Outcome::because(Reason::LanguageComparison(term)),
            None => Outcome::known(true),
        })
    }

    /// Whether two values of one sort are the same; `None` if that is too hard to tell.
    pub(super) fn equal(&mut self, left: &Value, right: &Value) -> Result<Option<bool>, Exhausted> {
        match self.same(left, right) {
            Ok(same) => Ok(Some(same)),
            Err(Unequal::Undecided) => Ok(None),
            Err(Unequal::Exhausted) => Err(Exhausted),
        }
    }

    fn same(&mut self, left: &Value, right: &Value) -> Result<bool, Unequal> {
        match (left, right) {
            (Value::RegLan(left), Value::RegLan(right)) => {
                let steps = self.limits.comparison_steps.min(self.budget.left());
                let mut budget = Budget::new(steps);
                let answer = self.regexes.equivalent(left, right, &mut budget);
                let spent = usize::try_from(steps - budget.left()).unwrap_or(usize::MAX);
                self.budget.charge(spent).map_err(|_| Unequal::Exhausted)?;
                answer.map_err(|_| Unequal::Undecided)
            }
            (Value::Array(left), Value::Array(right)) => {
                let mut same = |left: &Value, right: &Value| self.same(left, right);
                left.equal(right, &mut same)
            }
            _ => Ok(left == right),
        }
    }

    /// Runs something on regular expressions within its limit; `None` if that does not suffice.
    fn matching<T>(
        &mut self,
        run: impl FnOnce(&mut crate::regexes::Regexes, &mut Budget) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        let steps = self.limits.regex_steps.min(self.budget.left());
        let mut budget = Budget::new(steps);
        let answer = run(&mut self.regexes, &mut budget);
        let spent = usize::try_from(steps - budget.left()).unwrap_or(usize::MAX);
        self.budget.charge(spent)?;
        Ok(answer.ok())
    }

    /// Whether a string of this length may be built.
    fn allow_length(&mut self, length: usize) -> Result<bool, Exhausted> {
        let allowed = length <= self.limits.string_length;
        if allowed {
            self.budget.charge(length)?;
        }
        Ok(allowed)
    }

    /// Whether an integer of so many bits may be read or written in decimal, which takes
    /// quadratic time.
    fn allow_bits(&mut self, bits: u64) -> Result<bool, Exhausted> {
        let allowed = bits <= self.limits.integer_bits;
        if allowed {
            let words = usize::try_from(bits / 64).unwrap_or(usize::MAX);
            self.budget.charge(words.saturating_mul(words) / 8)?;
        }
        Ok(allowed)
    }
}

/// Why two values could not be compared.
enum Unequal {
    Undecided,
    Exhausted,
}

/// The reason for going over a limit in an operator.
fn limit_reason(op: Op, term: TermId) -> Reason {
    match op {
        Op::StrInRe | Op::StrReplaceRe | Op::StrReplaceReAll => Reason::RegexLimit(term),
        Op::Select => Reason::LanguageComparison(term),
        _ => Reason::SizeLimit(term),
    }
}

/// `and` for `all`, otherwise `or`. An argument that decides alone has done so before.
fn conjunction(outcomes: &[Outcome], all: bool) -> Outcome {
    if outcomes.iter().any(|outcome| outcome.as_bool() == Some(!all)) {
        return Outcome::known(!all);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(all), Outcome::Undecided)
}

/// `(=> a b c)` is `(or (not a) (not b) c)`.
fn implication(outcomes: &[Outcome]) -> Outcome {
    let (conclusion, premises) = outcomes.split_last().expect("there are two or more arguments");
    if conclusion.as_bool() == Some(true)
        || premises.iter().any(|premise| premise.as_bool() == Some(false))
    {
        return Outcome::known(true);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(false), Outcome::Undecided)
}

/// An order on two or more arguments: it holds between neighbours.
fn chain(op: Op, outcomes: &[Outcome]) -> Outcome {
    let holds = |left: &Value, right: &Value| match op {
        Op::Lt => int(left) < int(right),
        Op::Le => int(left) <= int(right),
        Op::Gt => int(left) > int(right),
        Op::Ge => int(left) >= int(right),
        Op::StrLt => strings::less(string(left), string(right)),
        Op::StrLe => strings::less_or_equal(string(left), string(right)),
        _ => unreachable!("the other chainable operator is equality"),
    };
    let fails = |pair: &[Outcome]| match (pair[0].value(), pair[1].value()) {
        (Some(left), Some(right)) => !holds(left, right),
        _ => false,
    };
    if outcomes.windows(2).any(fails) {
        return Outcome::known(false);
    }
    reasons(outcomes).map_or_else(|| Outcome::known(true), Outcome::Undecided)
}

fn is_zero(outcome: &Outcome) -> bool {
    matches!(outcome.value(), Some(Value::Int(number)) if number.is_zero())
}

fn constant_array(index: BasicSort, element: &Value) -> Value {
    ArrayValue::constant(index, element.clone()).expect("the pool is well-sorted").into()
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

fn array(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        _ => unreachable!("the pool is well-sorted"),
    }
}
