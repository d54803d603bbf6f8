//! Values for quick evaluation. Integers have 128 bits; what does not fit is lost, and the
//! search looks elsewhere. The referee has the last word on every model anyway.

use std::rc::Rc;

use luthier_terms::Op;

/// A string as codes of characters.
pub type Text = Rc<[u32]>;

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quick {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A string.
    Text(Text),
    /// None that fits here; nothing that needs it has a value either.
    Lost,
}

impl Quick {
    /// The string of some codes.
    pub fn text(codes: &[u32]) -> Self {
        Self::Text(codes.into())
    }

    /// The truth value; false for others.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The number; zero for others.
    pub fn number(&self) -> i128 {
        match self {
            Self::Int(number) => *number,
            _ => 0,
        }
    }

    /// The string; the empty one for others.
    pub fn codes(&self) -> &[u32] {
        match self {
            Self::Text(text) => text,
            _ => &[],
        }
    }
}

const MAXIMUM: u32 = 0x2FFFF;

/// The value of an operator applied to values: lost if it does not fit, if it is a string of more
/// than `longest` letters, or if the operator is not handled.
pub fn apply(op: Op, of: &[&Quick], longest: usize) -> Quick {
    if of.iter().any(|value| matches!(value, Quick::Lost)) {
        // One part may decide without the others.
        return match op {
            Op::And if of.iter().any(|one| matches!(one, Quick::Bool(false))) => Quick::Bool(false),
            Op::Or if of.iter().any(|one| one.is_true()) => Quick::Bool(true),
            _ => Quick::Lost,
        };
    }
    known(op, of, longest).unwrap_or(Quick::Lost)
}

fn known(op: Op, of: &[&Quick], longest: usize) -> Option<Quick> {
    let number = |index: usize| of[index].number();
    let codes = |index: usize| of[index].codes();
    let chain = |holds: fn(&Quick, &Quick) -> bool| {
        Quick::Bool(of.windows(2).all(|pair| holds(pair[0], pair[1])))
    };
    Some(match op {
        Op::True => Quick::Bool(true),
        Op::False => Quick::Bool(false),
        Op::Not => Quick::Bool(!of[0].is_true()),
        Op::And => Quick::Bool(of.iter().all(|one| one.is_true())),
        Op::Or => Quick::Bool(of.iter().any(|one| one.is_true())),
        Op::Implies => {
            let (last, premises) = of.split_last()?;
            Quick::Bool(last.is_true() || premises.iter().any(|one| !one.is_true()))
        }
        Op::Xor => Quick::Bool(of.iter().filter(|one| one.is_true()).count() % 2 == 1),
        Op::Eq => chain(|left, right| left == right),
        Op::Distinct => {
            let repeated = |(index, one): (usize, &&Quick)| of[index + 1..].contains(one);
            Quick::Bool(!of.iter().enumerate().any(repeated))
        }
        Op::Ite => of[if of[0].is_true() { 1 } else { 2 }].clone(),
        Op::Neg => Quick::Int(number(0).checked_neg()?),
        Op::Sub => {
            let mut rest = of[1..].iter();
            Quick::Int(rest.try_fold(number(0), |sum, one| sum.checked_sub(one.number()))?)
        }
        Op::Add => Quick::Int(of.iter().try_fold(0i128, |sum, one| sum.checked_add(one.number()))?),
        Op::Mul => {
            Quick::Int(of.iter().try_fold(1i128, |product, one| product.checked_mul(one.number()))?)
        }
        Op::Div => {
            let mut rest = of[1..].iter();
            Quick::Int(rest.try_fold(number(0), |left, one| left.checked_div_euclid(one.number()))?)
        }
        Op::Mod => Quick::Int(number(0).checked_rem_euclid(number(1))?),
        Op::Abs => Quick::Int(number(0).checked_abs()?),
        Op::Le => chain(|left, right| left.number() <= right.number()),
        Op::Lt => chain(|left, right| left.number() < right.number()),
        Op::Ge => chain(|left, right| left.number() >= right.number()),
        Op::Gt => chain(|left, right| left.number() > right.number()),
        Op::Divisible => Quick::Bool(number(1).checked_rem_euclid(number(0))? == 0),
        Op::StrConcat => {
            let length: usize = of.iter().map(|one| one.codes().len()).sum();
            if length > longest {
                return None;
            }
            let mut whole = Vec::with_capacity(length);
            of.iter().for_each(|one| whole.extend_from_slice(one.codes()));
            Quick::Text(whole.into())
        }
        Op::StrLen => Quick::Int(codes(0).len() as i128),
        Op::StrLt => chain(|left, right| left.codes() < right.codes()),
        Op::StrLe => chain(|left, right| left.codes() <= right.codes()),
        Op::StrAt => substr(of[0], number(1), 1),
        Op::StrSubstr => substr(of[0], number(1), number(2)),
        Op::StrPrefixOf => Quick::Bool(codes(1).starts_with(codes(0))),
        Op::StrSuffixOf => Quick::Bool(codes(1).ends_with(codes(0))),
        Op::StrContains => Quick::Bool(find(codes(0), codes(1), 0).is_some()),
        Op::StrIndexOf => {
            let from = usize::try_from(number(2)).ok().filter(|&from| from <= codes(0).len());
            let found = from.and_then(|from| find(codes(0), codes(1), from));
            Quick::Int(found.map_or(-1, |place| place as i128))
        }
        Op::StrReplace => match find(codes(0), codes(1), 0) {
            None => of[0].clone(),
            Some(place) => {
                let end = place + codes(1).len();
                Quick::text(&[&codes(0)[..place], codes(2), &codes(0)[end..]].concat())
            }
        },
        Op::StrReplaceAll => replace_all(of[0], codes(1), codes(2), longest)?,
        Op::StrIsDigit => Quick::Bool(matches!(codes(0), [0x30..=0x39])),
        Op::StrToCode => Quick::Int(match codes(0) {
            [one] => i128::from(*one),
            _ => -1,
        }),
        Op::StrFromCode => match u32::try_from(number(0)) {
            Ok(code) if code <= MAXIMUM => Quick::text(&[code]),
            _ => Quick::text(&[]),
        },
        Op::StrToInt => Quick::Int(to_int(codes(0))?),
        Op::StrFromInt => Quick::text(&from_int(number(0))),
        _ => return None,
    })
}

fn substr(text: &Quick, from: i128, count: i128) -> Quick {
    let codes = text.codes();
    let Some(start) = usize::try_from(from).ok().filter(|&start| start < codes.len()) else {
        return Quick::text(&[]);
    };
    let rest = codes.len() - start;
    let length = usize::try_from(count.max(0)).map_or(rest, |count| count.min(rest));
    if start == 0 && length == codes.len() {
        return text.clone();
    }
    Quick::text(&codes[start..start + length])
}

/// The first place from `from` on at which `needle` stands in `hay`; `from` is in `hay`.
pub fn find(hay: &[u32], needle: &[u32], from: usize) -> Option<usize> {
    let Some(&first) = needle.first() else { return Some(from) };
    let last = hay.len().checked_sub(needle.len())?;
    (from..=last).find(|&place| hay[place] == first && hay[place..].starts_with(needle))
}

fn replace_all(text: &Quick, old: &[u32], new: &[u32], longest: usize) -> Option<Quick> {
    let codes = text.codes();
    if old.is_empty() {
        return Some(text.clone());
    }
    let mut result = Vec::new();
    let mut rest = 0;
    while let Some(place) = find(codes, old, rest) {
        result.extend_from_slice(&codes[rest..place]);
        result.extend_from_slice(new);
        rest = place + old.len();
        if result.len() > longest {
            return None;
        }
    }
    result.extend_from_slice(&codes[rest..]);
    Some(Quick::Text(result.into()))
}

/// The number that digits write, −1 for other strings; `None` if it does not fit.
fn to_int(codes: &[u32]) -> Option<i128> {
    if codes.is_empty() || !codes.iter().all(|code| (0x30..=0x39).contains(code)) {
        return Some(-1);
    }
    codes.iter().try_fold(0i128, |number, code| {
        number.checked_mul(10)?.checked_add(i128::from(code - 0x30))
    })
}

/// The digits of a number; nothing for negative ones.
pub fn from_int(number: i128) -> Vec<u32> {
    if number < 0 { Vec::new() } else { number.to_string().bytes().map(u32::from).collect() }
}
