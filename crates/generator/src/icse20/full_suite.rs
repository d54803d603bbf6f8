//! The whole suite: all categories in the order of the paper, up to the limit of the settings.
//! Unsatisfiable formulas about an operation with an alternative semantics are left out, since its
//! equivalences are proved for the standard only.

use super::{
    Settings, TooManyFormulas, constant_assignment, equivalent_formula, larger_unsat_core,
    operations, redundancy_introduction, term_synthesis,
};
use crate::Formula;

/// A generated suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedSuite {
    /// The formulas, in the order of the paper.
    pub formulas: Vec<Formula>,
    /// The formulas that were left out.
    pub left_out: LeftOut,
}

/// Unsatisfiable formulas that were left out because an operation has an alternative semantics, for which
/// its equivalences are not proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of formulas.
    pub formulas: usize,
    /// The names of the equivalences about such an operation.
    pub equivalences: Vec<&'static str>,
    /// The names of the equalities about such an operation.
    pub equalities: Vec<&'static str>,
}

/// The whole suite: as published, or corrected. An error if it has more formulas than the
/// settings allow.
pub fn full_suite(settings: &Settings, corrected: bool) -> Result<GeneratedSuite, TooManyFormulas> {
    let mut made = GeneratedSuite { formulas: Vec::new(), left_out: LeftOut::default() };
    let too_many = TooManyFormulas { most: settings.most, what: "formulas" };
    let mut add = |formula: Formula| {
        if made.formulas.len() >= settings.most {
            return Err(too_many);
        }
        made.formulas.push(formula);
        Ok(())
    };
    operations(settings).into_iter().try_for_each(&mut add)?;
    constant_assignment(settings).try_for_each(&mut add)?;
    term_synthesis(settings)?.try_for_each(&mut add)?;
    let semantics = &settings.semantics;
    for patterns in [false, true] {
        let mut formulas = equivalent_formula(settings, patterns);
        formulas.extend(larger_unsat_core(settings, patterns, corrected));
        formulas.extend(redundancy_introduction(settings, patterns, corrected));
        for formula in formulas {
            if semantics.concerns(&formula.text) {
                made.left_out.formulas += 1;
            } else {
                add(formula)?;
            }
        }
    }
    made.left_out.equivalences = settings
        .equivalences()
        .filter(|one| {
            let quantified = one.quantified.iter();
            let inner = quantified.flat_map(|inner| [inner.premise, inner.conclusion]);
            [one.left, one.right].into_iter().chain(inner).any(|text| semantics.concerns(text))
        })
        .map(|one| one.id)
        .collect();
    made.left_out.equalities = settings
        .equalities()
        .filter(|one| {
            [Some(one.term), one.condition]
                .into_iter()
                .flatten()
                .any(|text| semantics.concerns(text))
        })
        .map(|one| one.id)
        .collect();
    Ok(made)
}
