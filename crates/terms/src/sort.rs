//! The sorts of the supported theories, as a closed type: Bool, Int, String, RegLan, and arrays of
//! these.

use std::fmt;

/// A sort that may be the index or the element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum BasicSort {
    /// `Bool`
    Bool,
    /// `Int`, the unbounded integers
    Int,
    /// `String`, finite sequences of code points
    String,
    /// `RegLan`, sets of strings
    RegLan,
}

/// Every sort a term can have.
///
/// Arrays are not part of the theory of strings; they are here because published string
/// benchmarks use them, and because some solvers print function values as arrays. Their index and
/// element are basic sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `(Array index element)`
    Array(BasicSort, BasicSort),
}

impl BasicSort {
    /// All basic sorts.
    pub const ALL: [Self; 4] = [Self::Bool, Self::Int, Self::String, Self::RegLan];
}

impl Sort {
    /// This sort as the index or element of an array, if it may be one.
    pub fn as_basic(self) -> Option<BasicSort> {
        match self {
            Self::Bool => Some(BasicSort::Bool),
            Self::Int => Some(BasicSort::Int),
            Self::String => Some(BasicSort::String),
            Self::RegLan => Some(BasicSort::RegLan),
            Self::Array(..) => None,
        }
    }
}

impl From<BasicSort> for Sort {
    fn from(basic: BasicSort) -> Self {
        match basic {
            BasicSort::Bool => Self::Bool,
            BasicSort::Int => Self::Int,
            BasicSort::String => Self::String,
            BasicSort::RegLan => Self::RegLan,
        }
    }
}

impl fmt::Display for BasicSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "Bool",
            Self::Int => "Int",
            Self::String => "String",
            Self::RegLan => "RegLan",
        })
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(index, element) => write!(f, "(Array {index} {element})"),
            other => other.as_basic().expect("only arrays are not basic").fmt(f),
        }
    }
}
