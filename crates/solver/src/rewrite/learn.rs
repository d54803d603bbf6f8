//! Facts from asserted literals, for contextual rewriting.
//!
//! An asserted equation with a constant gives a value, an arithmetic atom a linear form,
//! `contains(s, t)` gives `|s| ≥ |t|`, its negation `s ≠ t`, `¬prefixof(t, s)`, `¬suffixof(t, s)`
//! and `|t| ≥ 1`, and so on. Each fact follows from the literal alone.

use luthier_terms::{Op, Sort, Term, TermId};

use super::context::Context;
use super::facts::Facts;

/// Adds the facts of an asserted literal.
pub(super) fn learn(
    cx: &mut Context,
    facts: &mut Facts,
    source: usize,
    formula: TermId,
) -> Option<()> {
    let (atom, positive) = match cx.args(formula, Op::Not) {
        Some(&[inner]) => (inner, false),
        _ => (formula, true),
    };
    if positive
        && let Some([left, right]) = cx.two(atom, Op::Eq)
        && cx.is_constant(right)
    {
        facts.add_value(source, left, right);
        if cx.sort(left) == Sort::String {
            let (length, text) = (cx.length(left)?, cx.length(right)?);
            facts.add_form(source, length.minus(&text));
            facts.add_form(source, text.minus(&length));
        }
    } else {
        let value = cx.bool(positive)?;
        facts.add_value(source, atom, value);
    }
    match *cx.pool.children(atom) {
        [left, right] => learn_pair(cx, facts, source, atom, [left, right], positive),
        _ => Some(()),
    }
}

/// Adds facts of an atom with two arguments about numbers and lengths.
fn learn_pair(
    cx: &mut Context,
    facts: &mut Facts,
    source: usize,
    atom: TermId,
    [left, right]: [TermId; 2],
    positive: bool,
) -> Option<()> {
    let Term::Op(op, _) = cx.pool.term(atom) else { return None };
    match (op, positive) {
        (Op::Ge, true) => {
            facts.add_form(source, cx.linear(left).minus(&cx.linear(right)));
        }
        (Op::Ge, false) => {
            facts.add_form(source, cx.linear(right).minus(&cx.linear(left)).shifted(-1));
        }
        (Op::Eq, true) if cx.sort(left) == Sort::Int => {
            let difference = cx.linear(left).minus(&cx.linear(right));
            facts.add_form(source, difference.negated());
            facts.add_form(source, difference);
        }
        (Op::Eq, true) if cx.sort(left) == Sort::String && !cx.is_constant(right) => {
            let difference = cx.length(left)?.minus(&cx.length(right)?);
            facts.add_form(source, difference.negated());
            facts.add_form(source, difference);
        }
        (Op::Eq, false) if cx.is_empty(right) => {
            facts.add_form(source, cx.length(left)?.shifted(-1));
        }
        (Op::StrContains, true) => {
            facts.add_form(source, cx.length(left)?.minus(&cx.length(right)?));
        }
        (Op::StrPrefixOf | Op::StrSuffixOf, true) => {
            facts.add_form(source, cx.length(right)?.minus(&cx.length(left)?));
            let contains = cx.op(Op::StrContains, &[right, left])?;
            let value = cx.bool(true)?;
            facts.add_value(source, contains, value);
        }
        (Op::StrContains, false) => {
            // A string without the needle does not equal it, nor begin or end with it, and the
            // needle is not empty.
            let value = cx.bool(false)?;
            for affix in [Op::StrPrefixOf, Op::StrSuffixOf] {
                let affix = cx.op(affix, &[right, left])?;
                facts.add_value(source, affix, value);
            }
            for (one, other) in [(left, right), (right, left)] {
                let equal = cx.eq(one, other)?;
                facts.add_value(source, equal, value);
            }
            facts.add_form(source, cx.length(right)?.shifted(-1));
        }
        (Op::StrPrefixOf | Op::StrSuffixOf, false) => {
            facts.add_form(source, cx.length(left)?.shifted(-1));
            let value = cx.bool(false)?;
            for (one, other) in [(left, right), (right, left)] {
                let equal = cx.eq(one, other)?;
                facts.add_value(source, equal, value);
            }
        }
        (Op::StrInRe, true) => facts.add_membership(source, left, right),
        (Op::StrLt, _) => {
            let value = cx.bool(false)?;
            let opposite = cx.op(Op::StrLt, &[right, left])?;
            if positive {
                facts.add_value(source, opposite, value);
                for (one, other) in [(left, right), (right, left)] {
                    let equal = cx.eq(one, other)?;
                    facts.add_value(source, equal, value);
                }
                facts.add_form(source, cx.length(right)?.shifted(-1));
            }
        }
        _ => {}
    }
    Some(())
}
