//! The features of an instance that may explain the performance of solvers: operators, sizes,
//! logic.

/// The features of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The operators by their names in the standard, each with the number of distinct terms that
    /// apply it, by name.
    pub operators: Vec<(String, u64)>,
    /// Features that are no operators, such as `quantifiers`, by name.
    pub flags: Vec<String>,
    /// How many assertions it has.
    pub assertions: u64,
    /// How many constants it declares.
    pub constants: u64,
    /// How many distinct terms it has.
    pub terms: u64,
    /// The largest depth of an assertion, in terms.
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
