//! Redundancy introduction (section 3.2 of the paper): formulas with a clause outside of the minimal
//! core.
//!
//! A variable that occurs only in the definition is replaced by a fresh one, and an equality
//! relates the two. The definition holds for the fresh variable as it did for the old one.
//!
//! * For a free variable the equality is an assertion of its own, named `equality`.
//! * For a bound variable it is a premise under the quantifier, and its term is added to the
//!   pattern.
//!
//! By the algorithm of the paper these are 143. It publishes 178: in the five definitions with a
//! quantifier the trigger term was taken for one more variable. These 35 formulas assert an
//! equality about the trigger term, with free variables in place of the bound ones, beside an
//! unchanged definition. They are unsatisfiable with the same core, but they test nothing that
//! [`super::equivalent_formula`] does not. Only the published suite has them; their names contain
//! `-trigger-`.

use super::Settings;
use super::equivalences::{Clause, Equality, Equivalence, Parts, Quantified, Variable, substitute};
use crate::formula::{Category, Formula};

/// All formulas of the kind: with all equivalences and equalities 178 as published, 143 corrected.
pub fn redundancy_introduction(
    settings: &Settings,
    patterns: bool,
    corrected: bool,
) -> Vec<Formula> {
    let equalities = |sort: &'static str| {
        let fits =
            move |equality: &&Equality| equality.is_about_a_variable() && equality.sort == sort;
        settings.equalities().filter(fits)
    };
    let mut formulas = Vec::new();
    for equivalence in settings.equivalences() {
        for variable in equivalence.existential {
            formulas.extend(
                equalities(variable.sort)
                    .map(|equality| with_free(equivalence, variable, equality, patterns)),
            );
        }
        let Some(quantified) = &equivalence.quantified else { continue };
        for variable in quantified.bound {
            formulas.extend(equalities(variable.sort).map(|equality| {
                let parts =
                    Parts::with_bound(equivalence, quantified, variable, equality, patterns);
                finish(parts, equivalence, variable.name, equality, patterns)
            }));
        }
        if !corrected {
            formulas.extend(
                equalities("String")
                    .map(|equality| with_trigger(equivalence, quantified, equality, patterns)),
            );
        }
    }
    formulas
}

fn with_free(
    equivalence: &Equivalence,
    variable: &Variable,
    equality: &Equality,
    patterns: bool,
) -> Formula {
    let clause = Clause::about(equality, variable.name);
    let mut parts = Parts::of(equivalence, patterns);
    parts.definition = substitute(&parts.definition, variable.name, &clause.fresh);
    parts.declare([(clause.fresh.clone(), variable.sort)]);
    parts.declare(equality.others.iter().map(|v| (v.name.to_owned(), v.sort)));
    parts.clause = Some(clause.conjunction());
    finish(parts, equivalence, variable.name, equality, patterns)
}

fn with_trigger(
    equivalence: &Equivalence,
    quantified: &Quantified,
    equality: &Equality,
    patterns: bool,
) -> Formula {
    let clause = Clause::about_term(equality, quantified.pattern);
    let mut parts = Parts::of(equivalence, patterns);
    let free = quantified.bound.iter().chain(equality.others);
    parts.declare(free.map(|v| (v.name.to_owned(), v.sort)));
    parts.clause = Some(clause.conjunction());
    finish(parts, equivalence, "trigger", equality, patterns)
}

fn finish(
    parts: Parts<'_>,
    equivalence: &Equivalence,
    what: &str,
    equality: &Equality,
    patterns: bool,
) -> Formula {
    let category = if patterns {
        Category::RedundancyIntroductionPatterns
    } else {
        Category::RedundancyIntroduction
    };
    let derivation = format!(
        "the definition {} of {}, with {} about {what}, which the contradiction does not need",
        equivalence.id, equivalence.operation, equality.id
    );
    let details = format!("-{what}-{}", equality.id.to_lowercase());
    parts.formula("redundant", &details, category, derivation)
}
