//! The terms of a batch: random terms over all operators, by seed and number.
//!
//! A quarter of the terms are ground, so that constant folding is tested, a quarter are larger terms
//! over constants, and half are small ([`super::small`]). Constants of sort `String`, `Int` and `Bool`
//! have values, to which the generator fits arguments. Equal terms of a batch are simplified once.
//! Terms with a power or loop of more than [`LARGEST_INDEX`] copies are left out: most releases do
//! nothing else than copying then.

use std::collections::BTreeSet;
use std::ops::Range;

use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_semantics::{Interpretation, Value};
use luthier_terms::{BigInt, FunctionId, Op, PostOrder, SmtString, Term, TermId, TermPool};

use super::small::SmallTerms;

/// The kind of a term is its number modulo this: ground, larger, small.
const KINDS: u64 = 4;

/// The largest index of `re.^` and `re.loop`.
const LARGEST_INDEX: i64 = 60;

/// The seeds of values, so that they differ from those of the terms.
const VALUES: u64 = 0x7661_6c75_6573;

/// Terms with their numbers, in one pool.
pub(super) struct TermBatch {
    pub pool: TermPool,
    pub terms: Vec<(u64, TermId)>,
    /// The values of the constants to which arguments were fitted.
    pub values: Vec<(FunctionId, Value)>,
    pub seed: u64,
    first: u64,
}

impl TermBatch {
    /// The distinct terms with these numbers.
    pub fn new(seed: u64, numbers: Range<u64>) -> Self {
        let first = numbers.start;
        let mut open = Generator::new(Dice::new(seed, first));
        let values = declare(&mut open, &mut Dice::new(seed ^ VALUES, first));
        let mut ground = Generator::new(Dice::new(seed, first));
        let constants = open.constants().to_vec();
        let mut seen = BTreeSet::new();
        let mut terms = Vec::new();
        for number in numbers {
            let term = match number % KINDS {
                0 => {
                    // The generator of ground terms has no constants, and the same pool.
                    std::mem::swap(&mut ground.pool, &mut open.pool);
                    let term = ground.numbered(seed, number / KINDS);
                    std::mem::swap(&mut ground.pool, &mut open.pool);
                    term
                }
                1 => open.numbered(seed, number / KINDS),
                _ => {
                    let dice = Dice::new(seed ^ VALUES, number);
                    let (pool, constants) = (&mut open.pool, &constants);
                    SmallTerms { pool, constants, dice }.term()
                }
            };
            if seen.insert(term) && !has_large_index(&open.pool, term) {
                terms.push((number, term));
            }
        }
        Self { pool: open.pool, terms, values, seed, first }
    }

    /// The number of its first term, by which the form of the command is chosen.
    pub fn number(&self) -> u64 {
        self.first
    }
}

/// Declares the constants with values.
fn declare(generator: &mut Generator, dice: &mut Dice) -> Vec<(FunctionId, Value)> {
    for name in ["x", "y", "z"] {
        let words = ["", "a", "ab", "aba", "0", "10", "-1", "b"];
        let word = SmtString::from_text(dice.pick(&words)).expect("letters of the alphabet");
        generator.declare(name, Value::String(word));
    }
    for name in ["i", "j"] {
        generator.declare(name, Value::Int(BigInt::from(dice.between(-1, 3))));
    }
    generator.declare("b", Value::Bool(dice.percent(50)));
    let value = |(function, interpretation): (_, &Interpretation)| match interpretation {
        Interpretation::Value(value) => Some((function, value.clone())),
        Interpretation::Function { .. } | Interpretation::Table(_) => None,
    };
    generator.model.iter().filter_map(value).collect()
}

/// Whether the term has a power or a loop of many copies.
fn has_large_index(pool: &TermPool, term: TermId) -> bool {
    let is_large = |index: &TermId| {
        pool.as_integer(*index).is_some_and(|index| index > BigInt::from(LARGEST_INDEX))
    };
    PostOrder::new(pool, [term]).any(|part| match pool.term(part) {
        Term::Op(op @ (Op::RePower | Op::ReLoop), children) => {
            children[..op.info().indices].iter().any(is_large)
        }
        _ => false,
    })
}

/// The constants that occur in some terms, in the order of their declaration.
pub(super) fn constants(
    pool: &TermPool,
    roots: impl IntoIterator<Item = TermId>,
) -> Vec<FunctionId> {
    let function = |term| match pool.term(term) {
        Term::Apply(function, []) => Some(function),
        _ => None,
    };
    let found: BTreeSet<FunctionId> = PostOrder::new(pool, roots).filter_map(function).collect();
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_numbers_give_the_same_terms_and_a_quarter_is_ground() {
        let batch = TermBatch::new(3, 100..300);
        let again = TermBatch::new(3, 100..300);
        assert_eq!(batch.terms, again.terms);
        let ground = |&&(_, term): &&(u64, TermId)| constants(&batch.pool, [term]).is_empty();
        let ground = batch.terms.iter().filter(ground).count();
        assert!(ground >= 40 && ground * 2 < batch.terms.len(), "{ground}");
        assert_ne!(TermBatch::new(4, 100..300).terms, batch.terms);
    }
}
