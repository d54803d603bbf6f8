//! The answer is found by trying everything: every constant has finitely many values by an
//! assertion that leaves no doubt, and further assertions are evaluated under all of them.
//!
//! If no values make all assertions true, the formula is unsatisfiable. Its core is minimal and
//! unique because for every assertion of it values are found that make all others true: then every
//! core must contain it (`evidence.rs`).

mod domain;
mod evidence;

use luthier_semantics::{Evaluator, Limits, Model};
use luthier_terms::{BasicSort, Op, TermId, TermPool};

use crate::random::Generator;
use crate::truth::assertion;
use crate::{Category, Claim, Dice, Draft, Sketch};
use domain::Domain;
pub use domain::{KINDS, Kind, domain_of_kind};
use evidence::Contradiction;

/// There are at most so many assignments.
const MOST_ASSIGNMENTS: usize = 200;

/// How often an assertion is proposed.
const PROPOSALS: usize = 8;

/// What evaluating one assertion may cost.
const STEPS: u64 = 50_000;

/// How often a contradiction in one assertion is given up for a better one.
const ATTEMPTS: usize = 3;

/// A sketch about the operator whose answer was found by trying everything. The same dice and
/// operator give the same sketch; some give none.
pub fn sketch(mut dice: Dice, about: Op) -> Option<Sketch> {
    let mut found = None;
    for _ in 0..ATTEMPTS {
        let next = Dice::new(dice.below(usize::MAX) as u64, 0);
        let sketch = attempt(dice, about);
        dice = next;
        // A contradiction in a single assertion is worth having, but not most of the time.
        let is_dull = match &sketch {
            Some(sketch) => matches!(&sketch.claim, Claim::Core(names) if names.len() == 1),
            None => true,
        };
        found = sketch.or(found);
        if !is_dull || found.is_some() && dice.percent(25) {
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
    let mut alive: Vec<usize> = (0..models.len()).collect();
    let hero = generator.dice.below(models.len());
    let mut columns: Vec<Column> = Vec::new();
    for _ in 0..PROPOSALS {
        let done = columns.len() >= most + usize::from(contradict);
        if done || alive.is_empty() {
            break;
        }
        // What is proposed is false under some values that are left, or true under those that stay.
        let hint = if contradict { generator.dice.pick(&alive) } else { hero };
        generator.model = models[hint].clone();
        let about = if columns.is_empty() { about } else { generator.some_operator() };
        let depth = generator.dice.pick(&[0, 0, 0, 0, 1, 1, 2]);
        let term = generator.formula(!contradict, depth, about);
        if !generator.mentions_constant(term) {
            continue;
        }
        let Some(left) = those_under_which_true(&generator.pool, &models, &alive, term) else {
            continue;
        };
        // All at once is dull; nothing at all is duller.
        if left.len() == alive.len() && generator.dice.percent(if contradict { 100 } else { 60 })
            || contradict && left.is_empty() && columns.is_empty() && generator.dice.percent(75)
        {
            continue;
        }
        let Some(truths) = truths(&generator.pool, &models, term) else { continue };
        columns.push(Column { term, truths });
        alive = left;
    }
    if columns.is_empty() {
        return None;
    }
    if alive.is_empty() {
        let contradiction = Contradiction::of(&mut generator, &domains, &models, columns)?;
        return Some(contradiction.into_sketch(generator, about));
    }
    let witness = generator.dice.pick(&alive);
    Some(satisfiable(generator, &domains, &models, columns, witness, about))
}

/// An assertion and whether it is true, assignment by assignment.
struct Column {
    term: TermId,
    truths: Vec<bool>,
}

fn satisfiable(
    mut generator: Generator,
    domains: &[Domain],
    models: &[Model],
    columns: Vec<Column>,
    witness: usize,
    about: Op,
) -> Sketch {
    let facts = columns.iter().map(|column| column.term);
    let terms: Vec<TermId> =
        domains.iter().filter_map(|domain| domain.assertion).chain(facts).collect();
    let assertions =
        terms.into_iter().map(|term| assertion(term, generator.dice.percent(25))).collect();
    let mut draft = Draft::new(generator.pool, models[witness].clone());
    draft.assertions = assertions;
    Sketch {
        draft,
        claim: Claim::Witness,
        category: Category::Bounded,
        operation: about.name(),
        derivation: format!(
            "the constants have {} possible assignments; the witness is one that makes every \
             assertion true",
            models.len()
        ),
    }
}

/// One to three domains whose product is not too large.
fn domains(generator: &mut Generator) -> Vec<Domain> {
    let most = generator.dice.pick(&[4, 6, 8, 8, 12, 12, 20, 30, 60, MOST_ASSIGNMENTS]);
    let count = generator.dice.pick(&[1, 1, 1, 2, 2, 2, 3]);
    let mut domains: Vec<Domain> = Vec::new();
    let mut product = 1;
    for position in 0..count {
        let domain = if position > 0 && generator.dice.percent(12) {
            domain::truth_domain(generator)
        } else {
            let kind = generator.dice.pick(&KINDS);
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

/// Those of the models under which the term is true; nothing if one of them does not decide it.
fn those_under_which_true(
    pool: &TermPool,
    models: &[Model],
    alive: &[usize],
    term: TermId,
) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    for &index in alive {
        if truth(pool, &models[index], term)? {
            left.push(index);
        }
    }
    Some(left)
}

/// Whether the term is true under each model; nothing if that is not decided for one of them.
fn truths(pool: &TermPool, models: &[Model], term: TermId) -> Option<Vec<bool>> {
    models.iter().map(|model| truth(pool, model, term)).collect()
}

/// Whether the term is true under the model, if that is decided soon.
fn truth(pool: &TermPool, model: &Model, term: TermId) -> Option<bool> {
    debug_assert_eq!(pool.sort(term).as_basic(), Some(BasicSort::Bool), "assertions are formulas");
    let limits = Limits { steps: STEPS, ..Limits::default() };
    Evaluator::with_limits(pool, model, limits).evaluate(term).as_bool()
}
