//! Arrays: reads go through stores, constant arrays and `ite` to the constants, which are functions
//! of the index; equations of arrays are about finitely many indices.
//!
//! `select (store A i e) j` is `ite (i = j) e (select A j)`. Let I be the index terms of all reads
//! and stores of the arrays that an equation `A = B` is connected with. Then
//!
//! - if it holds, `A[i] = B[i]` for each i in I, and the *default* elements are equal: those at an
//!   index that is different from all of I, where stores change nothing;
//! - if not, `A[k] ≠ B[k]` for a fresh index k, which belongs to I for all equations.
//!
//! Sound: indices are infinitely many, so every model has an index with a value outside of I, whose
//! elements are the defaults. Complete: a model of this gives each constant the elements of its
//! reads and its default elsewhere; then `A` and `B` agree at all of I and elsewhere. For an index of
//! sort `Bool`, I is `{false, true}`, and there is no default.

use luthier_terms::{BasicSort, FunctionId, Op, Sort, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Reducer, Refused, Symbol, is_plain};
use crate::Limit;
use crate::rewrite::fresh_constant;

/// The number of an array.
pub(super) type ArrayId = usize;

/// How an array is made of others.
#[derive(Clone, Copy)]
enum Shape {
    /// A constant of the problem.
    Base(FunctionId),
    Store {
        before: ArrayId,
        index: TermId,
        element: TermId,
    },
    /// The same element everywhere.
    Constant(TermId),
    Choice {
        condition: TermId,
        yes: ArrayId,
        no: ArrayId,
    },
}

/// An equation of arrays.
struct Equation {
    left: ArrayId,
    right: ArrayId,
    /// The Boolean constant for it; `None` if it is asserted to be true or to be false.
    truth: Result<bool, TermId>,
}

/// All arrays of a problem.
#[derive(Default)]
pub(super) struct Arrays {
    shapes: Vec<(Shape, BasicSort, BasicSort)>,
    /// Index terms of reads, by the array that is read.
    indices: Vec<(ArrayId, TermId)>,
    equations: Vec<Equation>,
    by_sides: FxHashMap<(ArrayId, ArrayId), TermId>,
    reads: FxHashMap<(ArrayId, TermId), TermId>,
    defaults: FxHashMap<ArrayId, TermId>,
}

impl Arrays {
    /// Notes that an array is read at an index.
    pub(super) fn note_index(&mut self, array: ArrayId, index: TermId) {
        self.indices.push((array, index));
    }

    /// The arrays that one is made of.
    fn parts(&self, array: ArrayId) -> [Option<ArrayId>; 2] {
        match self.shapes[array].0 {
            Shape::Base(_) | Shape::Constant(_) => [None, None],
            Shape::Store { before, .. } => [Some(before), None],
            Shape::Choice { yes, no, .. } => [Some(yes), Some(no)],
        }
    }

    /// A representative of the arrays that are connected by operations and equations, for each one.
    fn classes(&self) -> Vec<ArrayId> {
        let mut parents: Vec<ArrayId> = (0..self.shapes.len()).collect();
        let find = |parents: &mut Vec<ArrayId>, mut one: ArrayId| {
            while parents[one] != one {
                parents[one] = parents[parents[one]];
                one = parents[one];
            }
            one
        };
        let parts = (0..self.shapes.len()).flat_map(|array| {
            self.parts(array).into_iter().flatten().map(move |part| (array, part))
        });
        let sides = self.equations.iter().map(|equation| (equation.left, equation.right));
        for (one, other) in parts.chain(sides).collect::<Vec<_>>() {
            let (one, other) = (find(&mut parents, one), find(&mut parents, other));
            parents[one] = other;
        }
        (0..parents.len()).map(|array| find(&mut parents, array)).collect()
    }
}

impl Reducer<'_> {
    /// The array that a term is. Its parts are known.
    pub(super) fn array(&mut self, term: TermId) -> Result<ArrayId, Refused> {
        let Sort::Array(index_sort, element_sort) = self.pool.sort(term) else {
            return Err(Refused);
        };
        if !is_plain(index_sort.into()) || !is_plain(element_sort.into()) {
            return Err(Refused);
        }
        let shape = match self.pool.term(term) {
            Term::Named(_, inner) => return Ok(self.array_of[&inner]),
            Term::Apply(function, []) if self.pool.function(function).definition.is_none() => {
                Shape::Base(function)
            }
            Term::Op(Op::Store, &[before, index, element]) => Shape::Store {
                before: self.array_of[&before],
                index: self.done[&index],
                element: self.done[&element],
            },
            Term::Op(Op::ConstArray, &[element]) => Shape::Constant(self.done[&element]),
            Term::Op(Op::Ite, &[condition, yes, no]) => Shape::Choice {
                condition: self.done[&condition],
                yes: self.array_of[&yes],
                no: self.array_of[&no],
            },
            _ => return Err(Refused),
        };
        let arrays = &mut self.arrays;
        arrays.shapes.push((shape, index_sort, element_sort));
        let array = arrays.shapes.len() - 1;
        if let Shape::Store { index, .. } = shape {
            arrays.note_index(array, index);
        }
        Ok(array)
    }

    /// The element at an index, which is reduced.
    pub(super) fn read(&mut self, array: ArrayId, index: TermId) -> Result<TermId, Refused> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.arrays.reads.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            if self.budget.limits().exceeds(Limit::SharedReads, self.arrays.reads.len()) {
                return Err(Refused);
            }
            let found = |arrays: &Arrays, part: ArrayId| arrays.reads.get(&(part, index)).copied();
            let (shape, _, element_sort) = self.arrays.shapes[top];
            let element = match shape {
                Shape::Base(function) => {
                    self.apply(Symbol::Array(function), vec![index], element_sort.into())?
                }
                Shape::Constant(element) => element,
                Shape::Store { index: at, element, .. } if at == index => element,
                Shape::Store { before, index: at, element } => {
                    let Some(other) = found(&self.arrays, before) else {
                        stack.push(before);
                        continue;
                    };
                    if self.are_different(at, index) || element == other {
                        other
                    } else {
                        let same = self.pool.op(Op::Eq, &[at, index])?;
                        self.pool.op(Op::Ite, &[same, element, other])?
                    }
                }
                Shape::Choice { condition, yes, no } => {
                    match (found(&self.arrays, yes), found(&self.arrays, no)) {
                        (None, _) => {
                            stack.push(yes);
                            continue;
                        }
                        (_, None) => {
                            stack.push(no);
                            continue;
                        }
                        (Some(yes), Some(no)) if yes == no => yes,
                        (Some(yes), Some(no)) => self.pool.op(Op::Ite, &[condition, yes, no])?,
                    }
                }
            };
            self.arrays.reads.insert((top, index), element);
            stack.pop();
        }
        Ok(self.arrays.reads[&(array, index)])
    }

    /// The element at all indices that occur nowhere.
    fn default_of(&mut self, array: ArrayId) -> Result<TermId, Refused> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.arrays.defaults.contains_key(&top) {
                stack.pop();
                continue;
            }
            let mut parts = self.arrays.parts(top).into_iter().flatten();
            let missing = parts.find(|part| !self.arrays.defaults.contains_key(part));
            if let Some(missing) = missing {
                stack.push(missing);
                continue;
            }
            let (shape, _, element_sort) = self.arrays.shapes[top];
            let element = match shape {
                Shape::Base(function) => {
                    let symbol = Symbol::Array(function);
                    match self.table(symbol).default {
                        Some(default) => default,
                        None => {
                            let name = self.name_of(symbol);
                            let sort = element_sort.into();
                            let default = fresh_constant(&mut self.pool, &name, sort);
                            let default = default.ok_or(Refused)?;
                            self.table(symbol).default = Some(default);
                            default
                        }
                    }
                }
                Shape::Constant(element) => element,
                Shape::Store { before, .. } => self.arrays.defaults[&before],
                Shape::Choice { condition, yes, no } => {
                    let (yes, no) = (self.arrays.defaults[&yes], self.arrays.defaults[&no]);
                    match yes == no {
                        true => yes,
                        false => self.pool.op(Op::Ite, &[condition, yes, no])?,
                    }
                }
            };
            self.arrays.defaults.insert(top, element);
            stack.pop();
        }
        Ok(self.arrays.defaults[&array])
    }

    /// The formula for an equation of two arrays; `truth` if it is asserted or its negation is.
    pub(super) fn equal_arrays(
        &mut self,
        left: TermId,
        right: TermId,
        truth: Option<bool>,
    ) -> Result<TermId, Refused> {
        let (left, right) = (self.array_of[&left], self.array_of[&right]);
        if left == right {
            return Ok(self.pool.bool(true)?);
        }
        // A sort of indices that is different from the other's is not well-sorted.
        let sides = (left.min(right), left.max(right));
        if let Some(&formula) = self.arrays.by_sides.get(&sides) {
            // What is asserted about it later is asserted about the same formula.
            return Ok(formula);
        }
        let (formula, truth) = match truth {
            Some(truth) => (self.pool.bool(truth)?, Ok(truth)),
            None => {
                let formula = fresh_constant(&mut self.pool, b"equal", Sort::Bool);
                let formula = formula.ok_or(Refused)?;
                (formula, Err(formula))
            }
        };
        self.arrays.by_sides.insert(sides, formula);
        self.arrays.equations.push(Equation { left, right, truth });
        Ok(formula)
    }

    /// The constraints for all equations of arrays.
    pub(super) fn relate_equal_arrays(&mut self) -> Result<(), Refused> {
        if self.arrays.equations.is_empty() {
            return Ok(());
        }
        let classes = self.arrays.classes();
        // Where the arrays differ if the equation is false.
        let mut witnesses = Vec::new();
        for number in 0..self.arrays.equations.len() {
            let Equation { left, truth, .. } = self.arrays.equations[number];
            let (_, index_sort, _) = self.arrays.shapes[left];
            let witness = match truth {
                Ok(true) => None,
                _ if index_sort == BasicSort::Bool => None,
                _ => {
                    let index = fresh_constant(&mut self.pool, b"index", index_sort.into());
                    let index = index.ok_or(Refused)?;
                    self.arrays.note_index(left, index);
                    Some(index)
                }
            };
            witnesses.push(witness);
        }
        let mut indices: FxHashMap<ArrayId, Vec<TermId>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for &(array, index) in &self.arrays.indices {
            if seen.insert((classes[array], index)) {
                indices.entry(classes[array]).or_default().push(index);
            }
        }
        let both = vec![self.pool.bool(false)?, self.pool.bool(true)?];
        for (number, witness) in witnesses.into_iter().enumerate() {
            self.budget.check().map_err(|_| Refused)?;
            let Equation { left, right, truth } = self.arrays.equations[number];
            let (_, index_sort, _) = self.arrays.shapes[left];
            let is_finite = index_sort == BasicSort::Bool;
            let at = match is_finite {
                true => both.clone(),
                false => indices.get(&classes[left]).cloned().unwrap_or_default(),
            };
            let mut equations = Vec::new();
            if truth != Ok(false) || is_finite {
                for index in at {
                    let (one, other) = (self.read(left, index)?, self.read(right, index)?);
                    equations.push(self.pool.op(Op::Eq, &[one, other])?);
                }
            }
            if truth != Ok(false) && !is_finite {
                let (one, other) = (self.default_of(left)?, self.default_of(right)?);
                equations.push(self.pool.op(Op::Eq, &[one, other])?);
            }
            let differ = match witness {
                Some(index) => {
                    let (one, other) = (self.read(left, index)?, self.read(right, index)?);
                    let equal = self.pool.op(Op::Eq, &[one, other])?;
                    Some(self.pool.op(Op::Not, &[equal])?)
                }
                None if is_finite && truth != Ok(true) => {
                    let different = equations.iter().map(|&one| self.pool.op(Op::Not, &[one]));
                    let different = different.collect::<Result<Vec<_>, _>>()?;
                    Some(self.pool.op(Op::Or, &different)?)
                }
                None => None,
            };
            match truth {
                Ok(true) => self.constraints.append(&mut equations),
                Ok(false) => self.constraints.extend(differ),
                Err(formula) => {
                    let not = self.pool.op(Op::Not, &[formula])?;
                    for equation in equations {
                        let implied = self.pool.op(Op::Or, &[not, equation])?;
                        self.constraints.push(implied);
                    }
                    if let Some(differ) = differ {
                        self.constraints.push(self.pool.op(Op::Or, &[formula, differ])?);
                    }
                }
            }
        }
        Ok(())
    }
}
