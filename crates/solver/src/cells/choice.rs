//! What arithmetic chooses in one round.

use luthier_semantics::Model;
use luthier_terms::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::reading::{Inside, Reading};
use crate::Why;
use crate::arithmetic::{ArithmeticSolver, Id, Value as Number, model_of};

/// Lengths, places and truth values.
pub struct Choice {
    /// The length of each row.
    pub lengths: Vec<usize>,
    /// For each inside the offset, or `None` if its premise is false.
    pub offsets: Vec<Option<i64>>,
    /// For each law of where rows do not stand, from where on and before where, or `None` if its
    /// premise is false.
    pub aparts: Vec<Option<(usize, usize)>>,
    /// Which memberships hold.
    pub memberships: Vec<bool>,
    /// Values of the constants that are no strings.
    pub scalars: Model,
    /// That it is this choice.
    pub formula: Id,
}

impl Choice {
    /// Asks the solver, which has a model.
    pub fn take(reading: &mut Reading, solver: &mut dyn ArithmeticSolver) -> Result<Self, Why> {
        let Reading { conditions, rows, insides, aparts, memberships, .. } = reading;
        let arena = &mut conditions.arena;
        let always = arena.bool(true);
        let premise = |inside: &Inside| inside.premise.unwrap_or(always);
        let mut asked: Vec<Id> = rows.iter().map(|row| row.length).collect();
        asked.extend(insides.iter().map(|inside| inside.offset));
        asked.extend(insides.iter().map(premise));
        asked.extend(aparts.iter().flat_map(|one| [one.premise, one.from, one.before]));
        asked.extend(memberships.iter().map(|one| one.holds));
        asked.extend(conditions.scalars.iter().map(|&(_, id)| id));
        let values = solver.values(arena, &asked)?;
        let (lengths, rest) = values.split_at(rows.len());
        let (offsets, rest) = rest.split_at(insides.len());
        let (premises, rest) = rest.split_at(insides.len());
        let (bounds, rest) = rest.split_at(3 * aparts.len());
        let (held, scalars) = rest.split_at(memberships.len());
        let mut said = Vec::with_capacity(asked.len());
        for (&id, value) in asked.iter().zip(&values) {
            match value {
                Number::Int(number) => {
                    let number = arena.int(number.clone());
                    said.push(arena.eq(id, number));
                }
                Number::Bool(true) => said.push(id),
                Number::Bool(false) => said.push(arena.not(id)),
                Number::Uninterpreted(_) => {}
            }
        }
        let formula = arena.and(&said);
        let length = |value: &Number| value.as_usize().unwrap_or(0);
        let offset = |(value, premise): (&Number, &Number)| {
            value.as_int().and_then(BigInt::to_i64).filter(|_| premise.is_true())
        };
        // What begins before the start does not begin there, and no place is beyond all lengths.
        let bound = |value: &Number| match value.as_int() {
            Some(number) if number.is_negative() => 0,
            _ => value.as_usize().unwrap_or(usize::MAX),
        };
        let apart =
            |values: &[Number]| values[0].is_true().then(|| (bound(&values[1]), bound(&values[2])));
        Ok(Self {
            lengths: lengths.iter().map(length).collect(),
            offsets: offsets.iter().zip(premises).map(offset).collect(),
            aparts: bounds.chunks_exact(3).map(apart).collect(),
            memberships: held.iter().map(Number::is_true).collect(),
            scalars: model_of(&conditions.scalars, scalars),
            formula,
        })
    }
}
