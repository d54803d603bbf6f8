//! Generated formulas: a script with its planted answer, how it was generated, and a derivation
//! from which the answer can be checked. A case is a formula with its metamorphic variants.

use std::fmt;

/// A generated script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The name of its file, without folder and ending; unique within a suite.
    pub name: String,
    /// How it was generated.
    pub category: Category,
    /// The operation that it exercises, `replace` or `notContains` for example.
    pub operation: &'static str,
    /// The planted answer.
    pub expected: Expected,
    /// How it was derived, for people: the constants, the equivalence, the variable.
    pub derivation: String,
    /// The whole script in SMT-LIB 2.6, ground truth as `set-info` included, `check-sat` last.
    pub text: String,
}

/// A planted answer and its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Satisfiable, with values for all variables: name, sort, literal.
    Sat(Vec<(String, &'static str, String)>),
    /// Unsatisfiable, with the names of the only minimal core.
    Unsat(Vec<String>),
    /// Unknown. In a hunt, the verdict of a solver is compared with its verdict on a variant, or with the
    /// checked model of another solver.
    Open,
}

/// Formulas with the same answer: a formula and its metamorphic variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its number in its suite, from 0.
    pub number: u64,
    /// The formula first, then its variants. There is at least one.
    pub formulas: Vec<Formula>,
}

/// How a formula was generated. The first nine are those of the suite `icse20`.
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
    /// A further equality in the minimal core.
    LargerUnsatCore,
    /// A further clause outside of the minimal core.
    RedundancyIntroduction,
    /// As [`Category::EquivalentFormula`], quantifiers with patterns.
    EquivalentFormulaPatterns,
    /// As [`Category::LargerUnsatCore`], quantifiers with patterns.
    LargerUnsatCorePatterns,
    /// As [`Category::RedundancyIntroduction`], quantifiers with patterns.
    RedundancyIntroductionPatterns,
    /// Random assertions that are true under a witness chosen before.
    Planted,
    /// Nested assertions over few shared constants, true under a witness.
    Tangled,
    /// Random assertions over finite domains, decided by enumeration.
    Bounded,
    /// The negation of an instance of a law, rewritten.
    Law,
    /// A random formula with unknown answer.
    Random,
    /// A formula of an exhaustive enumeration in order of size.
    Small,
    /// The same with finite domains, decided by enumeration.
    SmallBounded,
    /// An unusual combination of operators, true under a witness.
    Unusual,
    /// An idiom of programs, true under a witness.
    Idiom,
    /// Made of the parts of formulas of a benchmark.
    Seeded,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 19] = [
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
        Self::Small,
        Self::SmallBounded,
        Self::Unusual,
        Self::Idiom,
        Self::Seeded,
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
            Self::Small => "small",
            Self::SmallBounded => "small-bounded",
            Self::Unusual => "unusual",
            Self::Idiom => "idiom",
            Self::Seeded => "seeded",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
