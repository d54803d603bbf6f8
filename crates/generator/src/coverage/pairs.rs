//! Pairs of operators: one directly below another, at one of its arguments.
//!
//! Faults of rewriters are mostly about such pairs: `str.indexof` over `str.replace_all`, `str.at`
//! over `str.++`. [`PairCoverage`] counts which pairs occurred and proposes one that did not, more
//! likely one whose operators are decided often (see [`crate::Profile`]); [`formula_for_pair`]
//! generates a formula with it. Connectives are not counted: they stand above everything.
//! Arguments of n-ary operators after the first are one place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use luthier_terms::{BasicSort, Op, PostOrder, Shape, Sort, Term, TermId, TermPool, Theory};

use super::steer::{atom_over, truth_of};
use crate::random::{Generator, operators};
use crate::{Dice, Profile};

/// The attempts to find an empty pair whose operators are decided.
const TRIES: usize = 8;

/// An operator as an argument of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The outer operator.
    pub op: Op,
    /// The inner operator.
    pub argument: Op,
    /// Which argument of the outer one it is; of an n-ary operator 0 or 1.
    pub place: u8,
}

/// How often each pair occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCoverage {
    counts: BTreeMap<Pair, u64>,
}

impl PairCoverage {
    /// Counts the pairs of a formula.
    pub fn add(&mut self, pairs: &BTreeSet<Pair>) {
        for &pair in pairs {
            *self.counts.entry(pair).or_default() += 1;
        }
    }

    /// How many pairs would be new.
    pub fn gain(&self, pairs: &BTreeSet<Pair>) -> usize {
        pairs.iter().filter(|pair| !self.counts.contains_key(pair)).count()
    }

    /// The number of pairs that occurred.
    pub fn covered(&self) -> usize {
        self.counts.len()
    }

    /// The number of all pairs that sorts allow.
    pub fn total() -> usize {
        all_pairs().len()
    }

    /// A pair that did not occur yet, as the target of the next formula. `None` if some tries found none.
    pub fn target(&self, dice: &mut Dice, profile: &Profile) -> Option<Pair> {
        let all = all_pairs();
        (0..TRIES).find_map(|_| {
            let pair = dice.pick(all);
            let decided = profile.share(pair.op).min(profile.share(pair.argument));
            (!self.counts.contains_key(&pair) && dice.percent(decided)).then_some(pair)
        })
    }
}

/// The pairs of some assertions.
pub fn covered_pairs(pool: &TermPool, assertions: &[TermId]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for term in PostOrder::new(pool, assertions.iter().copied()) {
        let Term::Op(op, children) = pool.term(term) else { continue };
        if !counts(op) {
            continue;
        }
        for (number, &child) in children.iter().enumerate().skip(op.info().indices) {
            if let Term::Op(argument, _) = pool.term(child)
                && counts(argument)
            {
                pairs.insert(Pair { op, argument, place: place(op, number) });
            }
        }
    }
    pairs
}

/// Whether an operator is part of pairs.
fn counts(op: Op) -> bool {
    let of_interest = op.info().theory != Theory::Arrays;
    let connective = matches!(
        op,
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Neg
    );
    of_interest && !connective
}

fn place(op: Op, number: usize) -> u8 {
    let number = number - op.info().indices;
    let number = if op.fold().is_some() { number.min(1) } else { number };
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// All pairs that sorts allow.
fn all_pairs() -> &'static [Pair] {
    static PAIRS: OnceLock<Vec<Pair>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut pairs = Vec::new();
        for op in operators().into_iter().filter(|op| counts(*op)) {
            for argument in operators().into_iter().filter(|op| counts(*op)) {
                for (number, sorts) in argument_sorts(op).iter().enumerate() {
                    if sorts.iter().any(|sort| result_sorts(argument).contains(sort)) {
                        pairs.push(Pair { op, argument, place: number as u8 });
                    }
                }
            }
        }
        pairs
    })
}

const VALUES: &[BasicSort] = &[BasicSort::Int, BasicSort::String];

/// The sorts that each argument may have, indices left out.
fn argument_sorts(op: Op) -> Vec<Vec<BasicSort>> {
    let one = |sort: &Sort| sort.as_basic().into_iter().collect::<Vec<_>>();
    match op.info().shape {
        Shape::Exact(sorts, _) => sorts.iter().skip(op.info().indices).map(one).collect(),
        Shape::Folded(sort, ..) => vec![one(&sort); 2],
        Shape::Polymorphic(_) => vec![VALUES.to_vec(); 2],
        Shape::IfThenElse => vec![vec![BasicSort::Bool], VALUES.to_vec(), VALUES.to_vec()],
        Shape::Select | Shape::Store | Shape::ConstantArray => Vec::new(),
    }
}

fn result_sorts(op: Op) -> Vec<BasicSort> {
    match op.info().shape {
        Shape::Exact(_, result) | Shape::Folded(_, result, _) => {
            result.as_basic().into_iter().collect()
        }
        Shape::Polymorphic(_) => vec![BasicSort::Bool],
        Shape::IfThenElse => VALUES.to_vec(),
        Shape::Select | Shape::Store | Shape::ConstantArray => Vec::new(),
    }
}

/// A formula with the pair that is true under the generator's model. `None` if the referee does not
/// decide it within its limits.
pub fn formula_for_pair(generator: &mut Generator, pair: Pair) -> Option<TermId> {
    let wanted = argument_sorts(pair.op);
    let place = usize::from(pair.place);
    let inner = result_sorts(pair.argument);
    let sort = wanted.get(place)?.iter().copied().find(|sort| inner.contains(sort))?;
    let inner = generator.applied(pair.argument, sort, 1);
    let mut arguments = Vec::new();
    for _ in 0..pair.op.info().indices {
        let index = generator.dice.pick(&[1, 1, 2, 3]);
        arguments.push(generator.numeral(index.into()));
    }
    for (number, sorts) in wanted.iter().enumerate() {
        arguments.push(match sorts[..] {
            _ if number == place => inner,
            // A branch beside a condition is a string; other arguments have the sort of the pair.
            [_, _] if sort == BasicSort::Bool => generator.term(BasicSort::String, 0),
            [_, _] => generator.term(sort, 0),
            [BasicSort::RegLan] => generator.term(BasicSort::RegLan, 1),
            [sort] => generator.term(sort, 0),
            _ => return None,
        });
    }
    if matches!(pair.op, Op::Mul | Op::Div | Op::Mod) {
        // Linear: one argument is not a number.
        let number = generator.dice.pick(&[2, 3, 10]);
        let other = if place == 0 { 1 } else { 0 };
        arguments[other] = generator.numeral(number.into());
        if pair.op != Op::Mul && place == 1 {
            return None;
        }
    }
    let term = generator.pool.op(pair.op, &arguments).ok()?;
    let formula = match generator.pool.sort(term) {
        Sort::Bool => term,
        Sort::RegLan => {
            let word = generator.term(BasicSort::String, 0);
            generator.op(Op::StrInRe, &[word, term])
        }
        _ => atom_over(generator, term)?,
    };
    match truth_of(generator, formula)? {
        true => Some(formula),
        false => Some(generator.op(Op::Not, &[formula])),
    }
}
