//! Random terms of the theory of strings, always the same for the same seed.
//!
//! [`ground`] makes well-sorted ground terms over all operators. Whoever has two ways to find the
//! value of a term compares them on such terms: the referee with a second implementation
//! (`crates/semantics/tests/agreement.rs`), the referee with solvers (`cargo xtask agree`).
//! [`Dice`] is the only source of chance.
//!
//! The crate asks the referee for values, but only to choose arguments that go well together: a
//! mistake of the referee changes which terms are made, never whether they are terms. It runs
//! nothing and prints nothing.
//!
//! ```
//! use luthier_generator::ground::Generator;
//! use luthier_terms::Sort;
//!
//! let mut generator = Generator::default();
//! let term = generator.numbered(1, 42);
//! assert_ne!(generator.pool.sort(term), Sort::RegLan);
//! // Seed and number are enough to make the same term again.
//! assert_eq!(generator.numbered(1, 42), term);
//! ```

mod dice;
pub mod ground;

pub use dice::Dice;
