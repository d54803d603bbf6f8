//! One round: candidates in domains of fixed sizes.

use std::sync::Arc;
use std::time::Duration;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{BigInt, CodePoint, PostOrder, SmtString, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Flat;
use super::define::{Said, Wrong};
use super::encode::{Encoder, Meaning};
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, model_of};
use crate::{Budget, Limit, Problem, UnknownReason};

/// What came of a round.
pub enum Round {
    /// A model, which the referee has already seen.
    Model(Model),
    /// The domains of these terms are to blame.
    TooSmall(Vec<TermId>),
    /// There is no model, whatever the domains are.
    Contradiction,
}

/// Looks for a model in domains on some rungs; gives up when a check takes longer than `slice`.
pub fn round(
    engine: &Flat,
    problem: &Problem,
    rungs: &FxHashMap<TermId, usize>,
    budget: &Budget,
    slice: Duration,
) -> Result<Round, UnknownReason> {
    let mut encoder =
        Encoder::new(Arc::clone(&problem.pool), &problem.assertions, rungs.clone(), budget);
    encoder.form = engine.not_substring;
    for &assertion in &problem.assertions {
        budget.check()?;
        encoder.assert(assertion)?;
    }
    let declared = problem.declared();
    let mut solver = quick(&engine.backend).start()?;
    let mut asserted = Vec::new();
    loop {
        budget.check()?;
        for fact in std::mem::take(&mut encoder.reader.facts) {
            solver.assert(&encoder.reader.arena, fact)?;
            asserted.push(fact);
        }
        let assumptions: Vec<Id> = encoder.assumptions.iter().map(|&(_, id)| id).collect();
        match solver.check(&encoder.reader.arena, &assumptions, &budget.at_most(slice))? {
            Answer::Unsat(core) => {
                let blamed = encoder.assumptions.iter().filter(|(_, id)| core.contains(id));
                let blamed: Vec<TermId> = blamed.map(|&(term, _)| term).collect();
                if blamed.is_empty() {
                    return confirm(&engine.backend, &encoder, &asserted, budget);
                }
                return Ok(Round::TooSmall(blamed));
            }
            Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
            Answer::Sat => {}
        }
        let mut model = candidate(&encoder, &mut *solver)?;
        // Constants that stand in languages only are not part of any formula yet.
        for &function in &declared {
            let declaration = problem.pool.function(function);
            if declaration.parameters.is_empty() && model.get(function).is_none() {
                model.insert_value(function, Value::default_of(declaration.result));
            }
        }
        if improve(&mut encoder, &mut *solver, problem, &model)? {
            return Ok(Round::Model(model));
        }
    }
}

/// The solver with its newer core, which finds models of formulas with many cases several times
/// faster than the one that it uses by itself.
pub fn quick(backend: &Backend) -> Backend {
    backend.with_argument("sat.smt=true")
}

/// A contradiction without assumptions is a proof, so the solver's usual core is asked as well.
fn confirm(
    backend: &Backend,
    encoder: &Encoder,
    asserted: &[Id],
    budget: &Budget,
) -> Result<Round, UnknownReason> {
    let mut solver = backend.start()?;
    for &fact in asserted {
        solver.assert(&encoder.reader.arena, fact)?;
    }
    match solver.check(&encoder.reader.arena, &[], budget)? {
        Answer::Unsat(_) => Ok(Round::Contradiction),
        Answer::Sat => {
            Err(UnknownReason::Failed("two cores of the arithmetic solver disagree".to_owned()))
        }
        Answer::Unknown(reason) => Err(UnknownReason::Incomplete(reason)),
    }
}

/// The values that the arithmetic model gives to the constants of the problem.
fn candidate(encoder: &Encoder, solver: &mut dyn ArithmeticSolver) -> Result<Model, UnknownReason> {
    let mut asked: Vec<Id> = encoder.scalars.iter().map(|&(_, id)| id).collect();
    for &(_, base) in &encoder.variables {
        for block in &encoder.reader.bases[base].blocks {
            asked.push(block.length);
            asked.extend_from_slice(&block.letters);
        }
    }
    let values = solver.values(&encoder.reader.arena, &asked)?;
    let mut model = model_of(&encoder.scalars, &values);
    let known: FxHashMap<Id, Number> = asked.into_iter().zip(values).collect();
    for &(term, base) in &encoder.variables {
        if let Term::Apply(function, _) = encoder.pool.term(term) {
            model.insert_value(function, Value::String(spell(encoder, base, &known)?));
        }
    }
    Ok(model)
}

/// The word that a variable is in the arithmetic model.
fn spell(
    encoder: &Encoder,
    base: usize,
    known: &FxHashMap<Id, Number>,
) -> Result<SmtString, UnknownReason> {
    let mut text: Vec<CodePoint> = Vec::new();
    let longest = encoder.reader.budget.limit(Limit::FlatValue);
    for block in &encoder.reader.bases[base].blocks {
        let length = known[&block.length].as_int().and_then(BigInt::to_usize);
        let length = length.filter(|&length| text.len().saturating_add(length) <= longest);
        let Some(length) = length else {
            encoder.reader.budget.limits().hit(Limit::FlatValue);
            let what = format!("a candidate has a string of more than {longest} letters");
            return Err(UnknownReason::Incomplete(what));
        };
        let letters: Vec<CodePoint> = block
            .letters
            .iter()
            .map(|letter| known[letter].as_int().and_then(BigInt::to_i64).unwrap_or(0))
            .map(|value| encoder.reader.letters.character(value))
            .collect();
        text.extend(letters.iter().copied().cycle().take(length));
    }
    Ok(text.into())
}

/// Whether the candidate is right; otherwise says what it got wrong.
fn improve(
    encoder: &mut Encoder,
    solver: &mut dyn ArithmeticSolver,
    problem: &Problem,
    model: &Model,
) -> Result<bool, UnknownReason> {
    // Terms are made while wrong ones are corrected; the evaluator stays with the pool as it is now.
    let pool = Arc::clone(&encoder.pool);
    let limits = encoder.reader.budget.evaluation_limits();
    let mut evaluator = Evaluator::with_limits(&pool, model, limits);
    let failing = problem.assertions.iter().copied();
    let failing: Vec<TermId> = failing.filter(|&one| !evaluator.evaluate(one).is_true()).collect();
    if failing.is_empty() {
        return Ok(true);
    }
    let roots = failing.into_iter().chain(encoder.lemmas.iter().copied());
    let suspects: Vec<TermId> =
        PostOrder::new(&pool, roots).filter(|term| encoder.open.contains_key(term)).collect();
    // A replacement hides an index in its slices.
    let hidden = encoder.open.keys().copied().filter(|term| !suspects.contains(term));
    let hidden: Vec<TermId> = hidden.collect();
    let mut more = false;
    for group in [suspects, hidden] {
        let claims = claims(encoder, solver, &group)?;
        for (term, claimed, starts) in claims {
            encoder.reader.budget.check()?;
            let actual = evaluator.evaluate(term);
            let Some(actual) = actual.known() else {
                return Err(UnknownReason::Incomplete("the evaluator cannot tell".to_owned()));
            };
            if *actual == claimed {
                continue;
            }
            let inputs: Option<Vec<(TermId, Value)>> = inputs(&pool, term)
                .into_iter()
                .map(|input| Some((input, evaluator.evaluate(input).known()?.clone())))
                .collect();
            let Some(inputs) = inputs else {
                return Err(UnknownReason::Incomplete("the evaluator cannot tell".to_owned()));
            };
            let wrong = Wrong { term, claimed: &claimed, actual, inputs: &inputs, starts: &starts };
            more |= encoder.define(&wrong)? == Said::More;
        }
        if more {
            return Ok(false);
        }
    }
    Err(UnknownReason::Incomplete("a candidate is wrong and nothing more can be said".to_owned()))
}

type Claim = (TermId, Value, Vec<BigInt>);

/// What the arithmetic model says about open terms, and where the slices of their first string
/// start in it.
fn claims(
    encoder: &Encoder,
    solver: &mut dyn ArithmeticSolver,
    terms: &[TermId],
) -> Result<Vec<Claim>, UnknownReason> {
    let mut asked: Vec<Id> = Vec::new();
    let mut bases: FxHashMap<TermId, usize> = FxHashMap::default();
    for &(term, base) in &encoder.variables {
        bases.insert(term, base);
    }
    for &term in terms {
        match bases.get(&term) {
            Some(&base) => {
                for block in &encoder.reader.bases[base].blocks {
                    asked.push(block.length);
                    asked.extend_from_slice(&block.letters);
                }
            }
            None => asked.push(encoder.formula(term)),
        }
        asked.extend(slice_starts(encoder, term));
    }
    asked.sort_unstable();
    asked.dedup();
    let values = solver.values(&encoder.reader.arena, &asked)?;
    let known: FxHashMap<Id, Number> = asked.into_iter().zip(values).collect();
    let mut claims = Vec::with_capacity(terms.len());
    for &term in terms {
        let claimed = match bases.get(&term) {
            Some(&base) => Value::String(spell(encoder, base, &known)?),
            None => match known[&encoder.formula(term)].to_model() {
                Some(value) => value,
                None => continue,
            },
        };
        let starts = slice_starts(encoder, term);
        let starts = starts.iter().filter_map(|id| known[id].as_int().cloned()).collect();
        claims.push((term, claimed, starts));
    }
    Ok(claims)
}

fn slice_starts(encoder: &Encoder, term: TermId) -> Vec<Id> {
    let first = encoder.pool.children(term).first();
    match first.and_then(|&child| encoder.meaning(child)) {
        Some(Meaning::Word(word)) => word.placed().iter().map(|&(start, _)| start).collect(),
        _ => Vec::new(),
    }
}

/// What the value of a term depends on: its children, and in place of regular languages what they
/// are made of.
fn inputs(pool: &TermPool, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut todo: Vec<TermId> = pool.children(term).iter().rev().copied().collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = todo.pop() {
        let is_language = pool.sort(term) == Sort::RegLan;
        if !is_language {
            found.push(term);
        } else if seen.insert(term) {
            todo.extend(pool.children(term).iter().rev());
        }
    }
    found
}
