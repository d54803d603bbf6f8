//! What an instance is made of, as far as it explains how solvers fare on it.

/// What an instance uses, and how much there is of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The operators by their names in the standard, each with the number of distinct terms that
    /// apply it, by name.
    pub operators: Vec<(String, u64)>,
    /// What it uses that is no operator, such as `quantifiers`, by name.
    pub flags: Vec<String>,
    /// How many assertions it has.
    pub assertions: u64,
    /// How many constants it declares.
    pub constants: u64,
    /// How many distinct terms it has.
    pub terms: u64,
    /// The longest way from an assertion down to a leaf, in terms.
    pub depth: u64,
    /// The logic that it declares.
    pub logic: Option<String>,
}

impl Features {
    /// The names of all operators and flags, those of operators first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let operators = self.operators.iter().map(|(name, _)| name.as_str());
        operators.chain(self.flags.iter().map(String::as_str))
    }
}
