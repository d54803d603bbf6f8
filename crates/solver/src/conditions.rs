//! What assertions say about lengths, as arithmetic.
//!
//! Booleans, integers and lengths of concatenations are translated exactly. Everything else is a
//! constant of which nothing is known: a candidate model is evaluated anyway.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::arithmetic::{Arena, Id};
use crate::structure::polynomial;
use crate::{Budget, Limit};

/// Assertions as arithmetic formulas over lengths.
pub struct Conditions {
    /// The owner of the formulas.
    pub arena: Arena,
    /// The lengths of the string constants, by their numbers.
    pub lengths: Vec<Id>,
    /// The Boolean and integer constants of the problem.
    pub scalars: Vec<(FunctionId, Id)>,
    /// What must hold.
    pub formulas: Vec<Id>,
    /// Products of more bits are open.
    product_bits: usize,
    /// What a term is; for strings, their length.
    known: FxHashMap<TermId, Id>,
}

impl Conditions {
    /// Translates assertions over numbered string constants.
    pub fn new(
        pool: &TermPool,
        numbers: &FxHashMap<TermId, u32>,
        assertions: &[TermId],
        budget: &Budget,
    ) -> Self {
        let mut arena = Arena::new();
        let lengths: Vec<Id> = (0..numbers.len()).map(|_| arena.fresh_int("len")).collect();
        let mut conditions = Self {
            arena,
            lengths,
            scalars: Vec::new(),
            formulas: Vec::new(),
            product_bits: budget.limit(Limit::SharedProductBits),
            known: FxHashMap::default(),
        };
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if let Some(id) = conditions.translate(pool, numbers, term) {
                conditions.known.insert(term, id);
            }
        }
        for assertion in assertions {
            conditions.formulas.extend(conditions.known.get(assertion));
        }
        conditions
    }

    /// What a term became; for strings, their length.
    pub fn of(&self, term: TermId) -> Option<Id> {
        self.known.get(&term).copied()
    }

    /// What a term is, if its sort is one of Booleans, integers and strings.
    fn translate(
        &mut self,
        pool: &TermPool,
        numbers: &FxHashMap<TermId, u32>,
        term: TermId,
    ) -> Option<Id> {
        let sort = pool.sort(term);
        let id = match pool.term(term) {
            Term::Integer(number) => Some(self.arena.int(number.clone())),
            Term::String(text) => Some(self.arena.int(text.len())),
            Term::Apply(function, []) if sort != Sort::String => {
                let id = match sort {
                    Sort::Bool => self.arena.fresh_bool("bool"),
                    Sort::Int => self.arena.fresh_int("int"),
                    _ => return None,
                };
                self.scalars.push((function, id));
                Some(id)
            }
            Term::Apply(_, []) => numbers.get(&term).map(|&number| self.lengths[number as usize]),
            Term::Op(op, children) => self.operator(pool, op, children),
            _ => None,
        };
        id.or_else(|| match sort {
            Sort::Bool => Some(self.arena.fresh_bool("open")),
            Sort::Int => Some(self.arena.fresh_int("open")),
            Sort::String => {
                let length = self.arena.fresh_int("open");
                let zero = self.arena.int(0);
                let fact = self.arena.ge(length, zero);
                self.formulas.push(fact);
                Some(length)
            }
            _ => None,
        })
    }

    /// What an operator says exactly; `None` if letters matter.
    fn operator(&mut self, pool: &TermPool, op: Op, children: &[TermId]) -> Option<Id> {
        let strings = children.iter().any(|&child| pool.sort(child) == Sort::String);
        let of: Option<Vec<Id>> =
            children.iter().map(|child| self.known.get(child).copied()).collect();
        let of = of?;
        let arena = &mut self.arena;
        if strings {
            return match op {
                Op::StrLen => of.first().copied(),
                Op::StrConcat => Some(arena.add(&of)),
                Op::Ite => Some(arena.ite(of[0], of[1], of[2])),
                _ => None,
            };
        }
        polynomial(arena, op, &of, self.product_bits)
    }
}
