//! The evaluation machine: frames, and the steps of each kind of frame.

use std::borrow::Cow;

use luthier_terms::{BigInt, FunctionId, Op, Quantifier, Sort, Term, TermId, TermPool};

use super::Evaluator;
use super::call::OpenCall;
use super::environment::{EnvironmentId, ROOT};
use super::outcome::Outcome;
use super::ranges::{Bound, BoundKind, bounds};
use crate::limits::Exhausted;
use crate::{Reason, Reasons, Value};

/// A term whose evaluation has begun.
pub(super) struct Frame<'a> {
    pub(super) slot: Slot,
    pub(super) children: Cow<'a, [TermId]>,
    /// Which child is next.
    pub(super) next: usize,
    pub(super) kind: Kind,
}

/// The term that is evaluated, its environment, and the position of its outcome.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) term: TermId,
    pub(super) environment: EnvironmentId,
    /// The position of the outcomes of its children, and later of its own.
    pub(super) base: usize,
}

/// The state of a frame.
pub(super) enum Kind {
    Operator(Op),
    /// `div` and `mod`, which may have to call a function of the model between two divisions.
    Division(Op, Division),
    Function(FunctionId),
    Quantifier(Expansion),
    /// Waits for the body of a function.
    Call(Box<OpenCall>),
}

/// The progress of a chain of divisions: the outcomes of all children up to `divided` are divided.
#[derive(Default)]
pub(super) struct Division {
    pub(super) quotient: Option<Outcome>,
    pub(super) divided: usize,
}

/// The progress of the expansion of a quantifier.
pub(super) struct Expansion {
    quantifier: Quantifier,
    variables: Vec<TermId>,
    /// Bounds of variables, whose terms are evaluated first.
    bounds: Vec<Bound>,
    /// The values of each variable, once the bounds are known.
    domains: Option<Vec<Domain>>,
    /// The number of the next assignment.
    assignment: u64,
    /// How many assignments there are.
    assignments: u64,
    /// Whether the body is evaluated for an assignment.
    is_waiting: bool,
    reasons: Option<Reasons>,
}

/// The values of a quantified variable.
enum Domain {
    /// Any value, which is not known.
    Unknown,
    Booleans,
    /// So many integers from this one on.
    Range(BigInt, u64),
}

/// The steps that are charged for the value of a term.
const TERM_STEPS: usize = 10;

/// Quantifiers with more assignments than this are not expanded.
const MAX_ASSIGNMENTS: u64 = 1 << 20;

/// Strings up to this length are always cached; longer ones only if the term is shared, because
/// nested concatenations would take quadratic memory.
const MAX_CACHED_LETTERS: usize = 64;

impl Expansion {
    /// Chooses the values of the variables, with the values of the bounds.
    fn choose_domains(&mut self, pool: &TermPool, values: &[Outcome]) {
        let range = |variable: usize| {
            let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
            for (bound, value) in self.bounds.iter().zip(values) {
                let Some(Value::Int(value)) = value.value() else { continue };
                if bound.variable != variable {
                    continue;
                }
                // From `low` up to, but without `high`.
                let (least, end) = match bound.kind {
                    BoundKind::AtLeast => (Some(value.clone()), None),
                    BoundKind::Above => (Some(value + 1), None),
                    BoundKind::AtMost => (None, Some(value + 1)),
                    BoundKind::Below => (None, Some(value.clone())),
                };
                low = low.max(least);
                high = match (high, end) {
                    (Some(high), Some(end)) => Some(high.min(end)),
                    (one, other) => one.or(other),
                };
            }
            let (low, high) = (low?, high?);
            let count = u64::try_from((high - &low).max(BigInt::ZERO)).ok()?;
            (count <= MAX_ASSIGNMENTS).then_some(Domain::Range(low, count))
        };
        let domain = |(position, &variable): (usize, &TermId)| match pool.sort(variable) {
            Sort::Bool => Domain::Booleans,
            Sort::Int => range(position).unwrap_or(Domain::Unknown),
            _ => Domain::Unknown,
        };
        let mut domains: Vec<Domain> = self.variables.iter().enumerate().map(domain).collect();
        let count = |domains: &[Domain]| {
            domains.iter().try_fold(1_u64, |product, domain| {
                let factor = match domain {
                    Domain::Unknown => 1,
                    Domain::Booleans => 2,
                    Domain::Range(_, count) => *count,
                };
                product.checked_mul(factor).filter(|&product| product <= MAX_ASSIGNMENTS)
            })
        };
        // Too many together: only the Booleans, or nothing.
        if count(&domains).is_none() {
            for domain in &mut domains {
                if let Domain::Range(..) = domain {
                    *domain = Domain::Unknown;
                }
            }
        }
        self.assignments = count(&domains).unwrap_or_else(|| {
            domains.iter_mut().for_each(|domain| *domain = Domain::Unknown);
            1
        });
        self.domains = Some(domains);
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(slot: Slot, children: impl Into<Cow<'a, [TermId]>>, kind: Kind) -> Self {
        Self { slot, children: children.into(), next: 0, kind }
    }
}

impl<'a> Evaluator<'a> {
    /// Evaluates a term in the root environment.
    pub(super) fn run(&mut self, term: TermId) -> Result<Outcome, Exhausted> {
        self.scopes.analyse(self.pool, term);
        self.request(term, ROOT)?;
        while let Some(frame) = self.frames.pop() {
            self.step(frame)?;
        }
        Ok(self.outcomes.pop().expect("a finished evaluation leaves its outcome"))
    }

    /// Requests the value of a term: it is pushed on the outcomes, at once or by the frames that
    /// are pushed here.
    pub(super) fn request(
        &mut self,
        mut term: TermId,
        environment: EnvironmentId,
    ) -> Result<(), Exhausted> {
        self.budget.charge(TERM_STEPS)?;
        let pool = self.pool;
        // A name does not change the value.
        while let Term::Named(_, inner) = pool.term(term) {
            term = inner;
        }
        if let Term::Variable(_) = pool.term(term) {
            let (outcome, passed) = self.environments.lookup(environment, term);
            let outcome = match outcome {
                Some(outcome) => outcome.clone(),
                None => Outcome::because(Reason::UnboundVariable(term)),
            };
            self.outcomes.push(outcome);
            return self.budget.charge(passed / 16);
        }
        let (environment, passed) = self.environments.home(environment, self.scopes.free(term));
        self.budget.charge(passed / 16)?;
        if let Some(outcome) = self.environments.remembered(environment, term) {
            self.outcomes.push(outcome.clone());
            return Ok(());
        }
        let slot = Slot { term, environment, base: self.outcomes.len() };
        let frame = match pool.term(term) {
            Term::String(text) => {
                self.budget.charge(text.len() / 64)?;
                let outcome = self.outcome_of(term, Ok(text.clone().into()))?;
                self.finish(slot, outcome);
                return Ok(());
            }
            Term::Integer(number) => {
                self.budget.charge(usize::try_from(number.bits() / 512).unwrap_or(usize::MAX))?;
                let outcome = self.outcome_of(term, Ok(number.clone().into()))?;
                self.finish(slot, outcome);
                return Ok(());
            }
            Term::Op(op @ (Op::Div | Op::Mod), children) => {
                Frame::new(slot, children, Kind::Division(op, Division::default()))
            }
            Term::Op(Op::StrConcat, children) => {
                let children = self.flat_concatenation(children);
                Frame::new(slot, children, Kind::Operator(Op::StrConcat))
            }
            Term::Op(op, children) => Frame::new(slot, children, Kind::Operator(op)),
            Term::Apply(function, arguments) => {
                Frame::new(slot, arguments, Kind::Function(function))
            }
            Term::Quantifier(view) => {
                let bounds = bounds(pool, &view);
                let mut children: Vec<TermId> = bounds.iter().map(|bound| bound.term).collect();
                children.push(view.body);
                let expansion = Expansion {
                    quantifier: view.quantifier,
                    variables: view.variables.to_vec(),
                    bounds,
                    domains: None,
                    assignment: 0,
                    assignments: 0,
                    is_waiting: false,
                    reasons: None,
                };
                Frame::new(slot, children, Kind::Quantifier(expansion))
            }
            Term::Variable(_) | Term::Named(..) => unreachable!("both were dealt with above"),
        };
        self.frames.push(frame);
        Ok(())
    }

    /// The arguments of a concatenation, flattened over nested ones that are not shared: building
    /// every level would take quadratic time.
    fn flat_concatenation(&self, children: &'a [TermId]) -> Cow<'a, [TermId]> {
        let opened = |child: TermId| match self.pool.term(child) {
            Term::Op(Op::StrConcat, inner) if self.scopes.is_used_once(child) => Some(inner),
            _ => None,
        };
        if !children.iter().any(|&child| opened(child).is_some()) {
            return Cow::Borrowed(children);
        }
        let mut flat = Vec::new();
        let mut pending: Vec<TermId> = children.iter().rev().copied().collect();
        while let Some(child) = pending.pop() {
            match opened(child) {
                Some(inner) => pending.extend(inner.iter().rev()),
                None => flat.push(child),
            }
        }
        Cow::Owned(flat)
    }

    /// Advances a frame until it requests a value or is finished.
    fn step(&mut self, mut frame: Frame<'a>) -> Result<(), Exhausted> {
        let slot = frame.slot;
        match frame.kind {
            Kind::Operator(Op::Ite) => self.step_if_then_else(frame),
            Kind::Operator(op) => {
                let last = self.outcomes[frame.slot.base..].last().and_then(Outcome::as_bool);
                if let Some(decided) = decided_early(op, &frame, last) {
                    self.finish(frame.slot, Outcome::known(decided));
                    return Ok(());
                }
                if frame.next < frame.children.len() {
                    return self.request_next(frame);
                }
                let outcomes = self.outcomes.split_off(frame.slot.base);
                let outcome =
                    self.apply_operator(op, frame.slot.term, &frame.children, &outcomes)?;
                self.finish(frame.slot, outcome);
                Ok(())
            }
            Kind::Division(..) if frame.next < frame.children.len() => self.request_next(frame),
            Kind::Division(op, ref mut division) => {
                let division = std::mem::take(division);
                self.divide(frame, op, division)
            }
            Kind::Function(_) if frame.next < frame.children.len() => self.request_next(frame),
            Kind::Function(function) => self.apply_function(frame, function),
            Kind::Quantifier(_) => self.step_quantifier(frame),
            Kind::Call(call) => {
                let outcome = self.outcomes.pop().expect("the body of a call has an outcome");
                let is_value_of_term = call.is_value_of_term;
                self.close_call(*call, &outcome);
                if is_value_of_term {
                    self.finish(slot, outcome);
                } else {
                    self.outcomes.push(outcome);
                }
                Ok(())
            }
        }
    }

    fn request_next(&mut self, mut frame: Frame<'a>) -> Result<(), Exhausted> {
        let (child, environment) = (frame.children[frame.next], frame.slot.environment);
        frame.next += 1;
        self.frames.push(frame);
        self.request(child, environment)
    }

    /// The condition first, then only the chosen branch. If it is undecided, both branches may
    /// still have the same value.
    fn step_if_then_else(&mut self, mut frame: Frame<'a>) -> Result<(), Exhausted> {
        /// The value of `next` when the chosen branch is evaluated.
        const CHOSEN: usize = 4;
        match frame.next {
            0 => self.request_next(frame),
            1 => match self.outcomes[frame.slot.base].as_bool() {
                Some(condition) => {
                    let branch = frame.children[if condition { 1 } else { 2 }];
                    let environment = frame.slot.environment;
                    frame.next = CHOSEN;
                    self.frames.push(frame);
                    self.request(branch, environment)
                }
                None => self.request_next(frame),
            },
            2 => self.request_next(frame),
            CHOSEN => {
                let outcome = self.outcomes.pop().expect("the branch has an outcome");
                self.finish(frame.slot, outcome);
                Ok(())
            }
            _ => {
                let outcomes = self.outcomes.split_off(frame.slot.base);
                let (term, children) = (frame.slot.term, &frame.children);
                let outcome = self.apply_operator(Op::Ite, term, children, &outcomes)?;
                self.finish(frame.slot, outcome);
                Ok(())
            }
        }
    }

    /// Boolean variables take both values, and integers those of the range that the body demands.
    /// The domains of the other variables are not empty, so a body whose value does not depend on
    /// them has it for all and for some of their values.
    fn step_quantifier(&mut self, mut frame: Frame<'a>) -> Result<(), Exhausted> {
        let Kind::Quantifier(expansion) = &mut frame.kind else {
            unreachable!("the kind of the frame is known")
        };
        if frame.next < expansion.bounds.len() {
            return self.request_next(frame);
        }
        let deciding = expansion.quantifier == Quantifier::Exists;
        if expansion.is_waiting {
            self.environments.pop();
            match self.outcomes.pop().expect("the body has an outcome") {
                Outcome::Undecided(new) => {
                    let reasons = match &expansion.reasons {
                        Some(reasons) => reasons.union(&new),
                        None => new,
                    };
                    expansion.reasons = Some(reasons);
                }
                outcome if outcome.as_bool() == Some(deciding) => {
                    self.finish(frame.slot, outcome);
                    return Ok(());
                }
                Outcome::Known(_) => {}
            }
        }
        if expansion.domains.is_none() {
            let values = self.outcomes.split_off(frame.slot.base);
            expansion.choose_domains(self.pool, &values);
        }
        if expansion.assignment == expansion.assignments {
            let outcome = match expansion.reasons.take() {
                Some(reasons) => Outcome::Undecided(reasons),
                None => Outcome::known(!deciding),
            };
            self.finish(frame.slot, outcome);
            return Ok(());
        }
        let unknown = Outcome::because(Reason::Quantifier(frame.slot.term));
        let mut rest = expansion.assignment;
        let domains = expansion.domains.iter().flatten();
        let bindings = expansion.variables.iter().zip(domains).map(|(&variable, domain)| {
            let outcome = match domain {
                Domain::Unknown => unknown.clone(),
                Domain::Booleans => {
                    let value = rest & 1 == 1;
                    rest >>= 1;
                    Outcome::known(value)
                }
                Domain::Range(first, count) => {
                    let value = first + rest % count;
                    rest /= count;
                    Outcome::known(value)
                }
            };
            (variable, outcome)
        });
        let bindings = bindings.collect();
        expansion.assignment += 1;
        expansion.is_waiting = true;
        let inside = self.environments.push(Some(frame.slot.environment), bindings);
        let body = *frame.children.last().expect("the body is the last child");
        self.frames.push(frame);
        self.request(body, inside)
    }

    /// Pushes the outcome of a frame.
    pub(super) fn finish(&mut self, slot: Slot, outcome: Outcome) {
        self.outcomes.truncate(slot.base);
        let long =
            matches!(outcome.value(), Some(Value::String(text)) if text.len() > MAX_CACHED_LETTERS);
        if !long || !self.scopes.is_used_once(slot.term) {
            self.environments.remember(slot.environment, slot.term, &outcome);
        }
        self.outcomes.push(outcome);
    }
}

/// The value of a connective that its last evaluated argument decides alone.
fn decided_early(op: Op, frame: &Frame<'_>, last: Option<bool>) -> Option<bool> {
    match (op, last?) {
        (Op::And, false) => Some(false),
        (Op::Or, true) => Some(true),
        (Op::Implies, false) if frame.next < frame.children.len() => Some(true),
        (Op::Implies, true) if frame.next == frame.children.len() => Some(true),
        _ => None,
    }
}
