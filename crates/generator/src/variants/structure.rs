//! Variants that assert the same by other commands: the values of a witness, assumptions instead of
//! assertions, conjunctions instead of several assertions, and the reverse.

use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::frame::{Edits, Frame, plain};
use super::rewrite::{all_not, folded, not};
use super::{FreshValue, VALUE_STEPS, Variant};
use crate::Dice;

/// Asserts that all or some constants have their values in the witness. The referee must accept the witness:
/// otherwise the variant might be unsatisfiable although the script is not.
pub(super) fn witness_added(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
    witness: &Model,
) -> Option<Variant> {
    let limits = Limits { steps: VALUE_STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, witness, limits);
    let required = frame.terms().into_iter().chain(frame.assumptions());
    if !required.into_iter().all(|term| evaluator.evaluate(term).is_true()) {
        return None;
    }
    let mut known = Vec::new();
    for function in frame.constants(pool) {
        if let Some(Interpretation::Value(
            value @ (Value::Bool(_) | Value::Int(_) | Value::String(_)),
        )) = witness.get(function)
        {
            known.push((function, value.clone()));
        }
    }
    if known.is_empty() {
        return None;
    }
    let (percentage, always) = (dice.pick(&[100, 100, 50]), dice.below(known.len()));
    let mut added = Vec::new();
    for (position, (function, value)) in known.into_iter().enumerate() {
        if position != always && !dice.percent(percentage) {
            continue;
        }
        let constant = pool.apply(function, &[]).ok()?;
        let value = value.to_term(pool).ok()?;
        added.push(plain(pool.op(Op::Eq, &[constant, value]).ok()?));
    }
    let edits = Edits::from([(frame.query, frame.preceded(frame.query, added))]);
    Some(Variant::over_same_constants(frame.edited(edits)))
}

/// `(assert A) (check-sat) ⇒ (assert (=> b A)) (check-sat-assuming (b))`, or `(= b A)`, or
/// `(or b A)` where `(not b)` is assumed.
pub(super) fn assuming(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let mut edits = Edits::new();
    let mut fresh = Vec::new();
    let mut assumptions = frame.assumptions();
    let mut names = frame.names();
    let (percentage, always) = (dice.pick(&[100, 100, 50]), dice.below(frame.active.len()));
    for (position, &(number, assertion)) in frame.active.iter().enumerate() {
        if position != always && !dice.percent(percentage) {
            continue;
        }
        let stem = dice.pick(&["b", "assumed", "q"]);
        let (function, constant) = names.fresh_constant(pool, stem, Sort::Bool)?;
        let (op, value) =
            dice.pick(&[(Op::Implies, true), (Op::Implies, true), (Op::Eq, true), (Op::Or, false)]);
        let term = pool.op(op, &[constant, assertion.term]).ok()?;
        assumptions.push(if value { constant } else { not(pool, constant)? });
        fresh.push((function, FreshValue::Bool(value)));
        let declaration = CommandKind::Declare { function, constant: true };
        edits.insert(number, vec![declaration, plain(term)]);
    }
    edits.insert(frame.query, vec![CommandKind::CheckSatAssuming(assumptions)]);
    // The assertions of a core are now assumptions with other names, so the core is lost.
    Some(Variant { script: frame.edited(edits), fresh, ..Variant::default() })
}

/// `(assert A) (assert B) ⇒ (assert (and A B))`. Named assertions stay.
pub(super) fn joined(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let mut chosen: Vec<(usize, Assertion)> =
        frame.active.iter().copied().filter(|(_, assertion)| assertion.name.is_none()).collect();
    if chosen.len() > 2 && dice.percent(40) {
        chosen.remove(dice.below(chosen.len()));
    }
    // At the position of the last one, where all symbols are declared and all scopes are open.
    let &(last, assertion) = chosen.last().filter(|_| chosen.len() > 1)?;
    let terms: Vec<TermId> = chosen.iter().map(|(_, assertion)| assertion.term).collect();
    let term = if dice.percent(50) {
        folded(pool, Op::And, &terms)?
    } else {
        // Nested to the left: (and (and A B) C)
        let (&first, rest) = terms.split_first()?;
        rest.iter().try_fold(first, |all, &next| pool.op(Op::And, &[all, next]).ok())?
    };
    let mut edits: Edits = chosen.iter().map(|&(number, _)| (number, Vec::new())).collect();
    edits.insert(last, vec![CommandKind::Assert(Assertion { term, ..assertion })]);
    Some(Variant::over_same_constants(frame.edited(edits)))
}

/// `(assert (and A B)) ⇒ (assert A) (assert B)`, `(assert (not (or A B))) ⇒ (assert (not A))
/// (assert (not B))`. Named assertions stay.
pub(super) fn split(pool: &mut TermPool, frame: &Frame<'_>) -> Option<Variant> {
    let mut edits = Edits::new();
    for &(number, assertion) in &frame.active {
        if assertion.name.is_some() {
            continue;
        }
        if let Some(parts) = conjuncts(pool, assertion.term) {
            let commands = parts
                .into_iter()
                .map(|term| CommandKind::Assert(Assertion { term, ..assertion }))
                .collect();
            edits.insert(number, commands);
        }
    }
    (!edits.is_empty()).then(|| Variant::over_same_constants(frame.edited(edits)))
}

/// The conjuncts of a conjunction or of a negated disjunction.
fn conjuncts(pool: &mut TermPool, term: TermId) -> Option<Vec<TermId>> {
    match pool.term(term) {
        Term::Op(Op::And, children) => Some(children.to_vec()),
        Term::Op(Op::Not, &[inner]) => match pool.term(inner) {
            Term::Op(Op::Or, children) => {
                let children = children.to_vec();
                all_not(pool, &children)
            }
            _ => None,
        },
        _ => None,
    }
}
