//! The machine that applies rules: bottom-up, with a stack of its own and a memory.

use std::collections::BTreeMap;

use luthier_terms::{Definition, Op, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::facts::Facts;
use super::rule::{BY_HEAD, RULES};
use super::substitute::{inline, rebuild};
use crate::{Budget, Limit};

/// How many terms are looked at until the clock is.
const PATIENCE: u32 = 20;

/// How often each rule was applied, by name.
pub type Counts = BTreeMap<&'static str, u64>;

/// One application of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The name of the rule.
    pub rule: &'static str,
    /// The term it was applied to.
    pub before: TermId,
    /// What it gave, before that was rewritten further.
    pub after: TermId,
}

/// Rewrites terms of a pool.
pub struct Rewriter<'a> {
    cx: Context<'a>,
    memory: FxHashMap<TermId, TermId>,
    /// Terms that are taken as they are.
    settled: Option<&'a FxHashSet<TermId>>,
    counts: Vec<u64>,
    inlined: u64,
    trace: Option<Vec<Step>>,
    steps_left: usize,
    /// How many rules are tried until the budget is looked at again.
    patience: u32,
    is_over: bool,
}

/// What is to be done next.
enum Task {
    /// Rewrite a term, which came from so many replacements.
    Enter(TermId, usize),
    /// The children are rewritten.
    Apply(TermId, Vec<TermId>, usize),
    /// The first term is worth what the second one became.
    Same(TermId, TermId),
}

impl<'a> Rewriter<'a> {
    /// A rewriter that knows nothing but the laws. When the budget is used up, it takes terms as
    /// they are.
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
            memory: FxHashMap::default(),
            settled: None,
            counts: vec![0; RULES.len()],
            inlined: 0,
            trace: None,
            steps_left: 0,
            patience: 0,
            is_over: false,
        }
    }

    /// Whether the budget is used up, looked at now and then.
    fn is_out_of_time(&mut self) -> bool {
        match self.patience.checked_sub(1) {
            _ if self.is_over => {}
            Some(left) => self.patience = left,
            None => {
                self.patience = PATIENCE;
                self.is_over = self.cx.budget.check().is_err();
            }
        }
        self.is_over
    }

    /// Takes these terms as they are.
    pub(super) fn leave(&mut self, terms: &'a FxHashSet<TermId>) {
        self.settled = Some(terms);
    }

    /// Remembers every step from now on.
    pub fn start_trace(&mut self) {
        self.trace = Some(Vec::new());
    }

    /// The steps since the trace was started.
    pub fn trace(&self) -> &[Step] {
        self.trace.as_deref().unwrap_or(&[])
    }

    /// How often each rule was applied; those that never were are left out.
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
        counts
    }

    /// A term with the same value under every model in which the facts hold.
    pub fn rewrite(&mut self, root: TermId) -> TermId {
        self.steps_left = self.cx.limit(Limit::RewriteSteps);
        // Terms that wait for what they were replaced by: meeting one again would be a circle.
        let mut waiting = FxHashSet::default();
        let mut tasks = vec![Task::Enter(root, 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(term, chain) => {
                    let is_settled = self.settled.is_some_and(|settled| settled.contains(&term));
                    if is_settled || self.memory.contains_key(&term) || waiting.contains(&term) {
                        continue;
                    }
                    self.enter(term, chain, &mut tasks);
                }
                Task::Apply(term, children, chain) => {
                    if self.memory.contains_key(&term) || waiting.contains(&term) {
                        continue;
                    }
                    let children: Vec<TermId> =
                        children.iter().map(|child| self.result(*child)).collect();
                    let rebuilt = self.rebuild(term, &children).unwrap_or(term);
                    match self.step(rebuilt, chain) {
                        None => {
                            self.memory.insert(term, rebuilt);
                            self.memory.insert(rebuilt, rebuilt);
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
                    self.memory.insert(term, result);
                }
            }
        }
        self.result(root)
    }

    fn result(&self, term: TermId) -> TermId {
        self.memory.get(&term).copied().unwrap_or(term)
    }

    /// Asks for the children of a term, or finishes it at once.
    fn enter(&mut self, term: TermId, chain: usize, tasks: &mut Vec<Task>) {
        if let Some(value) = self.cx.facts.and_then(|facts| facts.value(term)) {
            self.memory.insert(term, value);
            return;
        }
        let children = match self.cx.pool.term(term) {
            Term::Op(op @ (Op::And | Op::Or), _) => self.gathered(term, op, true),
            Term::Op(op @ (Op::StrConcat | Op::ReConcat), _) => self.gathered(term, op, false),
            Term::Quantifier(view) => {
                // Patterns have no meaning.
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

    /// The arguments of a term and of all arguments with the same operator. Without this a chain
    /// of thousands of conjunctions would be copied at each level.
    fn gathered(&self, term: TermId, op: Op, each_once: bool) -> Vec<TermId> {
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
            // Gathering may have left one argument.
            Term::Op(Op::And | Op::Or, _) if children.len() == 1 => children.first().copied(),
            _ if self.cx.pool.children(term) == children => Some(term),
            _ => rebuild(self.cx.pool, term, children),
        }
    }

    /// What the first rule that applies makes of the term.
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
                        trace.push(Step { rule: rule.name, before: term, after });
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
                let after = inline(&mut self.cx, &variables, body, &args)?;
                self.steps_left -= 1;
                self.inlined += 1;
                if let Some(trace) = &mut self.trace {
                    trace.push(Step { rule: "inline-definition", before: term, after });
                }
                Some(after)
            }
            Term::Named(_, inner) => Some(inner),
            Term::Quantifier(view) => self.cx.truth(view.body).map(|_| view.body),
            Term::String(_) | Term::Integer(_) | Term::Variable(_) => None,
        }
    }
}
