//! A quick local search for values of a seed's constants: the assignment under which most assertions are
//! true. The values tried are literals of the seed and parts of them, and small numbers; in each
//! round one constant of a false assertion gets another value. The referee evaluates.

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{BigInt, FunctionId, PostOrder, SmtString, Sort, Term, TermId};

use super::Seed;
use crate::Dice;

/// Changes that are tried.
const ROUNDS: usize = 60;

/// Steps of the referee for one assertion.
const STEPS: u64 = 20_000;

/// The best assignment found.
pub(super) fn assignment(seed: &Seed, mut dice: Dice) -> Model {
    let targets = if seed.whole.is_empty() { &seed.facts } else { &seed.whole };
    let values = Values::of(seed);
    let mut best = seed.model.clone();
    for &constant in &seed.constants {
        if best.get(constant).is_none() {
            let value = values.pick(seed.pool.function(constant).result, &mut dice);
            best.insert_value(constant, value);
        }
    }
    let mut best_false = false_ones(seed, targets, &best);
    for _ in 0..ROUNDS {
        if best_false.is_empty() {
            break;
        }
        let target = dice.pick(&best_false);
        let involved = constants_in(seed, target);
        if involved.is_empty() {
            continue;
        }
        let mut candidate = best.clone();
        for _ in 0..dice.pick(&[1, 1, 2]) {
            let constant = dice.pick(&involved);
            let value = values.pick(seed.pool.function(constant).result, &mut dice);
            candidate.insert_value(constant, value);
        }
        let now_false = false_ones(seed, targets, &candidate);
        if now_false.len() <= best_false.len() {
            (best, best_false) = (candidate, now_false);
        }
    }
    best
}

/// Another assignment, near the one of the seed or far from it.
pub(super) fn other_assignment(seed: &Seed, dice: &mut Dice) -> Model {
    let values = Values::of(seed);
    let mut model = seed.model.clone();
    let changed = dice.pick(&[0, 0, 30, 100]);
    for &constant in &seed.constants {
        if dice.percent(changed) {
            model.insert_value(constant, values.pick(seed.pool.function(constant).result, dice));
        }
    }
    model
}

fn false_ones(seed: &Seed, targets: &[TermId], model: &Model) -> Vec<TermId> {
    let limits = Limits { steps: STEPS, cpu_time: None, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(&seed.pool, model, limits);
    targets.iter().copied().filter(|&target| !evaluator.evaluate(target).is_true()).collect()
}

fn constants_in(seed: &Seed, term: TermId) -> Vec<FunctionId> {
    PostOrder::new(&seed.pool, [term])
        .filter_map(|part| match seed.pool.term(part) {
            Term::Apply(function, []) => Some(function),
            _ => None,
        })
        .collect()
}

/// Values that occur in a seed.
struct Values {
    words: Vec<SmtString>,
    numbers: Vec<BigInt>,
}

impl Values {
    fn of(seed: &Seed) -> Self {
        let mut words = vec![SmtString::empty()];
        let mut numbers: Vec<BigInt> = [-1, 0, 1, 2, 5].map(BigInt::from).to_vec();
        let roots = seed.facts.iter().chain(&seed.whole).copied();
        for part in PostOrder::new(&seed.pool, roots) {
            match seed.pool.term(part) {
                Term::String(text) => words.push(text.clone()),
                Term::Integer(number) => numbers.push(number.clone()),
                _ => {}
            }
        }
        Self { words, numbers }
    }

    fn pick(&self, sort: Sort, dice: &mut Dice) -> Value {
        match sort {
            Sort::Bool => Value::Bool(dice.percent(50)),
            Sort::Int => Value::Int(self.numbers[dice.below(self.numbers.len())].clone()),
            _ => Value::String(self.word(dice)),
        }
    }

    /// A literal, a part of one, two of them, or a letter.
    fn word(&self, dice: &mut Dice) -> SmtString {
        let one = &self.words[dice.below(self.words.len())];
        let codes =
            |text: &SmtString| text.iter().map(|letter| letter.code()).collect::<Vec<u32>>();
        let word = match dice.below(8) {
            0 => vec![0x61],
            1 => vec![0x30],
            2 => {
                let other = &self.words[dice.below(self.words.len())];
                [codes(one), codes(other)].concat()
            }
            3 | 4 => {
                let codes = codes(one);
                let (start, end) = (dice.below(codes.len() + 1), dice.below(codes.len() + 1));
                codes[start.min(end)..start.max(end)].to_vec()
            }
            _ => codes(one),
        };
        SmtString::from_codes(word).unwrap_or_else(SmtString::empty)
    }
}
