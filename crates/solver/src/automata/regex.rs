//! Regular expressions in a store that keeps each of them once, with smart constructors.
//!
//! Constructors normalise: concatenation is nested to the right, unions and intersections are flat,
//! sorted and without repetition, and laws of `∅`, `ε` and `Σ*` are applied. So similar expressions
//! (Brzozowski, section 5) have the same id, which bounds the number of derivatives. Emptiness is
//! not decided here: an expression may denote `∅` and not be the constant `∅`.

use luthier_terms::{CodePoint, Op, SmtString, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Budget, Limit};

/// A regular expression in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Regex(u32);

/// An interval of characters, both ends included.
pub type Interval = (u32, u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    None,
    Empty,
    /// One character of some intervals, sorted and disjoint.
    Letters(Vec<Interval>),
    Concat(Regex, Regex),
    Star(Regex),
    /// Sorted, without repetition, at least two.
    Union(Vec<Regex>),
    /// Sorted, without repetition, at least two.
    Intersection(Vec<Regex>),
    Complement(Regex),
    /// From `.1` to `.2` times; `.2` is at least 1.
    Loop(Regex, u32, u32),
}

pub(super) const LAST_CODE: u32 = CodePoint::MAX.code();

/// The store of regular expressions.
#[derive(Debug, Default)]
pub struct Regexes {
    nodes: Vec<Node>,
    accepts_empty: Vec<bool>,
    ids: FxHashMap<Node, Regex>,
    /// The size of all expressions together.
    parts_stored: usize,
    pub(super) derivatives: FxHashMap<(Regex, u32), Regex>,
    pub(super) classes: FxHashMap<Regex, std::rc::Rc<[u32]>>,
}

impl Regexes {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn intern(&mut self, node: Node) -> Regex {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let accepts = match &node {
            Node::None | Node::Letters(_) => false,
            Node::Empty | Node::Star(_) => true,
            Node::Concat(left, right) => self.accepts_empty(*left) && self.accepts_empty(*right),
            Node::Union(parts) => parts.iter().any(|&part| self.accepts_empty(part)),
            Node::Intersection(parts) => parts.iter().all(|&part| self.accepts_empty(part)),
            Node::Complement(inner) => !self.accepts_empty(*inner),
            Node::Loop(inner, least, _) => *least == 0 || self.accepts_empty(*inner),
        };
        self.parts_stored += match &node {
            Node::Union(parts) | Node::Intersection(parts) => 1 + parts.len(),
            Node::Letters(intervals) => 1 + 2 * intervals.len(),
            _ => 1,
        };
        let id = Regex(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.accepts_empty.push(accepts);
        self.ids.insert(node, id);
        id
    }

    pub(super) fn node(&self, regex: Regex) -> &Node {
        &self.nodes[regex.0 as usize]
    }

    /// Whether the store has reached its limit.
    pub(super) fn is_full(&self, budget: &Budget) -> bool {
        budget.limits().exceeds(Limit::SharedRegexParts, self.parts_stored)
    }

    /// Whether the empty string is in the language.
    pub fn accepts_empty(&self, regex: Regex) -> bool {
        self.accepts_empty[regex.0 as usize]
    }

    /// The empty language.
    pub fn none(&mut self) -> Regex {
        self.intern(Node::None)
    }

    /// The language of the empty string.
    pub fn empty(&mut self) -> Regex {
        self.intern(Node::Empty)
    }

    /// All strings.
    pub fn all(&mut self) -> Regex {
        let letter = self.letters(vec![(0, LAST_CODE)]);
        self.star(letter)
    }

    fn letters(&mut self, intervals: Vec<Interval>) -> Regex {
        if intervals.is_empty() { self.none() } else { self.intern(Node::Letters(intervals)) }
    }

    /// The words of one letter from `low` to `high`.
    pub fn interval(&mut self, low: u32, high: u32) -> Regex {
        self.letters(if low <= high { vec![(low, high)] } else { Vec::new() })
    }

    /// The words of one letter.
    pub fn any_letter(&mut self) -> Regex {
        self.letters(vec![(0, LAST_CODE)])
    }

    /// The language of one word.
    pub fn word(&mut self, codes: &[u32]) -> Regex {
        let mut result = self.empty();
        for &letter in codes.iter().rev() {
            let letter = self.letters(vec![(letter, letter)]);
            result = self.concat(letter, result);
        }
        result
    }

    /// The language of one string.
    pub fn literal(&mut self, text: &SmtString) -> Regex {
        let codes: Vec<u32> = text.iter().map(|letter| letter.code()).collect();
        self.word(&codes)
    }

    /// The concatenation of two languages.
    pub fn concat(&mut self, left: Regex, right: Regex) -> Regex {
        // Nested to the right, so that similar expressions are identical.
        let mut parts = vec![];
        let mut first = left;
        loop {
            match self.node(first) {
                Node::None => return first,
                Node::Concat(head, tail) => {
                    parts.push(*head);
                    first = *tail;
                }
                Node::Empty => break,
                _ => {
                    parts.push(first);
                    break;
                }
            }
        }
        let mut result = right;
        for part in parts.into_iter().rev() {
            result = match (self.node(part), self.node(result)) {
                (Node::None, _) | (_, Node::None) => self.none(),
                (Node::Empty, _) => result,
                (_, Node::Empty) => part,
                (Node::Star(_), _) if part == result => result,
                _ => self.intern(Node::Concat(part, result)),
            };
        }
        result
    }

    /// The Kleene star.
    pub fn star(&mut self, inner: Regex) -> Regex {
        match self.node(inner) {
            Node::None | Node::Empty => self.empty(),
            Node::Star(_) => inner,
            _ => self.intern(Node::Star(inner)),
        }
    }

    /// Between `least` and `most` iterations.
    pub fn repeat(&mut self, inner: Regex, least: u32, most: u32) -> Regex {
        if least > most {
            return self.none();
        }
        match (self.node(inner), most) {
            (_, 0) | (Node::Empty, _) => self.empty(),
            (Node::None, _) if least == 0 => self.empty(),
            (Node::None | Node::Star(_), _) => inner,
            (_, 1) if least == 1 => inner,
            _ => self.intern(Node::Loop(inner, least, most)),
        }
    }

    /// The union of some languages.
    pub fn union(&mut self, parts: impl IntoIterator<Item = Regex>) -> Regex {
        let all = self.all();
        let mut kept = Vec::new();
        let mut intervals = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::None => {}
                Node::Letters(more) => intervals.extend_from_slice(more),
                Node::Union(inner) => {
                    for &part in inner {
                        match self.node(part) {
                            Node::Letters(more) => intervals.extend_from_slice(more),
                            _ => kept.push(part),
                        }
                    }
                }
                _ if part == all => return all,
                _ => kept.push(part),
            }
        }
        if !intervals.is_empty() {
            let merged = merge(intervals);
            kept.push(self.letters(merged));
        }
        kept.sort_unstable();
        kept.dedup();
        match kept[..] {
            [] => self.none(),
            [only] => only,
            _ => self.intern(Node::Union(kept)),
        }
    }

    /// The intersection of some languages.
    pub fn intersection(&mut self, parts: impl IntoIterator<Item = Regex>) -> Regex {
        let all = self.all();
        let mut kept = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::None => return part,
                Node::Intersection(inner) => kept.extend_from_slice(inner),
                _ if part == all => {}
                _ => kept.push(part),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        match kept[..] {
            [] => all,
            [only] => only,
            _ => self.intern(Node::Intersection(kept)),
        }
    }

    /// The complement of a language.
    pub fn complement(&mut self, inner: Regex) -> Regex {
        let all = self.all();
        match self.node(inner) {
            Node::None => all,
            Node::Complement(inner) => *inner,
            _ if inner == all => self.none(),
            _ => self.intern(Node::Complement(inner)),
        }
    }

    /// The expression of a term of sort `RegLan`; `None` if it depends on constants, or has an
    /// operator or a counter that is not supported.
    pub fn of_term(&mut self, pool: &TermPool, root: TermId) -> Option<Regex> {
        let mut known: FxHashMap<TermId, Regex> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if known.contains_key(&term) {
                continue;
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(languages(pool, term).into_iter().map(|child| (child, false)));
                continue;
            }
            let regex = self.of_children(pool, term, &known)?;
            known.insert(term, regex);
        }
        known.get(&root).copied()
    }

    fn of_children(
        &mut self,
        pool: &TermPool,
        term: TermId,
        known: &FxHashMap<TermId, Regex>,
    ) -> Option<Regex> {
        let (op, children) = match pool.term(term) {
            Term::Op(op, children) => (op, children),
            Term::Named(_, inner) => return known.get(&inner).copied(),
            _ => return None,
        };
        let text = |index: usize| match pool.term(children[index]) {
            Term::String(text) => Some(text),
            _ => None,
        };
        let number = |index: usize| match pool.term(children[index]) {
            // Larger counters give automata beyond every limit.
            Term::Integer(number) => number.to_u32().filter(|&number| number <= 5000),
            _ => None,
        };
        let of = |index: usize| known.get(&children[index]).copied();
        let parts = || {
            let parts = languages(pool, term);
            parts.iter().map(|part| known.get(part).copied()).collect::<Option<Vec<_>>>()
        };
        Some(match op {
            Op::ReNone => self.none(),
            Op::ReAll => self.all(),
            Op::ReAllChar => self.letters(vec![(0, LAST_CODE)]),
            Op::StrToRe => self.literal(text(0)?),
            Op::ReRange => match (text(0)?.as_slice(), text(1)?.as_slice()) {
                ([low], [high]) if low <= high => self.letters(vec![(low.code(), high.code())]),
                _ => self.none(),
            },
            Op::ReConcat => {
                let parts = parts()?;
                let empty = self.empty();
                parts.into_iter().rev().fold(empty, |rest, part| self.concat(part, rest))
            }
            Op::ReUnion => self.union(parts()?),
            Op::ReInter => self.intersection(parts()?),
            Op::ReStar => self.star(of(0)?),
            Op::RePlus => {
                let inner = of(0)?;
                let star = self.star(inner);
                self.concat(inner, star)
            }
            Op::ReOpt => {
                let empty = self.empty();
                self.union([of(0)?, empty])
            }
            Op::ReComp => self.complement(of(0)?),
            Op::ReDiff => {
                let parts = parts()?;
                let (&first, rest) = parts.split_first()?;
                let others: Vec<_> = rest.iter().map(|&part| self.complement(part)).collect();
                self.intersection(std::iter::once(first).chain(others))
            }
            Op::RePower => self.repeat(of(1)?, number(0)?, number(0)?),
            Op::ReLoop => self.repeat(of(2)?, number(0)?, number(1)?),
            _ => return None,
        })
    }

    /// Whether it is the constant `∅`; other expressions may denote the empty language, too.
    pub fn is_none(&self, regex: Regex) -> bool {
        matches!(self.node(regex), Node::None)
    }
}

/// The arguments of an expression. Nested unions, and nested intersections, are flattened at once,
/// because a chain of thousands would otherwise be copied at each level.
fn languages(pool: &TermPool, term: TermId) -> Vec<TermId> {
    let Term::Op(nested @ (Op::ReUnion | Op::ReInter), _) = pool.term(term) else {
        let children = pool.children(term).iter().copied();
        return children.filter(|&child| pool.sort(child) == Sort::RegLan).collect();
    };
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(next) = stack.pop() {
        if !seen.insert(next) {
            continue;
        }
        match pool.term(next) {
            Term::Op(op, children) if op == nested => stack.extend(children.iter().rev()),
            _ => found.push(next),
        }
    }
    found
}

/// Intervals sorted, disjoint and not touching.
fn merge(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.sort_unstable();
    let mut merged: Vec<Interval> = Vec::with_capacity(intervals.len());
    for (low, high) in intervals {
        match merged.last_mut() {
            Some((_, end)) if low <= end.saturating_add(1) => *end = (*end).max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}
