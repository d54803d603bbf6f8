//! Variants that name subterms: by `define-fun`, by a new constant with an equation, by `let`.

use std::collections::{BTreeMap, BTreeSet};

use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool, Variable};

use super::frame::{Edits, Frame, plain};
use super::rewrite::{candidates, parts, rebuild};
use super::{FreshValue, Variant};
use crate::Dice;

/// A subterm t becomes `(define-fun d () S t)`, or `(define-fun d ((v T)) S …)` with the parameter in place
/// of a constant.
pub(super) fn defined(pool: &mut TermPool, frame: &Frame<'_>, dice: &mut Dice) -> Option<Variant> {
    let part = some_part(pool, frame, dice, |_| true)?;
    let mut names = frame.names();
    let name = names.name(pool, dice.pick(&["d", "define", "zd"]))?;
    let constants = constants_in(pool, part);
    let (function, by) = if constants.is_empty() || dice.percent(50) {
        let function = pool.define(name, Vec::new(), part).ok()?;
        (function, pool.apply(function, &[]).ok()?)
    } else {
        let constant = dice.pick(&constants);
        let parameter = names.name(pool, "v")?;
        let sort = pool.sort(constant);
        let variable = pool.variable(Variable { name: parameter, sort, depth: 0 }).ok()?;
        let body = rebuild(pool, part, &mut BTreeMap::new(), |_, old, new| {
            Some(if old == constant { variable } else { new })
        })?;
        let function = pool.define(name, vec![variable], body).ok()?;
        (function, pool.apply(function, &[constant]).ok()?)
    };
    let first = vec![CommandKind::Define { function, constant: false }];
    Some(Variant::over_same_constants(frame.edited(replaced(pool, frame, part, by, first)?)))
}

/// A subterm t becomes a new constant c with `(assert (= c t))`.
pub(super) fn abbreviated(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    let basic = |sort: Sort| matches!(sort, Sort::Bool | Sort::Int | Sort::String);
    let part = some_part(pool, frame, dice, basic)?;
    let (function, constant) =
        frame.names().fresh_constant(pool, dice.pick(&["c", "short", "zc"]), pool.sort(part))?;
    let sides = if dice.percent(50) { [constant, part] } else { [part, constant] };
    let equation = plain(pool.op(Op::Eq, &sides).ok()?);
    let first = vec![CommandKind::Declare { function, constant: true }, equation];
    let script = frame.edited(replaced(pool, frame, part, constant, first)?);
    // The equation is in every core that needs the subterm, so a planted core is no longer one.
    Some(Variant { script, fresh: vec![(function, FreshValue::Of(part))], ..Variant::default() })
}

/// Assertions in which a subterm occurs twice are printed with `let`.
pub(super) fn lets(pool: &TermPool, frame: &Frame<'_>) -> Option<Variant> {
    let mut edits = Edits::new();
    for &(number, assertion) in &frame.active {
        if !assertion.uses_let && has_shared_part(pool, assertion.term) {
            let assertion = Assertion { uses_let: true, ..assertion };
            edits.insert(number, vec![CommandKind::Assert(assertion)]);
        }
    }
    (!edits.is_empty()).then(|| Variant::over_same_constants(frame.edited(edits)))
}

/// Whether a closed subterm that is more than a name or a literal occurs twice.
fn has_shared_part(pool: &TermPool, term: TermId) -> bool {
    let open = open_terms(pool, &[term]);
    let mut met = BTreeSet::new();
    let all = PostOrder::new(pool, [term]);
    all.flat_map(|part| parts(pool, part))
        .any(|&part| !met.insert(part) && !parts(pool, part).is_empty() && !open.contains(&part))
}

/// The subterms with a free variable.
fn open_terms(pool: &TermPool, roots: &[TermId]) -> BTreeSet<TermId> {
    let mut open = BTreeSet::new();
    for part in PostOrder::new(pool, roots.iter().copied()) {
        let is_variable = matches!(pool.term(part), Term::Variable(_));
        if is_variable || pool.children(part).iter().any(|child| open.contains(child)) {
            open.insert(part);
        }
    }
    open
}

/// A closed subterm of the assertions that is no leaf and has a wanted sort.
fn some_part(
    pool: &TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
    wanted: impl Fn(Sort) -> bool,
) -> Option<TermId> {
    let roots = frame.terms();
    let open = open_terms(pool, &roots);
    let can = |pool: &TermPool, term: TermId| {
        !parts(pool, term).is_empty() && wanted(pool.sort(term)) && !open.contains(&term)
    };
    let found = candidates(pool, &roots, &can)?;
    (!found.is_empty()).then(|| dice.pick(&found))
}

/// The declared constants in a term.
fn constants_in(pool: &TermPool, term: TermId) -> Vec<TermId> {
    let is_constant = |function: FunctionId| pool.function(function).definition.is_none();
    PostOrder::new(pool, [term])
        .filter(
            |&part| matches!(pool.term(part), Term::Apply(function, []) if is_constant(function)),
        )
        .collect()
}

/// The assertions with one subterm replaced everywhere. New commands come directly before the first
/// assertion with the subterm, where all its symbols are declared.
fn replaced(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    part: TermId,
    by: TermId,
    mut first: Vec<CommandKind>,
) -> Option<Edits> {
    let mut edits = Edits::new();
    let mut memory = BTreeMap::new();
    for &(number, assertion) in &frame.active {
        let term = rebuild(pool, assertion.term, &mut memory, |_, old, new| {
            Some(if old == part { by } else { new })
        })?;
        if term != assertion.term {
            let mut commands = std::mem::take(&mut first);
            commands.push(CommandKind::Assert(Assertion { term, ..assertion }));
            edits.insert(number, commands);
        }
    }
    (!edits.is_empty()).then_some(edits)
}
