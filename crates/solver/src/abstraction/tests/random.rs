//! Random terms that axioms apply to.

use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_semantics::{Evaluator, Value};
use luthier_terms::{BasicSort, Op, SmtString, Sort, TermId};

/// A generator with constants of all sorts, whose values are random.
pub(super) fn workshop(stream: u64) -> Generator {
    let mut dice = Dice::new(60, stream);
    let mut generator = Generator::for_formula(dice.fork());
    for name in ["x", "y", "z"] {
        let value = word(&mut dice);
        generator.declare(name, value.into());
    }
    for name in ["i", "j"] {
        let number = dice.between(-2, 6);
        generator.declare(name, Value::Int(number.into()));
    }
    generator
}

pub(super) fn word(dice: &mut Dice) -> SmtString {
    let letters: &[u32] = if dice.percent(30) { &[48, 49, 57] } else { &[97, 98, 48] };
    let length = dice.below(5);
    SmtString::from_codes((0..length).map(|_| dice.pick(letters))).unwrap()
}

pub(super) fn basic(sort: Sort) -> BasicSort {
    sort.as_basic().unwrap()
}

/// A random term with one of the operators, such that axioms about it apply.
pub(super) fn term_about(generator: &mut Generator, ops: &[Op]) -> TermId {
    let op = generator.dice.pick(ops);
    let shaped = generator.dice.percent(70);
    let string = |generator: &mut Generator| generator.term(BasicSort::String, 1);
    match op {
        Op::Eq if shaped && generator.dice.percent(25) => {
            // Words that commute with a common one; equal words are powers of the same word.
            let words: Vec<TermId> = (0..3).map(|_| generator.term(BasicSort::String, 0)).collect();
            let equations: Vec<TermId> = [(0, 1), (1, 2)]
                .into_iter()
                .map(|(one, other)| {
                    let [one, other] = [words[one], words[other]];
                    let left = generator.pool.op(Op::StrConcat, &[one, other]).unwrap();
                    let right = generator.pool.op(Op::StrConcat, &[other, one]).unwrap();
                    generator.pool.op(Op::Eq, &[left, right]).unwrap()
                })
                .collect();
            generator.pool.op(Op::And, &equations).unwrap()
        }
        Op::Eq if shaped && generator.dice.percent(30) => {
            // Two concatenations of one word.
            let word =
                if generator.dice.percent(50) { concat(generator) } else { string(generator) };
            let equations: Vec<TermId> = (0..2)
                .map(|_| {
                    let spelling = spelling_of(generator, word);
                    generator.pool.op(Op::Eq, &[word, spelling]).unwrap()
                })
                .collect();
            generator.pool.op(Op::And, &equations).unwrap()
        }
        Op::Eq if shaped => {
            // Two ways to write the same word, or nearly the same.
            let sides: Vec<TermId> = (0..2).map(|_| concat(generator)).collect();
            if generator.dice.percent(50) {
                let other = spelling_of(generator, sides[0]);
                return generator.pool.op(Op::Eq, &[sides[0], other]).unwrap();
            }
            generator.pool.op(Op::Eq, &sides).unwrap()
        }
        Op::StrContains if shaped => {
            let mut sides = [concat(generator), concat(generator)];
            match generator.dice.below(3) {
                0 => sides[0] = string(generator),
                1 => {
                    let letter = word(&mut generator.dice);
                    let letter: SmtString = letter.iter().copied().take(1).collect();
                    sides[1] = generator.pool.string(letter).unwrap();
                }
                _ => {}
            }
            generator.pool.op(Op::StrContains, &sides).unwrap()
        }
        Op::StrToInt if shaped => {
            let text = concat(generator);
            generator.pool.op(Op::StrToInt, &[text]).unwrap()
        }
        Op::StrInRe if shaped => membership(generator),
        Op::StrConcat if shaped => concat(generator),
        _ => generator.about(op),
    }
}

/// The value of a word in two literals, with something empty between them.
fn spelling_of(generator: &mut Generator, word: TermId) -> TermId {
    let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
    let value = evaluator.evaluate(word);
    let Some(Value::String(text)) = value.known().cloned() else { return concat(generator) };
    let cut = generator.dice.below(text.len() + 1);
    let start = generator.pool.string(text[..cut].into()).unwrap();
    let end = generator.pool.string(text[cut..].into()).unwrap();
    let empty = generator.pool.string(SmtString::empty()).unwrap();
    let x = generator.term(BasicSort::String, 1);
    let cut_off = generator.pool.op(Op::StrReplace, &[x, x, empty]).unwrap();
    generator.pool.op(Op::StrConcat, &[start, cut_off, end]).unwrap()
}

fn concat(generator: &mut Generator) -> TermId {
    let count = 2 + generator.dice.below(3);
    let parts: Vec<TermId> = (0..count)
        .map(|_| {
            if generator.dice.percent(40) {
                let text = word(&mut generator.dice);
                generator.pool.string(text).unwrap()
            } else {
                generator.term(BasicSort::String, 1)
            }
        })
        .collect();
    generator.pool.op(Op::StrConcat, &parts).unwrap()
}

/// `x in R` with `R` made of digits, or of few words, or any; often with `contains(x, …)`.
fn membership(generator: &mut Generator) -> TermId {
    let (zero, nine) = (word_of(generator, "0"), word_of(generator, "9"));
    let digit = generator.pool.op(Op::ReRange, &[zero, nine]).unwrap();
    let text = generator.term(BasicSort::String, 1);
    let words: Vec<TermId> = (0..2)
        .map(|_| {
            let text = word(&mut generator.dice);
            let text = generator.pool.string(text).unwrap();
            generator.pool.op(Op::StrToRe, &[text]).unwrap()
        })
        .collect();
    let regex = match generator.dice.below(6) {
        0 => generator.pool.op(Op::RePlus, &[digit]).unwrap(),
        1 => generator.pool.op(Op::ReStar, &[digit]).unwrap(),
        2 => generator.pool.op(Op::ReUnion, &words).unwrap(),
        3 => generator.pool.op(Op::ReConcat, &words).unwrap(),
        _ => generator.term(BasicSort::RegLan, 3),
    };
    let inside = generator.pool.op(Op::StrInRe, &[text, regex]).unwrap();
    if generator.dice.percent(70) {
        let needle = generator.dice.pick(&["a", "b", "00", "c"]);
        let needle = word_of(generator, needle);
        let contains = generator.pool.op(Op::StrContains, &[text, needle]).unwrap();
        return generator.pool.op(Op::And, &[inside, contains]).unwrap();
    }
    inside
}

fn word_of(generator: &mut Generator, text: &str) -> TermId {
    generator.pool.string(SmtString::from_text(text).unwrap()).unwrap()
}
