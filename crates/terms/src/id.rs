//! Typed 32-bit ids of terms, symbols and functions: dense indices into the tables of a pool.

use std::num::NonZeroU32;

use crate::BuildError;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of an index, or an error when the pool is full.
            pub(crate) fn from_index(index: usize) -> Result<Self, BuildError> {
                u32::try_from(index)
                    .ok()
                    .and_then(|index| index.checked_add(1))
                    .and_then(NonZeroU32::new)
                    .map(Self)
                    .ok_or(BuildError::PoolFull { what: $what })
            }

            /// The position in the pool: dense, from zero, in order of creation.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    };
}

id!(
    /// A term in a pool. Two terms of one pool are equal exactly when their ids are.
    TermId,
    "terms"
);
id!(
    /// An interned name.
    SymbolId,
    "symbols"
);
id!(
    /// A declared or defined function (or constant) in a pool.
    FunctionId,
    "functions"
);
