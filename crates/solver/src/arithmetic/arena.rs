//! The arena of arithmetic formulas: hash-consed, so that equality is equality of ids, and children
//! have smaller ids than their parents.
//!
//! Nodes and their children are stored in flat vectors, with open-addressing hash tables of
//! indices.

use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use rustc_hash::FxHasher;

/// A formula or an integer term of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(super) u32);

/// A function of an [`Arena`]; a constant is a function without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub(super) u32);

/// An uninterpreted sort of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub(super) u32);

/// The sorts of arithmetic formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// The unbounded integers.
    Int,
    /// An uninterpreted sort; not empty.
    Uninterpreted(SortId),
}

/// A view of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// A numeral, possibly negative.
    Int(&'a BigInt),
    /// A function applied to its arguments; a constant has none.
    Apply(FnId, &'a [Id]),
    /// Negation.
    Not(Id),
    /// Conjunction.
    And(&'a [Id]),
    /// Disjunction.
    Or(&'a [Id]),
    /// If-then-else: condition, then, else.
    Ite(Id, Id, Id),
    /// Equality of two terms of any sort.
    Eq(Id, Id),
    /// Pairwise distinctness.
    Distinct(&'a [Id]),
    /// A sum.
    Add(&'a [Id]),
    /// A constant times a term.
    Scale(&'a BigInt, Id),
    /// A product of two terms.
    Mul(Id, Id),
    /// The first is at least the second.
    Ge(Id, Id),
    /// Division by a constant, rounded such that the remainder is not negative.
    Div(Id, &'a BigInt),
    /// The remainder of that division.
    Mod(Id, &'a BigInt),
    /// A universal quantifier over integers: variables and body.
    Forall(&'a [Id], Id),
}

/// The kind of a stored term; numbers are indices into a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    True,
    False,
    Int(u32),
    Apply(FnId),
    Not,
    And,
    Or,
    Ite,
    Eq,
    Distinct,
    Add,
    Scale(u32),
    Mul,
    Ge,
    Div(u32),
    Mod(u32),
    Forall,
}

#[derive(Clone, Copy)]
struct StoredNode {
    kind: Kind,
    sort: Sort,
    start: u32,
    length: u32,
}

pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Sort>,
    pub(super) result: Sort,
}

/// The owner of arithmetic formulas.
///
/// Constructors fold constants and trivial cases. The caller must pass arguments of the right
/// sorts; this is checked in debug builds.
#[derive(Default)]
pub struct Arena {
    nodes: Vec<StoredNode>,
    children: Vec<Id>,
    lookup: IndexTable,
    numbers: Vec<BigInt>,
    number_lookup: IndexTable,
    functions: Vec<Function>,
    sorts: Vec<String>,
}

impl Arena {
    /// An arena without formulas.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many distinct terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// About how many bytes the terms take.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<StoredNode>()
            + self.children.capacity() * size_of::<Id>()
            + (self.lookup.slots.capacity() + self.number_lookup.slots.capacity()) * 4
            + self.numbers.capacity() * size_of::<BigInt>()
    }

    /// The sort of a term.
    pub fn sort_of(&self, id: Id) -> Sort {
        self.nodes[id.0 as usize].sort
    }

    /// A new uninterpreted sort. The hint is part of its printed name.
    pub fn sort(&mut self, hint: &str) -> SortId {
        let id = SortId(index(self.sorts.len()));
        self.sorts.push(printed_name(hint, "sort", id.0));
        id
    }

    /// A new function. The hint is part of its printed name.
    pub fn function(&mut self, hint: &str, parameters: &[Sort], result: Sort) -> FnId {
        let id = FnId(index(self.functions.len()));
        let name = printed_name(hint, "f", id.0);
        self.functions.push(Function { name, parameters: parameters.to_vec(), result });
        id
    }

    /// The view of a term.
    pub fn node(&self, id: Id) -> Node<'_> {
        let stored = &self.nodes[id.0 as usize];
        let children = self.children(id);
        match (stored.kind, children) {
            (Kind::True, _) => Node::Bool(true),
            (Kind::Int(number), _) => Node::Int(&self.numbers[number as usize]),
            (Kind::Apply(function), arguments) => Node::Apply(function, arguments),
            (Kind::Not, &[inner]) => Node::Not(inner),
            (Kind::And, parts) => Node::And(parts),
            (Kind::Or, parts) => Node::Or(parts),
            (Kind::Ite, &[condition, then, other]) => Node::Ite(condition, then, other),
            (Kind::Eq, &[left, right]) => Node::Eq(left, right),
            (Kind::Distinct, parts) => Node::Distinct(parts),
            (Kind::Add, parts) => Node::Add(parts),
            (Kind::Scale(number), &[inner]) => Node::Scale(&self.numbers[number as usize], inner),
            (Kind::Mul, &[left, right]) => Node::Mul(left, right),
            (Kind::Ge, &[left, right]) => Node::Ge(left, right),
            (Kind::Div(number), &[inner]) => Node::Div(inner, &self.numbers[number as usize]),
            (Kind::Mod(number), &[inner]) => Node::Mod(inner, &self.numbers[number as usize]),
            (Kind::Forall, [variables @ .., body]) => Node::Forall(variables, *body),
            // Every other kind was built with the children it is matched with above.
            _ => Node::Bool(false),
        }
    }

    /// The children of a term; for a quantifier its variables and its body.
    pub fn children(&self, id: Id) -> &[Id] {
        let stored = &self.nodes[id.0 as usize];
        &self.children[stored.start as usize..][..stored.length as usize]
    }

    pub(super) fn function_data(&self, function: FnId) -> &Function {
        &self.functions[function.0 as usize]
    }

    pub(super) fn sort_name(&self, sort: Sort) -> &str {
        match sort {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Uninterpreted(id) => &self.sorts[id.0 as usize],
        }
    }

    pub(super) fn number(&mut self, number: BigInt) -> u32 {
        let key = hash(&number);
        let numbers = &self.numbers;
        if let Some(found) = self.number_lookup.find(key, |at| numbers[at as usize] == number) {
            return found;
        }
        let at = index(self.numbers.len());
        self.numbers.push(number);
        let numbers = &self.numbers;
        self.number_lookup.insert(key, at, |at| hash(&numbers[at as usize]));
        at
    }

    pub(super) fn intern(&mut self, kind: Kind, sort: Sort, children: &[Id]) -> Id {
        let key = hash(&(kind, children));
        let (nodes, all) = (&self.nodes, &self.children);
        let same = |at: u32| {
            let node = &nodes[at as usize];
            node.kind == kind && all[node.start as usize..][..node.length as usize] == *children
        };
        if let Some(found) = self.lookup.find(key, same) {
            return Id(found);
        }
        let at = index(self.nodes.len());
        let (start, length) = (index(self.children.len()), index(children.len()));
        self.children.extend_from_slice(children);
        self.nodes.push(StoredNode { kind, sort, start, length });
        let (nodes, all) = (&self.nodes, &self.children);
        self.lookup.insert(key, at, |at| {
            let node = &nodes[at as usize];
            hash(&(node.kind, &all[node.start as usize..][..node.length as usize]))
        });
        Id(at)
    }
}

/// A name without clashes: lower-case letters, digits and underscores, ending in a number that is
/// unique among its kind.
fn printed_name(hint: &str, kind: &str, number: u32) -> String {
    let mut name = String::with_capacity(hint.len() + 8);
    for character in hint.chars().take(40) {
        name.push(if character.is_ascii_alphanumeric() {
            character.to_ascii_lowercase()
        } else {
            '_'
        });
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.insert_str(0, kind);
    }
    format!("{name}_{number}")
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("2^32 terms do not fit into memory")
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hash table of indices into a vector, with linear probing and without removal.
#[derive(Default)]
struct IndexTable {
    /// A position plus one; zero is free. The length is zero or a power of two.
    slots: Vec<u32>,
    used: usize,
}

impl IndexTable {
    fn find(&self, key: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = spread(key) & mask;
        while self.slots[slot] != 0 {
            if same(self.slots[slot] - 1) {
                return Some(self.slots[slot] - 1);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    fn insert(&mut self, key: u64, position: u32, key_of: impl Fn(u32) -> u64) {
        if (self.used + 1) * 2 > self.slots.len() {
            let grown = (self.slots.len() * 2).max(64);
            let old = std::mem::replace(&mut self.slots, vec![0; grown]);
            for occupied in old.into_iter().filter(|&slot| slot != 0) {
                self.place(key_of(occupied - 1), occupied);
            }
        }
        self.place(key, position + 1);
        self.used += 1;
    }

    fn place(&mut self, key: u64, occupied: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = spread(key) & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = occupied;
    }
}

/// The low bits of the hash alone are not well mixed.
fn spread(key: u64) -> usize {
    (key ^ (key >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_right(32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_harmless() {
        assert_eq!(printed_name("str.++ String", "f", 3), "str____string_3");
        assert_eq!(printed_name("", "f", 3), "f_3");
        assert_eq!(printed_name("1|\"ü", "f", 4), "f1____4");
    }

    #[test]
    fn the_same_term_is_stored_once() {
        let mut arena = Arena::new();
        let x = arena.fresh_int("x");
        let one = arena.int(1);
        let sum = arena.add(&[x, one]);
        let before = arena.len();
        assert_eq!(arena.add(&[one, x]), sum);
        assert_eq!(arena.len(), before);
    }

    #[test]
    fn a_million_terms_take_less_than_a_hundred_bytes_each() {
        let mut arena = Arena::new();
        let x = arena.fresh_int("x");
        let mut sum = x;
        for _ in 0..1_000_000 {
            sum = arena.mul(sum, x);
        }
        assert!(arena.len() >= 1_000_000);
        assert!(arena.bytes() < 100 * arena.len(), "{} bytes", arena.bytes());
    }
}
