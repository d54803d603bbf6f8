//! Formulas for a target cell of the coverage map: the operator at the wanted position and with the
//! wanted polarity, in a formula that is true under the generator's model.

use luthier_semantics::Value;
use luthier_terms::{BasicSort, Op, Sort, Term, TermId};

use super::{Cell, Polarity, Position, covered_cells};
use crate::random::Generator;

/// The attempts to find arguments in the wanted corner case.
const TRIES: usize = 4;

/// A formula that is true under the generator's model, with the operator of the cell at its
/// position, with its polarity, and mostly in its corner case. `None` if the referee does not find the
/// value within its limits, or the cell is below a quantifier.
pub fn formula_for(generator: &mut Generator, cell: Cell) -> Option<TermId> {
    let mut last = None;
    for _ in 0..TRIES {
        let Some(formula) = placed(generator, cell) else { continue };
        let Some(formula) = with_polarity(generator, formula, cell.polarity) else { continue };
        last = Some(formula);
        if covered_cells(&generator.pool, &[formula], &generator.model).contains(&cell) {
            break;
        }
    }
    last
}

/// A formula with the operator at the position; it may be false.
fn placed(generator: &mut Generator, cell: Cell) -> Option<TermId> {
    let part = generator.about(cell.op);
    // A language is already the argument of a membership or a replacement.
    if let Some((word, language)) = language_in(generator, cell.op, part) {
        return match cell.position {
            Position::Argument => generator.pool.op(Op::StrInRe, &[word, language]).ok(),
            Position::Language => {
                let language = larger_language(generator, language)?;
                generator.pool.op(Op::StrInRe, &[word, language]).ok()
            }
            Position::Deeper => {
                let by = generator.term(BasicSort::String, 0);
                let op = generator.dice.pick(&[Op::StrReplaceRe, Op::StrReplaceReAll]);
                let replaced = generator.pool.op(op, &[word, language, by]).ok()?;
                atom_over(generator, replaced)
            }
            _ => None,
        };
    }
    let is_formula = generator.pool.sort(part) == Sort::Bool;
    match (cell.position, is_formula) {
        (Position::Atom, true) => Some(part),
        (Position::Condition, true) => {
            let sort = generator.dice.pick(&[BasicSort::Int, BasicSort::String]);
            let (then, other) = (generator.term(sort, 1), generator.term(sort, 1));
            let choice = generator.pool.op(Op::Ite, &[part, then, other]).ok()?;
            atom_over(generator, choice)
        }
        (Position::Argument, false) => atom_over(generator, part),
        (Position::Deeper, false) => {
            let larger = larger_term(generator, part)?;
            atom_over(generator, larger)
        }
        (Position::Language, false) => {
            let text = match generator.pool.sort(part) {
                Sort::Int => generator.pool.op(Op::StrFromInt, &[part]).ok()?,
                _ => part,
            };
            let word = match generator.value_of(text) {
                Some(value) if generator.dice.percent(60) => {
                    value.to_term(&mut generator.pool).ok()?
                }
                _ => generator.term(BasicSort::String, 1),
            };
            let language = generator.pool.op(Op::StrToRe, &[text]).ok()?;
            generator.pool.op(Op::StrInRe, &[word, language]).ok()
        }
        _ => None,
    }
}

/// The word and the language of a membership or a replacement around the operator's language.
fn language_in(generator: &Generator, op: Op, term: TermId) -> Option<(TermId, TermId)> {
    let Term::Op(outer, children) = generator.pool.term(term) else { return None };
    let around = matches!(outer, Op::StrInRe | Op::StrReplaceRe | Op::StrReplaceReAll);
    let &[word, language, ..] = children else { return None };
    let is_wanted =
        matches!(generator.pool.term(language), Term::Op(inner, _) if inner == op && outer != op);
    (around && is_wanted).then_some((word, language))
}

/// A language that contains another one as a subterm.
fn larger_language(generator: &mut Generator, language: TermId) -> Option<TermId> {
    let op = generator.dice.pick(&[
        Op::ReConcat,
        Op::ReUnion,
        Op::ReUnion,
        Op::ReInter,
        Op::ReDiff,
        Op::ReStar,
        Op::RePlus,
        Op::ReOpt,
        Op::ReComp,
    ]);
    if op.fold().is_none() {
        return generator.pool.op(op, &[language]).ok();
    }
    let other = generator.term(BasicSort::RegLan, 1);
    let parts = if generator.dice.percent(50) { [language, other] } else { [other, language] };
    generator.pool.op(op, &parts).ok()
}

/// A term with another one as an argument.
fn larger_term(generator: &mut Generator, term: TermId) -> Option<TermId> {
    let choice = generator.dice.below(4);
    if generator.pool.sort(term) == Sort::Int {
        let other = generator.term(BasicSort::Int, 0);
        return match choice {
            0 => generator.pool.op(Op::StrFromInt, &[term]).ok(),
            1 => {
                let text = generator.term(BasicSort::String, 0);
                generator.pool.op(Op::StrAt, &[text, term]).ok()
            }
            2 => generator.pool.op(Op::Sub, &[other, term]).ok(),
            _ => generator.pool.op(Op::Add, &[term, other]).ok(),
        };
    }
    let other = generator.term(BasicSort::String, 0);
    match choice {
        0 => generator.pool.op(Op::StrLen, &[term]).ok(),
        1 => {
            let by = generator.term(BasicSort::String, 0);
            generator.pool.op(Op::StrReplace, &[term, other, by]).ok()
        }
        2 => generator.pool.op(Op::StrConcat, &[other, term]).ok(),
        _ => generator.pool.op(Op::StrConcat, &[term, other]).ok(),
    }
}

/// An atom with a term as an argument: mostly the equation with its value.
pub(super) fn atom_over(generator: &mut Generator, term: TermId) -> Option<TermId> {
    let sort = generator.pool.sort(term).as_basic()?;
    if generator.dice.percent(60) {
        let value = generator.value_of(term)?.to_term(&mut generator.pool).ok()?;
        return generator.pool.op(Op::Eq, &[term, value]).ok();
    }
    let other = generator.term(sort, 1);
    let op = match sort {
        BasicSort::Int => generator.dice.pick(&[Op::Eq, Op::Le, Op::Gt]),
        BasicSort::String => {
            generator.dice.pick(&[Op::Eq, Op::StrPrefixOf, Op::StrContains, Op::StrLe])
        }
        _ => Op::Eq,
    };
    generator.pool.op(op, &[term, other]).ok()
}

/// A true formula in which another one has the polarity. A false formula is negated; if that would give the
/// wrong polarity, it becomes a disjunct beside a true formula.
fn with_polarity(generator: &mut Generator, formula: TermId, polarity: Polarity) -> Option<TermId> {
    let truth = truth_of(generator, formula)?;
    if polarity == Polarity::Both {
        let other = generator.term(BasicSort::Bool, 1);
        let op = if truth_of(generator, other)? == truth { Op::Eq } else { Op::Xor };
        return generator.pool.op(op, &[formula, other]).ok();
    }
    let part = match polarity {
        Polarity::Negative => generator.pool.op(Op::Not, &[formula]).ok()?,
        _ => formula,
    };
    if truth == (polarity == Polarity::Positive) {
        return Some(part);
    }
    let other = generator.term(BasicSort::Bool, 1);
    let other = match truth_of(generator, other)? {
        true => other,
        false => generator.pool.op(Op::Not, &[other]).ok()?,
    };
    generator.pool.op(Op::Or, &[part, other]).ok()
}

pub(super) fn truth_of(generator: &Generator, formula: TermId) -> Option<bool> {
    match generator.value_of(formula)? {
        Value::Bool(truth) => Some(truth),
        _ => None,
    }
}
