//! A formula as a straight-line program, with incremental evaluation.
//!
//! Each step is an input, a literal, an operator of earlier steps, a run of an automaton, or an operator of regular languages. When an
//! input changes, only the steps that depend on it are evaluated again, in order, and only as long
//! as values change; an undo log reverts a move.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::regular::Regular;
use super::value::{FastValue, apply};
use crate::automata::{Dfa, Regexes};
use crate::{Budget, Limit, UnknownReason};

/// A step of the program.
#[derive(Clone, Debug)]
pub enum Instruction {
    /// A literal; its value never changes.
    Constant,
    /// An input.
    Input(FunctionId, Sort),
    /// An operator of earlier steps.
    Apply(Op, Vec<usize>),
    /// Membership of an earlier step in the language of an automaton.
    Accepts(usize, usize),
    /// A language, from earlier steps.
    Language(Op, Vec<usize>),
    /// Membership of an earlier step in the language of another one.
    Member(usize, usize),
    /// Replacement of the first match of a language in a text, or of all: steps of the text, the
    /// language and the new text.
    Replace([usize; 3], bool),
}

/// A formula for repeated evaluation.
pub struct Program {
    /// The steps; each uses only earlier ones.
    pub steps: Vec<Instruction>,
    /// The steps that use a step.
    users: Vec<Vec<usize>>,
    /// The automata of memberships.
    pub automata: Vec<Dfa>,
    /// The inputs.
    pub inputs: Vec<usize>,
    /// The steps that must be true.
    pub goals: Vec<usize>,
    /// The string and integer literals of the formula.
    pub constants: Vec<FastValue>,
    /// The limit on the letters of strings that are built.
    max_letters: usize,
    /// The limit on the letters of target values.
    pub max_target: usize,
    /// The owner of languages that are values.
    pub regular: Regular,
}

/// The values of all steps.
#[derive(Clone)]
pub struct Values {
    /// One for each step.
    pub of: Vec<FastValue>,
    /// The undo log: steps with their previous values.
    undo: Vec<(usize, FastValue)>,
    queued: Vec<bool>,
}

impl Program {
    /// The program of a conjunction; an error if it has something without fast evaluation.
    pub fn new(
        pool: &TermPool,
        assertions: &[TermId],
        budget: &Budget,
    ) -> Result<(Self, Values), UnknownReason> {
        let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut steps = Vec::new();
        let mut values: Vec<FastValue> = Vec::new();
        let (mut automata, mut inputs, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        let (mut known_automata, languages) = languages(pool, assertions, budget)?;
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            if steps.len().is_multiple_of(64) {
                budget.check()?;
            }
            if pool.sort(term) == Sort::RegLan && !languages.contains(&term) {
                continue;
            }
            let (step, value) = match pool.term(term) {
                Term::String(text) => {
                    let codes: Vec<u32> = text.iter().map(|letter| letter.code()).collect();
                    constants.push(FastValue::text(&codes));
                    (Instruction::Constant, FastValue::text(&codes))
                }
                Term::Integer(number) => {
                    let Some(number) = number.to_i128() else {
                        return Err(unsupported("a number of more than 128 bits"));
                    };
                    constants.push(FastValue::Int(number));
                    (Instruction::Constant, FastValue::Int(number))
                }
                Term::Apply(function, []) if pool.function(function).definition.is_none() => {
                    let sort = pool.sort(term);
                    let Some(value) = least(sort) else {
                        return Err(unsupported("an input of an unusual sort"));
                    };
                    inputs.push(steps.len());
                    (Instruction::Input(function, sort), value)
                }
                Term::Named(_, inner) => {
                    let inner = numbers[&inner];
                    numbers.insert(term, inner);
                    continue;
                }
                Term::Op(Op::StrInRe, &[text, language]) => {
                    let step = match known_automata.remove(&term) {
                        Some(automaton) => {
                            automata.push(automaton);
                            Instruction::Accepts(numbers[&text], automata.len() - 1)
                        }
                        None => Instruction::Member(numbers[&text], numbers[&language]),
                    };
                    (step, FastValue::Bool(false))
                }
                Term::Op(op @ (Op::StrReplaceRe | Op::StrReplaceReAll), &[text, language, by]) => {
                    let parts = [text, language, by].map(|part| numbers[&part]);
                    (Instruction::Replace(parts, op == Op::StrReplaceReAll), FastValue::text(&[]))
                }
                Term::Op(op, children) if pool.sort(term) == Sort::RegLan => {
                    let children = children.iter().map(|child| numbers[child]).collect();
                    (Instruction::Language(op, children), FastValue::Unknown)
                }
                Term::Op(op, children) => {
                    // The equality of languages is not that of expressions.
                    let is_language = |&child: &TermId| pool.sort(child) == Sort::RegLan;
                    let unusual = children.iter().any(is_language);
                    let Some(value) = least(pool.sort(term)).filter(|_| !unusual) else {
                        return Err(unsupported(op.name()));
                    };
                    let children = children.iter().map(|child| numbers[child]).collect();
                    (Instruction::Apply(op, children), value)
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
                Instruction::Apply(_, children) | Instruction::Language(_, children) => {
                    children.iter().for_each(|&c| users[c].push(number))
                }
                Instruction::Accepts(child, _) => users[*child].push(number),
                Instruction::Member(text, language) => {
                    users[*text].push(number);
                    users[*language].push(number);
                }
                Instruction::Replace(parts, _) => {
                    parts.iter().for_each(|&part| users[part].push(number));
                }
                Instruction::Constant | Instruction::Input(..) => {}
            }
        }
        let mut goals: Vec<usize> = assertions.iter().map(|term| numbers[term]).collect();
        goals.sort_unstable();
        goals.dedup();
        let queued = vec![false; steps.len()];
        let max_letters = budget.limit(Limit::SearchLiteral);
        let max_target = budget.limit(Limit::SearchTarget);
        let regular = Regular::new(budget);
        let program = Self {
            steps,
            users,
            automata,
            inputs,
            goals,
            constants,
            max_letters,
            max_target,
            regular,
        };
        let mut values = Values { of: values, undo: Vec::new(), queued };
        for number in 0..program.steps.len() {
            if let Some(value) = program.compute(number, &values.of) {
                values.of[number] = value;
            }
        }
        Ok((program, values))
    }

    /// The value of a step from those before it; `None` for inputs and literals.
    fn compute(&self, number: usize, values: &[FastValue]) -> Option<FastValue> {
        match &self.steps[number] {
            Instruction::Constant | Instruction::Input(..) => None,
            Instruction::Accepts(child, _) if values[*child] == FastValue::Unknown => {
                Some(FastValue::Unknown)
            }
            Instruction::Accepts(child, automaton) => {
                let codes = values[*child].codes().iter().copied();
                Some(FastValue::Bool(self.automata[*automaton].accepts(codes)))
            }
            Instruction::Member(text, language) => {
                Some(self.regular.accepts(&values[*language], &values[*text]))
            }
            Instruction::Replace(parts, all) => {
                let parts = parts.map(|part| &values[part]);
                Some(self.regular.replaced(parts, *all, self.max_letters))
            }
            Instruction::Language(Op::Ite, children) | Instruction::Apply(Op::Ite, children) => {
                Some(match values[children[0]] {
                    FastValue::Unknown => FastValue::Unknown,
                    FastValue::Bool(true) => values[children[1]].clone(),
                    _ => values[children[2]].clone(),
                })
            }
            Instruction::Language(op, children) => {
                let parts: Vec<&FastValue> = children.iter().map(|&child| &values[child]).collect();
                Some(self.regular.language(*op, &parts))
            }
            Instruction::Apply(op, children) => {
                let mut few: [&FastValue; 4] = [&values[children.first().copied().unwrap_or(0)]; 4];
                if children.len() <= few.len() {
                    for (position, &child) in few.iter_mut().zip(children) {
                        *position = &values[child];
                    }
                    return Some(apply(*op, &few[..children.len()], self.max_letters));
                }
                let many: Vec<&FastValue> = children.iter().map(|&child| &values[child]).collect();
                Some(apply(*op, &many, self.max_letters))
            }
        }
    }

    /// Sets an input and updates all steps that depend on it.
    pub fn set(&self, values: &mut Values, input: usize, value: FastValue) {
        if values.of[input] == value {
            return;
        }
        let mut queue: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        values.replace(input, value);
        let enqueue_users =
            |values: &mut Values, queue: &mut BinaryHeap<Reverse<usize>>, step: usize| {
                for &user in &self.users[step] {
                    if !std::mem::replace(&mut values.queued[user], true) {
                        queue.push(Reverse(user));
                    }
                }
            };
        enqueue_users(values, &mut queue, input);
        while let Some(Reverse(step)) = queue.pop() {
            values.queued[step] = false;
            if let Some(value) = self.compute(step, &values.of)
                && value != values.of[step]
            {
                values.replace(step, value);
                enqueue_users(values, &mut queue, step);
            }
        }
    }
}

impl Values {
    fn replace(&mut self, step: usize, value: FastValue) {
        let before = std::mem::replace(&mut self.of[step], value);
        self.undo.push((step, before));
    }

    /// Clears the undo log.
    pub fn commit(&mut self) {
        self.undo.clear();
    }

    /// Reverts all changes since [`Self::commit`].
    pub fn undo_all(&mut self) {
        while let Some((step, value)) = self.undo.pop() {
            self.of[step] = value;
        }
    }
}

/// The automata of memberships, and the languages without one: these are values.
type Languages = (FxHashMap<TermId, Dfa>, FxHashSet<TermId>);

fn languages(
    pool: &TermPool,
    assertions: &[TermId],
    budget: &Budget,
) -> Result<Languages, UnknownReason> {
    let states = budget.limit(Limit::SearchStates);
    let (mut automata, mut values) = (FxHashMap::default(), Vec::new());
    for term in PostOrder::new(pool, assertions.iter().copied()) {
        match pool.term(term) {
            Term::Op(Op::StrInRe, children) => {
                let mut regexes = Regexes::new();
                let automaton = match regexes.of_term(pool, children[1]) {
                    Some(regex) => Dfa::within(&mut regexes, regex, states, budget)?,
                    None => None,
                };
                match automaton {
                    Some(automaton) => drop(automata.insert(term, automaton)),
                    None => values.push(children[1]),
                }
            }
            Term::Op(Op::StrReplaceRe | Op::StrReplaceReAll, children) => values.push(children[1]),
            _ => {}
        }
    }
    let languages = PostOrder::new(pool, values).filter(|&term| pool.sort(term) == Sort::RegLan);
    Ok((automata, languages.collect()))
}

fn least(sort: Sort) -> Option<FastValue> {
    match sort {
        Sort::Bool => Some(FastValue::Bool(false)),
        Sort::Int => Some(FastValue::Int(0)),
        Sort::String => Some(FastValue::text(&[])),
        _ => None,
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!("{what} in the search"))
}
