//! A string solver: a portfolio of engines for conjunctions over the theory of strings.
//!
//! Which engines there are, what each accepts and can prove, in which order they run and why they
//! are sound is the table of [`strategy`]; how much work each may do is that of [`Limit`].
//! [`Portfolio`] executes the strategy, [`Parts`] on components. Engines other than rewriting and
//! search use Z3 as a process for arithmetic ([`arithmetic`]). Work ends when its [`Budget`] is used
//! up. A [`session`] executes SMT-LIB scripts. Modules of engines are private; one engine alone is
//! run as `strategy::engine("nielsen")`.
//!
//! Every model is checked by the referee (`luthier-semantics`) on the formula
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
