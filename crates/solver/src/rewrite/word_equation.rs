//! Rewrite rule that splits a word equation where both sides have the same symbolic prefix length
//! (alignment).

use luthier_terms::{Op, TermId};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::Limit;

pub(super) const RULES: &[Rule] = &[Rule {
    name: "equation-split",
    law: "(s·u = t·v) = (s = t ∧ u = v) when |s| and |t| are the same sum of lengths",
    heads: &[Op::Eq],
    apply: split,
}];

/// A position where a concatenation can be split: before an argument, or within a literal.
struct Cut {
    /// The length of the prefix before it.
    before: Linear,
    part: usize,
    /// How many letters of the literal belong to the prefix.
    offset: usize,
}

fn split(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let (left, right) =
        (cx.args(left, Op::StrConcat)?.to_vec(), cx.args(right, Op::StrConcat)?.to_vec());
    let (ours, others) = (cuts(cx, &left)?, cuts(cx, &right)?);
    let (one, other) = ours.iter().find_map(|one| {
        others.iter().find(|other| other.before == one.before).map(|other| (one, other))
    })?;
    let (first, rest) = halves(cx, &left, one)?;
    let (second, others) = halves(cx, &right, other)?;
    let start = cx.eq(first, second)?;
    let end = cx.eq(rest, others)?;
    cx.and(&[start, end])
}

/// All inner positions where a concatenation can be split.
fn cuts(cx: &mut Context, parts: &[TermId]) -> Option<Vec<Cut>> {
    let mut cuts = Vec::new();
    let mut before = Linear::default();
    for (part, &term) in parts.iter().enumerate() {
        let inside = cx.text(term).map_or(1, <[_]>::len);
        for offset in 0..inside {
            if part > 0 || offset > 0 {
                cuts.push(Cut { before: before.shifted(offset), part, offset });
            }
        }
        if cuts.len() > cx.limit(Limit::RewriteEquation) {
            return None;
        }
        before = before.plus(&cx.length(term)?, &1.into());
    }
    Some(cuts)
}

fn halves(cx: &mut Context, parts: &[TermId], cut: &Cut) -> Option<(TermId, TermId)> {
    let (mut first, mut rest) = (parts[..cut.part].to_vec(), parts[cut.part..].to_vec());
    if cut.offset > 0 {
        let text = cx.text(rest[0])?.to_vec();
        first.push(cx.literal(&text[..cut.offset])?);
        rest[0] = cx.literal(&text[cut.offset..])?;
    }
    Some((cx.concat(&first)?, cx.concat(&rest)?))
}
