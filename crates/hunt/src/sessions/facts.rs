//! What is known of the queries of a session, as sets of formulas.
//!
//! `sat` is inherited by subsets, `unsat` by supersets:
//!
//! ```text
//! M ⊨ S  and  T ⊆ S   ⇒   M ⊨ T              S unsat  and  S ⊆ T   ⇒   T unsat
//! ```
//!
//! Facts are the answers that the generator planted and the models of solvers that the referee accepts.
//! The verdict of a solver is no fact.

use std::collections::BTreeSet;

use luthier_generator::Expected;
use luthier_records::Verdict;
use luthier_terms::TermId;

use super::ParsedSession;
use crate::CaseTruth;

/// Sets of formulas with a known answer.
pub(crate) struct Facts {
    sat: Vec<(BTreeSet<TermId>, CaseTruth)>,
    unsat: Vec<(BTreeSet<TermId>, CaseTruth)>,
}

impl Facts {
    /// What is planted in a session.
    pub fn planted(session: &ParsedSession) -> Self {
        let mut facts = Self { sat: Vec::new(), unsat: Vec::new() };
        let core = match &session.formula.expected {
            Expected::Unsat(names) => names.clone(),
            Expected::Sat(_) | Expected::Open => Vec::new(),
        };
        for query in &session.queries {
            let set = query.set.clone();
            match (query.planted, &query.witness) {
                (Some(Verdict::Sat), Some(witness)) => {
                    facts.sat.push((set, CaseTruth::Witness(witness.to_string())));
                }
                (Some(Verdict::Sat), None) => {
                    facts.sat.push((set, CaseTruth::LacksCore(core.clone())));
                }
                (Some(Verdict::Unsat), _) => {
                    facts.unsat.push((set, CaseTruth::Planted(Vec::new())));
                }
                (Some(Verdict::Unknown) | None, _) => {}
            }
        }
        facts
    }

    /// Adds a set that a model shows to be satisfiable.
    pub fn add_model(&mut self, set: BTreeSet<TermId>, truth: CaseTruth) {
        self.sat.push((set, truth));
    }

    /// The answer to a set, with its evidence.
    pub fn truth(&self, set: &BTreeSet<TermId>) -> CaseTruth {
        let known_sat = self.sat.iter().find(|(known, _)| set.is_subset(known));
        let known_unsat = self.unsat.iter().find(|(known, _)| known.is_subset(set));
        match (known_sat, known_unsat) {
            (Some((_, truth)), _) | (None, Some((_, truth))) => truth.clone(),
            (None, None) => CaseTruth::Open,
        }
    }

    /// Whether a set is unsatisfiable by construction.
    pub fn is_planted_unsat(&self, set: &BTreeSet<TermId>) -> bool {
        self.unsat.iter().any(|(known, _)| known.is_subset(set))
    }
}
