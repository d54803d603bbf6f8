//! Facts: random ground terms with the values that the referee gives them.

use std::collections::{BTreeMap, HashSet};

use luthier_generator::random::Generator;
use luthier_semantics::{Evaluation, Evaluator, Model, Reason, Reasons};
use luthier_terms::{BuildError, Op, TermId, TermPool};

/// A term with its value.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    pub term: TermId,
    /// A literal.
    pub value: TermId,
    /// `(not (= term value))`, which nothing satisfies.
    pub negation: TermId,
}

/// Distinct terms with their values, all in one pool.
pub struct Facts {
    pub pool: TermPool,
    pub all: Vec<Fact>,
    /// How many random terms were made that had been made before.
    pub repeated: u64,
    /// How many terms have no value to the referee, by reason, each with the first such term.
    pub undecided: BTreeMap<String, (u64, TermId)>,
}

impl Facts {
    /// The first terms of a seed that have a value.
    pub fn make(count: usize, seed: u64) -> Result<Self, BuildError> {
        let mut generator = Generator::default();
        let mut seen = HashSet::new();
        let (mut all, mut repeated, mut undecided) = (Vec::new(), 0, BTreeMap::new());
        let mut number = 0;
        while all.len() < count {
            let term = generator.numbered(seed, number);
            number += 1;
            if !seen.insert(term) {
                repeated += 1;
                continue;
            }
            match fact(&mut generator.pool, term)? {
                Ok(fact) => all.push(fact),
                Err(reasons) => undecided.entry(describe(&reasons)).or_insert((0, term)).0 += 1,
            }
        }
        Ok(Self { pool: generator.pool, all, repeated, undecided })
    }
}

/// A term with its value, or why it has none.
pub fn fact(pool: &mut TermPool, term: TermId) -> Result<Result<Fact, Reasons>, BuildError> {
    let value = match Evaluator::new(pool, &Model::default()).evaluate(term) {
        Evaluation::Known(value) => value.to_term(pool)?,
        Evaluation::Undecided(reasons) => return Ok(Err(reasons)),
    };
    let equal = pool.op(Op::Eq, &[term, value])?;
    let negation = pool.op(Op::Not, &[equal])?;
    Ok(Ok(Fact { term, value, negation }))
}

/// The reasons in words, without the terms they are about.
fn describe(reasons: &Reasons) -> String {
    let words = |reason| match reason {
        Reason::DivisionByZero(_) | Reason::ModuloByZero(_) => "division by zero",
        Reason::LanguageComparison(_) => "two languages are too large to be compared",
        Reason::RegexLimit(_) => "a language is too large to be matched",
        Reason::SizeLimit(_) => "a value is too large",
        Reason::StepLimit => "the evaluation takes too long",
        _ => "something that ground terms do not have",
    };
    let mut all: Vec<&str> = reasons.iter().map(words).collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_distinct_true_and_the_same_every_time() {
        let facts = Facts::make(500, 1).unwrap();
        let terms: HashSet<TermId> = facts.all.iter().map(|fact| fact.term).collect();
        assert_eq!(terms.len(), 500);
        let model = Model::default();
        let mut evaluator = Evaluator::new(&facts.pool, &model);
        for fact in &facts.all {
            assert!(evaluator.evaluate(fact.negation).is_false());
        }
        let again = Facts::make(500, 1).unwrap();
        assert!(facts.all.iter().zip(&again.all).all(|(one, two)| one.negation == two.negation));
    }

    #[test]
    fn division_by_zero_is_no_fact() {
        let mut pool = TermPool::new();
        let (one, zero) = (pool.integer(1).unwrap(), pool.integer(0).unwrap());
        let term = pool.op(Op::Div, &[one, zero]).unwrap();
        let reasons = fact(&mut pool, term).unwrap().unwrap_err();
        assert_eq!(describe(&reasons), "division by zero");
    }
}
