//! Explanations: the subterms that are responsible for the value of an assertion.
//!
//! Connectives are followed to the arguments that decide them; below, terms are shown with their
//! values.

use luthier_terms::{Op, Sort, Term, TermId};
use rustc_hash::FxHashSet;

use crate::{Evaluation, Evaluator};

/// The explanation of the value of an assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The assertion first, then the responsible subterms, outer before inner, each once.
    pub steps: Vec<Step>,
    /// The number of responsible terms beyond the limit, which are not shown.
    pub cut: usize,
}

/// A term and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The term.
    pub term: TermId,
    /// Its value.
    pub value: Evaluation,
    /// The number of responsible terms around it.
    pub depth: usize,
}

impl Evaluator<'_> {
    /// Which subterms give an assertion its value.
    ///
    /// The connectives are followed to the arguments that decide: the false arguments of a false
    /// conjunction, all arguments of a false disjunction, the chosen branch of an `ite`. Below,
    /// every argument that is not a literal is shown with its value.
    pub fn explain(&mut self, assertion: TermId) -> Explanation {
        let mut explanation = Explanation { steps: Vec::new(), cut: 0 };
        let mut seen = FxHashSet::default();
        let mut stack = vec![(assertion, 0)];
        while let Some((term, depth)) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if explanation.steps.len() >= self.limits().explanation_steps {
                explanation.cut += 1;
                continue;
            }
            let value = self.evaluate(term);
            let responsible = self.responsible_children(term, &value);
            explanation.steps.push(Step { term, value, depth });
            stack.extend(responsible.into_iter().rev().map(|child| (child, depth + 1)));
        }
        explanation
    }

    /// The children that give a term its value.
    fn responsible_children(&mut self, term: TermId, value: &Evaluation) -> Vec<TermId> {
        let pool = self.pool();
        let mut children = match pool.term(term) {
            Term::Op(Op::And | Op::Or, children) => {
                self.with_value(children, |child| child.as_bool() == value.as_bool())
            }
            // A false implication needs all its arguments; a true one has a false premise or a
            // true conclusion.
            Term::Op(Op::Implies, children) => match value.as_bool() {
                Some(false) => children.to_vec(),
                Some(true) => {
                    let (conclusion, premises) =
                        children.split_last().expect("there are two or more arguments");
                    let mut chosen = self.with_value(premises, Evaluation::is_false);
                    chosen.extend(self.with_value(&[*conclusion], Evaluation::is_true));
                    chosen
                }
                None => self.with_value(children, |child| child.as_bool().is_none()),
            },
            Term::Op(Op::Ite, children) => match self.evaluate(children[0]).as_bool() {
                Some(true) => vec![children[0], children[1]],
                Some(false) => vec![children[0], children[2]],
                None => children.to_vec(),
            },
            Term::Op(op, children) => children[op.info().indices..].to_vec(),
            Term::Apply(_, arguments) => arguments.to_vec(),
            Term::Named(_, inner) => vec![inner],
            // The body has no value without an assignment of its variables.
            Term::Quantifier(_) | Term::String(_) | Term::Integer(_) | Term::Variable(_) => vec![],
        };
        children.retain(|&child| !self.is_literal(child));
        children
    }

    fn with_value(
        &mut self,
        terms: &[TermId],
        wanted: impl Fn(&Evaluation) -> bool,
    ) -> Vec<TermId> {
        terms.iter().copied().filter(|&term| wanted(&self.evaluate(term))).collect()
    }

    /// Whether a term is its own value: a literal, or a ground regular expression.
    fn is_literal(&self, term: TermId) -> bool {
        let pool = self.pool();
        match pool.term(term) {
            Term::String(_) | Term::Op(Op::True | Op::False, _) => true,
            _ if pool.sort(term) == Sort::RegLan => self.is_ground(term),
            _ => pool.as_integer(term).is_some(),
        }
    }

    /// Whether a term is ground.
    fn is_ground(&self, term: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if matches!(self.pool().term(term), Term::Apply(..) | Term::Variable(_)) {
                return false;
            }
            if seen.insert(term) {
                stack.extend(self.pool().children(term));
            }
        }
        true
    }
}
