//! Functions by tables: finitely many argument tuples with a value each, and one value for all
//! other tuples.
//!
//! The interpretation that a solver builds from the values of finitely many applications. It needs
//! no terms, so it is independent of any pool. Arguments are of sorts with structural equality:
//! `Bool`, `Int` and `String`.

use luthier_terms::{BuildError, Op, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::Value;
use crate::value::Key;

/// A function that is given by a table.
#[derive(Clone, Debug)]
pub struct FunctionTable {
    parameters: Vec<Sort>,
    rows: Vec<(Vec<Value>, Value)>,
    /// The rows by their arguments.
    lookup: FxHashMap<Vec<Key>, usize>,
    default: Value,
}

impl FunctionTable {
    /// The constant function with parameters of these sorts.
    pub fn constant(parameters: Vec<Sort>, default: Value) -> Self {
        Self { parameters, rows: Vec::new(), lookup: FxHashMap::default(), default }
    }

    /// Gives a tuple of arguments a value. `false` if it has another value already, or if a sort
    /// does not fit; then nothing changes.
    #[must_use]
    pub fn insert(&mut self, arguments: Vec<Value>, value: Value) -> bool {
        let sorts = arguments.iter().map(Value::sort);
        if !sorts.eq(self.parameters.iter().copied()) || value.sort() != self.default.sort() {
            return false;
        }
        let Some(keys) = arguments.iter().map(Value::key).collect::<Option<Vec<_>>>() else {
            return false;
        };
        if let Some(&row) = self.lookup.get(&keys) {
            return self.rows[row].1 == value;
        }
        self.lookup.insert(keys, self.rows.len());
        self.rows.push((arguments, value));
        true
    }

    /// The sorts of the parameters.
    pub fn parameters(&self) -> &[Sort] {
        &self.parameters
    }

    /// The sort of the values.
    pub fn result(&self) -> Sort {
        self.default.sort()
    }

    /// The tuples with a value of their own, in the order in which they were added.
    pub fn rows(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.rows.iter().map(|(arguments, value)| (arguments.as_slice(), value))
    }

    /// The value for all other tuples.
    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// The value for these arguments; `None` if one of them is a language or an array.
    pub fn value<'a>(&self, arguments: impl IntoIterator<Item = &'a Value>) -> Option<&Value> {
        let keys = arguments.into_iter().map(Value::key).collect::<Option<Vec<_>>>()?;
        Some(self.lookup.get(&keys).map_or(&self.default, |&row| &self.rows[row].1))
    }

    /// The function as a term over some variables, one for each parameter: nested `ite`.
    pub fn to_term(&self, pool: &mut TermPool, variables: &[TermId]) -> Result<TermId, BuildError> {
        let mut term = self.default.to_term(pool)?;
        for (arguments, value) in self.rows.iter().rev() {
            let mut equations = Vec::with_capacity(arguments.len());
            for (&variable, argument) in variables.iter().zip(arguments) {
                let argument = argument.to_term(pool)?;
                equations.push(pool.op(Op::Eq, &[variable, argument])?);
            }
            let condition = match equations[..] {
                [] => pool.bool(true)?,
                [only] => only,
                _ => pool.op(Op::And, &equations)?,
            };
            let value = value.to_term(pool)?;
            term = pool.op(Op::Ite, &[condition, value, term])?;
        }
        Ok(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_has_one_value_and_all_others_have_the_default() {
        let mut table = FunctionTable::constant(vec![Sort::Int], Value::Bool(false));
        assert!(table.insert(vec![Value::Int(1.into())], Value::Bool(true)));
        assert!(table.insert(vec![Value::Int(1.into())], Value::Bool(true)));
        assert!(!table.insert(vec![Value::Int(1.into())], Value::Bool(false)), "two values");
        assert!(!table.insert(vec![Value::Bool(true)], Value::Bool(false)), "another sort");
        assert!(!table.insert(vec![], Value::Bool(false)), "too few arguments");
        let at = |number: i64| table.value([&Value::Int(number.into())]).cloned();
        assert_eq!((at(1), at(2)), (Some(Value::Bool(true)), Some(Value::Bool(false))));
        assert_eq!(table.rows().count(), 1);
    }
}
