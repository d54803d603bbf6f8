//! Moves: what an input would have to be so that a step gets a value.
//!
//! A wish goes down from a goal: of each operator one argument is chosen, and the value it would
//! need, the others staying as they are, until an input is reached. Many ways down fail; those
//! that do not make moves that mend something.

use luthier_terms::Op;

use super::program::{Program, Step};
use super::random::Random;
use super::value::{Quick, from_int};
use crate::words::find;

/// A move: an input and its new value.
pub type Move = (usize, Quick);

/// Makes wishes.
pub struct Wisher<'a> {
    /// The formula.
    pub program: &'a Program,
    /// The letters that are worth trying.
    pub letters: &'a [u32],
    /// The dice.
    pub random: &'a mut Random,
}

impl Wisher<'_> {
    /// A move that may give a step a value; `None` if this way down failed.
    pub fn wish(&mut self, values: &[Quick], goal: usize, value: Quick) -> Option<Move> {
        let (mut step, mut wanted) = (goal, value);
        loop {
            match &self.program.steps[step] {
                Step::Constant => return None,
                Step::Input(..) => return (values[step] != wanted).then_some((step, wanted)),
                Step::Accepts(child, automaton) => {
                    let text = self.word(*automaton, values[*child].codes(), wanted.is_true())?;
                    (step, wanted) = (*child, Quick::text(&text));
                }
                Step::Apply(op, children) => {
                    let (child, value) = self.down(values, *op, children, &wanted)?;
                    (step, wanted) = (*children.get(child)?, value);
                }
            }
            if wanted.codes().len() > self.program.longest_target {
                return None;
            }
        }
    }

    /// One argument and the value it would need.
    fn down(
        &mut self,
        values: &[Quick],
        op: Op,
        children: &[usize],
        wanted: &Quick,
    ) -> Option<(usize, Quick)> {
        // `true` and `false` have no arguments to ask.
        if children.is_empty() {
            return None;
        }
        let of = |index: usize| &values[children[index]];
        let yes = wanted.is_true();
        match op {
            Op::Not => Some((0, Quick::Bool(!yes))),
            Op::And | Op::Or => {
                // Those that have to change: false ones of a conjunction that must hold.
                let stuck: Vec<usize> =
                    (0..children.len()).filter(|&one| of(one).is_true() != yes).collect();
                Some((*self.random.one_of(&stuck)?, Quick::Bool(yes)))
            }
            Op::Implies => {
                let last = children.len() - 1;
                let chosen = self.random.below(children.len());
                Some((chosen, Quick::Bool((chosen == last) == yes)))
            }
            Op::Xor => {
                let chosen = self.random.below(children.len());
                Some((chosen, Quick::Bool(!of(chosen).is_true())))
            }
            Op::Ite => {
                let taken = if of(0).is_true() { 1 } else { 2 };
                let other = 3 - taken;
                if of(other) == wanted || self.random.once_in(5) {
                    return Some((0, Quick::Bool(taken == 2)));
                }
                Some((taken, wanted.clone()))
            }
            Op::Eq => {
                let chosen = self.random.below(children.len());
                let other = (chosen + 1) % children.len();
                if yes {
                    return Some((chosen, of(other).clone()));
                }
                Some((chosen, self.different(of(chosen))))
            }
            Op::Distinct => {
                let chosen = self.random.below(children.len());
                Some((chosen, self.different(of(chosen))))
            }
            Op::Le | Op::Lt | Op::Ge | Op::Gt => {
                let chosen = self.random.below(2);
                let other = of(1 - chosen).number();
                // What must hold between the chosen argument and the other one.
                let greater = matches!(op, Op::Ge | Op::Gt) == (chosen == 0);
                let strict = matches!(op, Op::Lt | Op::Gt) == yes;
                let distance = i128::from(strict) + self.random.below(3) as i128 / 2;
                let value = if greater == yes { other + distance } else { other - distance };
                Some((chosen, Quick::Int(value)))
            }
            _ if !yes && matches!(wanted, Quick::Bool(_)) => self.down_false(of, op),
            Op::StrContains
            | Op::StrPrefixOf
            | Op::StrSuffixOf
            | Op::StrLt
            | Op::StrLe
            | Op::StrIsDigit => self.down_true(of, op),
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Mod | Op::Abs => {
                self.down_arithmetic(of, op, children.len(), wanted.number())
            }
            Op::StrLen | Op::StrIndexOf | Op::StrToInt | Op::StrToCode => {
                self.down_number(of, op, wanted.number())
            }
            _ => self.down_text(of, op, children.len(), wanted.codes()),
        }
    }

    fn down_true<'v>(&mut self, of: impl Fn(usize) -> &'v Quick, op: Op) -> Option<(usize, Quick)> {
        let (left, right) = (of(0).codes(), of(if op == Op::StrIsDigit { 0 } else { 1 }).codes());
        Some(match op {
            Op::StrContains if self.random.once_in(4) => (1, self.piece_of(left)),
            Op::StrContains => {
                let place = self.random.below(left.len() + 1);
                // In place of what stands there, or between.
                let end = if self.random.once_in(2) {
                    place
                } else {
                    (place + right.len()).min(left.len())
                };
                (0, Quick::text(&[&left[..place], right, &left[end..]].concat()))
            }
            Op::StrPrefixOf if self.random.once_in(4) => {
                (0, Quick::text(&right[..left.len().min(right.len())]))
            }
            Op::StrPrefixOf => {
                let kept = if self.random.once_in(2) { 0 } else { left.len().min(right.len()) };
                (1, Quick::text(&[left, &right[kept..]].concat()))
            }
            Op::StrSuffixOf if self.random.once_in(4) => {
                (0, Quick::text(&right[right.len() - left.len().min(right.len())..]))
            }
            Op::StrSuffixOf => {
                let cut = if self.random.once_in(2) { 0 } else { left.len().min(right.len()) };
                (1, Quick::text(&[&right[..right.len() - cut], left].concat()))
            }
            Op::StrIsDigit => (0, Quick::text(&[0x30 + self.random.below(10) as u32])),
            _ => {
                let chosen = self.random.below(2);
                let other = if chosen == 0 { right } else { left };
                (chosen, self.different(&Quick::text(other)))
            }
        })
    }

    /// Anything else than now may make it false.
    fn down_false<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v Quick,
        op: Op,
    ) -> Option<(usize, Quick)> {
        if op == Op::StrContains && !self.random.once_in(4) {
            let (hay, needle) = (of(0).codes(), of(1).codes());
            let place = find(hay, needle, 0)?;
            let mut text = hay.to_vec();
            if self.random.once_in(2) {
                text.drain(place..place + needle.len());
            } else if let Some(letter) = text.get_mut(place) {
                *letter = *self.random.one_of(self.letters)?;
            }
            return Some((0, Quick::text(&text)));
        }
        let chosen = if matches!(op, Op::StrIsDigit) { 0 } else { self.random.below(2) };
        Some((chosen, self.different(of(chosen))))
    }

    fn down_arithmetic<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v Quick,
        op: Op,
        count: usize,
        wanted: i128,
    ) -> Option<(usize, Quick)> {
        let chosen = self.random.below(count);
        let value = match op {
            Op::Neg => wanted.checked_neg()?,
            Op::Abs => wanted,
            Op::Add => {
                let others = (0..count).filter(|&one| one != chosen);
                others.map(|one| of(one).number()).try_fold(wanted, i128::checked_sub)?
            }
            Op::Sub if chosen == 0 => {
                (1..count).map(|one| of(one).number()).try_fold(wanted, i128::checked_add)?
            }
            Op::Sub => {
                let others = (1..count).filter(|&one| one != chosen);
                let rest = others
                    .map(|one| of(one).number())
                    .try_fold(of(0).number(), i128::checked_sub)?;
                rest.checked_sub(wanted)?
            }
            Op::Mul => {
                let others = (0..count).filter(|&one| one != chosen);
                let product =
                    others.map(|one| of(one).number()).try_fold(1i128, i128::checked_mul)?;
                wanted.checked_div_euclid(product)?
            }
            Op::Div => wanted.checked_mul(of(1).number())?,
            _ => wanted,
        };
        Some((if matches!(op, Op::Div | Op::Mod) { 0 } else { chosen }, Quick::Int(value)))
    }

    fn down_number<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v Quick,
        op: Op,
        wanted: i128,
    ) -> Option<(usize, Quick)> {
        let text = of(0).codes();
        match op {
            Op::StrLen => {
                let length = usize::try_from(wanted)
                    .ok()
                    .filter(|&length| length <= self.program.longest_target)?;
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
                Some((0, Quick::text(&new)))
            }
            Op::StrToInt if wanted < 0 => Some((0, self.different(of(0)))),
            Op::StrToInt => {
                let mut digits = from_int(wanted);
                // Leading zeros fill the length that the string has.
                if self.random.once_in(2) && text.len() > digits.len() {
                    digits.splice(0..0, std::iter::repeat_n(0x30, text.len() - digits.len()));
                }
                Some((0, Quick::text(&digits)))
            }
            Op::StrToCode => match u32::try_from(wanted) {
                Ok(code) if code <= 0x2FFFF => Some((0, Quick::text(&[code]))),
                _ => Some((0, Quick::text(&[]))),
            },
            _ => {
                let needle = of(1).codes();
                let Ok(place) = usize::try_from(wanted) else {
                    let place = find(text, needle, 0)?;
                    let mut new = text.to_vec();
                    new.drain(place..place + needle.len());
                    return Some((0, Quick::text(&new)));
                };
                // Something without the needle, then the needle.
                let mut new: Vec<u32> = text.iter().copied().take(place).collect();
                let letter = *self.random.one_of(self.letters)?;
                new.resize(place.min(self.program.longest_target), letter);
                new.extend_from_slice(needle);
                new.extend(text.iter().skip(place + needle.len()));
                Some((0, Quick::text(&new)))
            }
        }
    }

    fn down_text<'v>(
        &mut self,
        of: impl Fn(usize) -> &'v Quick,
        op: Op,
        count: usize,
        wanted: &[u32],
    ) -> Option<(usize, Quick)> {
        match op {
            Op::StrConcat => {
                let chosen = self.random.below(count);
                let before: usize = (0..chosen).map(|one| of(one).codes().len()).sum();
                let behind: usize = (chosen + 1..count).map(|one| of(one).codes().len()).sum();
                let from = before.min(wanted.len());
                let to = wanted.len().saturating_sub(behind).max(from);
                Some((chosen, Quick::text(&wanted[from..to])))
            }
            Op::StrAt | Op::StrSubstr => {
                let text = of(0).codes();
                if self.random.once_in(5) {
                    let place = find(text, wanted, 0)?;
                    return Some((1, Quick::Int(place as i128)));
                }
                let from = usize::try_from(of(1).number())
                    .ok()
                    .filter(|&from| from <= self.program.longest_target)?;
                let count = if op == Op::StrAt { 1 } else { of(2).number() };
                let mut new = text.to_vec();
                if new.len() < from {
                    let letter = *self.random.one_of(self.letters)?;
                    new.resize(from, letter);
                }
                let count = usize::try_from(count.max(0)).unwrap_or(self.program.longest_target);
                // A piece that is shorter than asked for stands at the end.
                let end = if wanted.len() < count {
                    new.len()
                } else {
                    from.saturating_add(count).min(new.len())
                };
                new.splice(from..end.max(from), wanted.iter().copied());
                Some((0, Quick::text(&new)))
            }
            Op::StrReplace | Op::StrReplaceAll => {
                let (old, new) = (of(1).codes(), of(2).codes());
                // With the new text taken back, or as it is, if the old one is not in it.
                if self.random.once_in(2)
                    && let Some(place) = find(wanted, new, 0)
                {
                    let end = place + new.len();
                    return Some((
                        0,
                        Quick::text(&[&wanted[..place], old, &wanted[end..]].concat()),
                    ));
                }
                Some((0, Quick::text(wanted)))
            }
            Op::StrFromInt => {
                match super::value::apply(Op::StrToInt, &[&Quick::text(wanted)], wanted.len()) {
                    Quick::Int(number) => Some((0, Quick::Int(number))),
                    _ => None,
                }
            }
            Op::StrFromCode => match wanted {
                [code] => Some((0, Quick::Int(i128::from(*code)))),
                _ => Some((0, Quick::Int(-1))),
            },
            _ => None,
        }
    }
}
