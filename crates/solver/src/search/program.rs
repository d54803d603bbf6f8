//! A formula as a list of steps, and its values, kept up to date when an input changes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::value::{Quick, apply};
use crate::automata::{Dfa, Regexes};
use crate::{Budget, Limit, UnknownReason};

/// What a step computes.
#[derive(Clone, Debug)]
pub enum Step {
    /// A literal; its value never changes.
    Constant,
    /// An input.
    Input(FunctionId, Sort),
    /// An operator of earlier steps.
    Apply(Op, Vec<usize>),
    /// Membership of an earlier step in the language of an automaton.
    Accepts(usize, usize),
}

/// A formula to be evaluated again and again.
pub struct Program {
    /// The steps; each uses only earlier ones.
    pub steps: Vec<Step>,
    /// The steps that use a step.
    users: Vec<Vec<usize>>,
    /// The automata of memberships.
    pub automata: Vec<Dfa>,
    /// The inputs.
    pub inputs: Vec<usize>,
    /// The steps that must be true.
    pub goals: Vec<usize>,
    /// The strings and numbers that the formula mentions.
    pub constants: Vec<Quick>,
    /// The longest string that is built.
    longest: usize,
    /// The longest string that a move asks for.
    pub longest_target: usize,
}

/// The values of all steps.
#[derive(Clone)]
pub struct Values {
    /// One for each step; a step without value has the least of its sort.
    pub of: Vec<Quick>,
    /// What was there before, to take changes back.
    undo: Vec<(usize, Quick)>,
    queued: Vec<bool>,
}

impl Program {
    /// The program of a conjunction; an error if it has something that cannot be evaluated
    /// quickly.
    pub fn new(
        pool: &TermPool,
        assertions: &[TermId],
        budget: &Budget,
    ) -> Result<(Self, Values), UnknownReason> {
        let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut steps = Vec::new();
        let states = budget.limit(Limit::SearchStates);
        let mut values: Vec<Quick> = Vec::new();
        let (mut automata, mut inputs, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if steps.len().is_multiple_of(64) {
                budget.check()?;
            }
            if pool.sort(term) == Sort::RegLan {
                continue;
            }
            let (step, value) = match pool.term(term) {
                Term::String(text) => {
                    let codes: Vec<u32> = text.iter().map(|letter| letter.code()).collect();
                    constants.push(Quick::text(&codes));
                    (Step::Constant, Quick::text(&codes))
                }
                Term::Integer(number) => {
                    let Some(number) = number.to_i128() else {
                        return Err(unsupported("a number of more than 128 bits"));
                    };
                    constants.push(Quick::Int(number));
                    (Step::Constant, Quick::Int(number))
                }
                Term::Apply(function, []) if pool.function(function).definition.is_none() => {
                    let sort = pool.sort(term);
                    let Some(value) = least(sort) else {
                        return Err(unsupported("an input of an unusual sort"));
                    };
                    inputs.push(steps.len());
                    (Step::Input(function, sort), value)
                }
                Term::Named(_, inner) => {
                    let inner = numbers[&inner];
                    numbers.insert(term, inner);
                    continue;
                }
                Term::Op(Op::StrInRe, children) => {
                    let mut regexes = Regexes::new();
                    let automaton = match regexes.of_term(pool, children[1]) {
                        Some(regex) => Dfa::within(&mut regexes, regex, states, budget)?,
                        None => None,
                    };
                    let Some(automaton) = automaton else {
                        return Err(unsupported("a regular language that is open or too large"));
                    };
                    automata.push(automaton);
                    let step = Step::Accepts(numbers[&children[0]], automata.len() - 1);
                    (step, Quick::Bool(false))
                }
                Term::Op(op, children) => {
                    let unusual = children.iter().any(|child| !numbers.contains_key(child));
                    let Some(value) = least(pool.sort(term)).filter(|_| !unusual) else {
                        return Err(unsupported(op.name()));
                    };
                    let children = children.iter().map(|child| numbers[child]).collect();
                    (Step::Apply(op, children), value)
                }
                _ => return Err(unsupported("a function or a quantifier")),
            };
            numbers.insert(term, steps.len());
            steps.push(step);
            values.push(value);
        }
        let mut users = vec![Vec::new(); steps.len()];
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Apply(_, children) => children.iter().for_each(|&c| users[c].push(number)),
                Step::Accepts(child, _) => users[*child].push(number),
                Step::Constant | Step::Input(..) => {}
            }
        }
        let mut goals: Vec<usize> = assertions.iter().map(|term| numbers[term]).collect();
        goals.sort_unstable();
        goals.dedup();
        let queued = vec![false; steps.len()];
        let longest = budget.limit(Limit::SearchLiteral);
        let longest_target = budget.limit(Limit::SearchTarget);
        let program =
            Self { steps, users, automata, inputs, goals, constants, longest, longest_target };
        let mut values = Values { of: values, undo: Vec::new(), queued };
        for number in 0..program.steps.len() {
            if let Some(value) = program.compute(number, &values.of) {
                values.of[number] = value;
            }
        }
        Ok((program, values))
    }

    /// The value of a step from those before it; `None` for inputs and literals.
    fn compute(&self, number: usize, values: &[Quick]) -> Option<Quick> {
        match &self.steps[number] {
            Step::Constant | Step::Input(..) => None,
            Step::Accepts(child, _) if values[*child] == Quick::Lost => Some(Quick::Lost),
            Step::Accepts(child, automaton) => {
                let codes = values[*child].codes().iter().copied();
                Some(Quick::Bool(self.automata[*automaton].accepts(codes)))
            }
            Step::Apply(Op::Ite, children) => Some(match values[children[0]] {
                Quick::Lost => Quick::Lost,
                Quick::Bool(true) => values[children[1]].clone(),
                _ => values[children[2]].clone(),
            }),
            Step::Apply(op, children) => {
                let mut few: [&Quick; 4] = [&values[children.first().copied().unwrap_or(0)]; 4];
                if children.len() <= few.len() {
                    for (place, &child) in few.iter_mut().zip(children) {
                        *place = &values[child];
                    }
                    return Some(apply(*op, &few[..children.len()], self.longest));
                }
                let many: Vec<&Quick> = children.iter().map(|&child| &values[child]).collect();
                Some(apply(*op, &many, self.longest))
            }
        }
    }

    /// Gives an input a value and brings all others up to date.
    pub fn set(&self, values: &mut Values, input: usize, value: Quick) {
        if values.of[input] == value {
            return;
        }
        let mut queue: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        values.replace(input, value);
        let wake = |values: &mut Values, queue: &mut BinaryHeap<Reverse<usize>>, step: usize| {
            for &user in &self.users[step] {
                if !std::mem::replace(&mut values.queued[user], true) {
                    queue.push(Reverse(user));
                }
            }
        };
        wake(values, &mut queue, input);
        while let Some(Reverse(step)) = queue.pop() {
            values.queued[step] = false;
            if let Some(value) = self.compute(step, &values.of)
                && value != values.of[step]
            {
                values.replace(step, value);
                wake(values, &mut queue, step);
            }
        }
    }
}

impl Values {
    fn replace(&mut self, step: usize, value: Quick) {
        let before = std::mem::replace(&mut self.of[step], value);
        self.undo.push((step, before));
    }

    /// Forgets how to go back.
    pub fn keep(&mut self) {
        self.undo.clear();
    }

    /// Takes back everything since [`Self::keep`].
    pub fn take_back(&mut self) {
        while let Some((step, value)) = self.undo.pop() {
            self.of[step] = value;
        }
    }
}

fn least(sort: Sort) -> Option<Quick> {
    match sort {
        Sort::Bool => Some(Quick::Bool(false)),
        Sort::Int => Some(Quick::Int(0)),
        Sort::String => Some(Quick::text(&[])),
        _ => None,
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!("{what} in the search"))
}
