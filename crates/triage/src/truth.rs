//! The ground truth of a formula that triage works on, with its evidence.
//!
//! `sat` has a witness that the referee accepts. `unsat` has a reason: it was planted by a generator; the
//! formula is an instance of an unsatisfiable one; our own solver proves it; or two families of solvers
//! agree, while a bounded search finds no model. The weakest of these is still said as what it is.

use luthier_judge::{CheckOptions, CheckOutcome, build_model, check_model, holds, planted_witness};
use luthier_records::{Text, Verdict};
use luthier_semantics::Model;
use luthier_smtlib::{Dialect, Script, read_model};
use luthier_terms::TermPool;

use crate::query::last_query;

/// The ground truth of a query.
#[derive(Clone, Debug)]
pub enum Truth {
    /// Satisfiable, with a model that the referee accepts.
    Sat(Model),
    /// Unsatisfiable, with the reason.
    Unsat(Evidence),
    /// Not known.
    Open,
}

/// Why a formula is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A generator made it so.
    Planted,
    /// Every assertion is a ground formula or follows by evaluation: the referee evaluates one to false.
    Evaluated,
    /// It is an instance of a formula that is unsatisfiable for this reason: constants are replaced by
    /// terms.
    Instance(Box<Evidence>),
    /// Our own solver proves it.
    Proven(String),
    /// These releases of different families agree, and a bounded search finds no model.
    Agreed(Vec<String>),
}

impl Evidence {
    /// The evidence for an instance of the formula.
    pub fn of_instance(&self) -> Self {
        match self {
            Self::Instance(_) => self.clone(),
            other => Self::Instance(Box::new(other.clone())),
        }
    }

    /// The reason in a sentence without a full stop.
    pub fn describe(&self) -> String {
        match self {
            Self::Planted => "unsatisfiable by construction".to_owned(),
            Self::Evaluated => "an assertion is false under every model, by evaluation".to_owned(),
            Self::Instance(of) => {
                format!("an instance of a formula that is unsatisfiable: {}", of.describe())
            }
            Self::Proven(by) => format!("{by} proves it"),
            Self::Agreed(by) => {
                format!("{} say unsat, and a bounded search finds no model", by.join(" and "))
            }
        }
    }
}

impl Truth {
    /// The verdict, if it is known.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Sat(_) => Some(Verdict::Sat),
            Self::Unsat(_) => Some(Verdict::Unsat),
            Self::Open => None,
        }
    }

    /// `sat`, `unsat` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sat(_) => "sat",
            Self::Unsat(_) => "unsat",
            Self::Open => "unknown",
        }
    }

    /// Why it is so, in a sentence without a full stop.
    pub fn describe(&self) -> String {
        match self {
            Self::Sat(_) => "the referee accepts the witness".to_owned(),
            Self::Unsat(evidence) => evidence.describe(),
            Self::Open => "the answer is not known".to_owned(),
        }
    }
}

/// What a script says about its last query itself: a witness that the referee accepts, a planted answer,
/// or a formula that evaluation decides.
pub fn stated_truth(pool: &mut TermPool, script: &Script) -> Truth {
    let number = script.queries().count().saturating_sub(1);
    if let Some(witness) = planted_witness(pool, script, number)
        && let Some(model) = accepted_model(pool, script, &witness, Dialect::Smt27)
    {
        return Truth::Sat(model);
    }
    match holds(pool, &last_query(script), &Model::new()) {
        Some(true) => return Truth::Sat(Model::new()),
        Some(false) => return Truth::Unsat(Evidence::Evaluated),
        None => {}
    }
    let expectations = luthier_judge::expectations(pool, script);
    match expectations.queries.get(number).and_then(|query| query.planted) {
        Some(Verdict::Unsat) => Truth::Unsat(Evidence::Planted),
        _ => Truth::Open,
    }
}

/// A model as a solver printed it, if it satisfies the last query, completed with default values where
/// it is incomplete.
pub fn accepted_model(
    pool: &mut TermPool,
    script: &Script,
    text: &Text,
    dialect: Dialect,
) -> Option<Model> {
    let options = CheckOptions { dialect: Some(dialect), ..CheckOptions::default() };
    let outcome = check_model(pool, script, text.as_bytes(), &options).ok()?.outcome;
    let is_accepted = matches!(
        outcome,
        CheckOutcome::Valid | CheckOutcome::Incomplete { default_completion: Some(true), .. }
    );
    if !is_accepted {
        return None;
    }
    let model = printed_model(pool, script, text, dialect)?;
    // What is missing gets default values there, too.
    luthier_judge::repaired(pool, &last_query(script), &model)
}

/// A model as a solver printed it, whether it satisfies the script or not; `None` if it cannot be read.
pub fn printed_model(
    pool: &mut TermPool,
    script: &Script,
    text: &Text,
    dialect: Dialect,
) -> Option<Model> {
    let reading = read_model(pool, script, text.as_bytes(), dialect);
    let is_read = reading.found && reading.errors().next().is_none();
    is_read.then(|| build_model(&reading.entries).model)
}
