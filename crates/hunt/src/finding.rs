//! What a hunt finds.

use luthier_generator::{Category, Expected, Formula};
use luthier_records::FindingKind;
use luthier_smtlib::annotations::witness_text;

/// The right answer, and why it is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Satisfiable by a planted witness, as text.
    Witness(String),
    /// Satisfiable by a model that a solver found for the formula or a variant of it and that the
    /// referee accepts.
    Model {
        /// Who found it.
        solver: String,
        /// The name of the formula that it is a model of.
        formula: String,
        /// The model, as printed.
        model: String,
    },
    /// Unsatisfiable by construction; the names of the only minimal core, if it is known.
    Planted(Vec<String>),
    /// Nobody knows.
    Open,
}

impl Truth {
    /// What a formula itself says.
    pub(crate) fn planted(formula: &Formula) -> Self {
        match &formula.expected {
            Expected::Sat(values) => Self::Witness(witness_text(
                values.iter().map(|(name, sort, value)| (&**name, *sort, &**value)),
            )),
            Expected::Unsat(core) => Self::Planted(core.clone()),
            Expected::Open => Self::Open,
        }
    }

    /// The answer.
    pub fn answer(&self) -> &'static str {
        match self {
            Self::Witness(_) | Self::Model { .. } => "sat",
            Self::Planted(_) => "unsat",
            Self::Open => "unknown",
        }
    }
}

/// Something that a solver did, confirmed in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub class: FindingKind,
    /// Who did it.
    pub solver: String,
    /// The number of the case.
    pub number: u64,
    /// The name of the formula.
    pub formula: String,
    /// How the formula was made.
    pub category: Category,
    /// The operation that it is about.
    pub operation: &'static str,
    /// Where it comes from, in words.
    pub derivation: String,
    /// The right answer.
    pub truth: Truth,
    /// What the solver said or did.
    pub said: String,
    /// Why that is wrong, line by line, where the referee has something to say.
    pub reasons: Vec<String>,
    /// It shows only if the solver is told that several queries come, and the formula stands
    /// between `push` and `pop`.
    pub incremental_only: bool,
    /// The whole formula in the standard's words.
    pub text: String,
    /// For a contradiction: the other formula, to which the opposite was said.
    pub other_text: Option<String>,
    /// What the solver was given.
    pub copy: Vec<u8>,
    /// The dialect of the copy.
    pub dialect: &'static str,
    /// The words of the command that shows it; `{file}` stands for the copy.
    pub command: Vec<String>,
}
