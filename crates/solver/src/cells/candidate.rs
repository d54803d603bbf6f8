//! A candidate of the length-first engine: a model of the arithmetic part, with lengths, offsets
//! and truth values, but without letters yet.

use luthier_semantics::Model;
use luthier_terms::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::constraints::{Constraints, Embedding};
use crate::UnknownReason;
use crate::arithmetic::{ArithmeticSolver, Id, Value as Number, model_of};

/// Values of lengths, offsets, premises and scalars in the arithmetic solver's model.
pub struct Candidate {
    /// The length of each word.
    pub lengths: Vec<usize>,
    /// For each embedding its offset, or `None` if its premise is false.
    pub offsets: Vec<Option<i64>>,
    /// For each non-occurrence the range of excluded offsets, or `None` if its premise is false.
    pub non_occurrences: Vec<Option<(usize, usize)>>,
    /// Which memberships hold.
    pub memberships: Vec<bool>,
    /// Values of the constants that are not strings.
    pub scalars: Model,
    /// The conjunction of all these values; its negation blocks the candidate.
    pub formula: Id,
}

impl Candidate {
    /// Queries the solver, whose last check was `sat`.
    pub fn from_solver(
        constraints: &mut Constraints,
        solver: &mut dyn ArithmeticSolver,
    ) -> Result<Self, UnknownReason> {
        let Constraints { abstraction, words, embeddings, non_occurrences, memberships, .. } =
            constraints;
        let arena = &mut abstraction.arena;
        let always = arena.bool(true);
        let premise = |embedding: &Embedding| embedding.premise.unwrap_or(always);
        let mut queried: Vec<Id> = words.iter().map(|word| word.length).collect();
        queried.extend(embeddings.iter().map(|embedding| embedding.offset));
        queried.extend(embeddings.iter().map(premise));
        queried.extend(non_occurrences.iter().flat_map(|one| [one.premise, one.from, one.before]));
        queried.extend(memberships.iter().map(|one| one.holds));
        queried.extend(abstraction.scalars.iter().map(|&(_, id)| id));
        let values = solver.values(arena, &queried)?;
        let (lengths, rest) = values.split_at(words.len());
        let (offsets, rest) = rest.split_at(embeddings.len());
        let (premises, rest) = rest.split_at(embeddings.len());
        let (bounds, rest) = rest.split_at(3 * non_occurrences.len());
        let (held, scalars) = rest.split_at(memberships.len());
        let mut equations = Vec::with_capacity(queried.len());
        for (&id, value) in queried.iter().zip(&values) {
            match value {
                Number::Int(number) => {
                    let number = arena.int(number.clone());
                    equations.push(arena.eq(id, number));
                }
                Number::Bool(true) => equations.push(id),
                Number::Bool(false) => equations.push(arena.not(id)),
                Number::Uninterpreted(_) => {}
            }
        }
        let formula = arena.and(&equations);
        let length = |value: &Number| value.as_usize().unwrap_or(0);
        let offset = |(value, premise): (&Number, &Number)| {
            value.as_int().and_then(BigInt::to_i64).filter(|_| premise.is_true())
        };
        // Negative offsets never match, and an offset too large for the machine is beyond all
        // lengths.
        let bound = |value: &Number| match value.as_int() {
            Some(number) if number.is_negative() => 0,
            _ => value.as_usize().unwrap_or(usize::MAX),
        };
        let excluded =
            |values: &[Number]| values[0].is_true().then(|| (bound(&values[1]), bound(&values[2])));
        Ok(Self {
            lengths: lengths.iter().map(length).collect(),
            offsets: offsets.iter().zip(premises).map(offset).collect(),
            non_occurrences: bounds.chunks_exact(3).map(excluded).collect(),
            memberships: held.iter().map(Number::is_true).collect(),
            scalars: model_of(&abstraction.scalars, scalars),
            formula,
        })
    }
}
