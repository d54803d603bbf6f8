//! A string solver: it looks for models with flat under-approximation and local search, and for
//! proofs with rewriting and an abstraction to arithmetic.
//!
//! Nothing is believed: every model is checked by the referee (`luthier-semantics`) on the formula
//! as it was given, and `unsat` is only said by an engine whose contradiction holds for every
//! model. The only reasoner that is not ours is one for integers and uninterpreted symbols; it
//! never sees a string.
//!
//! ```
//! use luthier_solver::{Budget, Cancel, Portfolio, Problem, Verdict};
//! use luthier_terms::{Op, SmtString, Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let name = pool.symbols_mut().intern(b"x")?;
//! let function = pool.declare(name, vec![], Sort::String)?;
//! let x = pool.apply(function, &[])?;
//! let text = pool.string(SmtString::from_text("ab").unwrap())?;
//! let formula = pool.op(Op::StrContains, &[x, text])?;
//!
//! let problem = Problem { pool, assertions: vec![formula] };
//! let budget = Budget::until_cancelled(Cancel::new());
//! let solution = Portfolio::default().solve(&problem, &budget);
//! assert!(matches!(solution.verdict, Verdict::Sat(_)));
//! # Ok::<(), luthier_terms::BuildError>(())
//! ```

pub mod abstraction;
pub mod arithmetic;
pub mod automata;
mod cancel;
pub mod cells;
mod components;
mod conditions;
mod constants;
mod engine;
pub mod flat;
pub mod languages;
pub mod nielsen;
mod parts;
mod portfolio;
mod problem;
pub mod rewrite;
pub mod search;
mod structure;
mod words;

pub use cancel::{Budget, Cancel};
pub use engine::{Engine, EngineReport, Proof, Verdict, Why};
pub use parts::Parts;
pub use portfolio::{Portfolio, Solution};
pub use problem::Problem;
