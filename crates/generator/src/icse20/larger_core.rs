//! Larger unsat cores (section 3.2 of the paper, variable and constant replacement): formulas whose
//! minimal core has a third assertion.
//!
//! In the definition, a variable or a constant is replaced by a fresh variable everywhere, and an
//! equality (named `equality`, together with its condition) relates the two. Without it the
//! operation and the definition are about different variables and satisfiable together.
//!
//! By the algorithm of the paper these are 289. It publishes 268: one variable is omitted in each
//! of E8, E10 and E12, see [`OMITTED_VARIABLES`].

use super::Settings;
use super::equivalences::{Clause, Equivalence, Parts, occurs, substitute};
use crate::formula::{Category, Formula};

/// The variables that the published suite omits, by equivalence.
pub const OMITTED_VARIABLES: [(&str, &str); 3] = [("E8", "s"), ("E10", "t"), ("E12", "t")];

/// The stem of the fresh variable for a constant, which has the suffix `_fresh`.
const CONSTANT: &str = "constant";

/// All formulas of the kind: with all equivalences and equalities 268 as published, 289 corrected.
pub fn larger_unsat_core(settings: &Settings, patterns: bool, corrected: bool) -> Vec<Formula> {
    settings
        .equivalences()
        .flat_map(|equivalence| {
            let mut formulas = with_variables(settings, equivalence, patterns, corrected);
            formulas.extend(with_constants(settings, equivalence, patterns));
            formulas
        })
        .collect()
}

fn with_variables(
    settings: &Settings,
    equivalence: &Equivalence,
    patterns: bool,
    corrected: bool,
) -> Vec<Formula> {
    let mut formulas = Vec::new();
    for variable in equivalence.shared {
        if !corrected && OMITTED_VARIABLES.contains(&(equivalence.id, variable.name)) {
            continue;
        }
        for equality in settings.equalities() {
            if !equality.is_about_a_variable() || equality.sort != variable.sort {
                continue;
            }
            let clause = Clause::about(equality, variable.name);
            let mut parts = Parts::of(equivalence, patterns);
            parts.definition = substitute(&parts.definition, variable.name, &clause.fresh);
            parts.declare([(clause.fresh.clone(), variable.sort)]);
            parts.declare(equality.others.iter().map(|v| (v.name.to_owned(), v.sort)));
            parts.clause = Some(clause.conjunction());
            parts.clause_in_core = true;
            let details = format!("-{}-{}", variable.name, equality.id.to_lowercase());
            let derivation = format!(
                "the definition {} of {}, {} tied to a fresh variable by {}",
                equivalence.id, equivalence.operation, variable.name, equality.id
            );
            formulas.push(parts.formula("core", &details, category(patterns), derivation));
        }
    }
    formulas
}

fn with_constants(settings: &Settings, equivalence: &Equivalence, patterns: bool) -> Vec<Formula> {
    let mut formulas = Vec::new();
    for equality in settings.equalities().filter(|equality| !equality.is_about_a_variable()) {
        let mut parts = Parts::of(equivalence, patterns);
        if !occurs(&parts.definition, equality.value) {
            continue;
        }
        let clause = Clause::about(equality, CONSTANT);
        parts.definition = substitute(&parts.definition, equality.value, &clause.fresh);
        parts.declare([(clause.fresh.clone(), equality.sort)]);
        parts.declare(equality.others.iter().map(|v| (v.name.to_owned(), v.sort)));
        parts.clause = Some(clause.conjunction());
        parts.clause_in_core = true;
        let details = format!("-{}", equality.id.to_lowercase());
        let derivation = format!(
            "the definition {} of {}, the constant {} tied to a fresh variable by {}",
            equivalence.id, equivalence.operation, equality.value, equality.id
        );
        formulas.push(parts.formula("core", &details, category(patterns), derivation));
    }
    formulas
}

fn category(patterns: bool) -> Category {
    if patterns { Category::LargerUnsatCorePatterns } else { Category::LargerUnsatCore }
}
