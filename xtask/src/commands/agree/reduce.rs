//! Reduces a difference to the smallest subterm that shows it.
//!
//! A subterm is tried with its arguments replaced by the values that the referee gives them, so that
//! one operator on literals is left (and, for languages, an expression of literals). If the solver
//! agrees on all of these, the difference is in their combination, and the smallest subterm that
//! differs as it stands is shown.

use std::collections::HashMap;
use std::error::Error;

use luthier_terms::{BuildError, PostOrder, Sort, Term, TermId, TermPool, dag_size};

use super::ask::{Peer, Reply};
use super::facts::{Fact, Facts, fact};

/// More differences than these are counted but not reduced.
const MAX_COUNT: usize = 60;

/// A difference and what is left of it.
pub struct Reduced {
    pub original: TermId,
    pub fact: Fact,
}

/// The differences, smallest first, each reduced.
pub fn differences(
    peer: &Peer<'_>,
    facts: &mut Facts,
    replies: &[Reply],
) -> Result<Vec<Reduced>, Box<dyn Error>> {
    let pairs = facts.all.iter().zip(replies);
    let mut differing: Vec<Fact> =
        pairs.filter(|(_, reply)| **reply == Reply::Differs).map(|(fact, _)| *fact).collect();
    differing.sort_by_key(|fact| dag_size(&facts.pool, fact.term));
    differing.truncate(MAX_COUNT);
    let mut reduced = Vec::new();
    for original in differing {
        let candidates = candidates(&mut facts.pool, original.term)?;
        let (replies, _) = peer.ask(&facts.pool, &candidates);
        let found = candidates.iter().zip(&replies).find(|(_, reply)| **reply == Reply::Differs);
        let fact = found.map_or(original, |(fact, _)| *fact);
        reduced.push(Reduced { original: original.term, fact });
    }
    Ok(reduced)
}

/// What to try: operators of the term on values, innermost first, then parts as they stand,
/// smallest first.
fn candidates(pool: &mut TermPool, term: TermId) -> Result<Vec<Fact>, BuildError> {
    let parts: Vec<TermId> = PostOrder::new(pool, [term]).collect();
    let mut known: HashMap<TermId, TermId> = HashMap::new();
    let (mut on_values, mut as_they_stand) = (Vec::new(), Vec::new());
    for part in parts {
        let Term::Op(op, children) = pool.term(part) else {
            known.insert(part, part);
            continue;
        };
        let arguments: Vec<TermId> = children.iter().map(|child| known[child]).collect();
        let applied = pool.op(op, &arguments)?;
        let mut simple = applied;
        if pool.sort(part) != Sort::RegLan
            && let Ok(fact) = fact(pool, applied)?
        {
            simple = fact.value;
            // A literal says nothing about an operator.
            if fact.value != applied {
                on_values.push(fact);
            }
            if let Ok(fact) = self::fact(pool, part)? {
                as_they_stand.push(fact);
            }
        }
        known.insert(part, simple);
    }
    as_they_stand.sort_by_key(|fact| dag_size(pool, fact.term));
    on_values.extend(as_they_stand);
    Ok(on_values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use luthier_smtlib::{Dialect, PrintOptions, print_term};
    use luthier_terms::{Op, SmtString};

    #[test]
    fn operators_on_values_come_first_and_innermost_first() {
        let mut pool = TermPool::new();
        let text = pool.string(SmtString::from_text("12").unwrap()).unwrap();
        let number = pool.op(Op::StrToInt, &[text]).unwrap();
        let language = pool.op(Op::StrToRe, &[text]).unwrap();
        let word = pool.op(Op::StrFromInt, &[number]).unwrap();
        let term = pool.op(Op::StrInRe, &[word, language]).unwrap();
        let candidates = candidates(&mut pool, term).unwrap();
        let shown: Vec<String> = candidates
            .iter()
            .map(|fact| {
                let options = PrintOptions::new(Dialect::Smt27);
                let printed = print_term(&pool, fact.negation, &options).unwrap();
                String::from_utf8(printed.bytes).unwrap()
            })
            .collect();
        let expected = [
            "(not (= (str.to_int \"12\") 12))",
            "(not (= (str.from_int 12) \"12\"))",
            "(not (= (str.in_re \"12\" (str.to_re \"12\")) true))",
        ];
        assert_eq!(shown[..3], expected);
        assert_eq!(candidates.last().unwrap().term, term);
    }
}
