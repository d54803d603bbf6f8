//! The crate and a second, naive implementation of the same theories must agree on random ground
//! terms.
//!
//! `LUTHIER_SEED` chooses other terms than usual, and `LUTHIER_TERMS` how many.

#[path = "agreement/naive_automaton.rs"]
mod automaton;
#[path = "agreement/compare.rs"]
mod compare;
#[path = "agreement/facts.rs"]
mod facts;
#[path = "agreement/laws.rs"]
mod laws;
#[path = "agreement/naive.rs"]
mod naive;
#[path = "agreement/naive_regex.rs"]
mod regex;
#[path = "agreement/naive_strings.rs"]
mod strings;
#[path = "agreement/text.rs"]
mod text;

use std::rc::Rc;
use std::thread;
use std::time::Instant;

use luthier_generator::Dice;
use luthier_generator::random::{Generator, operators};
use luthier_semantics::{Evaluation, Value};
use luthier_terms::{BasicSort, Op, TermId, TermPool};

use compare::{Outcome, Tally, answer, compare};
use naive::{ByZero, Datum, Verdict, judge};
use regex::Regex;
use text::{read, show};

const USUAL_SEED: u64 = 20_261_115;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// How many terms: the development profile is too slow for all of them.
fn scaled(terms: u64) -> u64 {
    if cfg!(debug_assertions) { terms / 10 } else { terms }
}

#[test]
fn a_million_random_ground_terms_agree() {
    let seed = setting("LUTHIER_SEED", USUAL_SEED);
    let count = setting("LUTHIER_TERMS", scaled(1_000_000));
    let start = Instant::now();
    let threads: Vec<_> =
        (0..2).map(|first| thread::spawn(move || Tally::of(seed, first, 2, count))).collect();
    let tally = threads
        .into_iter()
        .map(|thread| thread.join().expect("the comparison does not panic"))
        .reduce(Tally::join)
        .expect("two threads");

    println!(
        "{count} terms of seed {seed} in {:.1} s: {} agree, {} rightly undecided, {} cautiously \
         undecided, {} undecided, {} skipped",
        start.elapsed().as_secs_f64(),
        tally.agreed,
        tally.open,
        tally.cautious,
        tally.undecided,
        tally.skipped,
    );
    for op in operators() {
        println!("{:>9} {}", tally.with[op as usize], op.name());
    }
    tally.examples.iter().for_each(|example| println!("undecided: {example}"));
    tally.disagreements.iter().for_each(|text| println!("DISAGREEMENT, {text}"));

    assert!(tally.disagreements.is_empty(), "{} or more", tally.disagreements.len());
    assert_eq!(tally.total(), count);
    let percent = |part: u64, most: u64, what: &str| {
        assert!(part * 100 <= most * count, "{part} of {count} terms {what}");
    };
    percent(tally.open + tally.cautious + tally.undecided, 5, "are undecided");
    percent(tally.undecided * 10, 1, "(times ten) have a value, but the crate gives up");
    percent(tally.skipped, 1, "are skipped");
    for op in operators() {
        let compared = tally.with[op as usize];
        assert!(compared >= count / 1000, "only {compared} terms with {}", op.name());
    }
}

#[test]
fn the_oracle_knows_the_facts() {
    let mut pool = TermPool::new();
    for (term, value) in facts::FACTS {
        let (term, value) = (read(&mut pool, term), read(&mut pool, value));
        let Ok(Verdict::Value(found)) = judge(&pool, term) else {
            panic!("no value: {}", show(&pool, term))
        };
        let (expected, _) = naive::evaluate(&pool, value, ByZero::SAMPLES[0]).unwrap();
        assert!(found.same(&expected).unwrap(), "{} is not {found}", show(&pool, term));
    }
    for term in facts::OPEN {
        let term = read(&mut pool, term);
        assert!(matches!(judge(&pool, term), Ok(Verdict::Depends)), "{}", show(&pool, term));
    }
    for (term, value) in facts::IRRELEVANT {
        let term = read(&mut pool, term);
        let Ok(Verdict::PerhapsValue(found)) = judge(&pool, term) else {
            panic!("no value: {}", show(&pool, term))
        };
        assert_eq!(found.to_string(), *value);
    }
}

#[test]
fn the_crate_knows_the_facts() {
    let mut pool = TermPool::new();
    for (term, _) in facts::FACTS {
        let term = read(&mut pool, term);
        match compare(&pool, term) {
            Outcome::Agree => {}
            Outcome::Disagree(text) | Outcome::Undecided(text) => panic!("{text}"),
            _ => panic!("{} is not compared", show(&pool, term)),
        }
    }
    for term in facts::OPEN {
        let term = read(&mut pool, term);
        assert!(matches!(compare(&pool, term), Outcome::Open), "{}", show(&pool, term));
    }
    for (term, _) in facts::IRRELEVANT {
        let term = read(&mut pool, term);
        assert!(matches!(compare(&pool, term), Outcome::Agree | Outcome::Cautious));
    }
}

#[test]
fn what_is_shown_can_be_read() {
    for number in 0..1000 {
        let mut generator = Generator::new(Dice::new(1, number));
        let term = generator.term(BasicSort::String, 5);
        let text = show(&generator.pool, term);
        let mut pool = TermPool::new();
        let again = read(&mut pool, &text);
        assert_eq!(show(&pool, again), text);
    }
}

/// The oracle's language of a term without division by zero.
fn language(pool: &TermPool, term: TermId) -> Option<Rc<Regex>> {
    match naive::evaluate(pool, term, ByZero::SAMPLES[0]) {
        Ok((Datum::Language(language), false)) => Some(language),
        _ => None,
    }
}

/// All words of at most `longest` of the letters.
fn words(letters: &[u32], longest: usize) -> Vec<Vec<u32>> {
    let mut words = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = words.len();
        for position in start..end {
            for &letter in letters {
                let longer = [&words[position][..], &[letter]].concat();
                words.push(longer);
            }
        }
        start = end;
    }
    words
}

/// A short word over letters of both languages that only one of them has, by spans alone.
fn short_difference(dice: &mut Dice, one: &Regex, two: &Regex) -> Option<Vec<u32>> {
    let mut letters = automaton::representatives(&[one, two]);
    while letters.len() > 5 {
        letters.remove(dice.below(letters.len()));
    }
    words(&letters, 3).into_iter().find(|word| one.contains(word) != two.contains(word))
}

#[test]
fn equality_of_random_languages_agrees() {
    let seed = setting("LUTHIER_SEED", USUAL_SEED);
    let count = scaled(20_000);
    let (mut same, mut different, mut short, mut undecided, mut skipped) = (0, 0, 0, 0, 0);
    for number in 0..count {
        let mut generator = Generator::new(Dice::new(seed ^ 0xE0, number));
        let one = generator.term(BasicSort::RegLan, 2);
        let two = generator.term(BasicSort::RegLan, 2);
        let equality = generator.pool.op(Op::Eq, &[one, two]).unwrap();
        let distinct = generator.pool.op(Op::Distinct, &[one, two]).unwrap();
        let pool = &generator.pool;
        let (Some(first), Some(second)) = (language(pool, one), language(pool, two)) else {
            skipped += 1;
            continue;
        };

        // The two methods of the oracle must agree before the crate is judged by them.
        let found = short_difference(&mut generator.dice, &first, &second);
        let name = show(pool, equality);
        let expected = match automaton::difference(&first, &second) {
            Ok(Some(word)) => {
                assert_ne!(first.contains(&word), second.contains(&word), "{word:?} in {name}");
                Some(false)
            }
            Ok(None) => {
                assert_eq!(found, None, "{name}");
                Some(true)
            }
            // Too large for the automata, but a short word is a difference all the same.
            Err(_) => found.as_ref().map(|_| false),
        };
        short += u64::from(found.is_some());
        skipped += u64::from(expected.is_none());

        match (answer(pool, equality), answer(pool, distinct)) {
            (Ok(Evaluation::Known(Value::Bool(yes))), Ok(Evaluation::Known(Value::Bool(no)))) => {
                assert_ne!(yes, no, "seed {seed}: {name}");
                assert_eq!(yes, expected.unwrap_or(yes), "seed {seed}, {found:?}: {name}");
                *(if yes { &mut same } else { &mut different }) += 1;
            }
            (Ok(Evaluation::Undecided(_)), Ok(Evaluation::Undecided(_))) => undecided += 1,
            _ => panic!("seed {seed}: a panic, or only one is decided: {name}"),
        }
    }
    println!(
        "{count} pairs of languages: {same} equal, {different} different ({short} by a short \
         word), {undecided} undecided, {skipped} unchecked"
    );
    assert!(same * 100 > count && undecided * 20 < count && skipped * 20 < count);
}

#[test]
fn the_laws_of_languages_hold() {
    let seed = setting("LUTHIER_SEED", USUAL_SEED);
    let rounds = scaled(500);
    let (mut undecided, mut total) = (0, 0);
    for (law, (left, right)) in laws::LAWS.iter().enumerate() {
        for round in 0..rounds {
            let stream = law as u64 * rounds + round;
            let mut generator = Generator::new(Dice::new(seed ^ 0x1A, stream));
            let mut sides = format!("(= {left} {right})");
            for letter in ["R", "S", "T"] {
                // The laws are about languages, not about division by zero.
                let mut term = generator.term(BasicSort::RegLan, 2);
                while language(&generator.pool, term).is_none() {
                    term = generator.term(BasicSort::RegLan, 2);
                }
                let text = show(&generator.pool, term);
                // No random word has one of these letters, so only the places of the law are met.
                sides = sides
                    .split(' ')
                    .map(|part| match part.trim_end_matches(')') {
                        name if name == letter => part.replacen(letter, &text, 1),
                        _ => part.to_owned(),
                    })
                    .collect::<Vec<_>>()
                    .join(" ");
            }
            let equality = read(&mut generator.pool, &sides);
            total += 1;
            match answer(&generator.pool, equality) {
                Ok(Evaluation::Known(Value::Bool(true))) => {}
                // Only counters beyond all bounds make the crate give up on a law.
                Ok(Evaluation::Undecided(_)) => undecided += 1,
                Ok(Evaluation::Known(_)) => panic!("seed {seed}: not equal: {sides}"),
                Err(panic) => panic!("seed {seed}: {panic}: {sides}"),
            }
        }
    }
    println!("{total} instances of laws, {undecided} undecided");
    assert!(undecided * 20 < total);
}
