//! Elimination of quantified variables by equivalences.
//!
//! A formula is seen as `∃V. L1 ∧ … ∧ Ln`; `∀V. D1 ∨ … ∨ Dn` is its dual, with `Li = ¬Di`. Bodies are
//! in normal form.
//!
//! - *scope*: conjuncts without a variable of V leave the scope, and `∃V. A ∨ B = ∃V.A ∨ ∃V.B`;
//! - *solved*: `∃x. x = t ∧ F(x)` is `F(t)` for t without x (destructive equality resolution);
//! - *decomposition*: `∃x,y. w = x·t·y` is `contains(w, t)`, if x and y occur nowhere else; prefix,
//!   suffix, a prefix and a suffix that do not overlap, and no condition at all likewise. With more
//!   literals between variables it is a membership;
//! - *letters*: `∃j. 0 ≤ j < |w| ∧ F(w[j])`, where F depends on this letter only, is
//!   `w ∈ Σ*·C·Σ*` for the set C of letters with F, or `w ∉ (Σ∖C)*`;
//! - *range*: `∃j. a ≤ j < b ∧ F(j)` for numerals a and b is a disjunction over the range.
//!
//! Sound: each is an equivalence under every model; all sorts are inhabited. Ours, but destructive
//! equality resolution is folklore.
//!
//! Limits: other formulas stay as they are; a range is unfolded up to [`Limit::RewriteRange`].

use luthier_terms::{
    BigInt, Op, PostOrder, Quantifier, SmtString, Sort, Term, TermId, TermPool, substitute,
};
use num_traits::{One, Signed, ToPrimitive};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::linear::Linear;
use crate::Limit;

/// A quantified formula as conjuncts below `∃`.
struct Scope {
    variables: Vec<TermId>,
    conjuncts: Vec<TermId>,
}

/// An equal formula, if the rule applies.
type ScopeRule = fn(&mut Context, &mut Scope) -> Option<TermId>;

/// An equal formula with a smaller scope, and the name of the rule.
pub(super) fn simplify(cx: &mut Context, term: TermId) -> Option<(&'static str, TermId)> {
    let Term::Quantifier(view) = cx.pool.term(term) else { return None };
    let (quantifier, variables, body) = (view.quantifier, view.variables.to_vec(), view.body);
    if let Some(result) = distribute(cx, quantifier, &variables, body) {
        return Some(("quantifier-scope", result));
    }
    let mut scope = Scope { variables, conjuncts: Vec::new() };
    let inner = match quantifier {
        Quantifier::Exists => Op::And,
        Quantifier::Forall => Op::Or,
    };
    let parts = cx.args(body, inner).map_or_else(|| vec![body], <[TermId]>::to_vec);
    for part in parts {
        let conjunct = match quantifier {
            Quantifier::Exists => part,
            Quantifier::Forall => cx.not(part)?,
        };
        scope.conjuncts.push(conjunct);
    }
    let rules: [(&'static str, ScopeRule); 5] = [
        ("quantifier-scope", narrowed),
        ("quantifier-solved", solved),
        ("quantifier-decomposition", decomposed),
        ("quantifier-letters", letters),
        ("quantifier-range", unfolded),
    ];
    for (name, rule) in rules {
        if let Some(result) = rule(cx, &mut scope) {
            let result = match quantifier {
                Quantifier::Exists => result,
                Quantifier::Forall => dual(cx, result)?,
            };
            return Some((name, result));
        }
    }
    None
}

/// The negation, with that of an `exists` as a `forall`: so the result is in the form that these
/// rules get.
fn dual(cx: &mut Context, formula: TermId) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(formula, false)];
    while let Some((term, ready)) = stack.pop() {
        let (inner, is_quantifier) = match cx.pool.term(term) {
            Term::Op(Op::And | Op::Or, parts) => (parts.to_vec(), false),
            Term::Quantifier(view) if view.quantifier == Quantifier::Exists => {
                (vec![view.body], true)
            }
            _ => {
                let negated = cx.not(term)?;
                done.insert(term, negated);
                continue;
            }
        };
        if !ready {
            stack.push((term, true));
            stack.extend(inner.iter().map(|&part| (part, false)));
            continue;
        }
        let negated: Vec<TermId> = inner.iter().map(|part| done[part]).collect();
        let result = if is_quantifier {
            let Term::Quantifier(view) = cx.pool.term(term) else { return None };
            let variables = view.variables.to_vec();
            cx.pool.quantify(Quantifier::Forall, &variables, negated[0], &[]).ok()?
        } else if cx.args(term, Op::And).is_some() {
            cx.or(&negated)?
        } else {
            cx.and(&negated)?
        };
        done.insert(term, result);
    }
    done.get(&formula).copied()
}

/// `∃V. A ∨ B` as `∃V.A ∨ ∃V.B`, and the dual.
fn distribute(
    cx: &mut Context,
    quantifier: Quantifier,
    variables: &[TermId],
    body: TermId,
) -> Option<TermId> {
    let op = if quantifier == Quantifier::Exists { Op::Or } else { Op::And };
    let parts = cx.args(body, op)?.to_vec();
    let mut results = Vec::with_capacity(parts.len());
    for part in parts {
        results.push(cx.pool.quantify(quantifier, variables, part, &[]).ok()?);
    }
    cx.op(op, &results)
}

/// Whether a term contains one of these variables.
fn mentions(pool: &TermPool, term: TermId, variables: &[TermId]) -> bool {
    PostOrder::new(pool, [term]).any(|part| variables.contains(&part))
}

/// The scope as a formula.
fn exists(cx: &mut Context, variables: &[TermId], conjuncts: &[TermId]) -> Option<TermId> {
    let body = cx.and(conjuncts)?;
    match variables {
        [] => Some(body),
        _ => cx.pool.quantify(Quantifier::Exists, variables, body, &[]).ok(),
    }
}

/// Without variables that do not occur, and with conjuncts outside that have none.
fn narrowed(cx: &mut Context, scope: &mut Scope) -> Option<TermId> {
    let used: Vec<TermId> = {
        let occurring: FxHashSet<TermId> =
            PostOrder::new(cx.pool, scope.conjuncts.iter().copied()).collect();
        scope.variables.iter().copied().filter(|variable| occurring.contains(variable)).collect()
    };
    let (inside, mut outside): (Vec<TermId>, Vec<TermId>) = scope
        .conjuncts
        .iter()
        .partition(|&&conjunct| mentions(cx.pool, conjunct, &scope.variables));
    if outside.is_empty() && used.len() == scope.variables.len() {
        return None;
    }
    outside.push(exists(cx, &used, &inside)?);
    cx.and(&outside)
}

/// Without a variable that an equation defines.
fn solved(cx: &mut Context, scope: &mut Scope) -> Option<TermId> {
    for (position, &conjunct) in scope.conjuncts.iter().enumerate() {
        let definition = definitions(cx, conjunct, &scope.variables).into_iter().next();
        if let Some((variable, value)) = definition {
            let map = FxHashMap::from_iter([(variable, value)]);
            let mut rest = Vec::with_capacity(scope.conjuncts.len());
            for (other, &term) in scope.conjuncts.iter().enumerate() {
                if other != position {
                    rest.push(substitute(cx.pool, term, &map)?);
                }
            }
            scope.variables.retain(|&other| other != variable);
            return exists(cx, &scope.variables, &rest);
        }
    }
    None
}

/// The equations `x = t` for a bound variable that a conjunct is.
fn definitions(cx: &mut Context, conjunct: TermId, variables: &[TermId]) -> Vec<(TermId, TermId)> {
    let (atom, truth) = match cx.args(conjunct, Op::Not) {
        Some(&[inner]) => (inner, false),
        _ => (conjunct, true),
    };
    if variables.contains(&atom) {
        return cx.bool(truth).map(|value| (atom, value)).into_iter().collect();
    }
    let (Some([left, right]), true) = (cx.two(atom, Op::Eq), truth) else { return Vec::new() };
    let mut found = Vec::new();
    for (one, other) in [(left, right), (right, left)] {
        if variables.contains(&one) && !mentions(cx.pool, other, &[one]) {
            found.push((one, other));
        }
    }
    if found.is_empty() && cx.sort(left) == Sort::Int {
        let form = cx.linear(left).minus(&cx.linear(right));
        for (&term, factor) in &form.terms {
            if factor.abs().is_one() && variables.contains(&term) {
                let mut rest = form.clone();
                rest.terms.remove(&term);
                let rest = Linear::default().plus(&rest, &-factor.clone());
                let value = rest.build(cx.pool);
                found.extend(
                    value
                        .filter(|&value| !mentions(cx.pool, value, &[term]))
                        .map(|value| (term, value)),
                );
            }
        }
    }
    found
}

/// `w = x·t·y` without the variables x and y, which occur nowhere else.
fn decomposed(cx: &mut Context, scope: &mut Scope) -> Option<TermId> {
    for (position, &conjunct) in scope.conjuncts.iter().enumerate() {
        let Some([left, right]) = cx.two(conjunct, Op::Eq) else { continue };
        for (whole, concatenation) in [(left, right), (right, left)] {
            let Some(parts) = cx.args(concatenation, Op::StrConcat).map(<[TermId]>::to_vec) else {
                continue;
            };
            if mentions(cx.pool, whole, &scope.variables) {
                continue;
            }
            let mut others = scope.conjuncts.clone();
            others.remove(position);
            let free: Vec<TermId> = parts
                .iter()
                .copied()
                .filter(|part| {
                    scope.variables.contains(part)
                        && parts.iter().filter(|&other| other == part).count() == 1
                        && !others.iter().any(|&other| mentions(cx.pool, other, &[*part]))
                })
                .collect();
            let is_open = |cx: &Context, part: TermId| {
                !free.contains(&part) && mentions(cx.pool, part, &scope.variables)
            };
            if free.is_empty() || parts.iter().any(|&part| is_open(cx, part)) {
                continue;
            }
            let Some(condition) = decomposition(cx, whole, &parts, &free) else { continue };
            others.push(condition);
            scope.variables.retain(|variable| !free.contains(variable));
            return exists(cx, &scope.variables, &others);
        }
    }
    None
}

/// `∃ free. whole = parts`.
fn decomposition(
    cx: &mut Context,
    whole: TermId,
    parts: &[TermId],
    free: &[TermId],
) -> Option<TermId> {
    // Words between variables, which may be empty at both ends.
    let mut words: Vec<Vec<TermId>> = vec![Vec::new()];
    for &part in parts {
        match free.contains(&part) {
            true => words.push(Vec::new()),
            false => words.last_mut()?.push(part),
        }
    }
    let [first, middle @ .., last] = words.as_slice() else { return None };
    let middle: Vec<&Vec<TermId>> = middle.iter().filter(|word| !word.is_empty()).collect();
    let (first, last) = (first.clone(), last.clone());
    match (first.as_slice(), middle.as_slice(), last.as_slice()) {
        ([], [], []) => cx.bool(true),
        ([], [word], []) => {
            let word = cx.concat(word)?;
            cx.op(Op::StrContains, &[whole, word])
        }
        (_, [], _) => {
            let (first, last) = (cx.concat(&first)?, cx.concat(&last)?);
            let prefix = cx.op(Op::StrPrefixOf, &[first, whole])?;
            let suffix = cx.op(Op::StrSuffixOf, &[last, whole])?;
            let mut lengths = Vec::new();
            for term in [whole, first, last] {
                lengths.push(cx.op(Op::StrLen, &[term])?);
            }
            let least = cx.op(Op::Add, &lengths[1..])?;
            let fits = cx.op(Op::Ge, &[lengths[0], least])?;
            cx.and(&[prefix, suffix, fits])
        }
        _ => {
            let all = cx.op(Op::ReAll, &[])?;
            let mut language = Vec::new();
            for (position, word) in words.iter().enumerate() {
                if position > 0 {
                    language.push(all);
                }
                let word = cx.concat(word)?;
                cx.pool.as_string(word)?;
                language.push(cx.op(Op::StrToRe, &[word])?);
            }
            let language = cx.op(Op::ReConcat, &language)?;
            cx.op(Op::StrInRe, &[whole, language])
        }
    }
}

/// Bounds of a variable: `low ≤ x < high` as linear forms without it.
#[derive(Default)]
struct Bounds {
    low: Vec<Linear>,
    high: Vec<Linear>,
    /// The conjuncts that are these bounds.
    positions: Vec<usize>,
}

/// The bounds that conjuncts give a variable of the scope; they contain no variable of the scope.
fn bounds(cx: &Context, scope: &Scope, variable: TermId) -> Bounds {
    let mut bounds = Bounds::default();
    for (position, &conjunct) in scope.conjuncts.iter().enumerate() {
        let (atom, truth) = match cx.args(conjunct, Op::Not) {
            Some(&[inner]) => (inner, false),
            _ => (conjunct, true),
        };
        let Some([left, right]) = cx.two(atom, Op::Ge) else { continue };
        let mut form = cx.linear(left).minus(&cx.linear(right));
        let Some(factor) = form.terms.remove(&variable) else { continue };
        let is_open = form.terms.keys().any(|&term| mentions(cx.pool, term, &scope.variables));
        if is_open || !factor.abs().is_one() {
            continue;
        }
        // x + f ≥ 0, -x + f ≥ 0, or the negation of one of these.
        bounds.positions.push(position);
        match (factor.is_positive(), truth) {
            (true, true) => bounds.low.push(form.negated()),
            (true, false) => bounds.high.push(form.negated()),
            (false, true) => bounds.high.push(form.shifted(1)),
            (false, false) => bounds.low.push(form.shifted(1)),
        }
    }
    bounds
}

/// A letter of a word at each or some position, as a membership.
fn letters(cx: &mut Context, scope: &mut Scope) -> Option<TermId> {
    let &[variable] = scope.variables.as_slice() else { return None };
    if cx.sort(variable) != Sort::Int {
        return None;
    }
    let bounds = bounds(cx, scope, variable);
    let ([low], [high]) = (bounds.low.as_slice(), bounds.high.as_slice()) else { return None };
    let rest: Vec<TermId> = (0..scope.conjuncts.len())
        .filter(|position| !bounds.positions.contains(position))
        .map(|position| scope.conjuncts[position])
        .collect();
    // The only word that is read, at the variable.
    let one = cx.int(1)?;
    let mut letter = None;
    for term in PostOrder::new(cx.pool, rest.iter().copied()) {
        if let Term::Op(Op::StrSubstr, &[word, at, length]) = cx.pool.term(term)
            && at == variable
            && length == one
        {
            if letter.is_some_and(|(other, _)| other != term) {
                return None;
            }
            letter = Some((term, word));
        }
    }
    let (letter, word) = letter?;
    if mentions(cx.pool, word, &scope.variables) {
        return None;
    }
    let length = cx.op(Op::StrLen, &[word])?;
    let length = cx.linear(length);
    if low.as_number() != Some(&BigInt::ZERO) || *high != length {
        return None;
    }
    let mut classes = Vec::new();
    // The negation of `every letter is in one of these classes` is the simpler form for `forall`.
    if rest.iter().all(|&conjunct| cx.args(conjunct, Op::Not).is_some()) {
        for conjunct in rest {
            let other = cx.not(conjunct)?;
            classes.push(class(cx, other, letter)?);
        }
        let class = match classes[..] {
            [only] => only,
            _ => cx.op(Op::ReUnion, &classes)?,
        };
        let language = cx.op(Op::ReStar, &[class])?;
        let every = cx.op(Op::StrInRe, &[word, language])?;
        return cx.not(every);
    }
    for conjunct in rest {
        classes.push(class(cx, conjunct, letter)?);
    }
    let any = cx.op(Op::ReAllChar, &[])?;
    let class = match classes[..] {
        [] => any,
        [only] => only,
        _ => cx.op(Op::ReInter, &classes)?,
    };
    let all = cx.op(Op::ReAll, &[])?;
    let language = cx.op(Op::ReConcat, &[all, class, all])?;
    cx.op(Op::StrInRe, &[word, language])
}

/// The letters for which a formula about a letter holds, as a language of words of one letter.
fn class(cx: &mut Context, formula: TermId, letter: TermId) -> Option<TermId> {
    let any = cx.op(Op::ReAllChar, &[])?;
    let none = cx.op(Op::ReNone, &[])?;
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(formula, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let (op, args) = match cx.pool.term(term) {
            Term::Op(op, args) => (op, args.to_vec()),
            _ => return None,
        };
        if matches!(op, Op::And | Op::Or | Op::Not) && !ready {
            stack.push((term, true));
            stack.extend(args.iter().map(|&part| (part, false)));
            continue;
        }
        let parts = || args.iter().map(|part| done[part]).collect::<Vec<_>>();
        let result = match (op, args.as_slice()) {
            (Op::And, _) => cx.op(Op::ReInter, &parts())?,
            (Op::Or, _) => cx.op(Op::ReUnion, &parts())?,
            (Op::Not, _) => {
                let complement = cx.op(Op::ReComp, &parts())?;
                cx.op(Op::ReInter, &[any, complement])?
            }
            (Op::True, _) => any,
            (Op::False, _) => none,
            (Op::Eq, &[left, right]) if left == letter || right == letter => {
                let word = if left == letter { right } else { left };
                let word = cx.pool.as_string(word)?.clone();
                match word.len() {
                    1 => {
                        let word = cx.pool.string(SmtString::from(&word[..])).ok()?;
                        cx.op(Op::StrToRe, &[word])?
                    }
                    _ => none,
                }
            }
            (Op::StrInRe, &[word, language]) if word == letter => {
                if !is_ground(cx.pool, language) {
                    return None;
                }
                cx.op(Op::ReInter, &[any, language])?
            }
            _ => return None,
        };
        done.insert(term, result);
    }
    done.get(&formula).copied()
}

/// Whether a term has neither constants nor variables.
fn is_ground(pool: &TermPool, term: TermId) -> bool {
    let mut parts = PostOrder::new(pool, [term]);
    !parts.any(|part| matches!(pool.term(part), Term::Apply(..) | Term::Variable(_)))
}

/// A variable with bounds that are numerals, as a disjunction over its range.
fn unfolded(cx: &mut Context, scope: &mut Scope) -> Option<TermId> {
    for &variable in &scope.variables {
        if cx.sort(variable) != Sort::Int {
            continue;
        }
        let bounds = bounds(cx, scope, variable);
        let low = bounds.low.iter().filter_map(Linear::as_number).max();
        let high = bounds.high.iter().filter_map(Linear::as_number).min();
        let (Some(low), Some(high)) = (low, high) else { continue };
        let Some(count) = (high - low).max(BigInt::ZERO).to_usize() else { continue };
        if cx.exceeds(Limit::RewriteRange, count) {
            continue;
        }
        let others: Vec<TermId> =
            scope.variables.iter().copied().filter(|&other| other != variable).collect();
        let mut cases = Vec::with_capacity(count);
        for offset in 0..count {
            cx.budget.check().ok()?;
            let value = cx.int(low + BigInt::from(offset))?;
            let map = FxHashMap::from_iter([(variable, value)]);
            let mut conjuncts = Vec::with_capacity(scope.conjuncts.len());
            for &conjunct in &scope.conjuncts {
                conjuncts.push(substitute(cx.pool, conjunct, &map)?);
            }
            cases.push(exists(cx, &others, &conjuncts)?);
        }
        return cx.or(&cases);
    }
    None
}
