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
//! All of this can be changed by [`Settings`], also the meaning of operations ([`Semantics`]);
//! [`full_suite`] makes all categories.
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
mod full_suite;
mod larger_core;
mod operations;
mod redundancy;
mod script;
mod semantics;
mod settings;
mod settings_file;
mod term_synthesis;

pub use constant_assignment::constant_assignment;
pub use equivalences::{
    EQUALITIES, EQUIVALENCES, Equality, Equivalence, QUANTIFIER, Quantified, Variable,
    equivalent_formula,
};
pub use full_suite::{GeneratedSuite, LeftOut, full_suite};
pub use larger_core::{OMITTED_VARIABLES, larger_unsat_core};
pub use operations::{Constant, OPERATIONS, Operation, Parameter, operations};
pub use redundancy::redundancy_introduction;
pub use semantics::{Semantics, Variant};
pub use settings::{Constants, Settings, TooManyFormulas};
pub use settings_file::SettingsError;
pub use term_synthesis::term_synthesis;
