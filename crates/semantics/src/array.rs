//! Array values: a constant array with finitely many stores.
//!
//! Stores form a shared list, so that a chain of stores costs one node each. All traversals of the
//! list are loops, and so is its destruction.

use std::fmt;
use std::sync::Arc;

use luthier_terms::{BasicSort, BuildError, Op, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Value;
use crate::value::Key;

/// A value of sort `(Array I E)`.
#[derive(Clone)]
pub struct ArrayValue {
    index: BasicSort,
    element: BasicSort,
    default: Arc<Value>,
    last: Option<Arc<StoreNode>>,
}

/// A store, with the earlier ones.
struct StoreNode {
    before: Option<Arc<StoreNode>>,
    index: Value,
    element: Value,
}

impl ArrayValue {
    /// The constant array of `element`; `None` if `element` is itself an array.
    pub fn constant(index: BasicSort, element: Value) -> Option<Self> {
        let sort = element.basic_sort()?;
        Some(Self { index, element: sort, default: Arc::new(element), last: None })
    }

    /// The array after a store; `None` if the index or the element has the wrong sort.
    pub fn store(&self, index: Value, element: Value) -> Option<Self> {
        let fits =
            index.basic_sort() == Some(self.index) && element.basic_sort() == Some(self.element);
        fits.then(|| Self {
            default: self.default.clone(),
            last: Some(Arc::new(StoreNode { before: self.last.clone(), index, element })),
            ..*self
        })
    }

    /// The sort of the indices.
    pub fn index_sort(&self) -> BasicSort {
        self.index
    }

    /// The sort of the elements.
    pub fn element_sort(&self) -> BasicSort {
        self.element
    }

    /// The element at all indices without a store.
    pub fn default_element(&self) -> &Value {
        &self.default
    }

    /// The stores from the last to the first; if an index occurs more than once, its first
    /// occurrence here counts.
    pub fn changes(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let mut next = self.last.as_deref();
        std::iter::from_fn(move || {
            let change = next?;
            next = change.before.as_deref();
            Some((&change.index, &change.element))
        })
    }

    /// The element at `wanted`; `same` compares indices and may fail to decide.
    pub(crate) fn select<E>(
        &self,
        wanted: &Value,
        mut same: impl FnMut(&Value, &Value) -> Result<bool, E>,
    ) -> Result<&Value, E> {
        for (index, element) in self.changes() {
            if same(index, wanted)? {
                return Ok(element);
            }
        }
        Ok(self.default_element())
    }

    /// Whether two arrays of one sort have the same element at every index; `same` compares
    /// indices and elements and may fail to decide.
    pub(crate) fn equal<E>(
        &self,
        other: &Self,
        same: &mut impl FnMut(&Value, &Value) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let (left, right) = (self.entries(same)?, other.entries(same)?);
        let mut pairs: Vec<(&Value, &Value)> = Vec::new();
        // Finitely many indices have stores, so over an infinite sort some index has none, and the
        // defaults must agree. Over Bool both indices may have stores.
        let both = [Value::Bool(false), Value::Bool(true)];
        let indices: Vec<&Value> = if self.index == BasicSort::Bool {
            both.iter().collect()
        } else {
            pairs.push((self.default_element(), other.default_element()));
            left.list.iter().chain(&right.list).map(|(index, _)| *index).collect()
        };
        for index in indices {
            let mine = left.get(index, same)?.unwrap_or(self.default_element());
            let others = right.get(index, same)?.unwrap_or(other.default_element());
            pairs.push((mine, others));
        }
        // A pair that differs decides, even if another one cannot be compared.
        let mut answer = Ok(true);
        for (mine, others) in pairs {
            match same(mine, others) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) => answer = Err(error),
            }
        }
        answer
    }

    /// A ground term that has this value.
    pub(crate) fn to_term(&self, pool: &mut TermPool) -> Result<TermId, BuildError> {
        let default = self.default_element().to_term(pool)?;
        let mut term = pool.constant_array(self.index, default)?;
        let changes: Vec<_> = self.changes().collect();
        for (index, element) in changes.into_iter().rev() {
            let (index, element) = (index.to_term(pool)?, element.to_term(pool)?);
            term = pool.op(Op::Store, &[term, index, element])?;
        }
        Ok(term)
    }

    /// The effective stores, each index once.
    fn entries<E>(
        &self,
        same: &mut impl FnMut(&Value, &Value) -> Result<bool, E>,
    ) -> Result<Entries<'_>, E> {
        let mut entries = Entries { list: Vec::new(), table: FxHashMap::default() };
        for (index, element) in self.changes() {
            if entries.get(index, same)?.is_none() {
                if let Some(key) = index.key() {
                    entries.table.insert(key, entries.list.len());
                }
                entries.list.push((index, element));
            }
        }
        Ok(entries)
    }
}

/// The effective stores of an array. Indices that are languages are not in the table.
struct Entries<'a> {
    list: Vec<(&'a Value, &'a Value)>,
    table: FxHashMap<Key, usize>,
}

impl<'a> Entries<'a> {
    fn get<E>(
        &self,
        wanted: &Value,
        same: &mut impl FnMut(&Value, &Value) -> Result<bool, E>,
    ) -> Result<Option<&'a Value>, E> {
        if let Some(key) = wanted.key() {
            return Ok(self.table.get(&key).map(|&position| self.list[position].1));
        }
        for &(index, element) in &self.list {
            if same(index, wanted)? {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }
}

/// Extensional, except that languages are compared structurally.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        let mut same = |left: &Value, right: &Value| Ok::<_, ()>(left == right);
        self.index == other.index
            && self.element == other.element
            && self.equal(other, &mut same) == Ok(true)
    }
}

/// Iterative, because the default would drop the list recursively.
impl Drop for StoreNode {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut change) = next.and_then(Arc::into_inner) {
            next = change.before.take();
        }
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut seen = FxHashSet::default();
        let counts =
            self.changes().filter(|(index, _)| index.key().is_none_or(|key| seen.insert(key)));
        f.debug_map().entries(counts).entry(&"_", self.default_element()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(number: i64) -> Value {
        Value::Int(number.into())
    }

    fn constant(index: BasicSort, element: Value) -> ArrayValue {
        ArrayValue::constant(index, element).unwrap()
    }

    #[test]
    fn the_last_change_at_an_index_counts() {
        let array = constant(BasicSort::Int, int(0));
        let changed = array.store(int(1), int(5)).unwrap().store(int(1), int(6)).unwrap();
        assert_eq!(changed, array.store(int(1), int(6)).unwrap());
        assert_ne!(changed, array.store(int(1), int(5)).unwrap());
    }

    #[test]
    fn storing_the_default_changes_nothing() {
        let array = constant(BasicSort::Int, int(0));
        assert_eq!(array.store(int(1), int(5)).unwrap().store(int(1), int(0)).unwrap(), array);
        assert_ne!(array, constant(BasicSort::Int, int(1)));
    }

    #[test]
    fn with_both_truth_values_stored_the_default_does_not_matter() {
        let full = |default: i64| {
            let array = constant(BasicSort::Bool, int(default));
            array.store(true.into(), int(7)).unwrap().store(false.into(), int(8)).unwrap()
        };
        assert_eq!(full(1), full(2));
        let half = |default: i64| {
            constant(BasicSort::Bool, int(default)).store(true.into(), int(7)).unwrap()
        };
        assert_ne!(half(1), half(2));
        assert_eq!(half(8), full(0));
    }

    #[test]
    fn wrong_sorts_are_refused() {
        let array = constant(BasicSort::Int, int(0));
        assert!(array.store(true.into(), int(0)).is_none());
        assert!(array.store(int(0), true.into()).is_none());
        assert!(ArrayValue::constant(BasicSort::Int, array.into()).is_none());
    }

    #[test]
    fn a_hundred_thousand_stores_are_compared_and_destroyed() {
        let build = || {
            (0..100_000).fold(constant(BasicSort::Int, int(0)), |array, number| {
                array.store(int(number), int(number)).unwrap()
            })
        };
        assert_eq!(build(), build());
    }
}
