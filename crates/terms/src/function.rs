//! Function symbols of a script: declared, defined, and recursively defined. Constants are
//! functions without parameters.

use crate::{Sort, SymbolId, TermId};

/// A function symbol of a script. Constants are functions without parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name.
    pub name: SymbolId,
    /// The sorts of its parameters.
    pub parameters: Vec<Sort>,
    /// The sort of its value.
    pub result: Sort,
    /// Its definition; `None` if it is declared, so that a model interprets it.
    pub definition: Option<Definition>,
    /// Distinguishes recursive functions of the same name and sorts but with other bodies (a
    /// script may define a name again after `pop`); 0 for everything else.
    pub(crate) generation: u32,
}

/// The definition of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// `define-fun`: the function does not occur in the body.
    Plain {
        /// The parameters, as variable terms.
        variables: Vec<TermId>,
        /// The body.
        body: TermId,
    },
    /// `define-fun-rec`: the function may occur in the body, which is `None` only during parsing.
    Recursive {
        /// The parameters, as variable terms.
        variables: Vec<TermId>,
        /// The body.
        body: Option<TermId>,
    },
}

impl Definition {
    /// The parameters, as variable terms.
    pub fn variables(&self) -> &[TermId] {
        match self {
            Self::Plain { variables, .. } | Self::Recursive { variables, .. } => variables,
        }
    }

    /// The body; `None` only for a recursive function during parsing.
    pub fn body(&self) -> Option<TermId> {
        match self {
            Self::Plain { body, .. } => Some(*body),
            Self::Recursive { body, .. } => *body,
        }
    }

    /// Whether the function may occur in its own body.
    pub fn is_recursive(&self) -> bool {
        matches!(self, Self::Recursive { .. })
    }
}
