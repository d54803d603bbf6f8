//! Skolemisation of positive `exists` (and negated `forall`) below conjunctions and disjunctions:
//! bound variables become fresh constants.
//!
//! Such a quantifier is not in the scope of a universal one, so constants suffice. Other
//! quantifiers stay. A positive membership in a concatenation with a part `str.to_re s` is an
//! existential statement, too: `t ∈ R·{s}·S` if and only if there are `u ∈ R` and `v ∈ S` with
//! `t = u·s·v`.

use luthier_terms::{Op, PostOrder, Quantifier, Sort, Term, TermId, TermPool, substitute};
use rustc_hash::FxHashMap;

/// The formula with fresh constants for the variables of positive `exists` and for the parts of
/// words in concatenations of languages; equisatisfiable, and a model of the result is one of the
/// formula.
pub(super) fn skolemise(pool: &mut TermPool, root: TermId) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((term, ready)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        match pool.term(term) {
            Term::Op(op @ (Op::And | Op::Or), children) => {
                if !ready {
                    stack.push((term, true));
                    stack.extend(children.iter().map(|&child| (child, false)));
                    continue;
                }
                let children: Vec<TermId> = children.iter().map(|child| done[child]).collect();
                let result = pool.op(op, &children).ok()?;
                done.insert(term, result);
            }
            _ => {
                let result = instance(pool, term).or_else(|| split_membership(pool, term));
                let result = result.unwrap_or(term);
                done.insert(term, result);
            }
        }
    }
    done.get(&root).copied()
}

/// The body of an `exists`, or the negated body of a negated `forall`, with new constants.
fn instance(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let (quantified, wanted) = match pool.term(term) {
        Term::Op(Op::Not, [inner]) => (*inner, Quantifier::Forall),
        _ => (term, Quantifier::Exists),
    };
    let Term::Quantifier(view) = pool.term(quantified) else { return None };
    if view.quantifier != wanted {
        return None;
    }
    let (variables, body) = (view.variables.to_vec(), view.body);
    let mut map = FxHashMap::default();
    for variable in variables {
        let Term::Variable(bound) = pool.term(variable) else { return None };
        let name = pool.symbols().bytes_of(bound.name).to_vec();
        let constant = fresh_constant(pool, &name, bound.sort)?;
        map.insert(variable, constant);
    }
    let body = substitute(pool, body, &map)?;
    if wanted == Quantifier::Forall { pool.op(Op::Not, &[body]).ok() } else { Some(body) }
}

/// Whether an assertion has a membership that [`skolemise`] may split.
pub(super) fn has_open_language(pool: &TermPool, assertions: &[TermId]) -> bool {
    let mut terms = PostOrder::new(pool, assertions.iter().copied());
    terms.any(|term| is_open_word(pool, term))
}

/// Whether a language is that of one word, which is not a literal.
fn is_open_word(pool: &TermPool, language: TermId) -> bool {
    matches!(pool.term(language), Term::Op(Op::StrToRe, &[word]) if pool.as_string(word).is_none())
}

/// `t = u·s·v ∧ u ∈ R ∧ v ∈ S` with fresh `u` and `v`, for a membership `t ∈ R·{s}·S`. Parts that
/// are single words need no constant.
fn split_membership(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let Term::Op(Op::StrInRe, &[text, language]) = pool.term(term) else { return None };
    let Term::Op(Op::ReConcat, parts) = pool.term(language) else { return None };
    let parts = parts.to_vec();
    if !parts.iter().any(|&part| is_open_word(pool, part)) {
        return None;
    }
    let (mut words, mut conjuncts) = (Vec::new(), Vec::new());
    let runs = parts.chunk_by(|&one, &next| !is_word(pool, one) && !is_word(pool, next));
    for run in runs.collect::<Vec<_>>() {
        if let Term::Op(Op::StrToRe, &[word]) = pool.term(run[0]) {
            words.push(word);
            continue;
        }
        let language = if let [only] = run { *only } else { pool.op(Op::ReConcat, run).ok()? };
        let word = fresh_constant(pool, b"part", Sort::String)?;
        conjuncts.push(pool.op(Op::StrInRe, &[word, language]).ok()?);
        words.push(word);
    }
    let whole = if let [only] = words[..] { only } else { pool.op(Op::StrConcat, &words).ok()? };
    conjuncts.push(pool.op(Op::Eq, &[text, whole]).ok()?);
    if let [only] = conjuncts[..] { Some(only) } else { pool.op(Op::And, &conjuncts).ok() }
}

/// Whether a language is that of one word.
fn is_word(pool: &TermPool, language: TermId) -> bool {
    matches!(pool.term(language), Term::Op(Op::StrToRe, _))
}

/// A constant with a name that no symbol of the pool has.
pub(crate) fn fresh_constant(pool: &mut TermPool, name: &[u8], sort: Sort) -> Option<TermId> {
    let mut number = pool.symbols().len();
    loop {
        let candidate = [name, format!("!{number}").as_bytes()].concat();
        if pool.symbols().find(&candidate).is_none() {
            let symbol = pool.symbols_mut().intern(&candidate).ok()?;
            let function = pool.declare(symbol, Vec::new(), sort).ok()?;
            return pool.apply(function, &[]).ok();
        }
        number += 1;
    }
}
