//! What earlier queries of a session have shown, for later ones: models and contradictions.
//!
//! Clients ask many queries about almost the same assertions. Three facts make most of them cheap:
//!
//! - A model of an earlier query in which all assertions are true is a model. Which assertions are
//!   true in it is kept, so that only new ones are evaluated, by the referee as always.
//! - If a model satisfies all but some assertions, only those that are connected to the others by
//!   common constants or functions need to be solved. A model of these, and the old values of all
//!   other constants, are a model of all; and if these are unsatisfiable, all are.
//! - Assertions that include an unsatisfiable set are unsatisfiable.
//!
//! Division and modulo by zero are functions of a model that all assertions share, so a part is
//! solved alone only if no assertion divides by what is no numeral.
//!
//! Limits: a few models and contradictions are kept, the newest ones. Evaluation here is bounded
//! by steps and time; an assertion beyond that counts as one that is not satisfied.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use luthier_semantics::{Evaluator, Limits as EvaluationLimits, Model, Value};
use luthier_terms::{FunctionId, Op, PostOrder, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Problem;

/// How many models and how many contradictions are kept.
const KEPT: usize = 8;

/// The limits of one evaluation: some milliseconds.
const STEPS: u64 = 200_000;

/// How long evaluations for one query may take together; the next one is not begun.
const EVALUATION: Duration = Duration::from_millis(50);

/// Models and contradictions of earlier queries.
#[derive(Default)]
pub(super) struct Known {
    /// The newest first.
    models: VecDeque<KnownModel>,
    /// Sets of assertions that are unsatisfiable, the newest first.
    contradictions: VecDeque<Vec<TermId>>,
    symbols: FxHashMap<TermId, Symbols>,
}

/// The declared constants and functions of an assertion; `None` if it may divide by zero.
type Symbols = Option<Arc<[FunctionId]>>;

struct KnownModel {
    model: Arc<Model>,
    /// Assertions that are true in it.
    truths: FxHashSet<TermId>,
}

/// What is known about a query before it is solved.
pub(super) enum Knowledge {
    /// It has this model.
    Sat(Arc<Model>),
    /// It includes an unsatisfiable set.
    Unsat,
    /// These assertions decide it. The others are true in the model with this number, and have no
    /// constant in common with them.
    Part(Vec<TermId>, usize),
    /// Nothing.
    None,
}

impl Known {
    /// Whether there is neither a model nor a contradiction.
    pub(super) fn is_empty(&self) -> bool {
        self.models.is_empty() && self.contradictions.is_empty()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is known about the conjunction of these assertions.
    pub(super) fn about(&mut self, pool: &Arc<TermPool>, assertions: &[TermId]) -> Knowledge {
        let all: FxHashSet<TermId> = assertions.iter().copied().collect();
        let mut contradictions = self.contradictions.iter();
        if contradictions.any(|core| core.iter().all(|term| all.contains(term))) {
            return Knowledge::Unsat;
        }
        let mut best: Option<(usize, Vec<TermId>)> = None;
        let start = Instant::now();
        for (number, known) in self.models.iter_mut().enumerate() {
            let open = known.open(pool, assertions, start);
            if open.is_empty() {
                return Knowledge::Sat(Arc::clone(&known.model));
            }
            if best.as_ref().is_none_or(|(_, least)| open.len() < least.len()) {
                best = Some((number, open));
            }
        }
        let Some((number, open)) = best else { return Knowledge::None };
        match self.connected(pool, assertions, open) {
            Some(part) if part.len() < all.len() => Knowledge::Part(part, number),
            _ => Knowledge::None,
        }
    }

    /// Notes the model of a query, or of the part of it that was solved; the model of all of it.
    pub(super) fn add_model(
        &mut self,
        pool: &Arc<TermPool>,
        (all, solved): (&[TermId], &[TermId]),
        base: Option<usize>,
        model: &Model,
    ) -> Arc<Model> {
        // Constants that the solver has made up may have the ids of later declarations.
        let problem = Problem { pool: Arc::clone(pool), assertions: solved.to_vec() };
        let base = base.and_then(|number| self.models.get(number));
        let mut whole = base.map_or_else(Model::new, |known| Model::clone(&known.model));
        for function in problem.declared() {
            if let Some(value) = model.get(function) {
                whole.insert(function, value.clone());
            }
        }
        if base.is_none() {
            whole.division_by_zero.clone_from(&model.division_by_zero);
            whole.modulo_by_zero.clone_from(&model.modulo_by_zero);
        }
        let model = Arc::new(whole);
        let truths = all.iter().copied().collect();
        self.models.push_front(KnownModel { model: Arc::clone(&model), truths });
        self.models.truncate(KEPT);
        model
    }

    /// Notes an unsatisfiable set.
    pub(super) fn add_contradiction(&mut self, assertions: &[TermId]) {
        self.contradictions.push_front(assertions.to_vec());
        self.contradictions.truncate(KEPT);
    }

    /// The assertions that are connected to `open` by common symbols, in their order; `None` if
    /// they cannot be told apart.
    fn connected(
        &mut self,
        pool: &Arc<TermPool>,
        assertions: &[TermId],
        open: Vec<TermId>,
    ) -> Option<Vec<TermId>> {
        let mut by_symbol: FxHashMap<FunctionId, Vec<TermId>> = FxHashMap::default();
        for &assertion in assertions {
            for &symbol in self.symbols(pool, assertion)?.iter() {
                by_symbol.entry(symbol).or_default().push(assertion);
            }
        }
        let mut found: FxHashSet<TermId> = open.iter().copied().collect();
        let mut waiting = open;
        while let Some(assertion) = waiting.pop() {
            for &symbol in self.symbols(pool, assertion)?.iter() {
                // Whoever comes second finds nothing: all were added.
                for next in by_symbol.remove(&symbol).into_iter().flatten() {
                    if found.insert(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        let mut part: Vec<TermId> =
            assertions.iter().copied().filter(|term| found.contains(term)).collect();
        let mut seen = FxHashSet::default();
        part.retain(|&term| seen.insert(term));
        Some(part)
    }

    fn symbols(&mut self, pool: &Arc<TermPool>, assertion: TermId) -> Symbols {
        let symbols = self.symbols.entry(assertion).or_insert_with(|| {
            let problem = Problem { pool: Arc::clone(pool), assertions: vec![assertion] };
            let mut symbols = problem.declared();
            let bodies = symbols.iter().filter_map(|&function| {
                pool.function(function)
                    .definition
                    .as_ref()
                    .and_then(luthier_terms::Definition::body)
            });
            let roots: Vec<TermId> = bodies.chain([assertion]).collect();
            if PostOrder::new(pool, roots).any(|term| may_divide_by_zero(pool, term)) {
                return None;
            }
            symbols.retain(|&function| pool.function(function).definition.is_none());
            Some(symbols.into())
        });
        symbols.clone()
    }
}

/// Whether a term is a quotient or remainder by something that is no numeral other than zero.
fn may_divide_by_zero(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Op(Op::Div | Op::Mod, args) => args[1..].iter().any(|&divisor| {
            !matches!(pool.term(divisor), Term::Integer(value) if *value != Default::default())
        }),
        _ => false,
    }
}

impl KnownModel {
    /// The assertions that are not known to be true. Constants without a value get one.
    fn open(&mut self, pool: &Arc<TermPool>, assertions: &[TermId], start: Instant) -> Vec<TermId> {
        let mut open: Vec<TermId> =
            assertions.iter().copied().filter(|term| !self.truths.contains(term)).collect();
        if open.is_empty() {
            return open;
        }
        let problem = Problem { pool: Arc::clone(pool), assertions: open.clone() };
        for function in problem.declared() {
            let declaration = pool.function(function);
            if declaration.definition.is_none()
                && declaration.parameters.is_empty()
                && self.model.get(function).is_none()
            {
                let value = Value::default_of(declaration.result);
                Arc::make_mut(&mut self.model).insert_value(function, value);
            }
        }
        let limits = EvaluationLimits {
            steps: STEPS,
            regex_steps: STEPS,
            comparison_steps: STEPS,
            ..EvaluationLimits::default()
        };
        let mut evaluator = Evaluator::with_limits(pool, &self.model, limits);
        open.retain(|&assertion| {
            let is_true = start.elapsed() < EVALUATION && evaluator.evaluate(assertion).is_true();
            if is_true {
                self.truths.insert(assertion);
            }
            !is_true
        });
        open
    }
}
