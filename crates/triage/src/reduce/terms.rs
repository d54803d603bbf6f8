//! Steps on terms: a subterm becomes one of its own subterms of the same sort, its value in the witness, a
//! simple literal, a new constant with that value, or loses an argument.
//!
//! [`replace_subterms`] replaces all occurrences of a subterm at once, the largest subterms first.
//! [`replace_occurrences`] does the same at single occurrences, for what stays when the first finds nothing more.

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::{Assertion, CommandKind, Script};
use luthier_terms::{
    FunctionId, Op, PostOrder, SmtString, Sort, Term, TermId, TermPool, substitute, with_children,
};
use rustc_hash::FxHashMap;

use super::State;
use super::candidate::Candidate;
use crate::query::{
    command, is_closed, replaced, roots, tree_sizes, used_constants, with_declarations,
};

/// How many subterms of a term are tried in its place.
const MAX_DESCENDANTS: usize = 12;
/// Formulas with more distinct subterms are reduced by their largest ones first.
const MAX_SUBTERMS: usize = 400;
/// How many occurrences of subterms are looked at.
const MAX_OCCURRENCES: usize = 400;
/// The evaluation steps for the value of a subterm.
const STEPS: u64 = 200_000;

/// All occurrences of a subterm replaced by something smaller.
pub(super) fn replace_subterms(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let roots = roots(&state.script);
    let mut sizes = FxHashMap::default();
    tree_sizes(pool, &roots, &mut sizes);
    let mut terms: Vec<TermId> = PostOrder::new(pool, roots).collect();
    terms.sort_by_key(|term| (std::cmp::Reverse(sizes[term]), *term));
    terms.truncate(MAX_SUBTERMS);
    let mut candidates = Vec::new();
    for term in terms {
        for Replacement { by, fresh } in replacements(pool, state, term, &sizes) {
            let map = [(term, by)].into_iter().collect();
            if let Some(script) = replaced(pool, &state.script, &map) {
                candidates.push(Candidate { fresh, ..Candidate::new(pool, script, false) });
            }
        }
    }
    candidates
}

/// Single occurrences of a subterm replaced by something smaller.
pub(super) fn replace_occurrences(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let roots_now = roots(&state.script);
    let mut sizes = FxHashMap::default();
    tree_sizes(pool, &roots_now, &mut sizes);
    let mut candidates = Vec::new();
    for place in 0..state.script.commands.len() {
        let CommandKind::Assert(assertion) = state.script.commands[place].kind else { continue };
        for (path, term) in occurrences(pool, assertion.term) {
            for Replacement { by, fresh } in replacements(pool, state, term, &sizes) {
                let Some(root) = replaced_at(pool, assertion.term, &path, by) else {
                    continue;
                };
                if !is_closed(pool, &[root]) {
                    continue;
                }
                let mut commands = state.script.commands.clone();
                let assertion = Assertion { term: root, ..assertion };
                commands[place] = command(CommandKind::Assert(assertion));
                let script = with_declarations(pool, &Script { commands });
                candidates.push(Candidate { fresh, ..Candidate::new(pool, script, false) });
            }
        }
    }
    candidates
}

/// A smaller term for another one.
struct Replacement {
    by: TermId,
    /// It is a new constant, with the value of the term.
    fresh: Option<(FunctionId, Value)>,
}

/// What may stand for a term: smaller terms of its sort.
fn replacements(
    pool: &mut TermPool,
    state: &State,
    term: TermId,
    sizes: &FxHashMap<TermId, u64>,
) -> Vec<Replacement> {
    let sort = pool.sort(term);
    let size = sizes.get(&term).copied().unwrap_or(1);
    if size <= 1 {
        return Vec::new();
    }
    let mut found: Vec<TermId> = Vec::new();
    found.extend(value_in_witness(pool, state, term));
    found.extend(simple_terms(pool, sort));
    let constants = used_constants(pool, &roots(&state.script));
    for constant in constants {
        if pool.function(constant).result == sort {
            found.extend(pool.apply(constant, &[]).ok());
        }
    }
    let mut inner: Vec<TermId> =
        PostOrder::new(pool, [term]).filter(|&one| one != term && pool.sort(one) == sort).collect();
    inner.sort_by_key(|one| (sizes[one], *one));
    inner.truncate(MAX_DESCENDANTS);
    found.extend(inner);
    found.extend(with_fewer_arguments(pool, term));
    found.extend(instances(pool, term));
    found.extend(simpler_operators(pool, term));
    let mut unique: Vec<TermId> = Vec::new();
    for one in found {
        if one != term && !unique.contains(&one) {
            unique.push(one);
        }
    }
    let known = unique.into_iter().map(|by| Replacement { by, fresh: None });
    known.chain(fresh_constant(pool, state, term)).collect()
}

/// A new constant with the value of a term: what the term is made of may not matter.
fn fresh_constant(pool: &mut TermPool, state: &State, term: TermId) -> Option<Replacement> {
    let sort = pool.sort(term);
    if !matches!(sort, Sort::Int | Sort::String) {
        return None;
    }
    let value = match state.witness() {
        Some(model) => value_of(pool, model, term)?,
        None => Value::default_of(sort),
    };
    let name = format!("luthier-t{}", term.index());
    let symbol = pool.symbols_mut().intern(name.as_bytes()).ok()?;
    let function = pool.declare(symbol, Vec::new(), sort).ok()?;
    let by = pool.apply(function, &[]).ok()?;
    Some(Replacement { by, fresh: Some((function, value)) })
}

/// The value of a closed term under the witness, as a literal.
fn value_in_witness(pool: &mut TermPool, state: &State, term: TermId) -> Option<TermId> {
    match value_of(pool, state.witness()?, term)? {
        Value::RegLan(_) | Value::Array(_) => None,
        value => value.to_term(pool).ok(),
    }
}

fn value_of(pool: &TermPool, model: &Model, term: TermId) -> Option<Value> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    Evaluator::with_limits(pool, model, limits).evaluate(term).known().cloned()
}

/// The simplest terms of a sort.
fn simple_terms(pool: &mut TermPool, sort: Sort) -> Vec<TermId> {
    let text = |text: &str| SmtString::from_text(text).unwrap_or_default();
    let terms = match sort {
        Sort::Bool => vec![pool.bool(true), pool.bool(false)],
        Sort::Int => vec![pool.integer(0), pool.integer(1)],
        Sort::String => vec![pool.string(text("")), pool.string(text("a"))],
        Sort::RegLan => {
            let ops = [Op::ReNone, Op::ReAll, Op::ReAllChar];
            ops.into_iter().map(|op| pool.op(op, &[])).collect()
        }
        Sort::Array(..) => Vec::new(),
    };
    terms.into_iter().filter_map(Result::ok).collect()
}

/// An operator of many arguments without one of them.
fn with_fewer_arguments(pool: &mut TermPool, term: TermId) -> Vec<TermId> {
    let Term::Op(op, children) = pool.term(term) else { return Vec::new() };
    if op.fold().is_none() || children.len() < 3 {
        return Vec::new();
    }
    let children = children.to_vec();
    let mut fewer = Vec::new();
    let half = children.len() / 2;
    if half >= 2 {
        fewer.push(children[..half].to_vec());
        fewer.push(children[half..].to_vec());
    }
    for place in 0..children.len() {
        let mut rest = children.clone();
        rest.remove(place);
        fewer.push(rest);
    }
    fewer.iter().filter_map(|rest| pool.op(op, rest).ok()).collect()
}

/// The body of a quantifier for the simplest values of its variables.
fn instances(pool: &mut TermPool, term: TermId) -> Vec<TermId> {
    let Term::Quantifier(view) = pool.term(term) else { return Vec::new() };
    let (variables, body) = (view.variables.to_vec(), view.body);
    let mut found = Vec::new();
    for choice in 0..2 {
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &variable in &variables {
            let simple = simple_terms(pool, pool.sort(variable));
            if let Some(&value) = simple.get(choice) {
                map.insert(variable, value);
            }
        }
        if map.len() == variables.len() {
            found.extend(substitute(pool, body, &map));
        }
    }
    found
}

/// The same with an operator that takes fewer arguments or means less.
fn simpler_operators(pool: &mut TermPool, term: TermId) -> Vec<TermId> {
    let Term::Op(op, children) = pool.term(term) else { return Vec::new() };
    let children = children.to_vec();
    let simpler: Option<(Op, Vec<TermId>)> = match (op, &*children) {
        (Op::StrSubstr, &[text, start, _]) => Some((Op::StrAt, vec![text, start])),
        (Op::RePower | Op::ReLoop, [.., inner]) => Some((Op::ReStar, vec![*inner])),
        (Op::StrReplaceRe, &[text, language, by])
        | (Op::StrReplaceReAll, &[text, language, by]) => match pool.term(language) {
            Term::Op(Op::StrToRe, &[pattern]) => Some((Op::StrReplace, vec![text, pattern, by])),
            _ => None,
        },
        _ => None,
    };
    simpler.and_then(|(op, children)| pool.op(op, &children).ok()).into_iter().collect()
}

/// Positions of children from the root of a term.
type Path = Vec<usize>;

/// The occurrences of subterms below the root, outer before inner.
fn occurrences(pool: &TermPool, root: TermId) -> Vec<(Path, TermId)> {
    let mut found: Vec<(Path, TermId)> = vec![(Vec::new(), root)];
    let mut next = 0;
    while next < found.len() && found.len() < MAX_OCCURRENCES {
        let (path, term) = found[next].clone();
        next += 1;
        let children = pool.children(term).iter().enumerate();
        found.extend(children.map(|(position, &child)| {
            let mut path = path.clone();
            path.push(position);
            (path, child)
        }));
    }
    found
}

/// A term with the subterm at a path replaced.
fn replaced_at(
    pool: &mut TermPool,
    root: TermId,
    path: &[usize],
    replacement: TermId,
) -> Option<TermId> {
    let mut terms = vec![root];
    for &position in path {
        let child = *pool.children(*terms.last()?).get(position)?;
        terms.push(child);
    }
    let mut now = replacement;
    for (&term, &position) in terms.iter().zip(path).rev() {
        let mut children = pool.children(term).to_vec();
        *children.get_mut(position)? = now;
        now = with_children(pool, term, &children)?;
    }
    Some(now)
}
