//! The forms against the referee: the formula of a form about given words of the domains can be
//! satisfied if and only if the needle does not occur.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use luthier_generator::Dice;
use luthier_runner::releases::{Program, Releases};
use luthier_terms::{CodePoint, SmtString};

use super::super::domain::{Base, Block, LetterEncoding};
use super::super::word::{Slice, Word};
use super::super::word_encoder::WordEncoder;
use super::NotSubstring;
use crate::arithmetic::{Answer, Backend};
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
    Backend::z3(program)
}

/// A literal, or a variable with a domain as it would be with a value: the value, and the base.
fn base(dice: &mut Dice, words: &mut WordEncoder) -> (Vec<CodePoint>, usize) {
    let letter = |dice: &mut Dice| CodePoint::new(dice.pick(&LETTERS)).unwrap();
    let letters = words.letters;
    let is_literal = dice.percent(30);
    let count = if is_literal { 1 } else { 1 + dice.below(3) };
    let mut text: Vec<CodePoint> = Vec::new();
    let mut blocks = Vec::new();
    for _ in 0..count {
        let known: Vec<CodePoint> = (0..1 + dice.below(3)).map(|_| letter(dice)).collect();
        // Several blocks always repeat, as on the ladder.
        let repeats = !is_literal && (count > 1 || dice.percent(70));
        let length = match repeats {
            true => dice.below(7),
            false if is_literal => known.len(),
            false => dice.below(known.len() + 1),
        };
        let arena = &mut words.arena;
        let start = arena.int(text.len());
        let ids = known.iter().map(|&one| letters.constant(arena, one)).collect();
        blocks.push(Block { letters: ids, length: arena.int(length), start, repeats });
        text.extend(known.iter().copied().cycle().take(length));
    }
    let length = words.arena.int(text.len());
    let domain = (!is_literal).then(|| words.arena.fresh_bool("x"));
    words.facts.extend(domain);
    words.bases.push(Base { blocks, length, domain });
    (text, words.bases.len() - 1)
}

/// A needle and a haystack: their values, and the words.
fn random_words(dice: &mut Dice, words: &mut WordEncoder) -> [(SmtString, Word); 2] {
    let bases: Vec<_> = (0..1 + dice.below(3)).map(|_| base(dice, words)).collect();
    [2, 3].map(|most| {
        let mut value = Vec::new();
        let mut slices = Vec::new();
        for _ in 0..1 + dice.below(most) {
            let (text, base) = &bases[dice.below(bases.len())];
            let (from, length) = match dice.percent(25) {
                true => {
                    let from = dice.below(text.len() + 1);
                    (from, dice.below(text.len() - from + 1))
                }
                false => (0, text.len()),
            };
            value.extend_from_slice(&text[from..from + length]);
            let (start, length) = (words.arena.int(from), words.arena.int(length));
            slices.push(Slice { base: *base, start, length });
        }
        (value.into(), Word::new(&mut words.arena, slices))
    })
}

fn agrees_with_the_referee(form: NotSubstring, count: u64) {
    let mut solver = backend().start().unwrap();
    let mut words = WordEncoder::new(
        LetterEncoding::avoiding(|_| false),
        Budget::until_cancelled(Cancel::new()),
    );
    let budget = Budget::until_cancelled(Cancel::new());
    let mut seen = [0; 2];
    for stream in 0..count {
        let mut dice = Dice::new(7, stream);
        let [(needle, needle_word), (hay, hay_word)] = random_words(&mut dice, &mut words);
        let truth = words.arena.bool(true);
        match form {
            NotSubstring::Paper => words.not_substring_quantified(truth, &needle_word, &hay_word),
            _ => words.not_substring_covering(truth, &needle_word, &hay_word),
        }
        .unwrap();
        solver.push().unwrap();
        for fact in std::mem::take(&mut words.facts) {
            solver.assert(&words.arena, fact).unwrap();
        }
        let contains = luthier_semantics::strings::contains(&hay, &needle);
        let answer = solver.check(&words.arena, &[], &budget).unwrap();
        let fits = match answer {
            Answer::Sat => !contains,
            Answer::Unsat(_) => contains,
            Answer::Unknown(_) => false,
        };
        assert!(fits, "{form} {stream}: {needle:?} in {hay:?}: {answer:?}");
        seen[usize::from(contains)] += 1;
        solver.pop().unwrap();
    }
    assert!(seen.iter().all(|&one| one > count / 5), "one-sided: {seen:?}");
}

#[test]
fn covering_agrees_with_the_referee() {
    agrees_with_the_referee(NotSubstring::Covering, 400);
}

#[test]
fn paper_agrees_with_the_referee() {
    agrees_with_the_referee(NotSubstring::Paper, 400);
}

/// Without an arithmetic solver, so with many words: the list of shifts has the first occurrence.
#[test]
fn the_first_place_is_among_the_shifts_of_a_covering() {
    let mut seen = 0;
    for stream in 0..20_000 {
        let mut dice = Dice::new(8, stream);
        let mut words = WordEncoder::new(
            LetterEncoding::avoiding(|_| false),
            Budget::until_cancelled(Cancel::new()),
        );
        let [(needle, needle_word), (hay, hay_word)] = random_words(&mut dice, &mut words);
        let position = luthier_semantics::strings::index_of(&hay, &needle, &0.into());
        if position < 0.into() || needle.is_empty() {
            continue;
        }
        let (short, long) = (words.blocks(&needle_word), words.blocks(&hay_word));
        let shifts = words.shifts(&short, &long, usize::MAX).unwrap();
        let position = words.arena.int(position);
        assert!(shifts.contains(&position), "{stream}: {needle:?} in {hay:?}");
        seen += 1;
    }
    assert!(seen > 2000, "{seen}");
}

#[test]
fn names_are_read_back() {
    for form in NotSubstring::ALL {
        assert_eq!(form.to_string().parse(), Ok(form));
    }
    assert!("quantified".parse::<NotSubstring>().is_err());
}
