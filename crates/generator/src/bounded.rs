//! Formulas decided by enumeration: every constant has a finite domain by an assertion, and further
//! assertions are evaluated by the referee under all assignments.
//!
//! If no assignment makes all assertions true, the formula is unsatisfiable. Its core is minimal
//! and unique because for every assertion of it there is an assignment that makes all others true,
//! so every core must contain it (`minimal_core.rs`). Otherwise some satisfying assignment is the
//! witness. There are at most 200 assignments; assertions that the referee does not decide within
//! its limits are not used.

mod domain;
mod minimal_core;

use luthier_semantics::{Evaluator, Limits, Model};
use luthier_terms::{BasicSort, Op, TermId, TermPool};

use crate::facts::assertion;
use crate::random::Generator;
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch};
use domain::Domain;
pub use domain::{DOMAIN_KINDS, DomainKind, domain_of_kind};
use minimal_core::Contradiction;

/// The largest number of assignments.
const MOST_ASSIGNMENTS: usize = 200;

/// The number of assertions that are proposed.
const PROPOSALS: usize = 8;

/// The evaluation steps for one assertion.
const STEPS: u64 = 50_000;

/// The attempts for a contradiction that needs more than one assertion.
const ATTEMPTS: usize = 3;

/// A sketch about the operator, decided by enumeration; `None` if the attempts fail.
pub fn sketch(mut dice: Dice, about: Op) -> Option<Sketch> {
    let mut found = None;
    for _ in 0..ATTEMPTS {
        let next = Dice::new(dice.below(usize::MAX) as u64, 0);
        let sketch = attempt(dice, about);
        dice = next;
        // A contradiction in a single assertion is kept only sometimes.
        let is_single_assertion = match &sketch {
            Some(sketch) => {
                matches!(&sketch.planted, PlantedAnswer::Core(names) if names.len() == 1)
            }
            None => true,
        };
        found = sketch.or(found);
        if !is_single_assertion || found.is_some() && dice.percent(25) {
            break;
        }
    }
    found
}

fn attempt(dice: Dice, about: Op) -> Option<Sketch> {
    let mut generator = Generator::for_formula(dice);
    let domains = domains(&mut generator);
    let models = assignments(&generator, &domains);
    if models.is_empty() || models.len() > MOST_ASSIGNMENTS {
        return None;
    }
    let contradict = generator.dice.percent(70);
    let most = generator.dice.pick(&[1, 2, 2, 3, 3, 4]);
    let mut remaining: Vec<usize> = (0..models.len()).collect();
    let planted_index = generator.dice.below(models.len());
    let mut evaluated: Vec<EvaluatedAssertion> = Vec::new();
    for _ in 0..PROPOSALS {
        let done = evaluated.len() >= most + usize::from(contradict);
        if done || remaining.is_empty() {
            break;
        }
        // The proposal is false under a remaining assignment, or true under the planned witness.
        let hint = if contradict { generator.dice.pick(&remaining) } else { planted_index };
        generator.model = models[hint].clone();
        let about = if evaluated.is_empty() { about } else { generator.some_operator() };
        let depth = generator.dice.pick(&[0, 0, 0, 0, 1, 1, 2]);
        let term = generator.formula(!contradict, depth, about);
        if !generator.mentions_constant(term) {
            continue;
        }
        let Some(left) = satisfying(&generator.pool, &models, &remaining, term) else {
            continue;
        };
        // Proposals that exclude no assignment, or all at once, are mostly skipped.
        if left.len() == remaining.len()
            && generator.dice.percent(if contradict { 100 } else { 60 })
            || contradict && left.is_empty() && evaluated.is_empty() && generator.dice.percent(75)
        {
            continue;
        }
        let Some(truths) = truths(&generator.pool, &models, term) else { continue };
        evaluated.push(EvaluatedAssertion { term, truths });
        remaining = left;
    }
    if evaluated.is_empty() {
        return None;
    }
    if remaining.is_empty() {
        let contradiction = Contradiction::of(&mut generator, &domains, &models, evaluated)?;
        return Some(contradiction.into_sketch(generator, about));
    }
    let witness = generator.dice.pick(&remaining);
    Some(satisfiable(generator, &domains, &models, evaluated, witness, about))
}

/// An assertion and its truth value under each assignment.
struct EvaluatedAssertion {
    term: TermId,
    truths: Vec<bool>,
}

fn satisfiable(
    mut generator: Generator,
    domains: &[Domain],
    models: &[Model],
    evaluated: Vec<EvaluatedAssertion>,
    witness: usize,
    about: Op,
) -> Sketch {
    let facts = evaluated.iter().map(|assertion| assertion.term);
    let terms: Vec<TermId> =
        domains.iter().filter_map(|domain| domain.assertion).chain(facts).collect();
    let assertions =
        terms.into_iter().map(|term| assertion(term, generator.dice.percent(25))).collect();
    let mut draft = Draft::new(generator.pool, models[witness].clone());
    draft.assertions = assertions;
    Sketch {
        draft,
        planted: PlantedAnswer::Witness,
        category: Category::Bounded,
        operation: about.name(),
        derivation: format!(
            "the constants have {} possible assignments; the witness is one that makes every \
             assertion true",
            models.len()
        ),
    }
}

/// One to three domains with a product that is not too large.
fn domains(generator: &mut Generator) -> Vec<Domain> {
    let most = generator.dice.pick(&[4, 6, 8, 8, 12, 12, 20, 30, 60, MOST_ASSIGNMENTS]);
    let count = generator.dice.pick(&[1, 1, 1, 2, 2, 2, 3]);
    let mut domains: Vec<Domain> = Vec::new();
    let mut product = 1;
    for position in 0..count {
        let domain = if position > 0 && generator.dice.percent(12) {
            domain::truth_domain(generator)
        } else {
            let kind = generator.dice.pick(&DOMAIN_KINDS);
            domain_of_kind(generator, kind, most / product)
        };
        product *= domain.tuples.len().max(1);
        domains.push(domain);
        if product * 2 > most {
            break;
        }
    }
    domains
}

/// The models of all assignments.
fn assignments(generator: &Generator, domains: &[Domain]) -> Vec<Model> {
    let mut models = vec![Model::new()];
    for domain in domains {
        if models.len() * domain.tuples.len() > MOST_ASSIGNMENTS {
            return Vec::new();
        }
        let mut extended = Vec::new();
        for model in &models {
            for tuple in &domain.tuples {
                let mut model = model.clone();
                domain.assign(&generator.pool, &mut model, tuple);
                extended.push(model);
            }
        }
        models = extended;
    }
    models
}

/// The remaining assignments that satisfy the term; `None` if the referee does not decide one of them.
fn satisfying(
    pool: &TermPool,
    models: &[Model],
    remaining: &[usize],
    term: TermId,
) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    for &index in remaining {
        if truth(pool, &models[index], term)? {
            left.push(index);
        }
    }
    Some(left)
}

/// The truth value of the term under each model; `None` if the referee does not decide one of them.
fn truths(pool: &TermPool, models: &[Model], term: TermId) -> Option<Vec<bool>> {
    models.iter().map(|model| truth(pool, model, term)).collect()
}

/// The truth value of the term under the model, if the referee decides it within its limits.
fn truth(pool: &TermPool, model: &Model, term: TermId) -> Option<bool> {
    debug_assert_eq!(pool.sort(term).as_basic(), Some(BasicSort::Bool), "assertions are formulas");
    let limits = Limits { steps: STEPS, ..Limits::default() };
    Evaluator::with_limits(pool, model, limits).evaluate(term).as_bool()
}
