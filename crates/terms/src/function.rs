//! Functions and constants that a script declares or defines.

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
    /// Whether, and how, the script defines it. `None`: its meaning is for the model to say.
    pub definition: Option<Definition>,
    /// Distinguishes recursive functions of the same name and sorts but with other bodies (a
    /// script may define a name again after `pop`); 0 for everything else.
    pub(crate) generation: u32,
}

/// What a defined function means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// `define-fun`: the body does not mention the function.
    Plain {
        /// The parameters, as variable terms.
        variables: Vec<TermId>,
        /// The body.
        body: TermId,
    },
    /// `define-fun-rec`: the body may mention the function. It is `None` only while it is read.
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

    /// The body; `None` only for a recursive function that is being read.
    pub fn body(&self) -> Option<TermId> {
        match self {
            Self::Plain { body, .. } => Some(*body),
            Self::Recursive { body, .. } => *body,
        }
    }

    /// Whether the body may mention the function itself.
    pub fn is_recursive(&self) -> bool {
        matches!(self, Self::Recursive { .. })
    }
}
