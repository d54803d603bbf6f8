//! Rewrite rules for equality at every sort: reflexivity, orientation, and `ite`.

use luthier_terms::{Op, Sort, TermId};

use super::context::Context;
use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule { name: "reflexive", law: "(t = t) = true", heads: &[Op::Eq], apply: reflexive },
    Rule {
        name: "equation-order",
        law: "(s = t) = (t = s): literals to the right, otherwise the older term to the left",
        heads: &[Op::Eq],
        apply: equation_order,
    },
    Rule {
        name: "ite-equals-literal",
        law: "(ite(c, k, b) = l) = ¬c ∧ b = l for literals k ≠ l; c ∨ b = l for k = l; likewise \
              for a literal in the other branch",
        heads: &[Op::Eq],
        apply: ite_equals_literal,
    },
    Rule {
        name: "ite-equals-branch",
        law: "(ite(c, a, b) = a) = c ∨ b = a; (ite(c, a, b) = b) = ¬c ∨ a = b",
        heads: &[Op::Eq],
        apply: ite_equals_branch,
    },
    Rule {
        name: "ites-with-one-condition",
        law: "(ite(c, a, b) = ite(c, d, e)) = ite(c, a = d, b = e)",
        heads: &[Op::Eq],
        apply: ites_with_one_condition,
    },
];

fn reflexive(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if left == right { cx.bool(true) } else { None }
}

fn equation_order(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let swap = match (cx.is_constant(left), cx.is_constant(right)) {
        (true, false) => true,
        (false, true) => false,
        // Equations of integers have their own order.
        _ => cx.sort(left) != Sort::Int && right < left,
    };
    if swap { cx.eq(right, left) } else { None }
}

fn ite_equals_literal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if !cx.is_constant(right) {
        return None;
    }
    let [condition, yes, no] = cx.three(left, Op::Ite)?;
    if !cx.is_constant(yes) && !cx.is_constant(no) {
        return None;
    }
    let opposite = cx.not(condition)?;
    let (yes_equal, no_equal) = (cx.eq(yes, right)?, cx.eq(no, right)?);
    match (cx.is_constant(yes), yes == right, no == right) {
        (true, true, _) => cx.or(&[condition, no_equal]),
        (true, false, _) => cx.and(&[opposite, no_equal]),
        (false, _, true) => cx.or(&[opposite, yes_equal]),
        (false, _, false) => cx.and(&[condition, yes_equal]),
    }
}

fn ite_equals_branch(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    for (choice, other) in [(left, right), (right, left)] {
        let Some([condition, yes, no]) = cx.three(choice, Op::Ite) else { continue };
        let equal = if yes == other {
            cx.eq(no, other)?
        } else if no == other {
            cx.eq(yes, other)?
        } else {
            continue;
        };
        let condition = if yes == other { condition } else { cx.not(condition)? };
        return cx.or(&[condition, equal]);
    }
    None
}

fn ites_with_one_condition(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let [condition, a, b] = cx.three(left, Op::Ite)?;
    let [other, d, e] = cx.three(right, Op::Ite)?;
    if condition != other {
        return None;
    }
    let (yes, no) = (cx.eq(a, d)?, cx.eq(b, e)?);
    cx.ite(condition, yes, no)
}
