//! Automata against the referee's languages.

use super::{Dfa, LanguageStore, Regexes, Replacement};
use crate::{Budget, Cancel};
use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_semantics::{Evaluator, Limits, Model};
use luthier_terms::{BasicSort, Op, SmtString};

#[test]
fn automata_accept_what_the_referee_says() {
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let (mut asked, mut inside) = (0, 0);
    for round in 0..400 {
        let mut dice = Dice::new(77, round);
        let mut generator = Generator::for_formula(dice.fork());
        let language = generator.term(BasicSort::RegLan, 4);
        let mut regexes = Regexes::new();
        let Some(regex) = regexes.of_term(&generator.pool, language) else { continue };
        let Some(automaton) = Dfa::new(&mut regexes, regex, 500) else { continue };
        let opposite = regexes.complement(regex);
        let opposite = Dfa::new(&mut regexes, opposite, 1000);
        for _ in 0..12 {
            let length = dice.below(6);
            let letters: Vec<u32> =
                (0..length).map(|_| dice.pick(&[97, 98, 48, 0, 0x2FFFF])).collect();
            let text = SmtString::from_codes(letters.iter().copied()).unwrap();
            let text = generator.pool.string(text).unwrap();
            let member = generator.pool.op(Op::StrInRe, &[text, language]).unwrap();
            let model = Model::new();
            let mut evaluator = Evaluator::with_limits(&generator.pool, &model, limits);
            let Some(expected) = evaluator.evaluate(member).as_bool() else { continue };
            assert_eq!(automaton.accepts(letters.iter().copied()), expected, "{round} {letters:?}");
            if let Some(opposite) = &opposite {
                assert_eq!(opposite.accepts(letters), !expected, "{round}");
            }
            asked += 1;
            inside += usize::from(expected);
        }
    }
    assert!(asked > 1000 && inside > 100, "{asked} asked, {inside} inside");
}

/// A random language of at most some states, with its term.
fn random_language(
    generator: &mut Generator,
    regexes: &mut Regexes,
) -> Option<(luthier_terms::TermId, Dfa)> {
    let term = generator.term(BasicSort::RegLan, 3);
    let regex = regexes.of_term(&generator.pool, term)?;
    Some((term, Dfa::new(regexes, regex, 60)?))
}

fn budget() -> Budget {
    Budget::until_cancelled(Cancel::new())
}

fn random_letters(dice: &mut Dice) -> Vec<u32> {
    (0..dice.below(6)).map(|_| dice.pick(&[97, 98, 48])).collect()
}

#[test]
fn minimal_automata_are_canonical() {
    let mut compared = 0;
    for round in 0..300 {
        let mut dice = Dice::new(78, round);
        let mut generator = Generator::for_formula(dice.fork());
        let mut regexes = Regexes::new();
        let Some((term, automaton)) = random_language(&mut generator, &mut regexes) else {
            continue;
        };
        let minimal = automaton.minimal(&budget()).unwrap();
        assert!(minimal.states() <= automaton.states());
        for _ in 0..20 {
            let letters = random_letters(&mut dice);
            assert_eq!(minimal.accepts(letters.clone()), automaton.accepts(letters), "{round}");
        }
        // The same language, written in another way.
        let regex = regexes.of_term(&generator.pool, term).unwrap();
        let all = regexes.all();
        let (twice, empty) = (regexes.complement(regex), regexes.empty());
        let (twice, both) = (regexes.complement(twice), regexes.intersection([regex, all]));
        for other in [twice, both, regexes.concat(regex, empty)] {
            let other = Dfa::new(&mut regexes, other, 200).unwrap();
            assert_eq!(other.minimal(&budget()).unwrap(), minimal, "{round}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn segments_partition_the_words_that_stay_in_an_automaton() {
    let mut words = 0;
    for round in 0..200 {
        let mut dice = Dice::new(79, round);
        let mut generator = Generator::for_formula(dice.fork());
        let mut regexes = Regexes::new();
        let one = random_language(&mut generator, &mut regexes);
        let (Some((_, left)), Some((_, right))) =
            (one, random_language(&mut generator, &mut regexes))
        else {
            continue;
        };
        if right.is_empty() {
            continue;
        }
        let mut store = LanguageStore::new(2000);
        let left = store.insert(&left, &budget()).unwrap();
        let right = store.insert(&right, &budget()).unwrap();
        let from = dice.below(store.automaton(right).states());
        let segment = store.segment(left, right, from, &budget()).unwrap().unwrap();
        let both = store.intersection(left, right, &budget()).unwrap().unwrap();
        for _ in 0..30 {
            let letters = random_letters(&mut dice);
            let inside = store.automaton(left).accepts(letters.clone());
            let to = store.automaton(right).read(from, letters.clone()).filter(|_| inside);
            for &target in &segment.targets {
                let language = store.between(left, right, (from, target), &budget()).unwrap();
                let accepts = store.automaton(language.unwrap()).accepts(letters.clone());
                assert_eq!(accepts, to == Some(target), "{round} {letters:?}");
            }
            assert!(to.is_none_or(|to| segment.targets.contains(&to)), "{round}");
            let expected = inside && store.automaton(right).accepts(letters.clone());
            assert_eq!(store.automaton(both).accepts(letters), expected, "{round}");
            words += usize::from(to.is_some());
        }
    }
    assert!(words > 300, "{words}");
}

#[test]
fn preimages_are_the_texts_that_the_referee_maps_into_the_language() {
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let (mut asked, mut inside) = (0, 0);
    for round in 0..400 {
        let mut dice = Dice::new(80, round);
        let mut generator = Generator::for_formula(dice.fork());
        let mut regexes = Regexes::new();
        let one = random_language(&mut generator, &mut regexes);
        let (Some((pattern_term, _)), Some((target_term, target))) =
            (one, random_language(&mut generator, &mut regexes))
        else {
            continue;
        };
        let pattern = regexes.of_term(&generator.pool, pattern_term).unwrap();
        let all = dice.percent(50);
        if !all && regexes.accepts_empty(pattern) {
            continue;
        }
        let empty = regexes.empty();
        let not_empty = regexes.complement(empty);
        let pattern = regexes.intersection([pattern, not_empty]);
        let pattern = Dfa::new(&mut regexes, pattern, 200).unwrap();
        let by = random_letters(&mut dice);
        let replacement = Replacement { pattern, by: by.clone(), all };
        let Some(preimage) = replacement.preimage(&target, 3000, &budget()).unwrap() else {
            continue;
        };
        let by = generator.pool.string(SmtString::from_codes(by).unwrap()).unwrap();
        for _ in 0..25 {
            let letters = random_letters(&mut dice);
            let text = SmtString::from_codes(letters.iter().copied()).unwrap();
            let text = generator.pool.string(text).unwrap();
            let op = if all { Op::StrReplaceReAll } else { Op::StrReplaceRe };
            let replaced = generator.pool.op(op, &[text, pattern_term, by]).unwrap();
            let member = generator.pool.op(Op::StrInRe, &[replaced, target_term]).unwrap();
            let model = Model::new();
            let mut evaluator = Evaluator::with_limits(&generator.pool, &model, limits);
            let Some(expected) = evaluator.evaluate(member).as_bool() else { continue };
            assert_eq!(preimage.accepts(letters.iter().copied()), expected, "{round} {letters:?}");
            asked += 1;
            inside += usize::from(expected);
        }
    }
    assert!(asked > 1000 && inside > 100, "{asked} asked, {inside} inside");
}

#[test]
fn concatenations_are_those_of_expressions() {
    let mut compared = 0;
    for round in 0..200 {
        let mut dice = Dice::new(81, round);
        let mut generator = Generator::for_formula(dice.fork());
        let mut regexes = Regexes::new();
        let terms = [1, 2, 3].map(|_| generator.term(BasicSort::RegLan, 2));
        let mut store = LanguageStore::new(2000);
        let mut parts = Vec::new();
        let mut whole = regexes.empty();
        for term in terms {
            let Some(regex) = regexes.of_term(&generator.pool, term) else { continue };
            let Some(automaton) = Dfa::new(&mut regexes, regex, 60) else { continue };
            parts.push(store.insert(&automaton, &budget()).unwrap());
            whole = regexes.concat(whole, regex);
        }
        let found = store.concatenation(&parts, &budget()).unwrap();
        let (Some(found), Some(expected)) = (found, Dfa::new(&mut regexes, whole, 2000)) else {
            continue;
        };
        assert_eq!(found, store.insert(&expected, &budget()).unwrap(), "{round}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
