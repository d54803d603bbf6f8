//! Regular languages as values: immutable shared expression graphs.
//!
//! A language is independent of how words are matched; [`super::matcher`] imports it into a store
//! of its own. Every traversal is a loop, also comparison and destruction, because regular
//! expressions in real files nest thousands of levels deep.

use std::fmt;
use std::sync::Arc;

use luthier_terms::{BigInt, BuildError, CodePoint, Op, SmtString, TermId, TermPool};
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::charset::CharSet;

/// A value of sort `RegLan`; cheap to clone.
///
/// `==` is structural equality, which implies that two languages are equal; structurally different
/// languages may be equal, too.
#[derive(Clone)]
pub struct Language(Arc<Node>);

pub(super) struct Node {
    pub(super) operator: Operator,
    pub(super) operands: Vec<Language>,
}

/// The operator of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// The one-character strings of these characters; no operands.
    Characters(CharSet),
    /// One string; no operands.
    Literal(SmtString),
    /// Concatenation.
    Concat,
    /// Union.
    Union,
    /// Intersection.
    Intersection,
    /// Complement of the only operand.
    Complement,
    /// The only operand at least `least` and, if there is a `most`, at most so many times.
    Repeat { least: BigInt, most: Option<BigInt> },
}

impl Language {
    fn leaf(operator: Operator) -> Self {
        Self::new(operator, Vec::new())
    }

    fn new(operator: Operator, operands: Vec<Self>) -> Self {
        Self(Arc::new(Node { operator, operands }))
    }

    /// `re.none`: no string.
    pub fn none() -> Self {
        Self::leaf(Operator::Characters(CharSet::empty()))
    }

    /// `re.all`: every string.
    pub fn all() -> Self {
        Self::all_characters().star()
    }

    /// `re.allchar`: every string of one character.
    pub fn all_characters() -> Self {
        Self::leaf(Operator::Characters(CharSet::full()))
    }

    /// `str.to_re`: one string.
    pub fn literal(text: SmtString) -> Self {
        Self::leaf(Operator::Literal(text))
    }

    /// `re.range`: the one-character strings between two one-character strings; no string if
    /// `first` or `last` has another length, or if `first > last`.
    pub fn range(first: &[CodePoint], last: &[CodePoint]) -> Self {
        match (first, last) {
            ([first], [last]) => Self::leaf(Operator::Characters(CharSet::range(*first, *last))),
            _ => Self::none(),
        }
    }

    /// `re.++`: the languages one after the other.
    pub fn concat(languages: Vec<Self>) -> Self {
        Self::new(Operator::Concat, languages)
    }

    /// `re.union`: what is in some of the languages.
    pub fn union(languages: Vec<Self>) -> Self {
        Self::new(Operator::Union, languages)
    }

    /// `re.inter`: what is in all of the languages.
    pub fn intersection(languages: Vec<Self>) -> Self {
        Self::new(Operator::Intersection, languages)
    }

    /// `re.comp`: every string that is not in the language.
    pub fn complement(&self) -> Self {
        Self::new(Operator::Complement, vec![self.clone()])
    }

    /// `re.diff`: what is in this language and not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        Self::intersection(vec![self.clone(), other.complement()])
    }

    /// `re.*`: the language any number of times.
    pub fn star(&self) -> Self {
        self.repeat(BigInt::ZERO, None)
    }

    /// `re.+`: the language once or more.
    pub fn plus(&self) -> Self {
        self.repeat(BigInt::one(), None)
    }

    /// `re.opt`: the language or the empty string.
    pub fn option(&self) -> Self {
        self.repeat(BigInt::ZERO, Some(BigInt::one()))
    }

    /// `(_ re.^ n)`: the language `n` times; only the empty string for zero, also of no string.
    pub fn power(&self, n: &BigInt) -> Self {
        self.repeat(n.clone(), Some(n.clone()))
    }

    /// `(_ re.loop i n)`: the language from `i` to `n` times; no string if `i > n`.
    pub fn between(&self, i: &BigInt, n: &BigInt) -> Self {
        self.repeat(i.clone(), Some(n.clone()))
    }

    fn repeat(&self, least: BigInt, most: Option<BigInt>) -> Self {
        if most.as_ref().is_some_and(|most| *most < least) {
            return Self::none();
        }
        Self::new(Operator::Repeat { least, most }, vec![self.clone()])
    }

    pub(super) fn node(&self) -> &Node {
        &self.0
    }

    /// The address of the language, which identifies shared parts.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Every distinct part in post-order, each once.
    pub(super) fn parts(&self) -> Vec<&Self> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(self, false)];
        while let Some((part, expanded)) = stack.pop() {
            if expanded {
                order.push(part);
            } else if seen.insert(part.address()) {
                stack.push((part, true));
                stack.extend(part.node().operands.iter().rev().map(|operand| (operand, false)));
            }
        }
        order
    }

    /// A ground term for the language.
    pub fn to_term(&self, pool: &mut TermPool) -> Result<TermId, BuildError> {
        let mut terms: FxHashMap<usize, TermId> = FxHashMap::default();
        for part in self.parts() {
            let operands: Vec<TermId> =
                part.node().operands.iter().map(|operand| terms[&operand.address()]).collect();
            let term = part.node().operator.to_term(&operands, pool)?;
            terms.insert(part.address(), term);
        }
        Ok(terms[&self.address()])
    }
}

impl Operator {
    fn to_term(&self, operands: &[TermId], pool: &mut TermPool) -> Result<TermId, BuildError> {
        let many = |op: Op, neutral: Op, pool: &mut TermPool| match operands {
            [] => pool.op(neutral, &[]),
            [only] => Ok(*only),
            more => pool.op(op, more),
        };
        match self {
            Self::Characters(set) => characters_to_term(set, pool),
            Self::Literal(text) => {
                let text = pool.string(text.clone())?;
                pool.op(Op::StrToRe, &[text])
            }
            Self::Concat if operands.is_empty() => {
                Self::Literal(SmtString::empty()).to_term(&[], pool)
            }
            Self::Concat => many(Op::ReConcat, Op::ReAll, pool),
            Self::Union => many(Op::ReUnion, Op::ReNone, pool),
            Self::Intersection => many(Op::ReInter, Op::ReAll, pool),
            Self::Complement => pool.op(Op::ReComp, operands),
            Self::Repeat { least, most: Some(most) } => {
                let (from, to) = (pool.integer(least.clone())?, pool.integer(most.clone())?);
                match operands {
                    [operand] if least == most => pool.op(Op::RePower, &[from, *operand]),
                    [operand] if least.is_zero() && most.is_one() => {
                        pool.op(Op::ReOpt, &[*operand])
                    }
                    operands => pool.op(Op::ReLoop, &[&[from, to], operands].concat()),
                }
            }
            Self::Repeat { least, most: None } if least.is_zero() => pool.op(Op::ReStar, operands),
            Self::Repeat { least, most: None } if least.is_one() => pool.op(Op::RePlus, operands),
            Self::Repeat { least, most: None } => {
                let least = pool.integer(least.clone())?;
                let power = pool.op(Op::RePower, &[&[least], operands].concat())?;
                let star = pool.op(Op::ReStar, operands)?;
                pool.op(Op::ReConcat, &[power, star])
            }
        }
    }
}

fn characters_to_term(set: &CharSet, pool: &mut TermPool) -> Result<TermId, BuildError> {
    if set.is_full() {
        return pool.op(Op::ReAllChar, &[]);
    }
    let mut ranges = Vec::new();
    for &(first, last) in set.intervals() {
        let mut bound = |code| {
            pool.string(SmtString::from_codes([code]).expect("sets hold codes of characters"))
        };
        let (first, last) = (bound(first)?, bound(last)?);
        ranges.push(pool.op(Op::ReRange, &[first, last])?);
    }
    match *ranges {
        [] => pool.op(Op::ReNone, &[]),
        [range] => Ok(range),
        _ => pool.op(Op::ReUnion, &ranges),
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        let mut stack = vec![(self, other)];
        let mut seen = FxHashSet::default();
        while let Some((left, right)) = stack.pop() {
            let addresses = (left.address(), right.address());
            if addresses.0 == addresses.1 || !seen.insert(addresses) {
                continue;
            }
            let (left, right) = (left.node(), right.node());
            if left.operator != right.operator || left.operands.len() != right.operands.len() {
                return false;
            }
            stack.extend(left.operands.iter().zip(&right.operands));
        }
        true
    }
}

/// Iterative, because the default would drop operands recursively.
impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.operands);
        while let Some(language) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(language.0) {
                pending.append(&mut node.operands);
            }
        }
    }
}

/// Shows the expression, truncated after some parts.
impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PARTS: usize = 100;
        let mut stack = vec![Some(self)];
        let mut shown = 0;
        while let Some(item) = stack.pop() {
            let Some(language) = item else {
                f.write_str(")")?;
                continue;
            };
            if shown > 0 {
                f.write_str(" ")?;
            }
            shown += 1;
            if shown > PARTS {
                return f.write_str("…");
            }
            let node = language.node();
            write!(f, "({:?}", node.operator)?;
            stack.push(None);
            stack.extend(node.operands.iter().rev().map(Some));
        }
        Ok(())
    }
}
