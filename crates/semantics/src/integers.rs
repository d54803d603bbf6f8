//! Integer division and divisibility of the theory `Ints` (SMT-LIB 2.7).
//!
//! The other integer operators are those of `BigInt`. Division by zero is not defined here: it is
//! an uninterpreted function of the dividend, which a model interprets.

use luthier_terms::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

/// `div` and `mod` of `m` by `n ≠ 0`: the only `q` and `r` with `m = n·q + r` and `0 ≤ r < |n|`.
///
/// `None` if `n` is zero.
///
/// ```
/// use luthier_semantics::integers::divide;
/// let divide = |m: i32, n: i32| divide(&m.into(), &n.into());
/// assert_eq!(divide(7, 2), Some((3.into(), 1.into())));
/// assert_eq!(divide(-7, 2), Some(((-4).into(), 1.into())));
/// assert_eq!(divide(7, -2), Some(((-3).into(), 1.into())));
/// assert_eq!(divide(-7, -2), Some((4.into(), 1.into())));
/// assert_eq!(divide(7, 0), None);
/// ```
pub fn divide(m: &BigInt, n: &BigInt) -> Option<(BigInt, BigInt)> {
    if n.is_zero() {
        return None;
    }
    let r = m.mod_floor(&n.abs());
    let q = (m - &r) / n;
    Some((q, r))
}

/// `((_ divisible n) m)`: `m` is a multiple of `n`.
///
/// The standard requires `n > 0`; the only multiple of zero is zero.
///
/// ```
/// use luthier_semantics::integers::divisible;
/// assert!(divisible(&3.into(), &(-6).into()) && !divisible(&3.into(), &7.into()));
/// assert!(divisible(&0.into(), &0.into()) && !divisible(&0.into(), &7.into()));
/// ```
pub fn divisible(n: &BigInt, m: &BigInt) -> bool {
    match divide(m, n) {
        Some((_, remainder)) => remainder.is_zero(),
        None => m.is_zero(),
    }
}
