//! Random formulas with unknown answer: several assertions over the same constants, most of them
//! true under one model, some of them false under it.
//!
//! Uniformly random formulas are mostly unsatisfiable for a trivial reason. Here each assertion by
//! itself can be true, and most of them can be true together; whether all can is not known. More
//! than half are systems as in `tangled.rs`; the others also have word equations and length
//! constraints.

use luthier_terms::{BasicSort, Op, TermId};

use crate::facts::assertion;
use crate::random::Generator;
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch, tangled};

/// The percentage of systems as in `tangled.rs`.
const SYSTEMS: usize = 60;

/// A sketch about the operator.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    let mut dice = dice;
    if dice.percent(SYSTEMS) {
        return tangled::sketch_without_answer(dice, about);
    }
    let mut generator = Generator::for_formula(dice);
    generator.declare_constants();
    let count = generator.dice.pick(&[1, 2, 2, 2, 3, 3, 4]);
    let position = generator.dice.below(count);
    let mut assertions = Vec::new();
    for index in 0..count {
        let term = match generator.dice.below(10) {
            0 | 1 if index != position => word_equation(&mut generator),
            2 if index != position => length_constraint(&mut generator),
            _ => {
                let about = if index == position { about } else { generator.some_operator() };
                let depth = generator.dice.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3]);
                // Sometimes false under the model of the others.
                let truth = generator.dice.percent(60);
                generator.formula(truth, depth, about)
            }
        };
        let term = if generator.dice.percent(10) { generator.op(Op::Not, &[term]) } else { term };
        let uses_let = generator.dice.percent(25);
        assertions.push(assertion(term, uses_let));
    }
    let mut draft = Draft::new(generator.pool, generator.model);
    draft.assertions = assertions;
    Some(Sketch {
        draft,
        planted: PlantedAnswer::Unknown,
        category: Category::Random,
        operation: about.name(),
        derivation: "random facts over the same constants; nothing is known about them".into(),
    })
}

/// `(= (str.++ x "a" y) (str.++ y "a" x))`: the same constants on both sides, in another order.
fn word_equation(generator: &mut Generator) -> TermId {
    let count = generator.dice.pick(&[2, 2, 3]);
    let parts: Vec<TermId> = (0..count)
        .map(|_| {
            let depth = usize::from(generator.dice.percent(15));
            generator.term(BasicSort::String, depth)
        })
        .collect();
    let mut others = parts.clone();
    for position in (1..others.len()).rev() {
        let other = generator.dice.below(position + 1);
        others.swap(position, other);
    }
    for part in &mut others {
        if generator.dice.percent(25) {
            *part = generator.term(BasicSort::String, 0);
        }
    }
    let (one, two) = (generator.op(Op::StrConcat, &parts), generator.op(Op::StrConcat, &others));
    generator.op(Op::Eq, &[one, two])
}

/// A relation between the lengths of two constants.
fn length_constraint(generator: &mut Generator) -> TermId {
    let lengths = [(); 2].map(|()| {
        let text = generator.term(BasicSort::String, 0);
        generator.op(Op::StrLen, &[text])
    });
    let step = generator.term(BasicSort::Int, 0);
    let right = generator.op(Op::Add, &[lengths[1], step]);
    let op = generator.dice.pick(&[Op::Eq, Op::Lt, Op::Le, Op::Distinct]);
    generator.op(op, &[lengths[0], right])
}
