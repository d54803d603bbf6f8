//! The suite of "Automatically Testing String Solvers" (Bugariu and Müller, ICSE 2020):
//! formulas with a known answer, one operation at a time.
//!
//! The satisfiable ones come in three categories, each formula with a model as its witness:
//! * [`operations`]: an operation with free variables;
//! * [`constant_assignment`]: constants for some of the variables;
//! * [`term_synthesis`]: operations nested in operations.
//!
//! With the default [`Settings`] these are exactly as many as in the paper's table 4: 12, 4,714
//! and 1,394. The authors' program keeps one representative per operation in term synthesis
//! instead of all terms; so do the default settings. It also wrote nested `prefixOf` and
//! `suffixOf` as `str.contains`; here they are what they should be.
//!
//! The unsatisfiable ones come in three categories, too, each formula with its only minimal core,
//! and each category without and with patterns for quantifiers:
//! * [`equivalent_formula`]: an operation against its definition, 12;
//! * [`larger_unsat_core`]: a further equality that the contradiction needs, 268 as published and
//!   289 by the algorithm as published;
//! * [`redundancy_introduction`]: a further clause that it does not need, 178 and 143.
//!
//! ```
//! use luthier_generator::icse20::{Settings, constant_assignment};
//!
//! let formula = constant_assignment(&Settings::default()).nth(1).unwrap();
//! assert_eq!(formula.derivation, r#"(= (str.at "" (- 1)) "")"#);
//! assert!(formula.text.contains(r#"(assert (= (str.at "" (- 1)) res))"#));
//! ```

mod constant_assignment;
mod equivalences;
mod larger_core;
mod operations;
mod redundancy;
mod script;
mod term_synthesis;

use luthier_terms::{BigInt, SmtString};

pub use constant_assignment::constant_assignment;
pub use equivalences::{
    EQUALITIES, EQUIVALENCES, Equality, Equivalence, QUANTIFIER, Quantified, Variable,
    equivalent_formula,
};
pub use larger_core::{FORGOTTEN, larger_unsat_core};
pub use operations::{Constant, OPERATIONS, Operation, Parameter, operations};
pub use redundancy::redundancy_introduction;
pub use term_synthesis::term_synthesis;

/// What the satisfiable formulas are made of. The default is what the paper used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The constants of [`constant_assignment`].
    pub assignment: Constants,
    /// The constants of [`term_synthesis`].
    pub synthesis: Constants,
    /// How deep the terms that become arguments and results in [`term_synthesis`] may be; those
    /// of depth 1 are operations on constants.
    pub depth: usize,
    /// How many terms of each depth and operation become arguments in [`term_synthesis`].
    pub arguments_per_operation: usize,
    /// How many terms of each depth and operation, among those that have the value in question,
    /// become results in [`term_synthesis`].
    pub results_per_operation: usize,
}

/// Constants of the sorts that operations take. Repetitions count for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Constants {
    /// The strings.
    pub strings: Vec<SmtString>,
    /// The integers.
    pub integers: Vec<BigInt>,
}

impl Default for Settings {
    fn default() -> Self {
        let constants = |strings: &[&str], integers: &[i64]| {
            Constants::from_text(strings, integers).expect("all characters are ASCII")
        };
        Self {
            assignment: constants(&["", "\"a\"", "a", "\u{7}", "\n", "-1", "0", "2"], &[-1, 0, 2]),
            synthesis: constants(&["a", "", "-1", "0"], &[-1, 0]),
            depth: 1,
            arguments_per_operation: 1,
            results_per_operation: 1,
        }
    }
}

impl Constants {
    /// From plain values; `None` if a character is none of the theory (it ends at U+2FFFF).
    pub fn from_text(strings: &[&str], integers: &[i64]) -> Option<Self> {
        let strings: Option<Vec<SmtString>> =
            strings.iter().map(|text| SmtString::from_text(text)).collect();
        let integers = integers.iter().copied().map(BigInt::from).collect();
        Some(Self { strings: strings?, integers })
    }
}
