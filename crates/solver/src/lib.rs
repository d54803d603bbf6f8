//! A string solver: a portfolio of engines for conjunctions of formulas over the SMT-LIB theory of
//! strings.
//!
//! Which engines there are, what each accepts and can prove, in which order they run and why they
//! are sound is the table of [`strategy`]; how much work each may do is that of [`Limit`].
//! [`Portfolio`] executes the strategy, [`ComponentPortfolio`] the part of it that works on
//! components. Engines other than rewriting and search use Z3 as a process for arithmetic
//! ([`arithmetic`]). All work ends when its [`Budget`] is used up. A [`session`] executes SMT-LIB
//! scripts. Modules of engines are private; a single engine is available as
//! `strategy::engine("nielsen")`.
//!
//! Every model is checked by the referee (`luthier-semantics`) on the original assertions, and an
//! engine reports `unsat` only if its contradiction holds for every model. The arithmetic solver is
//! the only external reasoner; its formulas are over Booleans, integers and uninterpreted symbols
//! and contain no strings.
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
mod budget;
mod cells;
mod component_portfolio;
mod components;
mod engine;
mod flat;
mod languages;
mod length_abstraction;
mod limits;
mod literals;
mod nielsen;
mod operators;
mod portfolio;
mod problem;
pub mod rewrite;
mod search;
pub mod session;
pub mod strategy;
mod words;

pub use budget::{Budget, Cancel};
pub use component_portfolio::ComponentPortfolio;
pub use engine::{Engine, EngineReport, Proof, UnknownReason, Verdict};
pub use flat::{NotSubstring, measure};
pub use limits::{Limit, LimitError, Limits};
pub use portfolio::{Portfolio, Solution};
pub use problem::Problem;
