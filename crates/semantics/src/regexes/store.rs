//! A hash-consed store of regular expressions with simplifying constructors.
//!
//! Every simplification is an equation between languages, stated where it is made. They only keep
//! derivatives few and small (Brzozowski; Owens, Reppy, Turon: Regular-expression derivatives
//! re-examined, JFP 2009); omitting any of them would not change an answer.

use std::rc::Rc;

use luthier_terms::CodePoint;
use rustc_hash::FxHashMap;

use super::charset::CharSet;
use super::counts::Counts;

/// An expression in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ExprId(u32);

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expr {
    /// ∅
    Empty,
    /// ε
    Epsilon,
    /// One character of a set that is not empty.
    Characters(CharSet),
    /// A text of the store from an offset on; two or more characters.
    Literal { text: u32, offset: u32 },
    /// One after the other. The first is not a concatenation, unless it is a long one.
    Concat(ExprId, ExprId),
    /// Two or more, sorted.
    Union(Rc<[ExprId]>),
    /// Two or more, sorted.
    Intersection(Rc<[ExprId]>),
    /// Everything else.
    Complement(ExprId),
    /// Repeated so many times. If the repeated expression matches ε, the counts are an interval
    /// from zero.
    Repeat(ExprId, Counts),
}

/// The owner of expressions.
pub(super) struct Store {
    exprs: Vec<Expr>,
    nullable: Vec<bool>,
    lookup: FxHashMap<Expr, ExprId>,
    texts: Vec<Rc<[CodePoint]>>,
    text_lookup: FxHashMap<Rc<[CodePoint]>, u32>,
    cells: usize,
    work: usize,
}

/// ∅
pub(super) const EMPTY: ExprId = ExprId(0);
/// ε
pub(super) const EPSILON: ExprId = ExprId(1);
/// Any one character.
const ANY: ExprId = ExprId(2);
/// Σ*
pub(super) const ALL: ExprId = ExprId(3);

/// The maximal length of a concatenation that is reassociated. Without a bound, shared
/// concatenations would be expanded, which may take exponential time.
const MAX_REASSOCIATED_PARTS: usize = 64;

/// The depth of factoring in unions that factoring itself creates.
const FACTORING_DEPTH: usize = 6;

impl Store {
    pub(super) fn new() -> Self {
        let mut store = Self {
            exprs: Vec::new(),
            nullable: Vec::new(),
            lookup: FxHashMap::default(),
            texts: Vec::new(),
            text_lookup: FxHashMap::default(),
            cells: 0,
            work: 0,
        };
        let empty = store.intern(Expr::Empty);
        let epsilon = store.intern(Expr::Epsilon);
        let any = store.intern(Expr::Characters(CharSet::full()));
        let all = store.intern(Expr::Repeat(ANY, Counts::any()));
        debug_assert_eq!([empty, epsilon, any, all], [EMPTY, EPSILON, ANY, ALL]);
        store
    }

    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Whether the empty string is in the language.
    pub(super) fn nullable(&self, id: ExprId) -> bool {
        self.nullable[id.0 as usize]
    }

    /// An estimate of the memory of the expressions, in cells of eight bytes.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// The work done since the last call.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    pub(super) fn text(&self, text: u32) -> &[CodePoint] {
        &self.texts[text as usize]
    }

    /// One character of a set.
    pub(super) fn characters(&mut self, set: CharSet) -> ExprId {
        if set.is_empty() { EMPTY } else { self.intern(Expr::Characters(set)) }
    }

    /// One string.
    pub(super) fn literal(&mut self, characters: &[CodePoint]) -> ExprId {
        if characters.len() < 2 {
            return match characters {
                [] => EPSILON,
                [character, ..] => self.characters(CharSet::single(*character)),
            };
        }
        let text = match self.text_lookup.get(characters) {
            Some(&text) => text,
            None => self.add_text(characters.into()),
        };
        self.intern(Expr::Literal { text, offset: 0 })
    }

    /// The number of a text of another store in this one.
    pub(super) fn share_text(&mut self, other: &Self, text: u32) -> u32 {
        let characters = &other.texts[text as usize];
        match self.text_lookup.get(characters) {
            Some(&text) => text,
            None => self.add_text(characters.clone()),
        }
    }

    fn add_text(&mut self, characters: Rc<[CodePoint]>) -> u32 {
        let text = number(self.texts.len());
        self.cells += characters.len();
        self.texts.push(characters.clone());
        self.text_lookup.insert(characters, text);
        text
    }

    /// What is left of a text of the store from an offset on.
    pub(super) fn literal_from(&mut self, text: u32, offset: u32) -> ExprId {
        match self.text(text)[offset as usize..] {
            [] => EPSILON,
            [character] => self.characters(CharSet::single(character)),
            _ => self.intern(Expr::Literal { text, offset }),
        }
    }

    /// `first·second`.
    ///
    /// ∅·r = r·∅ = ∅; ε·r = r·ε = r; (a·b)·c = a·(b·c).
    pub(super) fn concat(&mut self, first: ExprId, second: ExprId) -> ExprId {
        if first == EMPTY || second == EMPTY {
            return EMPTY;
        }
        if second == EPSILON {
            return first;
        }
        let mut parts = Vec::new();
        let mut rest = first;
        while let Expr::Concat(head, tail) = *self.expr(rest) {
            if parts.len() == MAX_REASSOCIATED_PARTS {
                return self.prepend(first, second);
            }
            parts.push(head);
            rest = tail;
        }
        let mut result = self.prepend(rest, second);
        for part in parts.into_iter().rev() {
            result = self.prepend(part, result);
        }
        result
    }

    /// `head·tail` where both are neither ∅ nor `tail` is ε; merges repetitions of one language:
    /// r{S}·r{T} = r{S+T}.
    fn prepend(&mut self, head: ExprId, tail: ExprId) -> ExprId {
        if head == EPSILON {
            return tail;
        }
        let (next, after) = match *self.expr(tail) {
            Expr::Concat(next, after) => (next, Some(after)),
            _ => (tail, None),
        };
        let (base, counts) = self.as_repeat(head);
        let (next_base, next_counts) = self.as_repeat(next);
        if base == next_base
            && let Some(sum) = counts.sum(&next_counts)
        {
            let merged = self.repeat(base, sum);
            return match after {
                Some(after) => self.intern(Expr::Concat(merged, after)),
                None => merged,
            };
        }
        self.intern(Expr::Concat(head, tail))
    }

    /// `id` as a repetition: r = r{1}.
    fn as_repeat(&self, id: ExprId) -> (ExprId, Counts) {
        match self.expr(id) {
            Expr::Repeat(base, counts) => (*base, counts.clone()),
            _ => (id, Counts::exactly(1)),
        }
    }

    /// `base{counts}`: the union of the powers.
    pub(super) fn repeat(&mut self, base: ExprId, counts: Counts) -> ExprId {
        // r{∅} = ∅.
        if counts.is_empty() {
            return EMPTY;
        }
        // ∅{S} has ε exactly if 0 ∈ S; r{0} = ε; ε{S} = ε.
        if base == EMPTY {
            return if counts.contains(0) { EPSILON } else { EMPTY };
        }
        if base == EPSILON || counts.is_exactly(0) {
            return EPSILON;
        }
        // If ε ∈ r, then rʲ ⊆ rᵏ for j ≤ k, so only the largest count matters.
        let counts = if self.nullable(base) { counts.downward() } else { counts };
        // r{1} = r, and so is r{0,1} if ε ∈ r.
        let once = Counts::between(0, Some(1));
        if counts.is_exactly(1) || self.nullable(base) && counts == once {
            return base;
        }
        if let Expr::Repeat(inner, inner_counts) = self.expr(base) {
            let (inner, inner_counts) = (*inner, inner_counts.clone());
            // If 1 ∈ S, then r ⊆ r{S} ⊆ r*, and so (r{S})* = r*. The same for S = any and every
            // power but the zeroth.
            if inner_counts.is_any() || counts.is_any() && inner_counts.contains(1) {
                return self.repeat(inner, Counts::any());
            }
            // (r{[i,n]}){k} = r{[ki,kn]}.
            if let Some(product) = counts.single().and_then(|k| inner_counts.times(k)) {
                return self.repeat(inner, product);
            }
        }
        self.intern(Expr::Repeat(base, counts))
    }

    /// ¬∅ = Σ*; ¬Σ* = ∅; ¬¬r = r.
    pub(super) fn complement(&mut self, id: ExprId) -> ExprId {
        match *self.expr(id) {
            _ if id == ALL => EMPTY,
            Expr::Empty => ALL,
            Expr::Complement(inner) => inner,
            _ => self.intern(Expr::Complement(id)),
        }
    }

    /// The intersection of any number of expressions; Σ* of none.
    ///
    /// Associative, commutative, idempotent; r∩∅ = ∅; r∩Σ* = r; r∩¬r = ∅; sets of characters are
    /// intersected; r∩ε is ε if ε ∈ r, otherwise ∅.
    pub(super) fn intersection(&mut self, members: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut list = Vec::new();
        let mut characters: Option<CharSet> = None;
        for member in members {
            match self.expr(member) {
                Expr::Intersection(inner) => list.extend_from_slice(inner),
                _ => list.push(member),
            }
        }
        self.work += list.len();
        list.retain(|&member| match &self.exprs[member.0 as usize] {
            _ if member == ALL => false,
            Expr::Characters(set) => {
                let common =
                    characters.as_ref().map_or_else(|| set.clone(), |s| s.intersection(set));
                characters = Some(common);
                false
            }
            _ => true,
        });
        if let Some(set) = characters {
            list.push(self.characters(set));
        }
        list.sort_unstable();
        list.dedup();
        if list.contains(&EMPTY) || self.has_complements(&list) {
            return EMPTY;
        }
        if list.contains(&EPSILON) {
            let all = list.iter().all(|&member| self.nullable(member));
            return if all { EPSILON } else { EMPTY };
        }
        match *list {
            [] => ALL,
            [only] => only,
            _ => self.intern(Expr::Intersection(list.into())),
        }
    }

    /// The union of any number of expressions; ∅ of none.
    pub(super) fn union(&mut self, members: impl IntoIterator<Item = ExprId>) -> ExprId {
        let members = members.into_iter().collect();
        self.union_with_factors(members, FACTORING_DEPTH)
    }

    /// Associative, commutative, idempotent; r∪∅ = r; r∪Σ* = Σ*; r∪¬r = Σ*; sets of characters
    /// are united; r{S}∪r{T} = r{S∪T}; r∪ε = r if ε ∈ r; and, to a bounded depth,
    /// a·t ∪ b·t = (a∪b)·t and h·a ∪ h·b = h·(a∪b).
    fn union_with_factors(&mut self, members: Vec<ExprId>, depth: usize) -> ExprId {
        let mut list = Vec::with_capacity(members.len());
        for member in members {
            match self.expr(member) {
                Expr::Union(inner) => list.extend_from_slice(inner),
                Expr::Empty => {}
                _ => list.push(member),
            }
        }
        self.work += list.len();
        list.sort_unstable();
        list.dedup();
        if list.len() > 1 {
            self.merge_repeats(&mut list);
            if depth > 0 {
                self.factor(&mut list, depth - 1, Factor::Tail);
                self.factor(&mut list, depth - 1, Factor::Head);
            }
            self.merge_characters(&mut list);
        }
        list.sort_unstable();
        list.dedup();
        if list.contains(&ALL) || self.has_complements(&list) {
            return ALL;
        }
        if list.contains(&EPSILON)
            && list.iter().any(|&member| member != EPSILON && self.nullable(member))
        {
            list.retain(|&member| member != EPSILON);
        }
        match *list {
            [] => EMPTY,
            [only] => only,
            _ => self.intern(Expr::Union(list.into())),
        }
    }

    /// Whether a sorted list has an expression and its complement.
    fn has_complements(&self, list: &[ExprId]) -> bool {
        list.iter().any(|&member| match *self.expr(member) {
            Expr::Complement(inner) => list.binary_search(&inner).is_ok(),
            _ => false,
        })
    }

    fn merge_characters(&mut self, list: &mut Vec<ExprId>) {
        let is_set = |&member: &ExprId| match &self.exprs[member.0 as usize] {
            Expr::Characters(set) => Some(set.clone()),
            _ => None,
        };
        let sets: Vec<CharSet> = list.iter().filter_map(is_set).collect();
        if sets.len() > 1 {
            list.retain(|member| is_set(member).is_none());
            let all = unite(sets);
            let merged = self.characters(all);
            list.push(merged);
        }
    }

    /// r{S}∪r{T} = r{S∪T}, also for T = {1}.
    fn merge_repeats(&mut self, list: &mut Vec<ExprId>) {
        let mut counts: FxHashMap<ExprId, (usize, Option<Counts>)> = FxHashMap::default();
        let mut any = false;
        for &member in &*list {
            if let Expr::Repeat(base, _) = *self.expr(member) {
                counts.entry(base).or_default();
                any = true;
            }
        }
        if !any {
            return;
        }
        let mut merge = false;
        for &member in &*list {
            let (base, these) = self.as_repeat(member);
            if let Some((size, sum)) = counts.get_mut(&base) {
                *size += 1;
                merge |= *size > 1;
                *sum = Some(sum.as_ref().map_or_else(|| these.clone(), |sum| sum.union(&these)));
            }
        }
        if !merge {
            return;
        }
        let old = std::mem::take(list);
        for member in old {
            let (base, _) = self.as_repeat(member);
            match counts.get_mut(&base) {
                Some((size, sum)) if *size > 1 => {
                    // The first member of a group represents all of them.
                    if let Some(sum) = sum.take() {
                        let merged = self.repeat(base, sum);
                        list.push(merged);
                    }
                }
                _ => list.push(member),
            }
        }
    }

    /// Factors out common tails, and common heads, of concatenations.
    fn factor(&mut self, list: &mut Vec<ExprId>, depth: usize, factor: Factor) {
        let mut groups: FxHashMap<ExprId, Vec<ExprId>> = FxHashMap::default();
        let mut repeated = false;
        for &member in &*list {
            if let Expr::Concat(head, tail) = *self.expr(member) {
                let (common, other) = factor.split(head, tail);
                let group = groups.entry(common).or_default();
                group.push(other);
                repeated |= group.len() > 1;
            }
        }
        if !repeated {
            return;
        }
        let old = std::mem::take(list);
        for member in old {
            let Expr::Concat(head, tail) = *self.expr(member) else {
                list.push(member);
                continue;
            };
            let (common, _) = factor.split(head, tail);
            match groups.get_mut(&common) {
                Some(group) if group.len() == 1 => list.push(member),
                // The first member of a group represents all of them.
                Some(group) if !group.is_empty() => {
                    let united = self.union_with_factors(std::mem::take(group), depth);
                    let merged = match factor {
                        Factor::Tail => self.concat(united, common),
                        Factor::Head => self.concat(common, united),
                    };
                    match self.expr(merged) {
                        Expr::Union(inner) => list.extend_from_slice(inner),
                        _ => list.push(merged),
                    }
                }
                _ => {}
            }
        }
    }

    fn intern(&mut self, expr: Expr) -> ExprId {
        self.work += 1;
        if let Some(&id) = self.lookup.get(&expr) {
            return id;
        }
        let id = ExprId(number(self.exprs.len()));
        let (nullable, size) = match &expr {
            Expr::Empty | Expr::Characters(_) | Expr::Literal { .. } => (false, 0),
            Expr::Epsilon => (true, 0),
            Expr::Concat(head, tail) => (self.nullable(*head) && self.nullable(*tail), 0),
            Expr::Union(list) => (list.iter().any(|&member| self.nullable(member)), list.len()),
            Expr::Intersection(list) => {
                (list.iter().all(|&member| self.nullable(member)), list.len())
            }
            Expr::Complement(inner) => (!self.nullable(*inner), 0),
            Expr::Repeat(base, counts) => {
                (self.nullable(*base) || counts.contains(0), 2 * counts.intervals())
            }
        };
        self.cells += 8 + size;
        self.work += size;
        self.nullable.push(nullable);
        self.exprs.push(expr.clone());
        self.lookup.insert(expr, id);
        id
    }
}

/// The common factor of concatenations of a union.
#[derive(Clone, Copy)]
enum Factor {
    Head,
    Tail,
}

impl Factor {
    /// The common part and the other one.
    fn split(self, head: ExprId, tail: ExprId) -> (ExprId, ExprId) {
        match self {
            Self::Head => (head, tail),
            Self::Tail => (tail, head),
        }
    }
}

/// The union of sets of characters, by halves, so that many sets do not take quadratic time.
fn unite(mut sets: Vec<CharSet>) -> CharSet {
    while sets.len() > 1 {
        sets = sets
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => left.union(right),
                [only, ..] => only.clone(),
                [] => CharSet::empty(),
            })
            .collect();
    }
    sets.pop().unwrap_or_else(CharSet::empty)
}

/// A store never holds 2^32 expressions: each takes more than one cell, and the number of cells is
/// limited.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a store holds less than 2^32 things")
}
