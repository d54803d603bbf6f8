//! A formula whose answer is known, with everything that is known about it.

use std::fmt;

/// A script with a known answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The name of its file, without folder and ending; unique within a suite.
    pub name: String,
    /// How it was made.
    pub category: Category,
    /// The operation that it is about, `replace` or `notContains` for example.
    pub operation: &'static str,
    /// The answer, with its proof.
    pub expected: Expected,
    /// Where it comes from, in words: the constants, the equivalence, the variable.
    pub derivation: String,
    /// The whole script in SMT-LIB 2.6, ground truth as `set-info` included, `check-sat` last.
    pub text: String,
}

/// A known answer and why it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Satisfiable, with values for all variables: name, sort, literal.
    Sat(Vec<(String, &'static str, String)>),
    /// Unsatisfiable, with the names of the only minimal core.
    Unsat(Vec<String>),
    /// Nobody knows. Such formulas are for hunts: what one solver says is held against what it says
    /// about a variant, or against the checked model of another.
    Open,
}

/// Formulas that all have the same answer, whatever it is: a formula and its variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its number in its suite, from 0.
    pub number: u64,
    /// The formula first, then its variants. There is at least one.
    pub formulas: Vec<Formula>,
}

/// How a formula was made. The first nine are those of the suite `icse20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An operation with free variables.
    Operation,
    /// Constants for some of the variables.
    ConstantAssignment,
    /// Operations nested in operations.
    TermSynthesis,
    /// An operation against its definition.
    EquivalentFormula,
    /// A further equality that the contradiction needs.
    LargerUnsatCore,
    /// A further clause that the contradiction does not need.
    RedundancyIntroduction,
    /// As [`Category::EquivalentFormula`], quantifiers with patterns.
    EquivalentFormulaPatterns,
    /// As [`Category::LargerUnsatCore`], quantifiers with patterns.
    LargerUnsatCorePatterns,
    /// As [`Category::RedundancyIntroduction`], quantifiers with patterns.
    RedundancyIntroductionPatterns,
    /// Random facts that are true under given values.
    Planted,
    /// Many facts over few constants, true under given values.
    Tangled,
    /// Random facts over finitely many values, all of which were tried.
    Bounded,
    /// The opposite of a law of an operator.
    Law,
    /// A random formula.
    Random,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 14] = [
        Self::Operation,
        Self::ConstantAssignment,
        Self::TermSynthesis,
        Self::EquivalentFormula,
        Self::LargerUnsatCore,
        Self::RedundancyIntroduction,
        Self::EquivalentFormulaPatterns,
        Self::LargerUnsatCorePatterns,
        Self::RedundancyIntroductionPatterns,
        Self::Planted,
        Self::Tangled,
        Self::Bounded,
        Self::Law,
        Self::Random,
    ];

    /// Those of the suite `icse20`.
    pub fn of_icse20() -> &'static [Self] {
        &Self::ALL[..9]
    }

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::ConstantAssignment => "constant-assignment",
            Self::TermSynthesis => "term-synthesis",
            Self::EquivalentFormula => "equivalent-formula",
            Self::LargerUnsatCore => "larger-unsat-core",
            Self::RedundancyIntroduction => "redundancy-introduction",
            Self::EquivalentFormulaPatterns => "equivalent-formula+patterns",
            Self::LargerUnsatCorePatterns => "larger-unsat-core+patterns",
            Self::RedundancyIntroductionPatterns => "redundancy-introduction+patterns",
            Self::Planted => "planted",
            Self::Tangled => "tangled",
            Self::Bounded => "bounded",
            Self::Law => "law",
            Self::Random => "random",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
