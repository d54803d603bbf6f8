//! The table of facts: every kind has a name, a law, and a way to find its instances.
//!
//! An instance is a formula about strings that holds under every model. That makes facts easy to
//! test: the referee must find each of them true, whatever the values are. Only afterwards do
//! instances become formulas of arithmetic and uninterpreted functions.

mod contains;
mod conversions;
mod equations;
mod laws;
mod memberships;
mod spellings;

use std::sync::LazyLock;

use luthier_terms::{Op, Sort, TermId};

use super::template::{Filling, Template};
use super::terms::{Made, Terms};
use super::universe::Universe;
use crate::{Budget, Limit};

pub(super) use laws::LAWS;

/// A kind of fact.
pub struct Axiom {
    /// Its name.
    pub name: &'static str,
    /// What it says. In a law of patterns, `_` is the term that matched the first one.
    pub law: &'static str,
    /// Up to which level terms get it: 0 are those of the problem, 1 those that occur in facts
    /// about them, and so on.
    pub(super) level: u8,
    pub(super) trigger: Trigger,
}

/// What a kind of fact is about.
pub(super) enum Trigger {
    /// Every term of sort `String` that is no literal, as the hole `x`.
    Strings,
    /// Terms that match these patterns together.
    Patterns(&'static [&'static str]),
    /// Terms with one of these operators, by a function.
    Code(&'static [Op], Instantiate),
}

/// Adds the instances about a term.
pub(super) type Instantiate = fn(&mut Terms<'_>, &Universe, TermId, &mut Vec<TermId>) -> Made<()>;

/// An axiom whose text was read.
pub(super) struct Compiled {
    pub(super) axiom: &'static Axiom,
    pub(super) patterns: Vec<Template>,
    pub(super) formula: Option<Template>,
}

/// All kinds, in the order of the table.
pub fn axioms() -> impl Iterator<Item = &'static Axiom> {
    let code = [
        contains::AXIOMS,
        conversions::AXIOMS,
        equations::AXIOMS,
        memberships::AXIOMS,
        spellings::AXIOMS,
    ];
    LAWS.iter().chain(code.into_iter().flatten())
}

/// All kinds with their text read, once.
pub(super) fn compiled() -> &'static [Compiled] {
    static COMPILED: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
        // A text that cannot be read gives no facts; a test reads them all.
        axioms().filter_map(|axiom| compile(axiom).ok()).collect()
    });
    &COMPILED
}

pub(super) fn compile(axiom: &'static Axiom) -> Result<Compiled, String> {
    let (patterns, formula) = match &axiom.trigger {
        Trigger::Strings => (Vec::new(), Some(axiom.law.parse()?)),
        Trigger::Patterns(patterns) => {
            let patterns = patterns.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
            (patterns, Some(axiom.law.parse()?))
        }
        Trigger::Code(..) => (Vec::new(), None),
    };
    Ok(Compiled { axiom, patterns, formula })
}

impl Compiled {
    /// The instances about one term; kinds about several terms at once have none.
    pub(super) fn about(
        &self,
        terms: &mut Terms<'_>,
        universe: &Universe,
        term: TermId,
        found: &mut Vec<TermId>,
    ) -> Made<()> {
        match (&self.axiom.trigger, &self.formula, &self.patterns[..]) {
            (Trigger::Strings, Some(formula), _)
                if terms.pool.sort(term) == Sort::String
                    && terms.pool.as_string(term).is_none() =>
            {
                found.extend(formula.fill(terms, &vec![("x".to_owned(), term)])?);
            }
            (Trigger::Code(_, instantiate), ..) => instantiate(terms, universe, term, found)?,
            (Trigger::Patterns(_), Some(formula), [pattern]) => {
                let mut filling: Filling = vec![("_".to_owned(), term)];
                if pattern.matches(terms.pool, term, &mut filling) {
                    found.extend(formula.fill(terms, &filling)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether [`Self::about`] may find something for a term with this operator, or without one.
    pub(super) fn is_about(&self, op: Option<Op>) -> bool {
        match &self.axiom.trigger {
            Trigger::Strings => true,
            Trigger::Patterns(_) => {
                matches!(&self.patterns[..], [pattern] if pattern.head() == op)
            }
            Trigger::Code(ops, _) => op.is_some_and(|op| ops.contains(&op)),
        }
    }

    /// The instances about pairs of terms up to the level of the axiom; some of them when the
    /// budget is used up.
    pub(super) fn together(
        &self,
        terms: &mut Terms<'_>,
        universe: &Universe,
        budget: &Budget,
        found: &mut Vec<TermId>,
    ) -> Made<()> {
        let ([first, second], Some(formula)) = (&self.patterns[..], &self.formula) else {
            return Ok(());
        };
        let (Some(one), Some(two)) = (first.head(), second.head()) else { return Ok(()) };
        let mut count = 0;
        for left in universe.with_op(one, self.axiom.level) {
            if budget.check().is_err() {
                return Ok(());
            }
            let mut filling: Filling = vec![("_".to_owned(), left)];
            if !first.matches(terms.pool, left, &mut filling) {
                continue;
            }
            let matched = filling.len();
            for right in universe.with_op(two, self.axiom.level) {
                if right == left || !second.matches(terms.pool, right, &mut filling) {
                    continue;
                }
                found.extend(formula.fill(terms, &filling)?);
                filling.truncate(matched);
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
