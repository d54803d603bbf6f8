//! Lengths of solutions along a walk, as linear forms over its parameters.
//!
//! The walk is followed backwards from the empty system, where the value of every variable is free
//! (`Remainder`). A substitution `x ↦ a·x` adds one to `|x|`, `x ↦ y·x` adds `|y|`. A cycle that
//! adds the same amount in each iteration adds that amount times the number of iterations
//! (`Iterations`), which is linear if the amount is a number. If the amount depends on parameters,
//! the product can be avoided (skip the cycle, or set these parameters to one) or given to the
//! arithmetic solver: see [`CycleMode`].
//!
//! This computes some solutions of a walk, not all: it serves to find models, and no `unsat`
//! depends on it.

use std::collections::BTreeMap;

use super::graph::Substitution;
use super::system::Symbol;
use super::walk::{Walk, WalkStep};

/// A parameter of the solutions of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Parameter {
    /// The length of a variable at the end of the walk.
    Remainder(u32),
    /// The number of iterations of the cycle at this step of the walk.
    Iterations(usize),
    /// What these iterations add to the length of a variable.
    Increase(usize, u32),
}

/// A linear form: a constant plus multiples of parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinearForm {
    /// The constant.
    pub constant: i64,
    /// The coefficients.
    pub parameters: BTreeMap<Parameter, i64>,
}

impl LinearForm {
    fn of(parameter: Parameter) -> Self {
        Self { constant: 0, parameters: BTreeMap::from([(parameter, 1)]) }
    }

    /// Adds a multiple of a form; `None` on overflow.
    fn add(&mut self, other: &Self, times: i64) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (&parameter, &count) in &other.parameters {
            let sum = self.parameters.entry(parameter).or_default();
            *sum = sum.checked_add(count.checked_mul(times)?)?;
        }
        Some(())
    }

    /// Substitutes numbers for some parameters.
    fn fix(&mut self, fixed: &BTreeMap<Parameter, i64>) -> Option<()> {
        for (parameter, &value) in fixed {
            if let Some(count) = self.parameters.remove(parameter) {
                self.constant = self.constant.checked_add(count.checked_mul(value)?)?;
            }
        }
        Some(())
    }
}

/// The lengths of all variables at the beginning of a walk.
pub struct WalkLengths {
    /// By variable.
    pub forms: Vec<LinearForm>,
    /// Parameters with a fixed value.
    pub fixed: BTreeMap<Parameter, i64>,
    /// Increases that are not linear.
    pub products: Vec<Product>,
}

/// `increase = iterations · per_iteration`: what a cycle adds if the amount of one iteration is not
/// a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// The total.
    pub increase: Parameter,
    /// The number of iterations.
    pub iterations: Parameter,
    /// The amount of one iteration.
    pub per_iteration: LinearForm,
}

/// The treatment of a cycle whose amount per iteration depends on parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleMode {
    /// No iterations.
    Skip,
    /// The parameters of the amount are fixed to one, so that it is a number.
    Constant,
    /// The product is given to the arithmetic solver.
    Product,
}

/// The lengths along a walk; `None` on overflow.
pub fn lengths(walk: &Walk, variables: usize, mode: CycleMode) -> Option<WalkLengths> {
    let mut fixed = BTreeMap::new();
    let mut products = Vec::new();
    let mut forms: Vec<LinearForm> = (0..variables)
        .map(|variable| LinearForm::of(Parameter::Remainder(variable as u32)))
        .collect();
    for (position, step) in walk.steps.iter().enumerate().rev() {
        let substitutions = match step {
            WalkStep::Substitute(substitution) => {
                forms[substitution.variable as usize] = substituted_length(&forms, substitution)?;
                continue;
            }
            WalkStep::Cycle(substitutions) => substitutions,
        };
        let Some(growths) = growth(substitutions, variables) else {
            fixed.insert(Parameter::Iterations(position), 0);
            continue;
        };
        let mut steps = Vec::with_capacity(growths.len());
        for (variable, growth) in &growths {
            let mut step = LinearForm { constant: growth.constant, ..LinearForm::default() };
            for (&other, &count) in &growth.lengths {
                step.add(&forms[other as usize], count)?;
            }
            steps.push((*variable, step));
        }
        let open = steps.iter().flat_map(|(_, step)| step.parameters.keys().copied());
        let open: BTreeMap<Parameter, i64> = open.map(|one| (one, 1)).collect();
        match mode {
            _ if open.is_empty() => {}
            CycleMode::Constant => {}
            CycleMode::Skip => {
                fixed.insert(Parameter::Iterations(position), 0);
                continue;
            }
            CycleMode::Product => {
                for (variable, step) in steps {
                    let increase = Parameter::Increase(position, variable);
                    forms[variable as usize].add(&LinearForm::of(increase), 1)?;
                    products.push(Product {
                        increase,
                        iterations: Parameter::Iterations(position),
                        per_iteration: step,
                    });
                }
                continue;
            }
        }
        for form in forms.iter_mut().chain(steps.iter_mut().map(|(_, step)| step)) {
            form.fix(&open)?;
        }
        fixed.extend(open);
        for (variable, step) in steps {
            if step.constant > 0 {
                let times = Parameter::Iterations(position);
                *forms[variable as usize].parameters.entry(times).or_default() += step.constant;
            }
        }
    }
    Some(WalkLengths { forms, fixed, products })
}

/// The length of a variable before a substitution, from the lengths after it.
fn substituted_length(forms: &[LinearForm], substitution: &Substitution) -> Option<LinearForm> {
    let mut sum = LinearForm::default();
    for &symbol in &substitution.value {
        match symbol {
            Symbol::Letter(_) => sum.constant = sum.constant.checked_add(1)?,
            Symbol::Variable(other) => sum.add(&forms[other as usize], 1)?,
        }
    }
    Some(sum)
}

/// What one iteration adds to the length of a variable: a number, and lengths that the cycle does
/// not change.
struct Growth {
    constant: i64,
    lengths: BTreeMap<u32, i64>,
}

/// What one iteration of a cycle adds to each length; `None` if that differs between iterations.
fn growth(substitutions: &[Substitution], variables: usize) -> Option<Vec<(u32, Growth)>> {
    let mut changed: Vec<u32> =
        substitutions.iter().map(|substitution| substitution.variable).collect();
    changed.sort_unstable();
    changed.dedup();
    // Here a remainder is the length at the end of the cycle.
    let mut forms: Vec<LinearForm> = (0..variables)
        .map(|variable| LinearForm::of(Parameter::Remainder(variable as u32)))
        .collect();
    for substitution in substitutions.iter().rev() {
        forms[substitution.variable as usize] = substituted_length(&forms, substitution)?;
    }
    let mut result = Vec::new();
    for variable in changed {
        let mut form = std::mem::take(&mut forms[variable as usize]);
        let itself = form.parameters.remove(&Parameter::Remainder(variable));
        if itself != Some(1) {
            return None;
        }
        let mut lengths = BTreeMap::new();
        for (parameter, count) in form.parameters {
            let Parameter::Remainder(other) = parameter else { return None };
            lengths.insert(other, count);
        }
        result.push((variable, Growth { constant: form.constant, lengths }));
    }
    // A length that the cycle itself changes differs between iterations.
    let changed: Vec<u32> =
        result.iter().filter(|(_, growth)| growth.grows()).map(|(one, _)| *one).collect();
    let is_constant =
        result.iter().all(|(_, growth)| growth.lengths.keys().all(|one| !changed.contains(one)));
    (is_constant && !changed.is_empty()).then_some(result)
}

impl Growth {
    fn grows(&self) -> bool {
        self.constant > 0 || !self.lengths.is_empty()
    }
}
