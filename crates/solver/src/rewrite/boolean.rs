//! Rewrite rules for the Core theory: Boolean operators and `ite`, with intervals of one term in a
//! conjunction.

use luthier_terms::{BigInt, Op, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::rule::Rule;
use crate::Limit;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "implication",
        law: "(a => b => c) = (¬a ∨ ¬b ∨ c)",
        heads: &[Op::Implies],
        apply: implication,
    },
    Rule {
        name: "exclusive-or",
        law: "a xor b xor c = ¬((¬(a = b)) = c)",
        heads: &[Op::Xor],
        apply: exclusive_or,
    },
    Rule {
        name: "distinct-pairs",
        law: "distinct(a, b, c) = a ≠ b ∧ a ≠ c ∧ b ≠ c",
        heads: &[Op::Distinct],
        apply: distinct_pairs,
    },
    Rule {
        name: "chain",
        law: "f(a, b, c) = f(a, b) ∧ f(b, c) for chainable f",
        heads: &[Op::Eq, Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::StrLt, Op::StrLe],
        apply: chain,
    },
    Rule {
        name: "negation",
        law: "¬¬a = a; ¬true = false; ¬(a ∧ b) = ¬a ∨ ¬b; ¬(a ∨ b) = ¬a ∧ ¬b; \
              ¬ite(c, a, b) = ite(c, ¬a, ¬b)",
        heads: &[Op::Not],
        apply: negation,
    },
    Rule {
        name: "junction",
        law: "∧ and ∨ are associative, commutative and idempotent, have neutral and absorbing \
              elements, and a ∧ ¬a = false, a ∨ ¬a = true",
        heads: &[Op::And, Op::Or],
        apply: junction,
    },
    Rule {
        name: "junction-bounds",
        law: "t = c ∧ t = d = false for c ≠ d; t ≥ c ∧ t ≥ d = t ≥ max(c, d); t = c ∧ t ≥ d is \
              t = c or false; and the duals",
        heads: &[Op::And, Op::Or],
        apply: junction_bounds,
    },
    Rule {
        name: "ite-choice",
        law: "ite(true, a, b) = a; ite(c, a, a) = a; ite(¬c, a, b) = ite(c, b, a); \
              ite(c, ite(c, a, b), d) = ite(c, a, d)",
        heads: &[Op::Ite],
        apply: ite_choice,
    },
    Rule {
        name: "ite-formula",
        law: "ite(c, true, b) = c ∨ b; ite(c, false, b) = ¬c ∧ b; ite(c, a, true) = ¬c ∨ a; \
              ite(c, a, false) = c ∧ a; ite(c, c, b) = c ∨ b; ite(c, a, c) = c ∧ a",
        heads: &[Op::Ite],
        apply: ite_formula,
    },
    Rule {
        name: "ite-equal-condition",
        law: "ite(x = k, x, b) = ite(x = k, k, b) for a literal k",
        heads: &[Op::Ite],
        apply: ite_equal_condition,
    },
    Rule {
        name: "equal-formulas",
        law: "(a = true) = a; (a = false) = ¬a; (a = ¬a) = false; (¬a = b) = ¬(a = b)",
        heads: &[Op::Eq],
        apply: equal_formulas,
    },
];

fn implication(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (&last, premises) = args.split_last()?;
    let mut parts = Vec::with_capacity(args.len());
    for &premise in premises {
        parts.push(cx.not(premise)?);
    }
    parts.push(last);
    cx.or(&parts)
}

fn exclusive_or(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (&first, rest) = args.split_first()?;
    let mut result = first;
    for &arg in rest {
        let equal = cx.eq(result, arg)?;
        result = cx.not(equal)?;
    }
    Some(result)
}

fn distinct_pairs(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    if cx.exceeds(Limit::RewriteDistinct, args.len()) {
        return None;
    }
    let mut pairs = Vec::new();
    for (index, &one) in args.iter().enumerate() {
        for &other in &args[index + 1..] {
            let equal = cx.eq(one, other)?;
            pairs.push(cx.not(equal)?);
        }
    }
    cx.and(&pairs)
}

fn chain(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    if args.len() <= 2 {
        return None;
    }
    let op = super::fold::head(cx, term)?;
    let mut links = Vec::with_capacity(args.len() - 1);
    for pair in args.windows(2) {
        links.push(cx.op(op, pair)?);
    }
    cx.and(&links)
}

fn negation(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[inner] = args else { return None };
    if let Some(value) = cx.truth(inner) {
        return cx.bool(!value);
    }
    for (op, dual) in [(Op::And, Op::Or), (Op::Or, Op::And)] {
        if let Some(parts) = cx.args(inner, op) {
            let mut negated = parts.to_vec();
            for part in &mut negated {
                *part = cx.not(*part)?;
            }
            return cx.op(dual, &negated);
        }
    }
    if let Some([condition, yes, no]) = cx.three(inner, Op::Ite) {
        let (yes, no) = (cx.not(yes)?, cx.not(no)?);
        return cx.ite(condition, yes, no);
    }
    cx.args(inner, Op::Not).map(|args| args[0])
}

fn junction(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = super::fold::head(cx, term)?;
    let absorbing = op == Op::Or;
    let mut kept: Vec<TermId> = Vec::with_capacity(args.len());
    for &arg in args {
        if let Some(inner) = cx.args(arg, op) {
            kept.extend_from_slice(inner);
        } else {
            kept.push(arg);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    if kept.iter().any(|&arg| cx.truth(arg) == Some(absorbing)) {
        return cx.bool(absorbing);
    }
    kept.retain(|&arg| cx.truth(arg).is_none());
    let present: FxHashSet<TermId> = kept.iter().copied().collect();
    let clash =
        |&arg: &TermId| cx.args(arg, Op::Not).is_some_and(|inner| present.contains(&inner[0]));
    if kept.iter().any(clash) {
        return cx.bool(absorbing);
    }
    if kept == args {
        return None;
    }
    if op == Op::And { cx.and(&kept) } else { cx.or(&kept) }
}

/// The interval and the excluded values of one term in a conjunction.
#[derive(Default)]
struct Range {
    low: Option<BigInt>,
    /// The least number that is too high.
    high: Option<BigInt>,
    equal: Option<TermId>,
}

/// Whether `wanted` (the polarity of the whole) makes the literal `t = c`, `t >= c` or `t < c`.
fn bound(cx: &Context, literal: TermId, wanted: bool) -> Option<(Op, bool, TermId, TermId)> {
    let (atom, positive) = match cx.args(literal, Op::Not) {
        Some(inner) => (inner[0], !wanted),
        None => (literal, wanted),
    };
    for op in [Op::Eq, Op::Ge] {
        if let Some([left, right]) = cx.two(atom, op)
            && cx.is_constant(right)
            && !cx.is_constant(left)
            && cx.sort(left) != Sort::Bool
        {
            return Some((op, positive, left, right));
        }
    }
    None
}

fn junction_bounds(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = super::fold::head(cx, term)?;
    // A disjunction is treated as the negation of a conjunction of negations.
    let wanted = op == Op::And;
    let mut ranges: FxHashMap<TermId, Range> = FxHashMap::default();
    for &arg in args {
        let Some((kind, positive, subject, constant)) = bound(cx, arg, wanted) else { continue };
        let range = ranges.entry(subject).or_default();
        match (kind, positive) {
            (Op::Eq, true) => match range.equal {
                Some(other) if other != constant => return cx.bool(!wanted),
                _ => range.equal = Some(constant),
            },
            (Op::Ge, true) => {
                let number = cx.number(constant)?;
                range.low = range.low.take().map(|low| low.max(number.clone())).or(Some(number));
            }
            (Op::Ge, false) => {
                let number = cx.number(constant)?;
                range.high =
                    range.high.take().map(|high| high.min(number.clone())).or(Some(number));
            }
            _ => {}
        }
    }
    let mut kept = Vec::with_capacity(args.len());
    for &arg in args {
        let Some((kind, positive, subject, constant)) = bound(cx, arg, wanted) else {
            kept.push(arg);
            continue;
        };
        let range = &ranges[&subject];
        if let (Some(low), Some(high)) = (&range.low, &range.high)
            && low >= high
        {
            return cx.bool(!wanted);
        }
        let implied = match (kind, positive, range.equal) {
            (Op::Eq, true, _) => {
                if let Some(value) = cx.number(constant)
                    && (range.low.as_ref().is_some_and(|low| value < *low)
                        || range.high.as_ref().is_some_and(|high| value >= *high))
                {
                    return cx.bool(!wanted);
                }
                false
            }
            (Op::Eq, _, Some(value)) => {
                if value == constant {
                    return cx.bool(!wanted);
                }
                true
            }
            (Op::Ge, _, Some(_)) => true,
            (Op::Ge, true, None) => cx.number(constant) != range.low,
            (Op::Ge, false, None) => cx.number(constant) != range.high,
            (_, false, None) => cx.number(constant).is_some_and(|value| {
                range.low.as_ref().is_some_and(|low| value < *low)
                    || range.high.as_ref().is_some_and(|high| value >= *high)
            }),
            _ => false,
        };
        if !implied {
            kept.push(arg);
        }
    }
    if kept.len() == args.len() {
        return None;
    }
    if wanted { cx.and(&kept) } else { cx.or(&kept) }
}

fn ite_choice(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = args else { return None };
    if let Some(value) = cx.truth(condition) {
        return Some(if value { yes } else { no });
    }
    if yes == no {
        return Some(yes);
    }
    if let Some(&[inner]) = cx.args(condition, Op::Not) {
        return cx.ite(inner, no, yes);
    }
    if let Some([inner, first, _]) = cx.three(yes, Op::Ite)
        && inner == condition
    {
        return cx.ite(condition, first, no);
    }
    if let Some([inner, _, second]) = cx.three(no, Op::Ite)
        && inner == condition
    {
        return cx.ite(condition, yes, second);
    }
    // ite(c, a, ite(d, a, b)) = ite(c ∨ d, a, b)
    if let Some([inner, first, second]) = cx.three(no, Op::Ite)
        && first == yes
    {
        let either = cx.or(&[condition, inner])?;
        return cx.ite(either, yes, second);
    }
    None
}

fn ite_formula(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = args else { return None };
    if cx.sort(yes) != Sort::Bool {
        return None;
    }
    let opposite = cx.not(condition)?;
    match (cx.truth(yes), cx.truth(no)) {
        (Some(true), _) => return cx.or(&[condition, no]),
        (Some(false), _) => return cx.and(&[opposite, no]),
        (_, Some(true)) => return cx.or(&[opposite, yes]),
        (_, Some(false)) => return cx.and(&[condition, yes]),
        _ => {}
    }
    if condition == yes {
        return cx.or(&[condition, no]);
    }
    if condition == no {
        return cx.and(&[condition, yes]);
    }
    if cx.not(yes)? == no {
        return cx.eq(condition, yes);
    }
    None
}

fn ite_equal_condition(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = args else { return None };
    let [left, right] = cx.two(condition, Op::Eq)?;
    if left != yes || !cx.is_constant(right) {
        return None;
    }
    cx.ite(condition, right, no)
}

fn equal_formulas(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if cx.sort(left) != Sort::Bool {
        return None;
    }
    for (one, other) in [(left, right), (right, left)] {
        match cx.truth(one) {
            Some(true) => return Some(other),
            Some(false) => return cx.not(other),
            None => {}
        }
    }
    if cx.not(left)? == right {
        return cx.bool(false);
    }
    for (one, other) in [(left, right), (right, left)] {
        if let Some(&[inner]) = cx.args(one, Op::Not) {
            let equal = cx.eq(inner, other)?;
            return cx.not(equal);
        }
    }
    None
}
