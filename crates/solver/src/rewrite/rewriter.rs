//! The rewriting loop: bottom-up over the term DAG with an explicit stack and a cache.
//!
//! For each term the first applicable rule is applied, and its result is rewritten again.
//! Termination is by limits: `rewrite.steps` for each assertion and `rewrite.chain` for successive
//! replacements of one term; a term that waits for its own replacement is not entered again. When a
//! limit or the budget is reached, terms stay as they are, which is sound.

use std::collections::BTreeMap;

use luthier_terms::{Definition, Op, Term, TermId, TermPool, inline, with_children};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::facts::Facts;
use super::quantifier;
use super::rule::{BY_HEAD, RULES};
use crate::{Budget, Limit};

/// The number of rule applications between checks of the budget.
const CHECK_INTERVAL: u32 = 20;

/// How often each rule was applied, by name.
pub type Counts = BTreeMap<&'static str, u64>;

/// One application of a rule.
#[derive(Clone, Copy, Debug)]
pub struct RewriteStep {
    /// The name of the rule.
    pub rule: &'static str,
    /// The term it was applied to.
    pub before: TermId,
    /// Its result, before further rewriting.
    pub after: TermId,
}

/// Rewrites terms of a pool.
pub struct Rewriter<'a> {
    cx: Context<'a>,
    cache: FxHashMap<TermId, TermId>,
    /// Terms that are known to be in normal form.
    unchanged: Option<&'a FxHashSet<TermId>>,
    counts: Vec<u64>,
    inlined: u64,
    /// How often each rule for quantified formulas was applied.
    quantified: Counts,
    trace: Option<Vec<RewriteStep>>,
    steps_left: usize,
    /// How many steps are left until the next check of the budget.
    until_check: u32,
    is_over: bool,
}

/// An item of the explicit stack.
enum Task {
    /// Rewrite a term, the result of this many replacements.
    Enter(TermId, usize),
    /// Apply rules to a term whose children are rewritten.
    Apply(TermId, Vec<TermId>, usize),
    /// The result of the second term is that of the first one, too.
    Same(TermId, TermId),
}

impl<'a> Rewriter<'a> {
    /// A rewriter without facts. When the budget is used up, terms stay as they are.
    pub fn new(pool: &'a mut TermPool, budget: &'a Budget) -> Self {
        Self::in_context(pool, None, budget)
    }

    /// A rewriter that also uses facts.
    pub(super) fn in_context(
        pool: &'a mut TermPool,
        facts: Option<&'a Facts>,
        budget: &'a Budget,
    ) -> Self {
        Self {
            cx: Context::new(pool, facts, budget),
            cache: FxHashMap::default(),
            unchanged: None,
            counts: vec![0; RULES.len()],
            inlined: 0,
            quantified: Counts::new(),
            trace: None,
            steps_left: 0,
            until_check: 0,
            is_over: false,
        }
    }

    /// Whether the budget is used up, checked at intervals.
    fn is_out_of_time(&mut self) -> bool {
        match self.until_check.checked_sub(1) {
            _ if self.is_over => {}
            Some(left) => self.until_check = left,
            None => {
                self.until_check = CHECK_INTERVAL;
                self.is_over = self.cx.budget.check().is_err();
            }
        }
        self.is_over
    }

    /// Declares terms to be in normal form.
    pub(super) fn keep_unchanged(&mut self, terms: &'a FxHashSet<TermId>) {
        self.unchanged = Some(terms);
    }

    /// Records every step from now on.
    pub fn start_trace(&mut self) {
        self.trace = Some(Vec::new());
    }

    /// The steps since the trace was started.
    pub fn trace(&self) -> &[RewriteStep] {
        self.trace.as_deref().unwrap_or(&[])
    }

    /// How often each rule was applied, if it was.
    pub fn counts(&self) -> Counts {
        let mut counts: Counts = RULES
            .iter()
            .zip(&self.counts)
            .filter(|(_, count)| **count > 0)
            .map(|(rule, &count)| (rule.name, count))
            .collect();
        if self.inlined > 0 {
            counts.insert("inline-definition", self.inlined);
        }
        counts.extend(&self.quantified);
        counts
    }

    /// A term with the same value under every model in which the facts hold.
    pub fn rewrite(&mut self, root: TermId) -> TermId {
        self.steps_left = self.cx.limit(Limit::RewriteSteps);
        // Terms that wait for the result of their replacement; entering one again would be a cycle.
        let mut waiting = FxHashSet::default();
        let mut tasks = vec![Task::Enter(root, 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(term, chain) => {
                    let is_unchanged =
                        self.unchanged.is_some_and(|unchanged| unchanged.contains(&term));
                    if is_unchanged || self.cache.contains_key(&term) || waiting.contains(&term) {
                        continue;
                    }
                    self.enter(term, chain, &mut tasks);
                }
                Task::Apply(term, children, chain) => {
                    if self.cache.contains_key(&term) || waiting.contains(&term) {
                        continue;
                    }
                    let children: Vec<TermId> =
                        children.iter().map(|child| self.result(*child)).collect();
                    let rebuilt = self.rebuild(term, &children).unwrap_or(term);
                    match self.step(rebuilt, chain) {
                        None => {
                            self.cache.insert(term, rebuilt);
                            self.cache.insert(rebuilt, rebuilt);
                        }
                        Some(next) => {
                            waiting.insert(term);
                            tasks.push(Task::Same(term, next));
                            tasks.push(Task::Enter(next, chain + 1));
                        }
                    }
                }
                Task::Same(term, next) => {
                    waiting.remove(&term);
                    let result = self.result(next);
                    self.cache.insert(term, result);
                }
            }
        }
        self.result(root)
    }

    fn result(&self, term: TermId) -> TermId {
        self.cache.get(&term).copied().unwrap_or(term)
    }

    /// Schedules the children of a term, or finishes it at once.
    fn enter(&mut self, term: TermId, chain: usize, tasks: &mut Vec<Task>) {
        if let Some(value) = self.cx.facts.and_then(|facts| facts.value(term)) {
            self.cache.insert(term, value);
            return;
        }
        let children = match self.cx.pool.term(term) {
            Term::Op(op @ (Op::And | Op::Or), _) => self.flattened(term, op, true),
            Term::Op(op @ (Op::StrConcat | Op::ReConcat), _) => self.flattened(term, op, false),
            Term::Quantifier(view) => {
                // Patterns do not affect the meaning.
                let mut children = view.variables.to_vec();
                children.push(view.body);
                children
            }
            _ => self.cx.pool.children(term).to_vec(),
        };
        let children_tasks: Vec<TermId> = children.clone();
        tasks.push(Task::Apply(term, children, chain));
        self.steps_left += 4;
        tasks.extend(children_tasks.into_iter().rev().map(|child| Task::Enter(child, 0)));
    }

    /// The arguments of a term, flattened over nested applications of the operator. Otherwise a
    /// chain of thousands of conjunctions would be copied at each level.
    fn flattened(&self, term: TermId, op: Op, each_once: bool) -> Vec<TermId> {
        let most = self.cx.limit(Limit::RewriteParts);
        let mut seen = FxHashSet::default();
        let mut leaves = Vec::new();
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            match self.cx.args(next, op) {
                Some(args) if next == term || leaves.len() + stack.len() < most => {
                    if !each_once || seen.insert(next) {
                        stack.extend(args.iter().rev());
                    }
                }
                _ if each_once && !seen.insert(next) => {}
                _ => leaves.push(next),
            }
        }
        leaves
    }

    fn rebuild(&mut self, term: TermId, children: &[TermId]) -> Option<TermId> {
        match self.cx.pool.term(term) {
            // Flattening may have left one argument.
            Term::Op(Op::And | Op::Or, _) if children.len() == 1 => children.first().copied(),
            _ if self.cx.pool.children(term) == children => Some(term),
            _ => with_children(self.cx.pool, term, children),
        }
    }

    /// The result of the first rule that applies.
    fn step(&mut self, term: TermId, chain: usize) -> Option<TermId> {
        if self.steps_left == 0 {
            self.cx.budget.limits().hit(Limit::RewriteSteps);
            return None;
        }
        if chain >= self.cx.limit(Limit::RewriteChain) || self.is_out_of_time() {
            return None;
        }
        if let Some(value) = self.cx.facts.and_then(|facts| facts.value(term)) {
            return (value != term).then_some(value);
        }
        match self.cx.pool.term(term) {
            Term::Op(op, args) => {
                let args = args.to_vec();
                for &number in &BY_HEAD[op as usize] {
                    let rule = RULES[number];
                    let Some(after) = (rule.apply)(&mut self.cx, term, &args) else { continue };
                    if after == term {
                        continue;
                    }
                    self.steps_left -= 1;
                    self.counts[number] += 1;
                    if let Some(trace) = &mut self.trace {
                        trace.push(RewriteStep { rule: rule.name, before: term, after });
                    }
                    return Some(after);
                }
                None
            }
            Term::Apply(function, args) => {
                let args = args.to_vec();
                let function = self.cx.pool.function(function);
                let Some(Definition::Plain { variables, body }) = function.definition.clone()
                else {
                    return None;
                };
                let after = inline(self.cx.pool, &variables, body, &args)?;
                self.steps_left -= 1;
                self.inlined += 1;
                if let Some(trace) = &mut self.trace {
                    trace.push(RewriteStep { rule: "inline-definition", before: term, after });
                }
                Some(after)
            }
            Term::Named(_, inner) => Some(inner),
            Term::Quantifier(view) => {
                if self.cx.truth(view.body).is_some() {
                    return Some(view.body);
                }
                let (rule, after) = quantifier::simplify(&mut self.cx, term)?;
                self.steps_left -= 1;
                *self.quantified.entry(rule).or_default() += 1;
                if let Some(trace) = &mut self.trace {
                    trace.push(RewriteStep { rule, before: term, after });
                }
                Some(after)
            }
            Term::String(_) | Term::Integer(_) | Term::Variable(_) => None,
        }
    }
}
