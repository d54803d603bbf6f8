//! Findings of a hunt: confirmed errors of a solver, each with the ground truth, the formula, and
//! the script and command that reproduce it.

use luthier_generator::{Category, Expected, Formula};
use luthier_records::FindingKind;
use luthier_smtlib::annotations::witness_text;

/// The ground truth of a case, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseTruth {
    /// Satisfiable: a planted witness, as text.
    Witness(String),
    /// Satisfiable: a model that a solver found for a formula of the case and that the referee accepts.
    Model {
        /// The solver that found it.
        solver: String,
        /// The name of the formula that it is a model of.
        formula: String,
        /// The model, as printed.
        model: String,
    },
    /// Satisfiable by construction: it lacks a part of these, the only minimal core of all assertions.
    LacksCore(Vec<String>),
    /// Satisfiable: a bounded search found this model of the smallest formula of the case, and the referee
    /// accepts it.
    Searched(String),
    /// Unsatisfiable: this solver, our own, proves it.
    Proven(String),
    /// Unsatisfiable by construction; the names of the only minimal core, if it is known.
    Planted(Vec<String>),
    /// Unknown: nothing is planted, and no model was found.
    Open,
}

impl CaseTruth {
    /// What is planted in a formula.
    pub(crate) fn planted(formula: &Formula) -> Self {
        match &formula.expected {
            Expected::Sat(values) => Self::Witness(witness_text(
                values.iter().map(|(name, sort, value)| (&**name, *sort, &**value)),
            )),
            Expected::Unsat(core) => Self::Planted(core.clone()),
            Expected::Open => Self::Open,
        }
    }

    /// The verdict; `unknown` if there is no ground truth.
    pub fn answer(&self) -> &'static str {
        match self {
            Self::Witness(_) | Self::Model { .. } | Self::LacksCore(_) | Self::Searched(_) => "sat",
            Self::Planted(_) | Self::Proven(_) => "unsat",
            Self::Open => "unknown",
        }
    }
}

/// An error of a solver, confirmed in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub class: FindingKind,
    /// The name of the solver.
    pub solver: String,
    /// The number of the case.
    pub number: u64,
    /// The name of the formula.
    pub formula: String,
    /// How the formula was made.
    pub category: Category,
    /// The operator that the formula is about.
    pub operation: &'static str,
    /// How the formula was derived, for people.
    pub derivation: String,
    /// The ground truth.
    pub truth: CaseTruth,
    /// What the solver said or did.
    pub said: String,
    /// Why that is wrong, line by line; empty if the class says all.
    pub reasons: Vec<String>,
    /// It occurs only in incremental mode: with the formula between `push` and `pop`, or in a session.
    pub incremental_only: bool,
    /// It occurs only with this command in the place of `(check-sat)`.
    pub query: Option<String>,
    /// The formula or the session in SMT-LIB 2.7.
    pub text: String,
    /// For a contradiction or a dispute: the equisatisfiable formula with the opposite verdict.
    pub other_text: Option<String>,
    /// What the solver was given.
    pub copy: Vec<u8>,
    /// The dialect of the copy.
    pub dialect: &'static str,
    /// The named option sets with which the solver was run.
    pub option_sets: Vec<String>,
    /// One of them is for experts.
    pub expert_options: bool,
    /// The command that reproduces it, as program and arguments; `{file}` stands for the copy.
    pub command: Vec<String>,
}
