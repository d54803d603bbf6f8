//! The storage of terms: nodes with a tag and a payload, children in one vector, values in side
//! tables.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::Quantifier;
use crate::{Op, Sort};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    String,
    Integer,
    Op(Op),
    Apply,
    Variable,
    Quantifier,
    Named,
}

/// A term. `payload` indexes the side table that belongs to the tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub tag: Tag,
    pub sort: Sort,
    pub payload: u32,
    pub start: u32,
    pub length: u32,
}

/// How the children of a quantifier divide into variables, body and patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct QuantifierShape {
    pub quantifier: Quantifier,
    pub variables: u32,
    pub pattern_lengths: Vec<u32>,
}

/// A hash table of ids, looked up by content.
pub(super) type Lookup<T> = HashTable<T>;

/// The hash that every lookup of the pool uses.
pub(super) fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
