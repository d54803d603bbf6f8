//! Elimination of uninterpreted functions, arrays and division by zero: an equisatisfiable problem
//! over constants of sort `Bool`, `Int` and `String`, which the engines accept.
//!
//! **Functions** (Ackermann's reduction). Each application `f(t)` becomes a fresh constant `c_t`,
//! inner ones first, and for each two applications of one function the problem gets
//! `t = u → c_t = c_u`. A model of the given problem, with the values of `f(t)` for `c_t`, is one of
//! the result. Conversely, a model of the result gives a table: by congruence, equal argument tuples
//! have equal values, so `f` with these values and any default is a function, and every application
//! has the value of its constant.
//!
//! **Division by zero** is an uninterpreted function of the dividend: `div t s` becomes
//! `ite (s = 0) (div0 t) (div t s)`; likewise `mod`.
//!
//! **Arrays** are functions of their index with operations (`arrays.rs`): reads go through stores
//! to the constants, which are functions.
//!
//! So `unsat` of the result is a proof, and a model of it can be completed. Applications with bound
//! variables stay as they are: the result is then implied by the given problem, so `unsat` still is
//! a proof, and the referee decides about a model. Recursive definitions count as uninterpreted; in
//! models, their definitions hold.
//!
//! Source: Ackermann: Solvable Cases of the Decision Problem (1954); for arrays, index sets as in
//! Bradley, Manna, Sipma: What's Decidable About Arrays? (VMCAI 2006).
//!
//! Limits: functions from or to arrays or languages, arrays of languages, and comparisons of more
//! than two arrays are not reduced; nor is a problem with more congruences than
//! [`Limit::SharedCongruences`] or more reads than [`Limit::SharedReads`]. Such a problem stays as it
//! is.

mod arrays;
mod values;

use std::sync::Arc;

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool, with_children};
use num_traits::Zero;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rewrite::fresh_constant;
use crate::{Budget, Limit, Problem};

use arrays::{ArrayId, Arrays};

/// A problem without functions and arrays, and what they were.
pub(crate) struct Reduction {
    /// The reduced problem; equisatisfiable with the given one, or implied by it.
    pub problem: Problem,
    tables: Vec<Table>,
}

/// What is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Symbol {
    Function(FunctionId),
    /// A constant of an array sort, which is applied to indices.
    Array(FunctionId),
    /// `(div m 0)` as a function of m.
    Division,
    /// `(mod m 0)` as a function of m.
    Modulo,
}

/// All applications of a symbol.
struct Table {
    symbol: Symbol,
    applications: Vec<Application>,
    /// The element of an array at all other indices, if something depends on it.
    default: Option<TermId>,
}

/// The arguments, reduced, and the constant for the value.
struct Application {
    arguments: Vec<TermId>,
    value: TermId,
}

/// Why a problem is not reduced: it is not supported, a limit is hit, or the pool is full.
struct Refused;

impl From<luthier_terms::BuildError> for Refused {
    fn from(_: luthier_terms::BuildError) -> Self {
        Self
    }
}

/// The problem without functions, arrays and division by zero; `None` if it has none of them, or
/// some that are not supported.
pub(crate) fn reduce(problem: &Problem, budget: &Budget) -> Option<Reduction> {
    let pool = &problem.pool;
    if !PostOrder::new(pool, problem.assertions.iter().copied()).any(|term| needs(pool, term)) {
        return None;
    }
    Reducer::new((**pool).clone(), budget).reduce(&problem.assertions).ok()
}

/// Whether a term is what the reduction eliminates.
fn needs(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Apply(_, arguments) => {
            !arguments.is_empty() || matches!(pool.sort(term), Sort::Array(..))
        }
        Term::Op(Op::Select | Op::Store | Op::ConstArray, _) => true,
        Term::Op(Op::Div | Op::Mod, [_, divisors @ ..]) => {
            divisors.iter().any(|&divisor| !is_other_than_zero(pool, divisor))
        }
        _ => false,
    }
}

/// Whether a division of the problem may be one by zero.
pub(crate) fn may_divide_by_zero(problem: &Problem) -> bool {
    let pool = &problem.pool;
    let is_division = |term| matches!(pool.term(term), Term::Op(Op::Div | Op::Mod, _));
    let mut terms = PostOrder::new(pool, problem.assertions.iter().copied());
    terms.any(|term| is_division(term) && needs(pool, term))
}

/// Whether a term is a numeral, but not zero.
fn is_other_than_zero(pool: &TermPool, term: TermId) -> bool {
    pool.as_integer(term).is_some_and(|number| !number.is_zero())
}

/// Whether a sort is one of constants that engines accept.
fn is_plain(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::String)
}

/// A reduction under construction.
struct Reducer<'a> {
    pool: TermPool,
    budget: &'a Budget,
    /// The reduced terms.
    done: FxHashMap<TermId, TermId>,
    /// Terms with free variables, which stay as they are.
    open: FxHashSet<TermId>,
    tables: Vec<Table>,
    by_symbol: FxHashMap<Symbol, usize>,
    by_arguments: FxHashMap<(Symbol, Vec<TermId>), TermId>,
    arrays: Arrays,
    array_of: FxHashMap<TermId, ArrayId>,
    constraints: Vec<TermId>,
}

impl<'a> Reducer<'a> {
    fn new(pool: TermPool, budget: &'a Budget) -> Self {
        Self {
            pool,
            budget,
            done: FxHashMap::default(),
            open: FxHashSet::default(),
            tables: Vec::new(),
            by_symbol: FxHashMap::default(),
            by_arguments: FxHashMap::default(),
            arrays: Arrays::default(),
            array_of: FxHashMap::default(),
            constraints: Vec::new(),
        }
    }

    fn reduce(mut self, assertions: &[TermId]) -> Result<Reduction, Refused> {
        let terms: Vec<TermId> = PostOrder::new(&self.pool, assertions.iter().copied()).collect();
        let asserted: FxHashSet<TermId> = assertions.iter().copied().collect();
        for term in terms {
            self.budget.check().map_err(|_| Refused)?;
            self.reduce_term(term, &asserted)?;
        }
        let mut reduced: Vec<TermId> = assertions.iter().map(|term| self.done[term]).collect();
        self.relate_equal_arrays()?;
        self.add_congruences()?;
        reduced.append(&mut self.constraints);
        let problem = Problem { pool: Arc::new(self.pool), assertions: reduced };
        Ok(Reduction { problem, tables: self.tables })
    }

    /// Reduces a term whose children are reduced.
    fn reduce_term(&mut self, term: TermId, asserted: &FxHashSet<TermId>) -> Result<(), Refused> {
        let children = self.pool.children(term).to_vec();
        let is_open = match self.pool.term(term) {
            // Quantified formulas stay as a whole.
            Term::Quantifier(_) => false,
            Term::Variable(_) => true,
            _ => children.iter().any(|child| self.open.contains(child)),
        };
        if is_open {
            self.open.insert(term);
        }
        if is_open || matches!(self.pool.term(term), Term::Quantifier(_)) {
            self.done.insert(term, term);
            return Ok(());
        }
        if matches!(self.pool.sort(term), Sort::Array(..)) {
            let array = self.array(term)?;
            self.array_of.insert(term, array);
            self.done.insert(term, term);
            return Ok(());
        }
        let is_array = |term: &TermId| matches!(self.pool.sort(*term), Sort::Array(..));
        let has_array = children.iter().any(is_array);
        let result = match self.pool.term(term) {
            Term::Op(Op::Select, &[array, index]) => {
                let (array, index) = (self.array_of[&array], self.done[&index]);
                self.arrays.note_index(array, index);
                self.read(array, index)?
            }
            Term::Op(Op::Eq, &[left, right]) if has_array => {
                let not = self.pool.op(Op::Not, &[term])?;
                let truth = match (asserted.contains(&term), asserted.contains(&not)) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                };
                self.equal_arrays(left, right, truth)?
            }
            Term::Op(Op::Distinct, &[left, right]) if has_array => {
                let truth = asserted.contains(&term).then_some(false);
                let equal = self.equal_arrays(left, right, truth)?;
                self.pool.op(Op::Not, &[equal])?
            }
            _ if has_array => return Err(Refused),
            Term::Apply(function, [_, ..]) => {
                let sort = self.pool.sort(term);
                let sorts = children.iter().map(|&child| self.pool.sort(child));
                if !is_plain(sort) || !sorts.into_iter().all(is_plain) {
                    return Err(Refused);
                }
                let arguments = self.reduced(&children);
                self.apply(Symbol::Function(function), arguments, sort)?
            }
            Term::Op(op @ (Op::Div | Op::Mod), [_, _, ..]) => self.divide(op, &children)?,
            _ => {
                let reduced = self.reduced(&children);
                match reduced == children {
                    true => term,
                    false => with_children(&mut self.pool, term, &reduced).ok_or(Refused)?,
                }
            }
        };
        self.done.insert(term, result);
        Ok(())
    }

    fn reduced(&self, terms: &[TermId]) -> Vec<TermId> {
        terms.iter().map(|term| self.done[term]).collect()
    }

    /// Quotients from the left: by a numeral other than zero as it is, by others with a case
    /// distinction.
    fn divide(&mut self, op: Op, children: &[TermId]) -> Result<TermId, Refused> {
        let children = self.reduced(children);
        let mut quotient = children[0];
        for &divisor in &children[1..] {
            if is_other_than_zero(&self.pool, divisor) {
                quotient = self.pool.op(op, &[quotient, divisor])?;
                continue;
            }
            let symbol = if op == Op::Div { Symbol::Division } else { Symbol::Modulo };
            let by_zero = self.apply(symbol, vec![quotient], Sort::Int)?;
            let zero = self.pool.integer(0)?;
            if divisor == zero {
                quotient = by_zero;
                continue;
            }
            let is_zero = self.pool.op(Op::Eq, &[divisor, zero])?;
            let usual = self.pool.op(op, &[quotient, divisor])?;
            quotient = self.pool.op(Op::Ite, &[is_zero, by_zero, usual])?;
        }
        Ok(quotient)
    }

    /// The constant for an application.
    fn apply(
        &mut self,
        symbol: Symbol,
        arguments: Vec<TermId>,
        sort: Sort,
    ) -> Result<TermId, Refused> {
        let key = (symbol, arguments);
        if let Some(&value) = self.by_arguments.get(&key) {
            return Ok(value);
        }
        let name = self.name_of(symbol);
        let value = fresh_constant(&mut self.pool, &name, sort).ok_or(Refused)?;
        let table = self.table(symbol);
        table.applications.push(Application { arguments: key.1.clone(), value });
        self.by_arguments.insert(key, value);
        if self.budget.limits().exceeds(Limit::SharedReads, self.by_arguments.len()) {
            return Err(Refused);
        }
        Ok(value)
    }

    /// The name that constants for a symbol begin with.
    fn name_of(&self, symbol: Symbol) -> Vec<u8> {
        match symbol {
            Symbol::Function(function) | Symbol::Array(function) => {
                self.pool.symbols().bytes_of(self.pool.function(function).name).to_vec()
            }
            Symbol::Division => b"div0".to_vec(),
            Symbol::Modulo => b"mod0".to_vec(),
        }
    }

    fn table(&mut self, symbol: Symbol) -> &mut Table {
        let number = *self.by_symbol.entry(symbol).or_insert_with(|| {
            self.tables.push(Table { symbol, applications: Vec::new(), default: None });
            self.tables.len() - 1
        });
        &mut self.tables[number]
    }

    /// `t = u → c_t = c_u` for each two applications of a symbol.
    fn add_congruences(&mut self) -> Result<(), Refused> {
        let tables = std::mem::take(&mut self.tables);
        let mut pairs = 0;
        for table in &tables {
            for (position, one) in table.applications.iter().enumerate() {
                self.budget.check().map_err(|_| Refused)?;
                for other in &table.applications[..position] {
                    let Some(congruence) = self.congruence(one, other)? else { continue };
                    self.constraints.push(congruence);
                    pairs += 1;
                    if self.budget.limits().exceeds(Limit::SharedCongruences, pairs) {
                        return Err(Refused);
                    }
                }
            }
        }
        self.tables = tables;
        Ok(())
    }

    /// `None` if the arguments are different literals.
    fn congruence(
        &mut self,
        one: &Application,
        other: &Application,
    ) -> Result<Option<TermId>, Refused> {
        let mut parts = Vec::new();
        for (&left, &right) in one.arguments.iter().zip(&other.arguments) {
            if left == right {
                continue;
            }
            if self.are_different(left, right) {
                return Ok(None);
            }
            let equal = self.pool.op(Op::Eq, &[left, right])?;
            parts.push(self.pool.op(Op::Not, &[equal])?);
        }
        parts.push(self.pool.op(Op::Eq, &[one.value, other.value])?);
        Ok(Some(match parts[..] {
            [only] => only,
            _ => self.pool.op(Op::Or, &parts)?,
        }))
    }

    /// Whether two terms are different literals.
    fn are_different(&self, left: TermId, right: TermId) -> bool {
        let pool = &self.pool;
        let is_literal = |term: TermId| {
            pool.as_string(term).is_some()
                || pool.as_integer(term).is_some()
                || matches!(pool.term(term), Term::Op(Op::True | Op::False, _))
        };
        // Equal literals may be different terms, such as `(- 1)` and the numeral of this value.
        left != right
            && is_literal(left)
            && is_literal(right)
            && pool.as_integer(left).is_none_or(|left| pool.as_integer(right) != Some(left))
    }
}
