//! A string solver: a portfolio of engines for conjunctions over the theory of strings.
//!
//! | engine | module | decides |
//! |---|---|---|
//! | rewriting | [`rewrite`] | `unsat` by laws of the theory, and simplifies for all others |
//! | local search | [`search`] | `sat` |
//! | languages | [`languages`] | both: memberships in regular languages with conditions on lengths |
//! | cells | [`cells`] | both: lengths and offsets by arithmetic, then letters by propagation |
//! | Nielsen transformations | [`nielsen`] | both: word equations with conditions on lengths |
//! | flat words | [`flat`] | `sat` by under-approximation; `unsat` if no bound is to blame |
//! | abstraction | [`abstraction`] | `unsat` by over-approximation with arithmetic |
//!
//! [`Portfolio`] runs them, [`Parts`] chooses for each part of a problem among those that need
//! arithmetic. All of these but rewriting and search use Z3 as a process for arithmetic
//! ([`arithmetic`]). Work ends when its [`Budget`] is used up.
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
//! let problem = Problem { pool: pool.into(), assertions: vec![formula] };
//! let budget = Budget::until_cancelled(Cancel::new());
//! let solution = Portfolio::default().solve(&problem, &budget);
//! assert!(matches!(solution.verdict, Verdict::Sat(_)));
//! # Ok::<(), luthier_terms::BuildError>(())
//! ```

mod abstraction;
pub mod arithmetic;
mod automata;
mod cancel;
mod cells;
mod components;
mod conditions;
mod engine;
mod flat;
mod languages;
mod limits;
mod literals;
mod nielsen;
mod parts;
mod portfolio;
mod problem;
pub mod rewrite;
mod search;
pub mod session;
pub mod strategy;
mod structure;
mod words;

pub use cancel::{Budget, Cancel};
pub use engine::{Engine, EngineReport, Proof, Verdict, Why};
pub use flat::{NotSubstring, measure};
pub use limits::{Limit, LimitError, Limits};
pub use parts::Parts;
pub use portfolio::{Portfolio, Solution};
pub use problem::Problem;
