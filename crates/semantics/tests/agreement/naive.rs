//! The second opinion: ground terms evaluated in the most literal way.
//!
//! Everything here is written from the text of the theories, not from the crate under test, and
//! prefers the shape of the definition over speed. It is strict: every argument is evaluated,
//! also the branch of an `ite` that is not taken, so that whether a division by zero occurs
//! anywhere is known for certain.

use std::fmt;
use std::rc::Rc;

use luthier_terms::{BigInt, Op, SmtString, Term, TermId, TermPool};

use crate::automaton;
use crate::regex::Regex;
use crate::strings;

/// The maximal length of strings; the matrices of the regular expressions are quadratic in it.
const MAX_STRING_LENGTH: usize = 160;

/// The oracle has no opinion, because following the definitions would take too long.
#[derive(Debug)]
pub struct TooLarge;

/// A value of the oracle.
#[derive(Clone, Debug)]
pub enum Datum {
    Bool(bool),
    Int(BigInt),
    Text(Vec<u32>),
    Language(Rc<Regex>),
}

impl Datum {
    fn bool(&self) -> bool {
        let Self::Bool(value) = self else { panic!("{self:?} is no Bool") };
        *value
    }

    fn int(&self) -> &BigInt {
        let Self::Int(value) = self else { panic!("{self:?} is no Int") };
        value
    }

    pub fn text(&self) -> &[u32] {
        let Self::Text(value) = self else { panic!("{self:?} is no String") };
        value
    }

    pub fn language(&self) -> &Rc<Regex> {
        let Self::Language(value) = self else { panic!("{self:?} is no RegLan") };
        value
    }

    /// Whether two values are the same. Languages are the same when no string tells them apart.
    pub fn same(&self, other: &Self) -> Result<bool, TooLarge> {
        match (self, other) {
            (Self::Bool(one), Self::Bool(two)) => Ok(one == two),
            (Self::Int(one), Self::Int(two)) => Ok(one == two),
            (Self::Text(one), Self::Text(two)) => Ok(one == two),
            (Self::Language(one), Self::Language(two)) => {
                Ok(automaton::difference(one, two)?.is_none())
            }
            _ => panic!("{self:?} and {other:?} are of different sorts"),
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Text(value) => {
                let text = SmtString::from_codes(value.iter().copied()).expect("only characters");
                write!(f, "{text:?}")
            }
            Self::Language(value) => write!(f, "{value:?}"),
        }
    }
}

/// One of the many meanings that division by zero may have: the theory leaves `(div m 0)` and
/// `(mod m 0)` open, as any functions of m.
#[derive(Clone, Copy, Debug)]
pub struct ByZero {
    factor: i32,
    offset: i32,
}

impl ByZero {
    /// Meanings that differ enough to show whether a value depends on them: constants of both
    /// signs, small and large, and functions that tell the dividends apart.
    pub const SAMPLES: [Self; 7] = [
        Self { factor: 0, offset: 0 },
        Self { factor: 1, offset: 0 },
        Self { factor: 0, offset: 1 },
        Self { factor: 0, offset: -1 },
        Self { factor: -3, offset: 2 },
        Self { factor: 5, offset: 97 },
        Self { factor: 0, offset: 1_000_000_007 },
    ];

    fn div(self, dividend: &BigInt) -> BigInt {
        dividend * self.factor + self.offset
    }

    /// Another function than `div`, so that the two are not taken for one.
    fn modulo(self, dividend: &BigInt) -> BigInt {
        dividend * (1 - self.factor) + self.offset * 2
    }
}

/// What the oracle says about a term.
pub enum Verdict {
    /// This value, whatever division by zero means: there is none.
    Value(Datum),
    /// There is a division by zero, but all sampled meanings of it give this value.
    PerhapsValue(Datum),
    /// Two meanings of division by zero give two values.
    Depends,
}

/// What the theories say about a ground term.
pub fn judge(pool: &TermPool, term: TermId) -> Result<Verdict, TooLarge> {
    let mut first: Option<Datum> = None;
    for by_zero in ByZero::SAMPLES {
        let (value, divided) = evaluate(pool, term, by_zero)?;
        if !divided {
            return Ok(Verdict::Value(value));
        }
        match &first {
            None => first = Some(value),
            Some(first) if first.same(&value)? => {}
            Some(_) => return Ok(Verdict::Depends),
        }
    }
    Ok(Verdict::PerhapsValue(first.expect("there are samples")))
}

/// The value of a ground term under one meaning of division by zero, and whether a division by
/// zero occurred.
pub fn evaluate(pool: &TermPool, term: TermId, by_zero: ByZero) -> Result<(Datum, bool), TooLarge> {
    let mut run = Run { pool, by_zero, divided: false };
    let value = run.value(term)?;
    Ok((value, run.divided))
}

struct Run<'a> {
    pool: &'a TermPool,
    by_zero: ByZero,
    divided: bool,
}

impl Run<'_> {
    fn value(&mut self, term: TermId) -> Result<Datum, TooLarge> {
        let value = match self.pool.term(term) {
            Term::String(text) => Datum::Text(text.iter().map(|c| c.code()).collect()),
            Term::Integer(number) => Datum::Int(number.clone()),
            Term::Op(op, children) => {
                let arguments: Vec<Datum> =
                    children.iter().map(|&child| self.value(child)).collect::<Result<_, _>>()?;
                self.apply(op, &arguments)?
            }
            other => panic!("{other:?} is not part of a ground term"),
        };
        match &value {
            Datum::Text(text) if text.len() > MAX_STRING_LENGTH => Err(TooLarge),
            _ => Ok(value),
        }
    }

    fn apply(&mut self, op: Op, arguments: &[Datum]) -> Result<Datum, TooLarge> {
        let bools = || arguments.iter().map(Datum::bool);
        let ints = || arguments.iter().map(Datum::int);
        let int = |position: usize| arguments[position].int();
        Ok(match op {
            Op::True => Datum::Bool(true),
            Op::False => Datum::Bool(false),
            Op::Not => Datum::Bool(!arguments[0].bool()),
            // (=> a b c) is (=> a (=> b c)).
            Op::Implies => {
                let mut reversed = bools().rev();
                let last = reversed.next().expect("two or more arguments");
                Datum::Bool(reversed.fold(last, |conclusion, premise| !premise || conclusion))
            }
            Op::And => Datum::Bool(bools().all(|one| one)),
            Op::Or => Datum::Bool(bools().any(|one| one)),
            // (xor a b c) is (xor (xor a b) c).
            Op::Xor => Datum::Bool(bools().fold(false, |left, right| left != right)),
            Op::Eq => {
                let mut all = true;
                for pair in arguments.windows(2) {
                    all &= pair[0].same(&pair[1])?;
                }
                Datum::Bool(all)
            }
            Op::Distinct => {
                let mut all = true;
                for (position, one) in arguments.iter().enumerate() {
                    for other in &arguments[position + 1..] {
                        all &= !one.same(other)?;
                    }
                }
                Datum::Bool(all)
            }
            Op::Ite => arguments[if arguments[0].bool() { 1 } else { 2 }].clone(),

            Op::Neg => Datum::Int(BigInt::from(0) - int(0)),
            Op::Sub => Datum::Int(ints().skip(1).fold(int(0).clone(), |left, right| left - right)),
            Op::Add => Datum::Int(ints().fold(BigInt::from(0), |left, right| left + right)),
            Op::Mul => Datum::Int(ints().fold(BigInt::from(1), |left, right| left * right)),
            Op::Div => {
                let mut left = int(0).clone();
                for right in ints().skip(1) {
                    left = self.div(&left, right);
                }
                Datum::Int(left)
            }
            Op::Mod => Datum::Int(self.modulo(int(0), int(1))),
            Op::Abs => {
                let number = int(0).clone();
                Datum::Int(if number < BigInt::from(0) { -number } else { number })
            }
            Op::Le => chain(arguments, |one, two| one.int() <= two.int()),
            Op::Lt => chain(arguments, |one, two| one.int() < two.int()),
            Op::Ge => chain(arguments, |one, two| one.int() >= two.int()),
            Op::Gt => chain(arguments, |one, two| one.int() > two.int()),
            Op::Divisible => Datum::Bool(euclid(int(1), int(0)).1 == BigInt::from(0)),

            _ => return strings::apply(op, arguments),
        })
    }

    fn div(&mut self, dividend: &BigInt, divisor: &BigInt) -> BigInt {
        if *divisor == BigInt::from(0) {
            self.divided = true;
            return self.by_zero.div(dividend);
        }
        euclid(dividend, divisor).0
    }

    fn modulo(&mut self, dividend: &BigInt, divisor: &BigInt) -> BigInt {
        if *divisor == BigInt::from(0) {
            self.divided = true;
            return self.by_zero.modulo(dividend);
        }
        euclid(dividend, divisor).1
    }
}

/// A chainable relation: it holds between all neighbours.
pub fn chain(arguments: &[Datum], relation: impl Fn(&Datum, &Datum) -> bool) -> Datum {
    Datum::Bool(arguments.windows(2).all(|pair| relation(&pair[0], &pair[1])))
}

/// The only q and r with m = n * q + r and 0 <= r < |n|, found by walking to them from the
/// quotient that the library rounds in some direction.
fn euclid(m: &BigInt, n: &BigInt) -> (BigInt, BigInt) {
    let size = if *n < BigInt::from(0) { -n } else { n.clone() };
    let mut q = m / n;
    loop {
        let r = m - n * &q;
        if r < BigInt::from(0) {
            // The remainder must grow by |n|, so n * q must shrink by |n|.
            q -= &size / n;
        } else if r >= size {
            q += &size / n;
        } else {
            return (q, r);
        }
    }
}
