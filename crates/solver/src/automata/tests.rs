//! Automata against the referee's languages.

use super::{Dfa, Regexes};
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
