//! One round of the flat engine: lazy refinement in domains of fixed sizes.
//!
//! Loop: check the formulas under the assumption that all values are in their domains; read off a
//! candidate; evaluate the assertions. If they hold, it is a model. Otherwise compare the value of
//! each deferred term of a false assertion with the one that the arithmetic model assigns, and add
//! the definitions of those that differ. On `unsat`, the domains in the core are too small; with
//! none in the core, a second solver run confirms the contradiction before it counts as a proof.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{BigInt, CodePoint, PostOrder, SmtString, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Flat;
use super::define::{Progress, WrongValue};
use super::domain::Ladder;
use super::encode::{Encoder, Translation};
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value as Number, model_of};
use crate::{Budget, Limit, Problem, UnknownReason};

/// The outcome of a round.
pub enum RoundOutcome {
    /// A model under which all assertions evaluate to true.
    Model(Model),
    /// No model in these domains; those of these terms are in the core.
    DomainsTooSmall(Vec<TermId>),
    /// There is no model, independent of the domains.
    Contradiction,
}

/// Looks for a model in domains on some rungs; an error if a check takes longer than `slice`.
pub fn round(
    engine: &Flat,
    problem: &Problem,
    (rungs, ladder): (&FxHashMap<TermId, usize>, &Rc<Ladder>),
    budget: &Budget,
    slice: Duration,
) -> Result<RoundOutcome, UnknownReason> {
    let domains = (rungs.clone(), Rc::clone(ladder));
    let mut encoder = Encoder::new(Arc::clone(&problem.pool), &problem.assertions, domains, budget);
    encoder.form = engine.not_substring;
    for &assertion in &problem.assertions {
        budget.check()?;
        encoder.assert(assertion)?;
    }
    let declared = problem.declared();
    let mut solver = with_sat_core(&engine.backend).start()?;
    let mut asserted = Vec::new();
    loop {
        budget.check()?;
        for fact in std::mem::take(&mut encoder.words.facts) {
            solver.assert(&encoder.words.arena, fact)?;
            asserted.push(fact);
        }
        let assumptions: Vec<Id> = encoder.assumptions.iter().map(|&(_, id)| id).collect();
        match solver.check(&encoder.words.arena, &assumptions, &budget.at_most(slice))? {
            Answer::Unsat(core) => {
                let in_core = encoder.assumptions.iter().filter(|(_, id)| core.contains(id));
                let in_core: Vec<TermId> = in_core.map(|&(term, _)| term).collect();
                if in_core.is_empty() {
                    return confirm(&engine.backend, &encoder, &asserted, budget);
                }
                return Ok(RoundOutcome::DomainsTooSmall(in_core));
            }
            Answer::Unknown(reason) => return Err(UnknownReason::Incomplete(reason)),
            Answer::Sat => {}
        }
        let mut model = candidate(&encoder, &mut *solver)?;
        // Constants that occur only in regular expressions are not translated.
        for &function in &declared {
            let declaration = problem.pool.function(function);
            if declaration.parameters.is_empty() && model.get(function).is_none() {
                model.insert_value(function, Value::default_of(declaration.result));
            }
        }
        if refine_candidate(&mut encoder, &mut *solver, problem, &model)? {
            return Ok(RoundOutcome::Model(model));
        }
    }
}

/// Z3 with the newer core `sat.smt`, which finds models of these formulas several times faster than
/// the default one.
pub fn with_sat_core(backend: &Backend) -> Backend {
    backend.with_argument("sat.smt=true")
}

/// A contradiction without assumptions is a proof, so it is confirmed with the solver's default
/// core.
fn confirm(
    backend: &Backend,
    encoder: &Encoder,
    asserted: &[Id],
    budget: &Budget,
) -> Result<RoundOutcome, UnknownReason> {
    let mut solver = backend.start()?;
    for &fact in asserted {
        solver.assert(&encoder.words.arena, fact)?;
    }
    match solver.check(&encoder.words.arena, &[], budget)? {
        Answer::Unsat(_) => Ok(RoundOutcome::Contradiction),
        Answer::Sat => {
            Err(UnknownReason::Failed("two cores of the arithmetic solver disagree".to_owned()))
        }
        Answer::Unknown(reason) => Err(UnknownReason::Incomplete(reason)),
    }
}

/// The values that the arithmetic model gives to the constants of the problem.
fn candidate(encoder: &Encoder, solver: &mut dyn ArithmeticSolver) -> Result<Model, UnknownReason> {
    let mut queried: Vec<Id> = encoder.scalars.iter().map(|&(_, id)| id).collect();
    for &(_, base) in &encoder.variables {
        for block in &encoder.words.bases[base].blocks {
            queried.push(block.length);
            queried.extend_from_slice(&block.letters);
        }
    }
    let values = solver.values(&encoder.words.arena, &queried)?;
    let mut model = model_of(&encoder.scalars, &values);
    let known: FxHashMap<Id, Number> = queried.into_iter().zip(values).collect();
    for &(term, base) in &encoder.variables {
        if let Term::Apply(function, _) = encoder.pool.term(term) {
            model.insert_value(function, Value::String(spell(encoder, base, &known)?));
        }
    }
    Ok(model)
}

/// The value of a variable in the arithmetic model.
fn spell(
    encoder: &Encoder,
    base: usize,
    known: &FxHashMap<Id, Number>,
) -> Result<SmtString, UnknownReason> {
    let mut text: Vec<CodePoint> = Vec::new();
    let max_letters = encoder.words.budget.limit(Limit::FlatValue);
    for block in &encoder.words.bases[base].blocks {
        let length = known[&block.length].as_int().and_then(BigInt::to_usize);
        let length = length.filter(|&length| text.len().saturating_add(length) <= max_letters);
        let Some(length) = length else {
            encoder.words.budget.limits().hit(Limit::FlatValue);
            let what = format!("a candidate has a string of more than {max_letters} letters");
            return Err(UnknownReason::Incomplete(what));
        };
        let letters: Vec<CodePoint> = block
            .letters
            .iter()
            .map(|letter| known[letter].as_int().and_then(BigInt::to_i64).unwrap_or(0))
            .map(|value| encoder.words.letters.character(value))
            .collect();
        text.extend(letters.iter().copied().cycle().take(length));
    }
    Ok(text.into())
}

/// Whether the candidate is a model; otherwise adds definitions that it violates.
fn refine_candidate(
    encoder: &mut Encoder,
    solver: &mut dyn ArithmeticSolver,
    problem: &Problem,
    model: &Model,
) -> Result<bool, UnknownReason> {
    // Definitions may build terms; the evaluator keeps the pool as it is now.
    let pool = Arc::clone(&encoder.pool);
    let limits = encoder.words.budget.evaluation_limits();
    let mut evaluator = Evaluator::with_limits(&pool, model, limits);
    let failing = problem.assertions.iter().copied();
    let failing: Vec<TermId> = failing.filter(|&one| !evaluator.evaluate(one).is_true()).collect();
    if failing.is_empty() {
        return Ok(true);
    }
    let roots = failing.into_iter().chain(encoder.lemmas.iter().copied());
    let suspects: Vec<TermId> =
        PostOrder::new(&pool, roots).filter(|term| encoder.deferred.contains_key(term)).collect();
    // The bounds of slices depend on deferred terms that do not occur in the assertions, such as
    // the index of a replacement.
    let hidden = encoder.deferred.keys().copied().filter(|term| !suspects.contains(term));
    let hidden: Vec<TermId> = hidden.collect();
    let mut more = false;
    for group in [suspects, hidden] {
        let assigned_values = assigned_values(encoder, solver, &group)?;
        for (term, assigned, starts) in assigned_values {
            encoder.words.budget.check()?;
            let actual = evaluator.evaluate(term);
            let Some(actual) = actual.known() else {
                return Err(UnknownReason::Incomplete("the evaluator cannot tell".to_owned()));
            };
            if *actual == assigned {
                continue;
            }
            let inputs: Option<Vec<(TermId, Value)>> = inputs(&pool, term)
                .into_iter()
                .map(|input| Some((input, evaluator.evaluate(input).known()?.clone())))
                .collect();
            let Some(inputs) = inputs else {
                return Err(UnknownReason::Incomplete("the evaluator cannot tell".to_owned()));
            };
            let wrong =
                WrongValue { term, assigned: &assigned, actual, inputs: &inputs, starts: &starts };
            more |= encoder.define(&wrong)? == Progress::Added;
        }
        if more {
            return Ok(false);
        }
    }
    Err(UnknownReason::Incomplete(
        "a candidate is wrong and nothing more can be asserted".to_owned(),
    ))
}

type AssignedValue = (TermId, Value, Vec<BigInt>);

/// The values of deferred terms in the arithmetic model, with the positions of the slices of their
/// first argument.
fn assigned_values(
    encoder: &Encoder,
    solver: &mut dyn ArithmeticSolver,
    terms: &[TermId],
) -> Result<Vec<AssignedValue>, UnknownReason> {
    let mut queried: Vec<Id> = Vec::new();
    let mut bases: FxHashMap<TermId, usize> = FxHashMap::default();
    for &(term, base) in &encoder.variables {
        bases.insert(term, base);
    }
    for &term in terms {
        match bases.get(&term) {
            Some(&base) => {
                for block in &encoder.words.bases[base].blocks {
                    queried.push(block.length);
                    queried.extend_from_slice(&block.letters);
                }
            }
            None => queried.push(encoder.formula(term)),
        }
        queried.extend(slice_starts(encoder, term));
    }
    queried.sort_unstable();
    queried.dedup();
    let values = solver.values(&encoder.words.arena, &queried)?;
    let known: FxHashMap<Id, Number> = queried.into_iter().zip(values).collect();
    let mut assigned_values = Vec::with_capacity(terms.len());
    for &term in terms {
        let assigned = match bases.get(&term) {
            Some(&base) => Value::String(spell(encoder, base, &known)?),
            None => match known[&encoder.formula(term)].to_model() {
                Some(value) => value,
                None => continue,
            },
        };
        let starts = slice_starts(encoder, term);
        let starts = starts.iter().filter_map(|id| known[id].as_int().cloned()).collect();
        assigned_values.push((term, assigned, starts));
    }
    Ok(assigned_values)
}

fn slice_starts(encoder: &Encoder, term: TermId) -> Vec<Id> {
    let first = encoder.pool.children(term).first();
    match first.and_then(|&child| encoder.meaning(child)) {
        Some(Translation::Word(word)) => word.placed().iter().map(|&(start, _)| start).collect(),
        _ => Vec::new(),
    }
}

/// The terms that the value of a term depends on: its children, and in place of regular expressions
/// their subterms.
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
