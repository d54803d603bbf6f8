//! An unsatisfiable set of clauses under construction, with the derivation so far. Constants have
//! example values; these satisfy all definitions and all redundant assertions.

use luthier_semantics::Value;
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{BasicSort, FunctionId, Op, Sort, Term, TermId, TermPool};

use super::{ROOM, SORTED, Settings};
use crate::Dice;
use crate::random::Generator;

/// One assertion of the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    /// The formula.
    pub term: TermId,
    /// The index of its definition, if the clause is one.
    pub defines: Option<usize>,
}

/// A constant that a clause defines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defined {
    /// The constant.
    pub function: FunctionId,
    /// The term that it is equal to. The clause may be an equivalent formula.
    pub term: TermId,
}

/// An unsatisfiable set of clauses, and how it was derived.
pub(super) struct Refutation {
    /// Pool, source of randomness, constants and their example values, which satisfy all definitions and
    /// all redundant assertions.
    pub generator: Generator,
    /// The options.
    pub settings: Settings,
    /// The unsatisfiable clauses.
    pub core: Vec<Clause>,
    /// The constants that clauses define, in the order in which they can be computed.
    pub defined: Vec<Defined>,
    /// Redundant assertions.
    pub redundant: Vec<TermId>,
    /// The law and the steps, for people.
    pub derivation: Vec<String>,
    constants: usize,
}

impl Refutation {
    /// No clauses yet.
    pub fn new(dice: Dice, settings: Settings) -> Self {
        Self {
            generator: Generator::new(dice),
            settings,
            core: Vec::new(),
            defined: Vec::new(),
            redundant: Vec::new(),
            derivation: Vec::new(),
            constants: 0,
        }
    }

    /// The dice.
    pub fn dice(&mut self) -> &mut Dice {
        &mut self.generator.dice
    }

    /// The terms.
    pub fn pool(&mut self) -> &mut TermPool {
        &mut self.generator.pool
    }

    /// An operator applied.
    pub fn op(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.generator.pool.op(op, arguments).expect(SORTED)
    }

    /// The negation of the formula; sometimes by removing a negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        if let Term::Op(Op::Not, &[inner]) = self.generator.pool.term(term)
            && self.dice().percent(60)
        {
            return inner;
        }
        self.op(Op::Not, &[term])
    }

    /// An equality or disequality of the two, in one of several forms.
    pub fn equal(&mut self, left: TermId, right: TermId, equal: bool) -> TermId {
        let turned = self.dice().percent(30);
        let (left, right) = if turned { (right, left) } else { (left, right) };
        if equal {
            return self.op(Op::Eq, &[left, right]);
        }
        let boolean = self.generator.pool.sort(left) == Sort::Bool;
        match self.dice().below(4) {
            0 => self.op(Op::Distinct, &[left, right]),
            1 if boolean => self.op(Op::Xor, &[left, right]),
            _ => {
                let equal = self.op(Op::Eq, &[left, right]);
                self.op(Op::Not, &[equal])
            }
        }
    }

    /// Adds a clause.
    pub fn add(&mut self, term: TermId) {
        self.core.push(Clause { term, defines: None });
    }

    /// A new constant with this example value.
    pub fn constant(&mut self, value: Value) -> TermId {
        let letter = match value {
            Value::Bool(_) => 'b',
            Value::Int(_) => 'n',
            _ => 'x',
        };
        let name = format!("{letter}{}", self.constants);
        self.constants += 1;
        self.generator.declare(&name, value)
    }

    /// A new constant of the sort with a random example value.
    pub fn some_constant(&mut self, sort: BasicSort) -> TermId {
        let literal = self.literal(sort);
        self.constant(literal)
    }

    /// A random value, not of a language.
    fn literal(&mut self, sort: BasicSort) -> Value {
        for _ in 0..4 {
            let term = self.generator.term(sort, 0);
            if let Some(value) = self.generator.value_of(term) {
                return value;
            }
        }
        Value::default_of(sort.into())
    }

    /// A new constant, defined by a new clause to be equal to the term; `None` for a language, or if the
    /// referee does not find the value of the term within its limits.
    pub fn define(&mut self, term: TermId) -> Option<TermId> {
        if self.generator.pool.sort(term) == Sort::RegLan {
            return None;
        }
        let value = self.generator.value_of(term)?;
        let constant = self.constant(value);
        let Term::Apply(function, _) = self.generator.pool.term(constant) else { return None };
        let clause = self.equal(constant, term, true);
        self.core.push(Clause { term: clause, defines: Some(self.defined.len()) });
        self.defined.push(Defined { function, term });
        Some(constant)
    }

    /// Often an existing constant, otherwise a random term.
    pub fn constant_or(&mut self, sort: BasicSort, depth: usize) -> TermId {
        let pool = &self.generator.pool;
        let fitting: Vec<FunctionId> = self
            .generator
            .model
            .iter()
            .map(|(function, _)| function)
            .filter(|&function| pool.function(function).result == sort.into())
            .collect();
        if fitting.is_empty() || self.dice().percent(40) {
            return self.argument(sort, depth);
        }
        let function = self.dice().pick(&fitting);
        self.pool().apply(function, &[]).expect("a constant has no parameters")
    }

    /// A random small term over the existing constants.
    pub fn argument(&mut self, sort: BasicSort, depth: usize) -> TermId {
        for _ in 0..3 {
            let depth = self.dice().below(depth + 1);
            let term = self.generator.term(sort, depth);
            if self.size(term) <= 14 && !self.has_large_index(term) {
                return term;
            }
        }
        self.generator.term(sort, 0)
    }

    /// The size of the term as a tree, counted up to some hundreds.
    pub fn size(&self, term: TermId) -> usize {
        super::occurrences::Occurrences::new(&self.generator.pool, term, 400).len()
    }

    /// Whether an index is too large for most solvers.
    fn has_large_index(&self, term: TermId) -> bool {
        let pool = &self.generator.pool;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if let Term::Op(op, children) = pool.term(term) {
                let indices = &children[..op.info().indices.min(children.len())];
                let far =
                    |&index: &TermId| pool.as_integer(index).is_some_and(|index| index > 9.into());
                if indices.iter().any(far) {
                    return true;
                }
                pending.extend(children);
            }
        }
        false
    }

    /// The term in SMT-LIB.
    pub fn text(&self, term: TermId) -> String {
        match print_term(&self.generator.pool, term, &PrintOptions::new(Dialect::Smt27)) {
            Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
            Err(_) => String::new(),
        }
    }

    /// Changes the order at random.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.dice().below(last + 1);
            things.swap(last, other);
        }
    }

    /// A symbol of the pool.
    pub fn symbol(&mut self, name: &str) -> luthier_terms::SymbolId {
        self.generator.pool.symbols_mut().intern(name.as_bytes()).expect(ROOM)
    }
}
