//! Skolemisation of positive `exists` (and negated `forall`) below `and`, `or`, `not` and `=>`: bound
//! variables become fresh constants.
//!
//! Such a quantifier is not in the scope of a universal one, so constants suffice. Other
//! quantifiers stay. A positive membership in a concatenation with a part `str.to_re s` is an
//! existential statement, too: `t ∈ R·{s}·S` if and only if there are `u ∈ R` and `v ∈ S` with
//! `t = u·s·v`. So is repetition of a word: `t ∈ s*` if and only if `t·s = s·t` and there is an
//! `n ≥ 0` with `|t| = n·|s|`, because words that commute are powers of one word (Lothaire:
//! Combinatorics on Words, 1983, section 1.3).

use luthier_terms::{Op, PostOrder, Quantifier, Sort, Term, TermId, TermPool, substitute};
use rustc_hash::FxHashMap;

/// The formula with fresh constants for the variables of positive `exists` and for the parts of
/// words in concatenations of languages; equisatisfiable, and a model of the result is one of the
/// formula. Negations are followed through `not`, `and`, `or` and `=>`.
pub(super) fn skolemise(pool: &mut TermPool, root: TermId) -> Option<TermId> {
    // For a formula and `false`: the result for its negation.
    let mut done: FxHashMap<(TermId, bool), TermId> = FxHashMap::default();
    let mut stack = vec![(root, true, false)];
    while let Some((term, positive, ready)) = stack.pop() {
        if done.contains_key(&(term, positive)) {
            continue;
        }
        let as_it_is = if positive { term } else { pool.op(Op::Not, &[term]).ok()? };
        let parts = match pool.term(term) {
            Term::Op(op @ (Op::And | Op::Or | Op::Not | Op::Implies), children) => {
                Some((op, children.to_vec()))
            }
            _ => None,
        };
        let Some((op, children)) = parts else {
            let result = instance(pool, as_it_is).or_else(|| split_membership(pool, as_it_is));
            done.insert((term, positive), result.unwrap_or(as_it_is));
            continue;
        };
        let last = children.len() - 1;
        let polarity = |position: usize| match op {
            Op::Not => !positive,
            Op::Implies if position < last => !positive,
            _ => positive,
        };
        let polarities = children.iter().enumerate().map(|(at, &child)| (child, polarity(at)));
        if !ready {
            stack.push((term, positive, true));
            stack.extend(polarities.map(|(child, positive)| (child, positive, false)));
            continue;
        }
        let mut results = Vec::with_capacity(children.len());
        let mut is_changed = false;
        for (child, positive) in polarities {
            let result = done[&(child, positive)];
            is_changed |=
                result != if positive { child } else { pool.op(Op::Not, &[child]).ok()? };
            results.push(result);
        }
        let result = match (op, &results[..]) {
            (Op::Not, &[inner]) => inner,
            _ if !is_changed => as_it_is,
            _ if (op == Op::And) == positive => pool.op(Op::And, &results).ok()?,
            _ => pool.op(Op::Or, &results).ok()?,
        };
        done.insert((term, positive), result);
    }
    done.get(&(root, true)).copied()
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
/// are single words need no constant; repetitions of one word get theirs.
fn split_membership(pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let Term::Op(Op::StrInRe, &[text, language]) = pool.term(term) else { return None };
    let parts = match pool.term(language) {
        Term::Op(Op::ReConcat, parts) => parts.to_vec(),
        _ => vec![language],
    };
    let is_single = |&part: &TermId| is_word(pool, part) || repeated_word(pool, part).is_some();
    if !parts.iter().any(|&part| is_open_word(pool, part) || repeated_word(pool, part).is_some())
        || matches!(parts[..], [only] if is_word(pool, only))
    {
        return None;
    }
    let runs = parts.chunk_by(|one, next| !is_single(one) && !is_single(next));
    let (mut words, mut conjuncts) = (Vec::new(), Vec::new());
    for run in runs.map(<[TermId]>::to_vec).collect::<Vec<_>>() {
        if let Term::Op(Op::StrToRe, &[word]) = pool.term(run[0]) {
            words.push(word);
            continue;
        }
        let word = fresh_constant(pool, b"part", Sort::String)?;
        if let Some((root, least)) = repeated_word(pool, run[0]) {
            conjuncts.extend(power(pool, word, root, least)?);
        } else {
            let language = match run[..] {
                [only] => only,
                _ => pool.op(Op::ReConcat, &run).ok()?,
            };
            conjuncts.push(pool.op(Op::StrInRe, &[word, language]).ok()?);
        }
        words.push(word);
    }
    let whole = if let [only] = words[..] { only } else { pool.op(Op::StrConcat, &words).ok()? };
    conjuncts.push(pool.op(Op::Eq, &[text, whole]).ok()?);
    if let [only] = conjuncts[..] { Some(only) } else { pool.op(Op::And, &conjuncts).ok() }
}

/// The word that a language repeats, if it is no literal, and how often at least.
fn repeated_word(pool: &TermPool, language: TermId) -> Option<(TermId, i64)> {
    let Term::Op(op @ (Op::ReStar | Op::RePlus), &[inner]) = pool.term(language) else {
        return None;
    };
    let Term::Op(Op::StrToRe, &[word]) = pool.term(inner) else { return None };
    pool.as_string(word).is_none().then_some((word, i64::from(op == Op::RePlus)))
}

/// That a word is a power of another: they commute, and the length is a multiple.
fn power(pool: &mut TermPool, word: TermId, root: TermId, least: i64) -> Option<[TermId; 3]> {
    let count = fresh_constant(pool, b"count", Sort::Int)?;
    let (one, other) =
        (pool.op(Op::StrConcat, &[word, root]).ok()?, pool.op(Op::StrConcat, &[root, word]).ok()?);
    let (length, of_root) =
        (pool.op(Op::StrLen, &[word]).ok()?, pool.op(Op::StrLen, &[root]).ok()?);
    let product = pool.op(Op::Mul, &[count, of_root]).ok()?;
    let least = pool.integer(least).ok()?;
    Some([
        pool.op(Op::Eq, &[one, other]).ok()?,
        pool.op(Op::Eq, &[length, product]).ok()?,
        pool.op(Op::Ge, &[count, least]).ok()?,
    ])
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

#[cfg(test)]
mod tests {
    use luthier_smtlib::{ReadOptions, read_script};

    use super::*;

    /// Whether a quantifier is left in the Skolemised assertions of a script.
    fn has_quantifier(assertion: &str) -> bool {
        let text = format!("(declare-const x String)(assert {assertion})(check-sat)");
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
        let query = reading.script.queries().next().unwrap();
        let assertion = query.assertions.first().unwrap().assertion.term;
        let result = skolemise(&mut pool, assertion).unwrap();
        let found = PostOrder::new(&pool, [result])
            .any(|term| matches!(pool.term(term), Term::Quantifier(_)));
        assert!(found || result != assertion, "{text}");
        found
    }

    #[test]
    fn negations_are_followed_to_quantifiers() {
        let even = "(exists ((i Int)) (= (* 2 i) (str.len x)))";
        let odd = "(forall ((i Int)) (distinct (* 2 i) (str.len x)))";
        for one in [
            even.to_owned(),
            format!("(not (not {even}))"),
            format!("(not {odd})"),
            format!("(not (and (= x \"\") (not {even})))"),
            format!("(=> {odd} (= x \"\"))"),
            format!("(not (=> {even} {odd}))"),
            format!("(not (or {odd} (not (not {odd}))))"),
        ] {
            assert!(!has_quantifier(&one), "{one}");
        }
        for other in
            [odd.to_owned(), format!("(not {even})"), format!("(=> {even} (not (= x \"\")))")]
        {
            assert!(has_quantifier(&other), "{other}");
        }
    }
}
