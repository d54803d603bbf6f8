//! Rewrite rules for concatenation, and the removal of common prefixes and suffixes of two
//! concatenations.

use std::collections::VecDeque;

use luthier_terms::{Op, TermId};

use super::context::Context;
use super::rule::Rule;
use crate::Limit;
use crate::words::{common_prefix, common_suffix};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "concat-flat",
        law: "u·(v·w) = u·v·w; u·ε = u; neighbouring literals are one literal",
        heads: &[Op::StrConcat],
        apply: flat,
    },
    Rule {
        name: "concat-adjacent-pieces",
        law: "substr(s, i, n)·substr(s, i + n, m) = substr(s, i, n + m) for i, n, m ≥ 0",
        heads: &[Op::StrConcat],
        apply: adjacent_pieces,
    },
];

fn flat(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let mut parts: Vec<TermId> = Vec::with_capacity(args.len());
    for &arg in args {
        parts.extend(cx.parts(arg));
        if parts.len() > cx.limit(Limit::RewriteParts) {
            return None;
        }
    }
    let mut merged: Vec<TermId> = Vec::with_capacity(parts.len());
    let mut at = 0;
    while let Some(&part) = parts.get(at) {
        // Joins as many literals as the limit allows; only the result is stored.
        let mut length = 0;
        let literals = parts[at..].iter().take_while(|&&part| {
            length += cx.text(part).map_or(usize::MAX / 2, <[_]>::len);
            length <= cx.limit(Limit::RewriteLiteral)
        });
        let count = literals.count();
        if count > 1 {
            let texts: Vec<_> =
                parts[at..at + count].iter().map_while(|&one| cx.text(one)).collect();
            let whole = texts.concat();
            merged.push(cx.literal(&whole)?);
        } else {
            merged.push(part);
        }
        at += count.max(1);
    }
    if merged == args { None } else { cx.concat(&merged) }
}

fn adjacent_pieces(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    for at in 0..args.len() - 1 {
        let Some([base, from, count]) = cx.three(args[at], Op::StrSubstr) else { continue };
        let Some([other, next, more]) = cx.three(args[at + 1], Op::StrSubstr) else { continue };
        let (from_form, count_form) = (cx.linear(from), cx.linear(count));
        let (next_form, more_form) = (cx.linear(next), cx.linear(more));
        let end = from_form.plus(&count_form, &1.into());
        if other != base
            || end != next_form
            || !cx.never_negative(&from_form)
            || !cx.never_negative(&count_form)
            || !cx.never_negative(&more_form)
        {
            continue;
        }
        let count = count_form.plus(&more_form, &1.into()).build(cx.pool)?;
        let piece = cx.op(Op::StrSubstr, &[base, from, count])?;
        let parts = [&args[..at], &[piece], &args[at + 2..]].concat();
        return cx.concat(&parts);
    }
    None
}

/// The result of stripping two concatenations.
pub(super) enum Stripped {
    /// Nothing in common.
    Same,
    /// Different letters at an end: they cannot be equal.
    Clash,
    /// What remains of both.
    Rest(Vec<TermId>, Vec<TermId>),
}

/// Strips the common prefix and suffix.
pub(super) fn strip(cx: &mut Context, left: Vec<TermId>, right: Vec<TermId>) -> Option<Stripped> {
    let (mut left, mut right) = (VecDeque::from(left), VecDeque::from(right));
    let front = strip_front(cx, &mut left, &mut right)?;
    let back = strip_back(cx, &mut left, &mut right)?;
    Some(match (front, back) {
        (StripOutcome::Clash, _) | (_, StripOutcome::Clash) => Stripped::Clash,
        (StripOutcome::Nothing, StripOutcome::Nothing) => Stripped::Same,
        _ => Stripped::Rest(left.into(), right.into()),
    })
}

/// The result of stripping one end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StripOutcome {
    /// Nothing in common.
    Nothing,
    /// A common part was removed from both.
    Stripped,
    /// Literals at this end differ.
    Clash,
}

/// Strips the common prefix.
pub(super) fn strip_front(
    cx: &mut Context,
    left: &mut VecDeque<TermId>,
    right: &mut VecDeque<TermId>,
) -> Option<StripOutcome> {
    let mut outcome = StripOutcome::Nothing;
    // The number of letters that are already stripped from the first literals. Their rests are
    // stored only at the end: a long literal against many short ones would otherwise be copied for
    // each.
    let mut stripped = [0, 0];
    while let (Some(&one), Some(&other)) = (left.front(), right.front()) {
        if one == other && stripped == [0, 0] {
            left.pop_front();
            right.pop_front();
        } else if let (Some(first), Some(second)) = (cx.text(one), cx.text(other)) {
            let (first, second) = (&first[stripped[0]..], &second[stripped[1]..]);
            let common = common_prefix(first, second);
            if common < first.len().min(second.len()) {
                return Some(StripOutcome::Clash);
            }
            let ends = [common == first.len(), common == second.len()];
            for (side, list) in [&mut *left, &mut *right].into_iter().enumerate() {
                stripped[side] += common;
                if ends[side] {
                    list.pop_front();
                    stripped[side] = 0;
                }
            }
        } else {
            break;
        }
        outcome = StripOutcome::Stripped;
    }
    for (side, list) in [left, right].into_iter().enumerate() {
        if stripped[side] > 0
            && let Some(&first) = list.front()
            && let Some(text) = cx.text(first)
        {
            let rest = text[stripped[side]..].to_vec();
            list[0] = cx.literal(&rest)?;
        }
    }
    Some(outcome)
}

/// Strips the common suffix.
pub(super) fn strip_back(
    cx: &mut Context,
    left: &mut VecDeque<TermId>,
    right: &mut VecDeque<TermId>,
) -> Option<StripOutcome> {
    let mut outcome = StripOutcome::Nothing;
    // As at the front.
    let mut stripped = [0, 0];
    while let (Some(&one), Some(&other)) = (left.back(), right.back()) {
        if one == other && stripped == [0, 0] {
            left.pop_back();
            right.pop_back();
        } else if let (Some(first), Some(second)) = (cx.text(one), cx.text(other)) {
            let (first, second) =
                (&first[..first.len() - stripped[0]], &second[..second.len() - stripped[1]]);
            let common = common_suffix(first, second);
            if common < first.len().min(second.len()) {
                return Some(StripOutcome::Clash);
            }
            let ends = [common == first.len(), common == second.len()];
            for (side, list) in [&mut *left, &mut *right].into_iter().enumerate() {
                stripped[side] += common;
                if ends[side] {
                    list.pop_back();
                    stripped[side] = 0;
                }
            }
        } else {
            break;
        }
        outcome = StripOutcome::Stripped;
    }
    for (side, list) in [left, right].into_iter().enumerate() {
        if stripped[side] > 0
            && let Some(&last) = list.back()
            && let Some(text) = cx.text(last)
        {
            let rest = text[..text.len() - stripped[side]].to_vec();
            let rest = cx.literal(&rest)?;
            list.pop_back();
            list.push_back(rest);
        }
    }
    Some(outcome)
}
