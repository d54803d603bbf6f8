//! Length abstraction: assertions as arithmetic over Booleans, integers and the lengths of strings.
//!
//! Boolean and integer operators and the lengths of literals, concatenations and `ite` are
//! translated exactly. Every other term is a fresh constant of its sort, for a string a fresh
//! length that is not negative. This is an over-approximation: a model of the assertions is one of
//! the abstraction. Engines add what they know about the fresh constants and evaluate each
//! candidate.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::arithmetic::{Arena, Id};
use crate::operators::polynomial;
use crate::{Budget, Limit};

/// The length abstraction of some assertions.
pub struct LengthAbstraction {
    /// The owner of the formulas.
    pub arena: Arena,
    /// The lengths of the string constants, by their numbers.
    pub lengths: Vec<Id>,
    /// The Boolean and integer constants of the problem.
    pub scalars: Vec<(FunctionId, Id)>,
    /// The translated assertions, and that lengths are not negative.
    pub formulas: Vec<Id>,
    /// Products with more bits are left uninterpreted.
    product_bits: usize,
    /// The translation of each term; for strings, of the length.
    translated: FxHashMap<TermId, Id>,
}

impl LengthAbstraction {
    /// Translates assertions over numbered string constants.
    pub fn new(
        pool: &TermPool,
        numbers: &FxHashMap<TermId, u32>,
        assertions: &[TermId],
        budget: &Budget,
    ) -> Self {
        let mut arena = Arena::new();
        let lengths: Vec<Id> = (0..numbers.len()).map(|_| arena.fresh_int("len")).collect();
        let mut abstraction = Self {
            arena,
            lengths,
            scalars: Vec::new(),
            formulas: Vec::new(),
            product_bits: budget.limit(Limit::SharedProductBits),
            translated: FxHashMap::default(),
        };
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if let Some(id) = abstraction.translate(pool, numbers, term) {
                abstraction.translated.insert(term, id);
            }
        }
        for assertion in assertions {
            abstraction.formulas.extend(abstraction.translated.get(assertion));
        }
        abstraction
    }

    /// The translation of a term; for strings, of the length.
    pub fn of(&self, term: TermId) -> Option<Id> {
        self.translated.get(&term).copied()
    }

    /// The translation of a term whose children are translated; `None` for other sorts than Bool,
    /// Int and String.
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

    /// The exact translation of an operator; `None` if it depends on letters.
    fn operator(&mut self, pool: &TermPool, op: Op, children: &[TermId]) -> Option<Id> {
        let strings = children.iter().any(|&child| pool.sort(child) == Sort::String);
        let of: Option<Vec<Id>> =
            children.iter().map(|child| self.translated.get(child).copied()).collect();
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
