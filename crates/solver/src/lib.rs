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
//! # Use
//!
//! [`solve_text`] answers a script and [`solve_terms`] a conjunction of terms, in one call.
//! [`Solver`] is a session with levels, models and cores as values:
//!
//! ```
//! # // The same as examples/session.rs.
//! use luthier_solver::{Answer, Settings, Solver};
//!
//! let mut solver = Solver::new(Settings::find());
//! solver.run(r#"(declare-const x String) (assert (= (str.++ x "b") "ab"))"#)?;
//! let Answer::Sat(model) = solver.check()? else { panic!("x is a") };
//! assert_eq!(model.value("x"), Some("\"a\""));
//! solver.push();
//! let formula = solver.formula(r#"(str.contains x "c")"#)?;
//! solver.assert(formula);
//! assert!(matches!(solver.check()?, Answer::Unsat));
//! solver.pop();
//! # Ok::<(), luthier_solver::SolverError>(())
//! ```
//!
//! The parts that these are made of can be used by themselves:
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
mod instances;
mod languages;
mod length_abstraction;
mod limits;
mod literals;
mod nielsen;
mod noodles;
mod operators;
mod oversize;
mod portfolio;
mod preprocessing;
mod problem;
mod reduction;
pub mod rewrite;
mod search;
pub mod session;
mod solver;
pub mod strategy;
mod words;

pub use budget::{Budget, Cancel};
pub use component_portfolio::ComponentPortfolio;
pub use engine::{Engine, EngineReport, Proof, UnknownReason, Verdict};
pub use flat::{NotSubstring, measure};
pub use limits::{Limit, LimitError, Limits};
pub use portfolio::{Portfolio, Solution};
pub use problem::Problem;
pub use solver::{Answer, Settings, Solver, SolverError, solve_terms, solve_text};
