//! Ranges of quantified integers: bounds that the body itself demands.
//!
//! In `∀i. (0 ≤ i ∧ i < n) ⇒ F` the body is true for every i outside of the range, and in
//! `∃i. 0 ≤ i ∧ i < n ∧ F` it is false. So values in the range decide the formula, if the bounds have
//! values without the variables of the quantifier.

use luthier_terms::{Op, Quantifier, QuantifierView, Term, TermId, TermPool};

/// A bound of a variable.
pub(super) struct Bound {
    /// The position of the variable among those of the quantifier.
    pub(super) variable: usize,
    /// The other side of the comparison.
    pub(super) term: TermId,
    /// Which values of the variable are possible.
    pub(super) kind: BoundKind,
}

/// The relation of a variable to its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundKind {
    AtLeast,
    Above,
    AtMost,
    Below,
}

/// The most parts of a body that are looked at.
const MAX_PARTS: usize = 1000;

/// The bounds outside of which the body has the value that decides nothing.
pub(super) fn bounds(pool: &TermPool, view: &QuantifierView<'_>) -> Vec<Bound> {
    let mut found = Vec::new();
    // Literals that hold wherever the body is true (`exists`) or false (`forall`).
    let mut stack = vec![(view.body, view.quantifier == Quantifier::Exists)];
    let mut parts = 0;
    while let Some((term, truth)) = stack.pop() {
        parts += 1;
        if parts > MAX_PARTS {
            break;
        }
        let (op, args) = match pool.term(term) {
            Term::Named(_, inner) => {
                stack.push((inner, truth));
                continue;
            }
            Term::Op(op, args) => (op, args),
            _ => continue,
        };
        match (op, truth) {
            (Op::Not, _) => stack.extend(args.iter().map(|&part| (part, !truth))),
            (Op::And, true) | (Op::Or, false) => {
                stack.extend(args.iter().map(|&part| (part, truth)));
            }
            (Op::Implies, false) => {
                let last = args.len() - 1;
                let parts = args.iter().enumerate();
                stack.extend(parts.map(|(place, &part)| (part, place < last)));
            }
            // `(<= 0 i n)` holds for each two neighbours; its negation says nothing about one.
            (Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Eq, _)
                if truth || (args.len() == 2 && op != Op::Eq) =>
            {
                for pair in args.windows(2) {
                    add(pool, view, op, truth, [pair[0], pair[1]], &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

/// Adds what a comparison says about a variable of the quantifier, on either side.
fn add(
    pool: &TermPool,
    view: &QuantifierView<'_>,
    op: Op,
    truth: bool,
    sides: [TermId; 2],
    found: &mut Vec<Bound>,
) {
    use BoundKind::{Above, AtLeast, AtMost, Below};
    let left: &[BoundKind] = match (op, truth) {
        (Op::Le, true) | (Op::Gt, false) => &[AtMost],
        (Op::Lt, true) | (Op::Ge, false) => &[Below],
        (Op::Ge, true) | (Op::Lt, false) => &[AtLeast],
        (Op::Gt, true) | (Op::Le, false) => &[Above],
        _ => &[AtLeast, AtMost],
    };
    let opposite = |kind: BoundKind| match kind {
        AtLeast => AtMost,
        Above => Below,
        AtMost => AtLeast,
        Below => Above,
    };
    for (place, side) in sides.into_iter().enumerate() {
        let Some(variable) = view.variables.iter().position(|&variable| variable == side) else {
            continue;
        };
        let term = sides[1 - place];
        if luthier_terms::PostOrder::new(pool, [term]).any(|part| view.variables.contains(&part)) {
            continue;
        }
        for &kind in left {
            let kind = if place == 0 { kind } else { opposite(kind) };
            found.push(Bound { variable, term, kind });
        }
    }
}
