//! The forms against the referee: for words of the domains, the formula of a form can be
//! satisfied if and only if the needle does not occur.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use luthier_generator::Dice;
use luthier_runner::releases::{Program, Releases};
use luthier_terms::{CodePoint, SmtString};

use super::super::domain::{Base, Letters, Size};
use super::super::reading::Reader;
use super::super::word::{Slice, Word};
use super::NotSubstring;
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Z3};
use crate::{Budget, Cancel};

const LETTERS: [u32; 2] = [97, 98];

/// The Z3 of `LUTHIER_Z3`, or a release that is installed as `luthier solvers install` does it.
fn backend() -> Backend {
    let named = std::env::var_os("LUTHIER_Z3").map(Into::into);
    let program = named.unwrap_or_else(|| {
        let releases = Releases::of_user("luthier".into()).unwrap();
        let installed = releases.install(&"z3@5.4.0".parse().unwrap(), &mut |_| {}).unwrap();
        match installed.manifest.program(&installed.folder) {
            Program::Executable(path) => path,
            Program::Cvc5Libraries(_) => panic!("Z3 is an executable"),
        }
    });
    Backend { program, arguments: Vec::new() }
}

/// A literal or a variable, as a slice of a base.
struct Piece {
    base: usize,
    /// Whether it is a slice whose bounds are free, and these.
    bounds: Option<[Id; 2]>,
    slice: Slice,
}

struct Shape {
    pieces: Vec<Piece>,
    needle: Word,
    hay: Word,
    needle_length: usize,
}

/// Random pieces, among them repeated ones, as a needle and a haystack.
fn shape(dice: &mut Dice, reader: &mut Reader) -> Shape {
    let mut bases = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let Reader { arena, letters, facts, .. } = reader;
        let base = if dice.percent(35) {
            let count = 1 + dice.below(3);
            let text = SmtString::from_codes((0..count).map(|_| dice.pick(&LETTERS))).unwrap();
            Base::literal(arena, *letters, &text)
        } else {
            let blocks = 1 + dice.below(2);
            let period = 1 + dice.below(3);
            // Several blocks always repeat, as on the ladder.
            let repeats = blocks > 1 || dice.percent(70);
            Base::variable(arena, *letters, "x", Size { blocks, period, repeats }, facts)
        };
        reader.facts.extend(base.domain);
        reader.bases.push(base);
        bases.push(reader.bases.len() - 1);
    }
    let mut pieces = Vec::new();
    let mut count = [0; 2];
    for (side, most) in [(0, 2), (1, 3)] {
        for _ in 0..1 + dice.below(most) {
            let base = dice.pick(&bases);
            let bounds = dice
                .percent(20)
                .then(|| [reader.arena.fresh_int("from"), reader.arena.fresh_int("length")]);
            let zero = reader.arena.int(0);
            let length = reader.bases[base].length;
            let [start, length] = bounds.unwrap_or([zero, length]);
            pieces.push(Piece { base, bounds, slice: Slice { base, start, length } });
            count[side] += 1;
        }
    }
    let slices: Vec<Slice> = pieces.iter().map(|piece| piece.slice).collect();
    let needle = Word::new(&mut reader.arena, slices[..count[0]].iter().copied());
    let hay = Word::new(&mut reader.arena, slices[count[0]..].iter().copied());
    Shape { pieces, needle, hay, needle_length: count[0] }
}

/// Random values of all bases and bounds: equations that say so, and the needle and the haystack.
fn values(dice: &mut Dice, reader: &mut Reader, shape: &Shape) -> (Vec<Id>, [SmtString; 2]) {
    let mut equations = Vec::new();
    let mut texts: Vec<(usize, Vec<CodePoint>)> = Vec::new();
    let mut words = [Vec::new(), Vec::new()];
    for (index, piece) in shape.pieces.iter().enumerate() {
        if !texts.iter().any(|&(base, _)| base == piece.base) {
            let text = value(dice, reader, piece.base, &mut equations);
            texts.push((piece.base, text));
        }
        let text = &texts.iter().find(|&&(base, _)| base == piece.base).unwrap().1;
        let (from, length) = match piece.bounds {
            None => (0, text.len()),
            Some(bounds) => {
                let from = dice.below(text.len() + 1);
                let length = dice.below(text.len() - from + 1);
                for (bound, number) in bounds.into_iter().zip([from, length]) {
                    let number = reader.arena.int(number);
                    equations.push(reader.arena.eq(bound, number));
                }
                (from, length)
            }
        };
        let side = usize::from(index >= shape.needle_length);
        words[side].extend_from_slice(&text[from..from + length]);
    }
    (equations, words.map(SmtString::from))
}

fn value(
    dice: &mut Dice,
    reader: &mut Reader,
    base: usize,
    equations: &mut Vec<Id>,
) -> Vec<CodePoint> {
    let letters = reader.letters;
    let base = reader.bases[base].clone();
    let mut text = Vec::new();
    let mut ended = false;
    for block in &base.blocks {
        let mut known = Vec::new();
        for &letter in &block.letters {
            let character = match base.domain {
                Some(_) => CodePoint::new(dice.pick(&LETTERS)).unwrap(),
                None => LETTERS
                    .into_iter()
                    .filter_map(CodePoint::new)
                    .find(|&one| letters.constant(&mut reader.arena, one) == letter)
                    .unwrap(),
            };
            let constant = letters.constant(&mut reader.arena, character);
            equations.push(reader.arena.eq(letter, constant));
            known.push(character);
        }
        let most = if block.repeats { 6 } else { block.letters.len() };
        let length = match base.domain {
            // Empty blocks come last.
            Some(_) if ended => 0,
            Some(_) => dice.below(most + 1),
            None => known.len(),
        };
        ended = length == 0;
        let number = reader.arena.int(length);
        equations.push(reader.arena.eq(block.length, number));
        text.extend(known.iter().copied().cycle().take(length));
    }
    text
}

fn agrees_with_the_referee(form: NotSubstring, shapes: u64, words: u64) {
    let mut solver = Z3::start(&backend()).unwrap();
    let mut reader = Reader::new(Letters::avoiding(|_| false));
    let budget = Budget::until_cancelled(Cancel::new());
    let mut seen = [0; 2];
    for stream in 0..shapes {
        let mut dice = Dice::new(7, stream);
        solver.push().unwrap();
        let shape = shape(&mut dice, &mut reader);
        let truth = reader.arena.bool(true);
        match form {
            NotSubstring::Paper => {
                reader.nowhere_quantified(truth, &shape.needle, &shape.hay).unwrap();
            }
            _ => reader.nowhere_covered(truth, &shape.needle, &shape.hay).unwrap(),
        }
        for fact in std::mem::take(&mut reader.facts) {
            solver.assert(&reader.arena, fact).unwrap();
        }
        for _ in 0..words {
            let (equations, [needle, hay]) = values(&mut dice, &mut reader, &shape);
            let all = reader.arena.and(&equations);
            let contains = luthier_semantics::strings::contains(&hay, &needle);
            let answer = solver.check(&reader.arena, &[all], &budget).unwrap();
            let fits = match answer {
                Answer::Sat => !contains,
                Answer::Unsat(_) => contains,
                Answer::Unknown(_) => false,
            };
            assert!(fits, "{form} {stream}: {needle:?} in {hay:?}: {answer:?}");
            seen[usize::from(contains)] += 1;
        }
        solver.pop().unwrap();
    }
    assert!(seen.iter().all(|&count| count > shapes), "one-sided: {seen:?}");
}

#[test]
fn covering_agrees_with_the_referee() {
    agrees_with_the_referee(NotSubstring::Covering, 60, 12);
}

#[test]
fn paper_agrees_with_the_referee() {
    agrees_with_the_referee(NotSubstring::Paper, 60, 12);
}

#[test]
fn names_are_read_back() {
    for form in NotSubstring::ALL {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    assert!("quantified".parse::<NotSubstring>().is_err());
}
