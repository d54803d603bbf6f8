//! Values for quick evaluation. Integers have 128 bits; what does not fit is lost, and the
//! search looks elsewhere. The referee has the last word on every model anyway.

use std::rc::Rc;

use luthier_terms::Op;

use crate::literals::{self, Literal};

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
        Op::StrToInt => Quick::Int(to_int(of[0].codes())?),
        Op::StrFromInt => Quick::text(&from_int(number(0))),
        _ => {
            let (text, number) = (|at: usize| Some(of.get(at)?.codes()), |at| Some(number(at)));
            match literals::apply(op, of.len(), text, number, longest)? {
                Literal::Bool(value) => Quick::Bool(value),
                Literal::Int(number) => Quick::Int(number),
                // A piece of all letters is the first argument itself.
                Literal::Piece(codes) if codes.len() == of[0].codes().len() => of[0].clone(),
                Literal::Piece(codes) => Quick::text(codes),
                Literal::Text(codes) => Quick::Text(codes.into()),
            }
        }
    })
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
