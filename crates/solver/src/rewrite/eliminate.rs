//! Elimination of constants by solving equations: `x = t` with `x` not in `t` replaces `x` by `t`.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::linear::Linear;

/// A constant and the term that it equals.
pub(super) struct Elimination {
    /// The constant.
    pub function: FunctionId,
    /// The constant as a term.
    pub constant: TermId,
    /// Its definition.
    pub value: TermId,
    /// The assertion that implies it; `None` if the value is a choice that keeps satisfiability.
    pub source: Option<usize>,
}

/// Equations solved for constants, such that no solved constant occurs in any of the definitions:
/// they can be substituted simultaneously.
pub(super) fn solutions(cx: &mut Context, assertions: &[TermId]) -> Vec<Elimination> {
    let mut found: Vec<Elimination> = Vec::new();
    let mut solved: FxHashSet<TermId> = FxHashSet::default();
    let mut used: FxHashSet<TermId> = FxHashSet::default();
    let mut sources: FxHashSet<usize> = FxHashSet::default();
    // Literals first, because they simplify the other assertions most.
    for literals_only in [true, false] {
        for (source, &assertion) in assertions.iter().enumerate() {
            if sources.contains(&source) {
                continue;
            }
            for (constant, value) in candidates(cx, assertion) {
                if literals_only && !cx.is_constant(value) {
                    continue;
                }
                let Term::Apply(function, _) = cx.pool.term(constant) else { continue };
                if solved.contains(&constant) || used.contains(&constant) {
                    continue;
                }
                let inside = constants(cx.pool, value);
                if inside.contains(&constant) || inside.iter().any(|inner| solved.contains(inner)) {
                    continue;
                }
                solved.insert(constant);
                used.extend(inside);
                sources.insert(source);
                found.push(Elimination { function, constant, value, source: Some(source) });
                break;
            }
        }
    }
    found
}

/// The declared constants in a term, without functions with arguments.
pub(super) fn constants(pool: &TermPool, term: TermId) -> Vec<TermId> {
    PostOrder::new(pool, [term]).filter(|&part| is_declared_constant(pool, part)).collect()
}

/// Whether the term is a declared constant.
pub(super) fn is_declared_constant(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Apply(function, []) => pool.function(function).definition.is_none(),
        _ => false,
    }
}

/// The equations for a constant that an assertion gives.
fn candidates(cx: &mut Context, assertion: TermId) -> Vec<(TermId, TermId)> {
    let (atom, positive) = match cx.args(assertion, Op::Not) {
        Some(&[inner]) => (inner, false),
        _ => (assertion, true),
    };
    let mut ways = Vec::new();
    if is_declared_constant(cx.pool, atom) {
        ways.extend(cx.bool(positive).map(|value| (atom, value)));
        return ways;
    }
    let Some([left, right]) = cx.two(atom, Op::Eq) else { return ways };
    if !positive {
        if cx.sort(left) == Sort::Bool {
            for (one, other) in [(left, right), (right, left)] {
                if is_declared_constant(cx.pool, one) {
                    ways.extend(cx.not(other).map(|value| (one, value)));
                }
            }
        }
        return ways;
    }
    for (one, other) in [(left, right), (right, left)] {
        if is_declared_constant(cx.pool, one) {
            ways.push((one, other));
        }
    }
    if ways.is_empty() && cx.sort(left) == Sort::Int {
        let form = cx.linear(left).minus(&cx.linear(right));
        for (&term, factor) in &form.terms {
            if factor.abs().is_one() && is_declared_constant(cx.pool, term) {
                let mut rest = form.clone();
                rest.terms.remove(&term);
                let rest = Linear::default().plus(&rest, &-factor.clone());
                ways.extend(rest.build(cx.pool).map(|value| (term, value)));
            }
        }
    }
    ways
}

/// The solutions as a map from terms to terms.
pub(super) fn as_map(solutions: &[Elimination]) -> FxHashMap<TermId, TermId> {
    solutions.iter().map(|solution| (solution.constant, solution.value)).collect()
}
