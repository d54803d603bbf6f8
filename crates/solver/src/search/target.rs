//! Target propagation: from a target value of a goal to a move, a new value of one input.
//!
//! Downwards from the goal: for each operator one argument is chosen at random, with a value for it
//! that gives the operator its target while the other arguments keep their values (an inverse
//! value). `(= (str.substr x 2 3) "abc")` with the target true gives `"abc"` as the target of the
//! substring, and so `abc` at position 2 of `x`. A propagation can fail; an inverse may also be
//! approximate, because the move is evaluated before it is made. Source: Niemetz, Preiner, Biere:
//! Propagation Based Local Search for Bit-Precise Reasoning (FMSD 2017); inverses of string
//! operators are ours.

use luthier_terms::Op;

use super::program::{Instruction, Program};
use super::splitmix::SplitMix;
use super::value::{FastValue, from_int};
use crate::words::find;

/// A move: an input and its new value.
pub type Move = (usize, FastValue);

/// Proposes moves by target propagation.
pub struct TargetPropagation<'a> {
    /// The formula.
    pub program: &'a Program,
    /// The alphabet of the search.
    pub letters: &'a [u32],
    /// The source of randomness.
    pub random: &'a mut SplitMix,
}

impl TargetPropagation<'_> {
    /// A move that may give a step a target value; `None` if the propagation fails.
    pub fn propose(&mut self, values: &[FastValue], goal: usize, value: FastValue) -> Option<Move> {
        let (mut step, mut target) = (goal, value);
        loop {
            match &self.program.steps[step] {
                Instruction::Constant => return None,
                Instruction::Input(..) => {
                    return (values[step] != target).then_some((step, target));
                }
                Instruction::Accepts(child, automaton) => {
                    let text =
                        self.accepted_word(*automaton, values[*child].codes(), target.is_true())?;
                    (step, target) = (*child, FastValue::text(&text));
                }
                Instruction::Member(text, language) => {
                    // A language that depends on inputs may have to change.
                    if self.random.once_in(3) {
                        return self.any_move(values);
                    }
                    let word = match target.is_true() {
                        true => {
                            let language = &values[*language];
                            self.program.regular.word(language, self.letters, self.random)?
                        }
                        false => self.neighbour(&values[*text]).codes().to_vec(),
                    };
                    (step, target) = (*text, FastValue::text(&word));
                }
                Instruction::Replace(parts, all) => {
                    if self.random.once_in(6) {
                        return self.any_move(values);
                    }
                    let of = parts.map(|part| &values[part]);
                    let (child, value) = self.inverse_of_match(of, *all, target.codes())?;
                    (step, target) = (parts[child], value);
                }
                Instruction::Language(..) => return self.any_move(values),
                Instruction::Apply(op, children) => {
                    let (child, value) = self.inverse(values, *op, children, &target)?;
                    (step, target) = (*children.get(child)?, value);
                }
            }
            if target.codes().len() > self.program.max_target {
                return None;
            }
        }
    }

    /// A random change of a random input.
    fn any_move(&mut self, values: &[FastValue]) -> Option<Move> {
        let input = *self.random.one_of(&self.program.inputs)?;
        Some((input, self.neighbour(&values[input])))
    }

    /// One argument of a replacement of matches, and its target value.
    fn inverse_of_match(
        &mut self,
        [text, language, by]: [&FastValue; 3],
        all: bool,
        target: &[u32],
    ) -> Option<(usize, FastValue)> {
        let (old, new) = (text.codes(), by.codes());
        match self.random.below(3) {
            // With the replacement undone.
            0 => {
                let position = find(target, new, 0)?;
                let word = self.program.regular.word(language, self.letters, self.random)?;
                let end = position + new.len();
                Some((0, FastValue::text(&[&target[..position], &word, &target[end..]].concat())))
            }
            // What the target has in the place of the match.
            1 => {
                let (start, end) = self.program.regular.place(language, old, all)?;
                let behind = old.len() - end;
                let to = target.len().checked_sub(behind).filter(|&to| to >= start)?;
                Some((2, FastValue::text(&target[start..to])))
            }
            _ => Some((0, FastValue::text(target))),
        }
    }

    /// One argument and its target value.
    fn inverse(
        &mut self,
        values: &[FastValue],
        op: Op,
        children: &[usize],
        target: &FastValue,
    ) -> Option<(usize, FastValue)> {
        // `true` and `false` have no arguments.
        if children.is_empty() {
            return None;
        }
        let of = |index: usize| &values[children[index]];
        let yes = target.is_true();
        match op {
            Op::Not => Some((0, FastValue::Bool(!yes))),
            Op::And | Op::Or => {
                // Those that have to change: the false ones of a conjunction with the target true,
                // and dually.
                let stuck: Vec<usize> =
                    (0..children.len()).filter(|&one| of(one).is_true() != yes).collect();
                Some((*self.random.one_of(&stuck)?, FastValue::Bool(yes)))
            }
            Op::Implies => {
                let last = children.len() - 1;
                let chosen = self.random.below(children.len());
                Some((chosen, FastValue::Bool((chosen == last) == yes)))
            }
            Op::Xor => {
                let chosen = self.random.below(children.len());
                Some((chosen, FastValue::Bool(!of(chosen).is_true())))
            }
            Op::Ite => {
                let taken = if of(0).is_true() { 1 } else { 2 };
                let other = 3 - taken;
                if of(other) == target || self.random.once_in(5) {
                    return Some((0, FastValue::Bool(taken == 2)));
                }
                Some((taken, target.clone()))
            }
            Op::Eq => {
                let chosen = self.random.below(children.len());
                let other = (chosen + 1) % children.len();
                if yes {
                    return Some((chosen, of(other).clone()));
                }
                Some((chosen, self.neighbour(of(chosen))))
            }
            Op::Distinct => {
                let chosen = self.random.below(children.len());
                Some((chosen, self.neighbour(of(chosen))))
            }
            Op::Le | Op::Lt | Op::Ge | Op::Gt => {
                let chosen = self.random.below(2);
                let other = of(1 - chosen).number();
                // The relation between the chosen argument and the other one.
                let greater = matches!(op, Op::Ge | Op::Gt) == (chosen == 0);
                let strict = matches!(op, Op::Lt | Op::Gt) == yes;
                let distance = i128::from(strict) + self.random.below(3) as i128 / 2;
                let value = if greater == yes { other + distance } else { other - distance };
                Some((chosen, FastValue::Int(value)))
            }
            _ if !yes && matches!(target, FastValue::Bool(_)) => self.inverse_for_false(of, op),
            Op::StrContains
            | Op::StrPrefixOf
            | Op::StrSuffixOf
            | Op::StrLt
            | Op::StrLe
            | Op::StrIsDigit => self.inverse_for_true(of, op),
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Mod | Op::Abs => {
                self.inverse_of_arithmetic(of, op, children.len(), target.number())
            }
            Op::StrLen | Op::StrIndexOf | Op::StrToInt | Op::StrToCode => {
                self.inverse_of_integer(of, op, target.number())
            }
            _ => self.inverse_of_string(of, op, children.len(), target.codes()),
        }
    }

    fn inverse_for_true<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v FastValue,
        op: Op,
    ) -> Option<(usize, FastValue)> {
        let (left, right) = (of(0).codes(), of(if op == Op::StrIsDigit { 0 } else { 1 }).codes());
        Some(match op {
            Op::StrContains if self.random.once_in(4) => (1, self.random_factor(left)),
            Op::StrContains => {
                let position = self.random.below(left.len() + 1);
                // Overwrites the letters there, or inserts.
                let end = if self.random.once_in(2) {
                    position
                } else {
                    (position + right.len()).min(left.len())
                };
                (0, FastValue::text(&[&left[..position], right, &left[end..]].concat()))
            }
            Op::StrPrefixOf if self.random.once_in(4) => {
                (0, FastValue::text(&right[..left.len().min(right.len())]))
            }
            Op::StrPrefixOf => {
                let kept = if self.random.once_in(2) { 0 } else { left.len().min(right.len()) };
                (1, FastValue::text(&[left, &right[kept..]].concat()))
            }
            Op::StrSuffixOf if self.random.once_in(4) => {
                (0, FastValue::text(&right[right.len() - left.len().min(right.len())..]))
            }
            Op::StrSuffixOf => {
                let cut = if self.random.once_in(2) { 0 } else { left.len().min(right.len()) };
                (1, FastValue::text(&[&right[..right.len() - cut], left].concat()))
            }
            Op::StrIsDigit => (0, FastValue::text(&[0x30 + self.random.below(10) as u32])),
            _ => {
                let chosen = self.random.below(2);
                let other = if chosen == 0 { right } else { left };
                (chosen, self.neighbour(&FastValue::text(other)))
            }
        })
    }

    /// A random change may make it false.
    fn inverse_for_false<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v FastValue,
        op: Op,
    ) -> Option<(usize, FastValue)> {
        if op == Op::StrContains && !self.random.once_in(4) {
            let (hay, needle) = (of(0).codes(), of(1).codes());
            let position = find(hay, needle, 0)?;
            let mut text = hay.to_vec();
            if self.random.once_in(2) {
                text.drain(position..position + needle.len());
            } else if let Some(letter) = text.get_mut(position) {
                *letter = *self.random.one_of(self.letters)?;
            }
            return Some((0, FastValue::text(&text)));
        }
        let chosen = if matches!(op, Op::StrIsDigit) { 0 } else { self.random.below(2) };
        Some((chosen, self.neighbour(of(chosen))))
    }

    fn inverse_of_arithmetic<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v FastValue,
        op: Op,
        count: usize,
        target: i128,
    ) -> Option<(usize, FastValue)> {
        let chosen = self.random.below(count);
        let value = match op {
            Op::Neg => target.checked_neg()?,
            Op::Abs => target,
            Op::Add => {
                let others = (0..count).filter(|&one| one != chosen);
                others.map(|one| of(one).number()).try_fold(target, i128::checked_sub)?
            }
            Op::Sub if chosen == 0 => {
                (1..count).map(|one| of(one).number()).try_fold(target, i128::checked_add)?
            }
            Op::Sub => {
                let others = (1..count).filter(|&one| one != chosen);
                let rest = others
                    .map(|one| of(one).number())
                    .try_fold(of(0).number(), i128::checked_sub)?;
                rest.checked_sub(target)?
            }
            Op::Mul => {
                let others = (0..count).filter(|&one| one != chosen);
                let product =
                    others.map(|one| of(one).number()).try_fold(1i128, i128::checked_mul)?;
                target.checked_div_euclid(product)?
            }
            Op::Div => target.checked_mul(of(1).number())?,
            _ => target,
        };
        Some((if matches!(op, Op::Div | Op::Mod) { 0 } else { chosen }, FastValue::Int(value)))
    }

    fn inverse_of_integer<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v FastValue,
        op: Op,
        target: i128,
    ) -> Option<(usize, FastValue)> {
        let text = of(0).codes();
        match op {
            Op::StrLen => {
                let length = usize::try_from(target)
                    .ok()
                    .filter(|&length| length <= self.program.max_target)?;
                let mut new = text[..length.min(text.len())].to_vec();
                if new.len() < length {
                    let letter = *self.random.one_of(self.letters)?;
                    let missing = std::iter::repeat_n(letter, length - new.len());
                    if self.random.once_in(3) {
                        new.splice(0..0, missing);
                    } else {
                        new.extend(missing);
                    }
                } else if self.random.once_in(3) {
                    new = text[text.len() - length..].to_vec();
                }
                Some((0, FastValue::text(&new)))
            }
            Op::StrToInt if target < 0 => Some((0, self.neighbour(of(0)))),
            Op::StrToInt => {
                let mut digits = from_int(target);
                // Leading zeros keep the length of the string.
                if self.random.once_in(2) && text.len() > digits.len() {
                    digits.splice(0..0, std::iter::repeat_n(0x30, text.len() - digits.len()));
                }
                Some((0, FastValue::text(&digits)))
            }
            Op::StrToCode => match u32::try_from(target) {
                Ok(code) if code <= 0x2FFFF => Some((0, FastValue::text(&[code]))),
                _ => Some((0, FastValue::text(&[]))),
            },
            _ => {
                let needle = of(1).codes();
                let Ok(position) = usize::try_from(target) else {
                    let position = find(text, needle, 0)?;
                    let mut new = text.to_vec();
                    new.drain(position..position + needle.len());
                    return Some((0, FastValue::text(&new)));
                };
                // A prefix without the needle, then the needle.
                let mut new: Vec<u32> = text.iter().copied().take(position).collect();
                let letter = *self.random.one_of(self.letters)?;
                new.resize(position.min(self.program.max_target), letter);
                new.extend_from_slice(needle);
                new.extend(text.iter().skip(position + needle.len()));
                Some((0, FastValue::text(&new)))
            }
        }
    }

    fn inverse_of_string<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v FastValue,
        op: Op,
        count: usize,
        target: &[u32],
    ) -> Option<(usize, FastValue)> {
        match op {
            Op::StrConcat => {
                let chosen = self.random.below(count);
                let before: usize = (0..chosen).map(|one| of(one).codes().len()).sum();
                let behind: usize = (chosen + 1..count).map(|one| of(one).codes().len()).sum();
                let from = before.min(target.len());
                let to = target.len().saturating_sub(behind).max(from);
                Some((chosen, FastValue::text(&target[from..to])))
            }
            Op::StrAt | Op::StrSubstr => {
                let text = of(0).codes();
                if self.random.once_in(5) {
                    let position = find(text, target, 0)?;
                    return Some((1, FastValue::Int(position as i128)));
                }
                let from = usize::try_from(of(1).number())
                    .ok()
                    .filter(|&from| from <= self.program.max_target)?;
                let count = if op == Op::StrAt { 1 } else { of(2).number() };
                let mut new = text.to_vec();
                if new.len() < from {
                    let letter = *self.random.one_of(self.letters)?;
                    new.resize(from, letter);
                }
                let count = usize::try_from(count.max(0)).unwrap_or(self.program.max_target);
                // A substring that is shorter than its count ends with the string.
                let end = if target.len() < count {
                    new.len()
                } else {
                    from.saturating_add(count).min(new.len())
                };
                new.splice(from..end.max(from), target.iter().copied());
                Some((0, FastValue::text(&new)))
            }
            Op::StrReplace | Op::StrReplaceAll => {
                let (old, new) = (of(1).codes(), of(2).codes());
                // With the replacement undone, or unchanged, if the old text does not occur.
                if self.random.once_in(2)
                    && let Some(position) = find(target, new, 0)
                {
                    let end = position + new.len();
                    return Some((
                        0,
                        FastValue::text(&[&target[..position], old, &target[end..]].concat()),
                    ));
                }
                Some((0, FastValue::text(target)))
            }
            Op::StrFromInt => {
                match super::value::apply(Op::StrToInt, &[&FastValue::text(target)], target.len()) {
                    FastValue::Int(number) => Some((0, FastValue::Int(number))),
                    _ => None,
                }
            }
            Op::StrFromCode => match target {
                [code] => Some((0, FastValue::Int(i128::from(*code)))),
                _ => Some((0, FastValue::Int(-1))),
            },
            _ => None,
        }
    }
}
