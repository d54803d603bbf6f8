//! Capture-avoiding substitution of terms, iterative over the term DAG, and inlining of defined
//! functions.

use rustc_hash::FxHashMap;

use crate::{Op, Pattern, PostOrder, Sort, Term, TermId, TermPool, Variable};

/// The term with other children; patterns of quantifiers and names of subterms, which do not affect
/// the meaning, are dropped. `children` are those of [`TermPool::children`]. `None` if the children do
/// not fit, or the pool is full.
pub fn with_children(pool: &mut TermPool, term: TermId, children: &[TermId]) -> Option<TermId> {
    match pool.term(term) {
        Term::Op(Op::ConstArray, _) => {
            let Sort::Array(index, _) = pool.sort(term) else { return None };
            pool.constant_array(index, *children.first()?).ok()
        }
        Term::Op(op, _) => pool.op(op, children).ok(),
        Term::Apply(function, _) => pool.apply(function, children).ok(),
        Term::Named(..) => children.first().copied(),
        Term::Quantifier(view) => {
            let (quantifier, bound) = (view.quantifier, view.variables.len());
            let (variables, rest) = children.split_at(bound);
            let patterns: [Pattern; 0] = [];
            pool.quantify(quantifier, variables, *rest.first()?, &patterns).ok()
        }
        Term::String(_) | Term::Integer(_) | Term::Variable(_) => Some(term),
    }
}

/// The term with every occurrence of some terms replaced at once. Nothing is replaced inside of a
/// replacement. `None` if a quantifier binds one of the terms, or the pool is full.
pub fn substitute(
    pool: &mut TermPool,
    root: TermId,
    map: &FxHashMap<TermId, TermId>,
) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = map.clone();
    substitute_with(pool, root, map, &mut done)
}

/// As [`substitute`], with a cache that several calls with the same map may share.
pub fn substitute_with(
    pool: &mut TermPool,
    root: TermId,
    map: &FxHashMap<TermId, TermId>,
    done: &mut FxHashMap<TermId, TermId>,
) -> Option<TermId> {
    let mut stack = vec![(root, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !ready {
            if let Term::Quantifier(view) = pool.term(term)
                && view.variables.iter().any(|variable| map.contains_key(variable))
            {
                return None;
            }
            stack.push((term, true));
            stack.extend(pool.children(term).iter().map(|&child| (child, false)));
            continue;
        }
        let children: Vec<TermId> = pool.children(term).iter().map(|child| done[child]).collect();
        let result = if children == pool.children(term) {
            term
        } else {
            with_children(pool, term, &children)?
        };
        done.insert(term, result);
    }
    done.get(&root).copied()
}

/// The body of a defined function for some arguments. Bound variables of the body get new names,
/// so that those of the arguments are not captured.
pub fn inline(
    pool: &mut TermPool,
    parameters: &[TermId],
    body: TermId,
    arguments: &[TermId],
) -> Option<TermId> {
    let body = with_fresh_variables(pool, body)?;
    let map = parameters.iter().copied().zip(arguments.iter().copied()).collect();
    substitute(pool, body, &map)
}

/// The term with new variables in all its quantifiers.
fn with_fresh_variables(pool: &mut TermPool, body: TermId) -> Option<TermId> {
    let mut bound: Vec<TermId> = Vec::new();
    for term in PostOrder::new(pool, [body]) {
        if let Term::Quantifier(view) = pool.term(term) {
            bound.extend_from_slice(view.variables);
        }
    }
    if bound.is_empty() {
        return Some(body);
    }
    bound.sort_unstable();
    bound.dedup();
    // One new variable for each old one keeps the structure: what was bound by one quantifier
    // still is, and nested ones that differed still differ.
    let mut done = FxHashMap::default();
    for variable in bound {
        let Term::Variable(old) = pool.term(variable) else { return None };
        done.insert(variable, fresh_variable(pool, old)?);
    }
    substitute_with(pool, body, &FxHashMap::default(), &mut done)
}

/// A variable of the same name and sort that does not occur in the pool yet.
fn fresh_variable(pool: &mut TermPool, old: Variable) -> Option<TermId> {
    // Few variables have a depth like this, so the search is short.
    let mut depth = old.depth.max(u32::try_from(pool.len()).ok()?);
    loop {
        depth = depth.checked_add(1)?;
        let before = pool.len();
        let variable = pool.variable(Variable { depth, ..old }).ok()?;
        if pool.len() > before {
            return Some(variable);
        }
    }
}
