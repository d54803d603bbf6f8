//! Lengths of values along a walk, as linear forms.
//!
//! A walk is followed backwards, from the empty system, where every variable can be anything. A
//! guess `x = a·x` makes a length grow by one, `x = y·x` by that of `y`. A cycle that lets some
//! lengths grow, each by a fixed number, lets them grow by any multiple.

use std::collections::BTreeMap;

use super::graph::Guess;
use super::system::Symbol;
use super::walk::{Step, Walk};

/// Something that can be chosen along a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// The length that a variable has at the end.
    Rest(u32),
    /// How often the cycle at this place of the walk is gone through.
    Times(usize),
    /// What that adds to the length of a variable.
    Gain(usize, u32),
}

/// A sum of multiples of choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    /// What is added.
    pub constant: i64,
    /// How often each choice counts.
    pub choices: BTreeMap<Choice, i64>,
}

impl Form {
    fn of(choice: Choice) -> Self {
        Self { constant: 0, choices: BTreeMap::from([(choice, 1)]) }
    }

    /// Adds a multiple; `None` if the numbers are too large to be of use.
    fn add(&mut self, other: &Self, times: i64) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (&choice, &count) in &other.choices {
            let sum = self.choices.entry(choice).or_default();
            *sum = sum.checked_add(count.checked_mul(times)?)?;
        }
        Some(())
    }

    /// The same with a number in place of some choices.
    fn settle(&mut self, settled: &BTreeMap<Choice, i64>) -> Option<()> {
        for (choice, &value) in settled {
            if let Some(count) = self.choices.remove(choice) {
                self.constant = self.constant.checked_add(count.checked_mul(value)?)?;
            }
        }
        Some(())
    }
}

/// The lengths of all variables at the beginning of a walk.
pub struct Lengths {
    /// By variable.
    pub forms: Vec<Form>,
    /// Choices that have only this value here.
    pub settled: BTreeMap<Choice, i64>,
    /// Gains that are not linear.
    pub products: Vec<Product>,
}

/// What a cycle adds, if what each turn adds is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// All that is added.
    pub gain: Choice,
    /// How often.
    pub times: Choice,
    /// What is added in each turn.
    pub step: Form,
}

/// What happens to a cycle that does not add a fixed number in each turn, but one that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// It is not gone through.
    None,
    /// What it adds is made a number: whatever is open in it is one.
    Settled,
    /// The product is left to arithmetic.
    Open,
}

/// The lengths along a walk; `None` if they are too large.
pub fn lengths(walk: &Walk, variables: usize, turns: Turns) -> Option<Lengths> {
    let mut settled = BTreeMap::new();
    let mut products = Vec::new();
    let mut forms: Vec<Form> =
        (0..variables).map(|variable| Form::of(Choice::Rest(variable as u32))).collect();
    for (place, step) in walk.steps.iter().enumerate().rev() {
        let guesses = match step {
            Step::Guess(guess) => {
                forms[guess.variable as usize] = value(&forms, guess)?;
                continue;
            }
            Step::Cycle(guesses) => guesses,
        };
        let Some(growth) = growth(guesses, variables) else {
            settled.insert(Choice::Times(place), 0);
            continue;
        };
        let mut steps = Vec::with_capacity(growth.len());
        for (variable, row) in &growth {
            let mut step = Form { constant: row.constant, ..Form::default() };
            for (&other, &count) in &row.lengths {
                step.add(&forms[other as usize], count)?;
            }
            steps.push((*variable, step));
        }
        let open = steps.iter().flat_map(|(_, step)| step.choices.keys().copied());
        let open: BTreeMap<Choice, i64> = open.map(|one| (one, 1)).collect();
        match turns {
            _ if open.is_empty() => {}
            Turns::Settled => {}
            Turns::None => {
                settled.insert(Choice::Times(place), 0);
                continue;
            }
            Turns::Open => {
                for (variable, step) in steps {
                    let gain = Choice::Gain(place, variable);
                    forms[variable as usize].add(&Form::of(gain), 1)?;
                    products.push(Product { gain, times: Choice::Times(place), step });
                }
                continue;
            }
        }
        for form in forms.iter_mut().chain(steps.iter_mut().map(|(_, step)| step)) {
            form.settle(&open)?;
        }
        settled.extend(open);
        for (variable, step) in steps {
            if step.constant > 0 {
                let times = Choice::Times(place);
                *forms[variable as usize].choices.entry(times).or_default() += step.constant;
            }
        }
    }
    Some(Lengths { forms, settled, products })
}

/// The length that a guess gives.
fn value(forms: &[Form], guess: &Guess) -> Option<Form> {
    let mut sum = Form::default();
    for &symbol in &guess.value {
        match symbol {
            Symbol::Letter(_) => sum.constant = sum.constant.checked_add(1)?,
            Symbol::Variable(other) => sum.add(&forms[other as usize], 1)?,
        }
    }
    Some(sum)
}

/// What a cycle adds to the length of a variable: a number, and lengths that it does not change.
struct Growth {
    constant: i64,
    lengths: BTreeMap<u32, i64>,
}

/// By how much each turn of a cycle makes lengths grow; `None` if that is not the same each time.
fn growth(guesses: &[Guess], variables: usize) -> Option<Vec<(u32, Growth)>> {
    let mut changed: Vec<u32> = guesses.iter().map(|guess| guess.variable).collect();
    changed.sort_unstable();
    changed.dedup();
    // Here a rest stands for the length at the end of the cycle.
    let mut forms: Vec<Form> =
        (0..variables).map(|variable| Form::of(Choice::Rest(variable as u32))).collect();
    for guess in guesses.iter().rev() {
        forms[guess.variable as usize] = value(&forms, guess)?;
    }
    let mut result = Vec::new();
    for variable in changed {
        let mut form = std::mem::take(&mut forms[variable as usize]);
        let itself = form.choices.remove(&Choice::Rest(variable));
        if itself != Some(1) {
            return None;
        }
        let mut lengths = BTreeMap::new();
        for (choice, count) in form.choices {
            let Choice::Rest(other) = choice else { return None };
            lengths.insert(other, count);
        }
        result.push((variable, Growth { constant: form.constant, lengths }));
    }
    // A length that the cycle itself changes is not the same in each turn.
    let changed: Vec<u32> =
        result.iter().filter(|(_, row)| row.grows()).map(|(one, _)| *one).collect();
    let steady = result.iter().all(|(_, row)| row.lengths.keys().all(|one| !changed.contains(one)));
    (steady && !changed.is_empty()).then_some(result)
}

impl Growth {
    fn grows(&self) -> bool {
        self.constant > 0 || !self.lengths.is_empty()
    }
}
