//! Whole suites: all formulas of a name, always the same and in the same order.

use crate::Formula;
use crate::icse20::{
    Settings, constant_assignment, equivalent_formula, larger_unsat_core, operations,
    redundancy_introduction, term_synthesis,
};

/// A suite of formulas with known answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// The suite of "Automatically Testing String Solvers" with its published counts.
    Icse20,
    /// The same by the algorithm as published: without the formulas that the published suite has
    /// too many, and with those that it lacks.
    Icse20Corrected,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 2] = [Self::Icse20, Self::Icse20Corrected];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Icse20 => "icse20",
            Self::Icse20Corrected => "icse20-corrected",
        }
    }

    /// The suite of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.name() == name)
    }

    /// Its formulas.
    pub fn formulas(self) -> Vec<Formula> {
        let corrected = self == Self::Icse20Corrected;
        let settings = Settings::default();
        let mut formulas = operations();
        formulas.extend(constant_assignment(&settings));
        formulas.extend(term_synthesis(&settings));
        for patterns in [false, true] {
            formulas.extend(equivalent_formula(patterns));
            formulas.extend(larger_unsat_core(patterns, corrected));
            formulas.extend(redundancy_introduction(patterns, corrected));
        }
        formulas
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Suite;
    use crate::Category;

    #[track_caller]
    fn check(suite: Suite, counts: [usize; 9]) {
        let formulas = suite.formulas();
        let count = |category: &Category| {
            formulas.iter().filter(|formula| formula.category == *category).count()
        };
        let found: Vec<usize> = Category::of_icse20().iter().map(count).collect();
        assert_eq!(found, counts);
        let names: BTreeSet<_> = formulas.iter().map(|formula| &formula.name).collect();
        assert_eq!(names.len(), formulas.len(), "names are unique");
    }

    #[test]
    fn the_counts_are_those_of_the_paper_and_of_its_algorithm() {
        check(Suite::Icse20, [12, 4714, 1394, 12, 268, 178, 12, 268, 178]);
        check(Suite::Icse20Corrected, [12, 4714, 1394, 12, 289, 143, 12, 289, 143]);
    }
}
