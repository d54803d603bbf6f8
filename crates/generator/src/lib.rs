//! Generators of formulas of the theory of strings. The same settings and seed always give the same
//! formulas.
//!
//! * [`icse20`] generates the suite of a published paper: formulas about one operation at a time,
//!   each with a planted answer.
//! * [`planted`], [`tangled`] (satisfiable), [`bounded`] (decided by enumeration), [`laws`]
//!   (unsatisfiable) and [`unplanted`] (answer unknown) generate formulas over the full theory.
//! * [`unusual`] and [`idioms`] generate satisfiable formulas by recipes: shapes that random terms hardly
//!   ever have, and idioms of programs.
//! * [`seeds`] makes formulas of the parts of real ones.
//! * [`features`] makes formulas about a feature, also about functions and arrays, with unknown answer.
//! * [`small`] enumerates all formulas up to a size, each once up to symmetry.
//! * [`variants`] generates metamorphic variants: other scripts with the same answer.
//! * [`sessions`] generates scripts of several queries over one stack, each with its answer.
//! * [`coverage`] measures which operators and corner cases formulas exercise; [`stream`] generates
//!   unbounded suites, guided by it.
//! * [`random`] generates well-sorted terms over all operators. They serve to compare two
//!   implementations of the semantics: the referee with a second one
//!   (`crates/semantics/tests/agreement.rs`), the referee with solvers (`cargo xtask agree`).
//!
//! [`Dice`] is the only source of randomness. The crate uses the referee to evaluate terms. For
//! random terms that only guides the choice of arguments: an error of the referee changes which
//! terms are generated, never whether they are well-sorted. Planted answers `sat` come with
//! witnesses, which can be checked without the generator. The crate runs no solver and prints
//! nothing.
//!
//! ```
//! use luthier_generator::random::Generator;
//! use luthier_terms::Sort;
//!
//! let mut generator = Generator::default();
//! let term = generator.numbered(1, 42);
//! assert_ne!(generator.pool.sort(term), Sort::RegLan);
//! // Seed and number identify the term.
//! assert_eq!(generator.numbered(1, 42), term);
//! ```

pub mod bounded;
pub mod coverage;
mod dice;
mod draft;
mod facts;
pub mod features;
mod formula;
pub mod icse20;
pub mod idioms;
mod languages;
pub mod laws;
pub mod planted;
mod profile;
pub mod random;
pub mod seeds;
pub mod sessions;
mod shape;
pub mod small;
pub mod stream;
mod suite;
pub mod tangled;
pub mod unplanted;
pub mod unusual;
pub mod variants;

pub use dice::Dice;
pub use draft::{Draft, PlantedAnswer, Sketch};
pub use formula::{Case, Category, Expected, Formula};
pub use profile::Profile;
pub use stream::Stream;
pub use suite::Suite;
