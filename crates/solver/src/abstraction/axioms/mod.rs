//! The axioms of the abstraction: every kind of fact has a name, a law, and a way to find its
//! instances.
//!
//! An instance is a formula over strings that is valid in the theory. This makes facts testable:
//! the referee must evaluate each instance to true under every model. Most axioms are a pattern and
//! a formula (`laws`); those that depend on the number of arguments or on literals are code.
//! Source: ours.

mod commuting;
mod contains;
mod conversions;
mod equations;
mod laws;
mod memberships;
mod overlaps;

use std::sync::LazyLock;

use luthier_terms::{Op, Sort, TermId};

use super::template::{Bindings, Template};
use super::terms::{BuildResult, TermBuilder};
use super::universe::Universe;
use crate::{Budget, Limit};

pub(super) use laws::LAWS;

/// A kind of fact.
pub struct Axiom {
    /// Its name.
    pub name: &'static str,
    /// The law. With patterns, `_` is the term that matched the first one.
    pub law: &'static str,
    /// Up to which level terms get it: 0 are those of the problem, 1 those that occur in facts
    /// about them, and so on.
    pub(super) level: u8,
    pub(super) trigger: Trigger,
}

/// The terms for which an axiom is instantiated.
pub(super) enum Trigger {
    /// Every term of sort `String` that is not a literal, as the variable `x`.
    Strings,
    /// Terms that match these patterns together.
    Patterns(&'static [&'static str]),
    /// Terms with one of these operators; a function builds the instances.
    Code(&'static [Op], Instantiate),
}

/// Adds the instances about a term.
pub(super) type Instantiate =
    fn(&mut TermBuilder<'_>, &Universe, TermId, &mut Vec<TermId>) -> BuildResult<()>;

/// An axiom with parsed patterns and formula.
pub(super) struct CompiledAxiom {
    pub(super) axiom: &'static Axiom,
    pub(super) patterns: Vec<Template>,
    pub(super) formula: Option<Template>,
}

/// All kinds, in the order of the table.
pub fn axioms() -> impl Iterator<Item = &'static Axiom> {
    let code = [
        commuting::AXIOMS,
        contains::AXIOMS,
        conversions::AXIOMS,
        equations::AXIOMS,
        memberships::AXIOMS,
        overlaps::AXIOMS,
    ];
    LAWS.iter().chain(code.into_iter().flatten())
}

/// All kinds in parsed form, parsed once.
pub(super) fn compiled() -> &'static [CompiledAxiom] {
    static COMPILED: LazyLock<Vec<CompiledAxiom>> = LazyLock::new(|| {
        // A text that cannot be parsed gives no facts; a test parses them all.
        axioms().filter_map(|axiom| compile(axiom).ok()).collect()
    });
    &COMPILED
}

pub(super) fn compile(axiom: &'static Axiom) -> Result<CompiledAxiom, String> {
    let (patterns, formula) = match &axiom.trigger {
        Trigger::Strings => (Vec::new(), Some(axiom.law.parse()?)),
        Trigger::Patterns(patterns) => {
            let patterns = patterns.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
            (patterns, Some(axiom.law.parse()?))
        }
        Trigger::Code(..) => (Vec::new(), None),
    };
    Ok(CompiledAxiom { axiom, patterns, formula })
}

impl CompiledAxiom {
    /// The instances for one term; axioms with several patterns have none.
    pub(super) fn instances_of_term(
        &self,
        terms: &mut TermBuilder<'_>,
        universe: &Universe,
        term: TermId,
        found: &mut Vec<TermId>,
    ) -> BuildResult<()> {
        match (&self.axiom.trigger, &self.formula, &self.patterns[..]) {
            (Trigger::Strings, Some(formula), _)
                if terms.pool.sort(term) == Sort::String
                    && terms.pool.as_string(term).is_none() =>
            {
                found.extend(formula.instantiate(terms, &vec![("x".to_owned(), term)])?);
            }
            (Trigger::Code(_, instantiate), ..) => instantiate(terms, universe, term, found)?,
            (Trigger::Patterns(_), Some(formula), [pattern]) => {
                let mut bindings: Bindings = vec![("_".to_owned(), term)];
                if pattern.matches(terms.pool, term, &mut bindings) {
                    found.extend(formula.instantiate(terms, &bindings)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether [`Self::instances_of_term`] may have instances for a term with this operator, or
    /// without one.
    pub(super) fn may_match(&self, op: Option<Op>) -> bool {
        match &self.axiom.trigger {
            Trigger::Strings => true,
            Trigger::Patterns(_) => {
                matches!(&self.patterns[..], [pattern] if pattern.head() == op)
            }
            Trigger::Code(ops, _) => op.is_some_and(|op| ops.contains(&op)),
        }
    }

    /// The instances for pairs of terms up to the level of the axiom; not all of them when the
    /// budget is used up.
    pub(super) fn instances_of_pairs(
        &self,
        terms: &mut TermBuilder<'_>,
        universe: &Universe,
        budget: &Budget,
        found: &mut Vec<TermId>,
    ) -> BuildResult<()> {
        let ([first, second], Some(formula)) = (&self.patterns[..], &self.formula) else {
            return Ok(());
        };
        let (Some(one), Some(two)) = (first.head(), second.head()) else { return Ok(()) };
        let mut count = 0;
        for left in universe.with_op(one, self.axiom.level) {
            if budget.check().is_err() {
                return Ok(());
            }
            let mut bindings: Bindings = vec![("_".to_owned(), left)];
            if !first.matches(terms.pool, left, &mut bindings) {
                continue;
            }
            let matched = bindings.len();
            for right in universe.with_op(two, self.axiom.level) {
                if right == left || !second.matches(terms.pool, right, &mut bindings) {
                    continue;
                }
                found.extend(formula.instantiate(terms, &bindings)?);
                bindings.truncate(matched);
                count += 1;
                if count >= terms.limit(Limit::AbstractionInstances) {
                    terms.budget.limits().hit(Limit::AbstractionInstances);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
