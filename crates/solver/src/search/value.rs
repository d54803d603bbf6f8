//! Values for fast evaluation in the search: Booleans, 128-bit integers and strings of plain codes.
//!
//! A value that does not fit is unknown, and so is every term that depends on it; the search then
//! prefers other moves. The referee checks every model exactly.

use std::rc::Rc;

use luthier_terms::Op;

use crate::automata::Regex;
use crate::literals::{self, Literal};

/// A string as codes of characters.
pub type Text = Rc<[u32]>;

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FastValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A string.
    Text(Text),
    /// A regular language, in the store of the search.
    Language(Regex),
    /// A value that does not fit; terms that depend on it are unknown, too.
    Unknown,
}

impl FastValue {
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

/// The value of an operator applied to values: unknown if it does not fit, if it is a string of
/// more than `max_letters` letters, or if the operator is not supported.
pub fn apply(op: Op, of: &[&FastValue], max_letters: usize) -> FastValue {
    if of.iter().any(|value| matches!(value, FastValue::Unknown)) {
        // One argument may determine the value.
        return match op {
            Op::And if of.iter().any(|one| matches!(one, FastValue::Bool(false))) => {
                FastValue::Bool(false)
            }
            Op::Or if of.iter().any(|one| one.is_true()) => FastValue::Bool(true),
            _ => FastValue::Unknown,
        };
    }
    known(op, of, max_letters).unwrap_or(FastValue::Unknown)
}

fn known(op: Op, of: &[&FastValue], max_letters: usize) -> Option<FastValue> {
    let number = |index: usize| of[index].number();
    let chain = |holds: fn(&FastValue, &FastValue) -> bool| {
        FastValue::Bool(of.windows(2).all(|pair| holds(pair[0], pair[1])))
    };
    Some(match op {
        Op::True => FastValue::Bool(true),
        Op::False => FastValue::Bool(false),
        Op::Not => FastValue::Bool(!of[0].is_true()),
        Op::And => FastValue::Bool(of.iter().all(|one| one.is_true())),
        Op::Or => FastValue::Bool(of.iter().any(|one| one.is_true())),
        Op::Implies => {
            let (last, premises) = of.split_last()?;
            FastValue::Bool(last.is_true() || premises.iter().any(|one| !one.is_true()))
        }
        Op::Xor => FastValue::Bool(of.iter().filter(|one| one.is_true()).count() % 2 == 1),
        Op::Eq => chain(|left, right| left == right),
        Op::Distinct => {
            let repeated = |(index, one): (usize, &&FastValue)| of[index + 1..].contains(one);
            FastValue::Bool(!of.iter().enumerate().any(repeated))
        }
        Op::Ite => of[if of[0].is_true() { 1 } else { 2 }].clone(),
        Op::Neg => FastValue::Int(number(0).checked_neg()?),
        Op::Sub => {
            let mut rest = of[1..].iter();
            FastValue::Int(rest.try_fold(number(0), |sum, one| sum.checked_sub(one.number()))?)
        }
        Op::Add => {
            FastValue::Int(of.iter().try_fold(0i128, |sum, one| sum.checked_add(one.number()))?)
        }
        Op::Mul => FastValue::Int(
            of.iter().try_fold(1i128, |product, one| product.checked_mul(one.number()))?,
        ),
        Op::Div => {
            let mut rest = of[1..].iter();
            FastValue::Int(
                rest.try_fold(number(0), |left, one| left.checked_div_euclid(one.number()))?,
            )
        }
        Op::Mod => FastValue::Int(number(0).checked_rem_euclid(number(1))?),
        Op::Abs => FastValue::Int(number(0).checked_abs()?),
        Op::Le => chain(|left, right| left.number() <= right.number()),
        Op::Lt => chain(|left, right| left.number() < right.number()),
        Op::Ge => chain(|left, right| left.number() >= right.number()),
        Op::Gt => chain(|left, right| left.number() > right.number()),
        Op::Divisible => FastValue::Bool(number(1).checked_rem_euclid(number(0))? == 0),
        Op::StrToInt => FastValue::Int(to_int(of[0].codes())?),
        Op::StrFromInt => FastValue::text(&from_int(number(0))),
        _ => {
            let (text, number) = (|at: usize| Some(of.get(at)?.codes()), |at| Some(number(at)));
            match literals::apply(op, of.len(), text, number, max_letters)? {
                Literal::Bool(value) => FastValue::Bool(value),
                Literal::Int(number) => FastValue::Int(number),
                // A substring of full length is the first argument itself.
                Literal::Substring(codes) if codes.len() == of[0].codes().len() => of[0].clone(),
                Literal::Substring(codes) => FastValue::text(codes),
                Literal::Text(codes) => FastValue::Text(codes.into()),
            }
        }
    })
}

/// The number of which a string has the digits, −1 for other strings; `None` if it does not fit.
fn to_int(codes: &[u32]) -> Option<i128> {
    if codes.is_empty() || !codes.iter().all(|code| (0x30..=0x39).contains(code)) {
        return Some(-1);
    }
    codes.iter().try_fold(0i128, |number, code| {
        number.checked_mul(10)?.checked_add(i128::from(code - 0x30))
    })
}

/// The digits of a number; none for negative ones.
pub fn from_int(number: i128) -> Vec<u32> {
    if number < 0 { Vec::new() } else { number.to_string().bytes().map(u32::from).collect() }
}
