//! Terms of SMT-LIB: sorts, one operator table, strings of code points, and a hash-consed pool of
//! well-sorted terms.
//!
//! The crate has no syntax (that is `luthier-smtlib`) and no semantics (that is
//! `luthier-semantics`); it guarantees that every term in a pool is well-sorted. Nothing here
//! recurses over a term: real benchmark files nest thousands of levels deep.

pub mod decimal;
mod error;
mod function;
mod id;
mod op;
mod pool;
mod sort;
mod substitute;
mod symbol;
mod text;
mod traverse;

pub use error::BuildError;
pub use function::{Definition, Function};
pub use id::{FunctionId, SymbolId, TermId};
pub use op::{Fold, Op, OpInfo, Shape, Theory};
pub use pool::{Pattern, Quantifier, QuantifierView, Term, TermPool, Variable};
pub use sort::{BasicSort, Sort};
pub use substitute::{inline, substitute, substitute_with, with_children};
pub use symbol::SymbolTable;
pub use text::{CodePoint, SmtString};
pub use traverse::{PostOrder, dag_size};

/// The integers of the `Ints` theory are unbounded, so this is the only integer type for values.
pub use num_bigint::{BigInt, Sign};
