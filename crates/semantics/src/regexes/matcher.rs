//! Membership by derivatives, computed on demand.
//!
//! The derivative of a language by a character `a` is `{w : a·w ∈ L}` (Brzozowski: Derivatives of
//! Regular Expressions, JACM 1964). Each is computed once for every expression and character class.
//! At any moment only derivatives of one word and of its suffixes are in use, so the cost is
//! polynomial for every expression, complements and intersections under concatenation and
//! repetition included.

use luthier_terms::CodePoint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, Class};
use super::import::{Direction, import, transfer};
use super::language::Language;
use super::store::{ALL, EMPTY, EPSILON, Expr, ExprId, Store};
use crate::limits::{Budget, Exhausted};

/// A matcher for one language, or for two that are compared.
pub(super) struct Matcher {
    store: Store,
    alphabet: Alphabet,
    derivatives: FxHashMap<(ExprId, Class), ExprId>,
    /// For concatenations, the part ∂r·s of ∂(r·s).
    through: FxHashMap<(ExprId, Class), ExprId>,
    start: ExprId,
    cells: usize,
}

impl Matcher {
    /// A matcher for a language in a direction; it uses about `cells` cells of memory.
    pub(super) fn new(language: &Language, direction: Direction, cells: usize) -> Self {
        let mut store = Store::new();
        let start = import(&mut store, language, direction).expr;
        Self::with_store(store, Alphabet::new(&[language]), start, cells)
    }

    /// A matcher for two languages over a common alphabet, with their expressions; `None` if a
    /// repetition count was truncated.
    pub(super) fn of_pair(
        left: &Language,
        right: &Language,
        cells: usize,
    ) -> Option<(Self, ExprId, ExprId)> {
        let mut store = Store::new();
        let one = import(&mut store, left, Direction::Forward);
        let other = import(&mut store, right, Direction::Forward);
        let alphabet = Alphabet::new(&[left, right]);
        let matcher = Self::with_store(store, alphabet, one.expr, cells);
        (!one.cut && !other.cut).then_some((matcher, one.expr, other.expr))
    }

    fn with_store(store: Store, alphabet: Alphabet, start: ExprId, cells: usize) -> Self {
        let (derivatives, through) = (FxHashMap::default(), FxHashMap::default());
        Self { store, alphabet, derivatives, through, start, cells }
    }

    /// The expression of the language.
    pub(super) fn start(&self) -> ExprId {
        self.start
    }

    /// Whether the empty word is in the language of an expression.
    pub(super) fn accepts(&self, state: ExprId) -> bool {
        self.store.nullable(state)
    }

    pub(super) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// How much memory is in use, in cells.
    pub(super) fn size(&self) -> usize {
        self.store.cells() + 4 * (self.derivatives.len() + self.through.len())
    }

    /// Whether the word is in the language.
    pub(super) fn matches(
        &mut self,
        word: impl IntoIterator<Item = CodePoint>,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let mut state = self.start;
        for character in word {
            // No word is in ∅ and every word is in Σ*, whatever follows.
            if state == EMPTY || state == ALL {
                break;
            }
            state = self.next(state, character, budget)?;
        }
        Ok(self.accepts(state))
    }

    /// The derivative of the current expression by a character. All expressions but the start and
    /// the derivative may be dropped, so earlier ones must not be used afterwards.
    pub(super) fn next(
        &mut self,
        state: ExprId,
        character: CodePoint,
        budget: &mut Budget,
    ) -> Result<ExprId, Exhausted> {
        let class = self.alphabet.class_of(character);
        let next = self.derivative(state, class, budget)?;
        if self.size() <= self.cells { Ok(next) } else { self.forget_all_but(next) }
    }

    /// The derivative of an expression by a character class. Nothing is dropped; the caller must
    /// check the memory in use.
    pub(super) fn derivative(
        &mut self,
        root: ExprId,
        class: Class,
        budget: &mut Budget,
    ) -> Result<ExprId, Exhausted> {
        budget.charge(1)?;
        if let Some(&known) = self.derivatives.get(&(root, class)) {
            return Ok(known);
        }
        let mut stack = vec![(root, None)];
        while let Some((id, summands)) = stack.pop() {
            if self.derivatives.contains_key(&(id, class)) {
                continue;
            }
            let Some(summands) = summands else {
                let summands = self.summands(id);
                budget.charge(summands.len())?;
                let mut needed = Vec::new();
                for &summand in &summands {
                    self.needed(id, summand, class, &mut needed);
                }
                stack.push((id, Some(summands)));
                stack.extend(needed.into_iter().map(|part| (part, None)));
                continue;
            };
            let derivative = match *summands {
                [only] => self.of_summand(only, class),
                _ => {
                    let parts: Vec<ExprId> =
                        summands.iter().map(|&part| self.of_summand(part, class)).collect();
                    self.store.union(parts)
                }
            };
            self.derivatives.insert((id, class), derivative);
            budget.charge(1 + self.store.take_work())?;
            // A single derivative may already be too large to be stored.
            if self.size() > self.cells.saturating_mul(2) {
                return Err(Exhausted);
            }
        }
        Ok(self.derivatives[&(root, class)])
    }

    /// Expressions whose derivatives make that of `id`, each once: the members of unions, and,
    /// because ∂(r·s) = ∂r·s ∪ ∂s if ε ∈ r, what follows such an `r`. For a concatenation in the
    /// list only ∂r·s counts. Collecting all of them before any union is built saves a factor of
    /// their number where many optional parts follow each other.
    fn summands(&self, id: ExprId) -> Vec<ExprId> {
        let mut summands = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![id];
        while let Some(part) = pending.pop() {
            match self.store.expr(part) {
                Expr::Union(list) => pending.extend(list.iter()),
                _ if !seen.insert(part) => {}
                Expr::Concat(head, tail) => {
                    summands.push(part);
                    if self.store.nullable(*head) {
                        pending.push(*tail);
                    }
                }
                _ => summands.push(part),
            }
        }
        summands
    }

    /// Adds the expressions whose derivatives are needed for a summand of `id` and not known.
    fn needed(&self, id: ExprId, summand: ExprId, class: Class, needed: &mut Vec<ExprId>) {
        let parts: &[ExprId] = match self.store.expr(summand) {
            Expr::Empty | Expr::Epsilon | Expr::Characters(_) | Expr::Literal { .. } => &[],
            Expr::Concat(..) if self.through.contains_key(&(summand, class)) => &[],
            Expr::Concat(head, _) => &[*head],
            // The derivative of another expression than `id` is cached.
            _ if summand != id => &[summand],
            Expr::Union(list) | Expr::Intersection(list) => list,
            Expr::Complement(inner) | Expr::Repeat(inner, _) => &[*inner],
        };
        let unknown = |part: &ExprId| !self.derivatives.contains_key(&(*part, class));
        needed.extend(parts.iter().copied().filter(unknown));
    }

    /// What a summand contributes, from the derivatives that are needed for it.
    fn of_summand(&mut self, id: ExprId, class: Class) -> ExprId {
        let code = self.alphabet.representative(class);
        let of = |part: ExprId| self.derivatives[&(part, class)];
        match *self.store.expr(id) {
            Expr::Empty | Expr::Epsilon => EMPTY,
            Expr::Characters(ref set) => {
                if set.contains(code) {
                    EPSILON
                } else {
                    EMPTY
                }
            }
            Expr::Literal { text, offset } => {
                if self.store.text(text)[offset as usize].code() == code {
                    self.store.literal_from(text, offset + 1)
                } else {
                    EMPTY
                }
            }
            Expr::Concat(head, tail) => {
                if let Some(&known) = self.through.get(&(id, class)) {
                    return known;
                }
                let head_derivative = of(head);
                let through = self.store.concat(head_derivative, tail);
                self.through.insert((id, class), through);
                through
            }
            Expr::Union(_) => unreachable!("a summand is no union"),
            _ if self.derivatives.contains_key(&(id, class)) => of(id),
            Expr::Intersection(ref list) => {
                let parts: Vec<ExprId> = list.iter().map(|&part| of(part)).collect();
                self.store.intersection(parts)
            }
            Expr::Complement(inner) => {
                let inner = of(inner);
                self.store.complement(inner)
            }
            // ∂(r{S}) = ∂r·r{S−1}. If ε ∉ r, this is ∂(rᵏ) = ∂r·rᵏ⁻¹ for every k ≥ 1 in S. If
            // ε ∈ r, then S = {0, …, n}, and ∂(rⁿ) = ∂r·rⁿ⁻¹ ∪ ∂r·rⁿ⁻² ∪ … = ∂r·rⁿ⁻¹, because
            // lower powers are contained in higher ones; for S without end likewise.
            Expr::Repeat(base, ref counts) => {
                let (base_derivative, rest) = (of(base), counts.after_one());
                let rest = self.store.repeat(base, rest);
                self.store.concat(base_derivative, rest)
            }
        }
    }

    /// Drops all expressions but the start and `state`, and gives `state` its new name.
    fn forget_all_but(&mut self, state: ExprId) -> Result<ExprId, Exhausted> {
        let mut store = Store::new();
        let kept = transfer(&self.store, &mut store, &[self.start, state]);
        self.store = store;
        self.derivatives = FxHashMap::default();
        self.through = FxHashMap::default();
        self.start = kept[0];
        // If little was freed, the next derivative would clear everything again.
        if self.size() > self.cells / 2 { Err(Exhausted) } else { Ok(kept[1]) }
    }
}
