//! The referee: executable semantics of SMT-LIB 2.7 (Core, Ints, Strings and a part of Arrays).
//!
//! [`Evaluator`] computes the value of a term under a [`Model`], or the reasons why it is
//! undecided; it never guesses. [`Evaluator::explain`] shows the subterms that make an assertion
//! false. The crate depends on no solver. Clarity comes before speed; it is fast enough for strings
//! of hundreds of thousands of characters and terms of the same depth.
//!
//! ```
//! use luthier_semantics::{Evaluator, Model, Value};
//! use luthier_terms::{Op, SmtString, Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let name = pool.symbols_mut().intern(b"x")?;
//! let function = pool.declare(name, vec![], Sort::String)?;
//! let x = pool.apply(function, &[])?;
//! let length = pool.op(Op::StrLen, &[x])?;
//!
//! let mut model = Model::default();
//! model.insert_value(function, SmtString::from_text("abc").unwrap().into());
//! let evaluation = Evaluator::new(&pool, &model).evaluate(length);
//! assert_eq!(evaluation.known(), Some(&Value::Int(3.into())));
//! # Ok::<(), luthier_terms::BuildError>(())
//! ```

mod array;
mod eval;
mod evaluation;
mod explain;
pub mod integers;
mod limits;
mod model;
mod regexes;
pub mod strings;
mod table;
mod value;

pub use array::ArrayValue;
pub use eval::Evaluator;
pub use evaluation::{Evaluation, Reason, Reasons};
pub use explain::{Explanation, Step};
pub use limits::{Deadline, Limits};
pub use model::{Interpretation, Model};
pub use regexes::Language;
pub use table::FunctionTable;
pub use value::Value;
