//! Satisfiable formulas with a planted witness: constants get values first, then random assertions
//! are generated that are true under these values.

use luthier_smtlib::Assertion;
use luthier_terms::Op;

use crate::coverage::{Cell, Pair, formula_for, formula_for_pair};
use crate::facts::assertion;
use crate::random::Generator;
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch};

/// A satisfiable sketch that aims at a cell of the coverage map.
pub fn sketch_for(dice: Dice, cell: Cell) -> Option<Sketch> {
    let mut generator = Generator::for_formula(dice);
    generator.declare_constants();
    let aimed = formula_for(&mut generator, cell)?;
    let mut assertions = vec![assertion(aimed, false)];
    if generator.dice.percent(40) {
        let about = generator.some_operator();
        let other = generator.formula(true, 0, about);
        assertions.push(assertion(other, false));
    }
    Some(finished(generator, assertions, cell.op))
}

/// A satisfiable sketch with one operator directly below another.
pub fn sketch_for_pair(dice: Dice, pair: Pair) -> Option<Sketch> {
    let mut generator = Generator::for_formula(dice);
    generator.declare_constants();
    let aimed = formula_for_pair(&mut generator, pair)?;
    let assertions = vec![assertion(aimed, false)];
    Some(finished(generator, assertions, pair.op))
}

/// A satisfiable sketch about the operator.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    let mut generator = Generator::for_formula(dice);
    generator.declare_constants();
    let count = generator.dice.pick(&[1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
    let position = generator.dice.below(count);
    let mut assertions = Vec::new();
    for index in 0..count {
        let about = if index == position { about } else { generator.some_operator() };
        let depth = generator.dice.pick(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3]);
        let term = generator.formula(true, depth, about);
        let uses_let = generator.dice.percent(25);
        assertions.push(assertion(term, uses_let));
    }
    Some(finished(generator, assertions, about))
}

fn finished(generator: Generator, assertions: Vec<Assertion>, about: Op) -> Sketch {
    let mut draft = Draft::new(generator.pool, generator.model);
    draft.assertions = assertions;
    Sketch {
        draft,
        planted: PlantedAnswer::Witness,
        category: Category::Planted,
        operation: about.name(),
        derivation: "the values of the witness were chosen first, then facts that are true under \
            them: put the values in and every assertion is true"
            .into(),
    }
}
