//! Refutation of small problems by case splits: if the assertions are contradictory both with an
//! atom and with its negation, they are contradictory.
//!
//! This proves identities whose two sides have different normal forms. The atoms are those of
//! formulas first, then conditions that rules depend on: whether a needle is contained or empty,
//! whether a substring is within its text. Limits: `rewrite.case_terms`, `rewrite.cases`,
//! `rewrite.case_depth`; beyond them nothing is concluded.

use luthier_terms::{Op, PostOrder, Sort, Term, TermId};
use rustc_hash::FxHashSet;

use super::conjunction::{Conjunction, ConjunctionOutcome};
use super::context::Context;
use super::eliminate::is_declared_constant;
use super::linear::Linear;
use crate::{Budget, Limit};

/// Whether the assertions were refuted; `false` says nothing.
pub(super) fn refute(
    conjunction: &mut Conjunction,
    assertions: &[TermId],
    budget: &Budget,
) -> bool {
    let largest = budget.limit(Limit::RewriteCaseTerms);
    let (cases, deepest) =
        (budget.limit(Limit::RewriteCases), budget.limit(Limit::RewriteCaseDepth));
    if assertions.is_empty() || size(conjunction, assertions) > largest {
        return false;
    }
    let mut open = vec![(assertions.to_vec(), 0, FxHashSet::default())];
    let mut seen = 0;
    while let Some((assertions, depth, tried)) = open.pop() {
        seen += 1;
        if seen > cases || depth > deepest || budget.check().is_err() {
            return false;
        }
        let Some(atom) = choose(conjunction, &assertions, &tried, budget) else { return false };
        let Ok(negated) = conjunction.pool.op(Op::Not, &[atom]) else { return false };
        for literal in [atom, negated] {
            let mut case = assertions.clone();
            case.push(literal);
            match conjunction.run(case, &mut Vec::new(), budget) {
                ConjunctionOutcome::Contradiction(_) => {}
                ConjunctionOutcome::Left(left) => {
                    if left.is_empty() || size(conjunction, &left) > 4 * largest {
                        return false;
                    }
                    let mut tried = tried.clone();
                    tried.insert(atom);
                    open.push((left, depth + 1, tried));
                }
            }
        }
        *conjunction.counts.entry("case-distinction").or_default() += 1;
    }
    true
}

fn size(conjunction: &Conjunction, assertions: &[TermId]) -> usize {
    PostOrder::new(&conjunction.pool, assertions.iter().copied()).count()
}

/// The atom to split on: first atoms of formulas, then conditions that terms depend on.
fn choose(
    conjunction: &mut Conjunction,
    assertions: &[TermId],
    tried: &FxHashSet<TermId>,
    budget: &Budget,
) -> Option<TermId> {
    let terms: Vec<TermId> =
        PostOrder::new(&conjunction.pool, assertions.iter().copied()).collect();
    let asserted: FxHashSet<TermId> = assertions.iter().copied().collect();
    let mut cx = Context::new(&mut conjunction.pool, None, budget);
    let mut best: Option<(u32, usize, TermId)> = None;
    let mut offer = |cx: &mut Context, rank: u32, atom: Option<TermId>| {
        let Some(atom) = atom else { return };
        let negated = cx.not(atom);
        if cx.truth(atom).is_some()
            || tried.contains(&atom)
            || asserted.contains(&atom)
            || negated.is_some_and(|negated| asserted.contains(&negated))
        {
            return;
        }
        let candidate = (rank, luthier_terms::dag_size(cx.pool, atom), atom);
        if best.is_none_or(|best| candidate < best) {
            best = Some(candidate);
        }
    };
    for term in terms {
        match cx.pool.term(term) {
            Term::Op(Op::And | Op::Or, parts) => {
                let parts = parts.to_vec();
                for part in parts {
                    offer_formula(&mut cx, part, &mut offer);
                }
            }
            Term::Op(Op::Eq, &[left, right]) if cx.sort(left) == Sort::Bool => {
                offer_formula(&mut cx, left, &mut offer);
                offer_formula(&mut cx, right, &mut offer);
            }
            Term::Op(Op::Ite, &[condition, ..]) => offer_formula(&mut cx, condition, &mut offer),
            Term::Op(Op::StrReplace | Op::StrIndexOf | Op::StrReplaceAll, &[text, needle, _]) => {
                let contains = cx.op(Op::StrContains, &[text, needle]);
                offer(&mut cx, 2, contains);
                let empty = cx.is_empty_string(needle);
                offer(&mut cx, 3, empty);
            }
            Term::Op(Op::StrSubstr, &[text, from, count]) => {
                let (from, count) = (cx.linear(from), cx.linear(count));
                let (zero, one) = (Linear::default(), Linear::number(1));
                let atoms = [
                    cx.ge(&from, &zero),
                    cx.ge(&count, &one),
                    cx.length(text).and_then(|length| cx.ge(&from, &length)),
                    cx.length(text)
                        .and_then(|length| cx.ge(&from.plus(&count, &1.into()), &length)),
                ];
                for atom in atoms {
                    let atom = atom.and_then(|atom| normal(&mut cx, atom));
                    offer(&mut cx, 2, atom);
                }
            }
            _ if is_declared_constant(cx.pool, term) && cx.sort(term) == Sort::String => {
                let empty = cx.is_empty_string(term);
                offer(&mut cx, 4, empty);
            }
            _ => {}
        }
    }
    best.map(|(_, _, atom)| atom)
}

/// Offers the atom of a literal; other formulas are not split on.
fn offer_formula(
    cx: &mut Context,
    formula: TermId,
    offer: &mut impl FnMut(&mut Context, u32, Option<TermId>),
) {
    let atom = match cx.args(formula, Op::Not) {
        Some(inner) => inner[0],
        None => formula,
    };
    let composed = matches!(cx.pool.term(atom), Term::Op(Op::And | Op::Or | Op::Ite, _))
        || cx.two(atom, Op::Eq).is_some_and(|[left, _]| cx.sort(left) == Sort::Bool);
    if !composed {
        offer(cx, 1, Some(atom));
    }
}

/// The atom in normal form, without a negation.
fn normal(cx: &mut Context, atom: TermId) -> Option<TermId> {
    let rewritten = super::Rewriter::new(cx.pool, cx.budget).rewrite(atom);
    let plain = match cx.args(rewritten, Op::Not) {
        Some(inner) => inner[0],
        None => rewritten,
    };
    let composed = matches!(cx.pool.term(plain), Term::Op(Op::And | Op::Or | Op::Ite, _));
    (cx.truth(plain).is_none() && !composed).then_some(plain)
}
