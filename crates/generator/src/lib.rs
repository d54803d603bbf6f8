//! Terms and formulas of the theory of strings, always the same for the same settings and seed.
//!
//! [`icse20`] makes formulas with a known answer, one operation at a time, after a published
//! recipe; each [`Formula`] carries what is known about it and why.
//!
//! [`random`] makes well-sorted terms over all operators. Whoever has two ways to find the
//! value of a term compares them on such terms: the referee with a second implementation
//! (`crates/semantics/tests/agreement.rs`), the referee with solvers (`cargo xtask agree`).
//! [`Dice`] is the only source of chance.
//!
//! The crate asks the referee for values. For random terms that is only to choose arguments that
//! go well together: a mistake of the referee changes which terms are made, never whether they are
//! terms. Known answers `sat` are the referee's, and their witnesses can be checked without the
//! generator. The crate runs nothing and prints nothing.
//!
//! ```
//! use luthier_generator::random::Generator;
//! use luthier_terms::Sort;
//!
//! let mut generator = Generator::default();
//! let term = generator.numbered(1, 42);
//! assert_ne!(generator.pool.sort(term), Sort::RegLan);
//! // Seed and number are enough to make the same term again.
//! assert_eq!(generator.numbered(1, 42), term);
//! ```

pub mod bounded;
pub mod coverage;
mod dice;
mod draft;
mod formula;
pub mod icse20;
mod languages;
pub mod laws;
pub mod planted;
pub mod random;
pub mod stream;
mod suite;
pub mod tangled;
mod truth;
pub mod unplanted;
pub mod variants;

pub use dice::Dice;
pub use draft::{Claim, Draft, Sketch};
pub use formula::{Case, Category, Expected, Formula};
pub use stream::Stream;
pub use suite::Suite;
