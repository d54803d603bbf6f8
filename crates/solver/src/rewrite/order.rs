//! Rewrite rules for the lexicographic order, `str.<` and `str.<=`.

use std::collections::VecDeque;

use luthier_terms::{Op, TermId};

use super::concat::{StripOutcome, strip_front};
use super::context::Context;
use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "order-at-most", law: "(s ≤ t) = ¬(t < s)", heads: &[Op::StrLe], apply: at_most
    },
    Rule {
        name: "order-trivial",
        law: "(s < s) = (s < ε) = false; (ε < t) = (t ≠ ε)",
        heads: &[Op::StrLt],
        apply: trivial,
    },
    Rule {
        name: "order-common-start",
        law: "(u·s < u·t) = (s < t); literals that differ decide",
        heads: &[Op::StrLt],
        apply: common_start,
    },
];

fn at_most(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let above = cx.op(Op::StrLt, &[right, left])?;
    cx.not(above)
}

fn trivial(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if left == right || cx.is_empty(right) {
        return cx.bool(false);
    }
    if !cx.is_empty(left) {
        return None;
    }
    let equal = cx.eq(right, left)?;
    cx.not(equal)
}

fn common_start(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let (mut left, mut right) = (VecDeque::from(cx.parts(left)), VecDeque::from(cx.parts(right)));
    match strip_front(cx, &mut left, &mut right)? {
        StripOutcome::Nothing => None,
        StripOutcome::Clash => {
            // The literals in front differ within the length of the shorter one.
            let below = cx.text(*left.front()?)? < cx.text(*right.front()?)?;
            cx.bool(below)
        }
        StripOutcome::Stripped => {
            let left = cx.concat(left.make_contiguous())?;
            let right = cx.concat(right.make_contiguous())?;
            cx.op(Op::StrLt, &[left, right])
        }
    }
}
