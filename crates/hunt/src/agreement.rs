//! Agreement: ground truth for open cases, where nothing is planted, and some solver says `unsat`.
//!
//! First a bounded search for a model ([`luthier_judge::repaired`]), then our own solver, which runs
//! as a process like every other. A model counts only if the referee accepts it; an `unsat` of our own
//! solver is an argument that holds for all strings, and the finding names it as the evidence. Where
//! both leave the case open, `unsat` of one solver against `sat` of another is a dispute
//! (`suspicion.rs`).
//!
//! Limits: the smallest formula of a case is examined, within the query limit of a batch.

use std::collections::BTreeMap;

use luthier_ask::{Reply, Solver};
use luthier_generator::Expected;
use luthier_judge::{repaired, witness_text};
use luthier_records::Verdict;
use luthier_semantics::Model;
use luthier_terms::TermId;

use crate::CaseTruth;
use crate::batch::{AskedBatch, BatchMode, HuntEnvironment, ask};
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::{Checked, check};

/// The truth of open cases, by their position in the batch. `ranges` are the formulas of each case.
pub(crate) fn established(
    formulas: &mut [ParsedFormula],
    ranges: &[std::ops::Range<usize>],
    replies: &[AskedBatch],
    own: Option<&Solver>,
    environment: &HuntEnvironment<'_>,
) -> BTreeMap<usize, CaseTruth> {
    let mut truths = BTreeMap::new();
    let mut remaining: Vec<(usize, ParsedFormula)> = Vec::new();
    for (case, range) in ranges.iter().enumerate() {
        let said_unsat = |place: usize| {
            let verdict =
                |asked: &AskedBatch| asked.replies[place].as_ref().and_then(Reply::verdict);
            replies.iter().any(|asked| verdict(asked) == Some(Verdict::Unsat))
        };
        let smallest = range.clone().min_by_key(|&place| formulas[place].formula.text.len());
        let Some(smallest) = smallest else { continue };
        let is_open = formulas[smallest].formula.expected == Expected::Open;
        if !is_open || !range.clone().any(said_unsat) {
            continue;
        }
        if let Some(model) = searched(&mut formulas[smallest]) {
            truths.insert(case, CaseTruth::Searched(model));
        } else if own.is_some()
            && let Ok(again) = ParsedFormula::read(formulas[smallest].formula.clone())
        {
            remaining.push((case, again));
        }
    }
    let Some(own) = own.filter(|_| !remaining.is_empty()) else { return truths };
    let (cases, mut formulas): (Vec<usize>, Vec<ParsedFormula>) = remaining.into_iter().unzip();
    // The number of the batch does not matter: no cores, and the usual separator.
    let asked = ask(own, &mut formulas, BatchMode::of(&own.quirks, 0), environment);
    for (place, case) in cases.into_iter().enumerate() {
        let Some(reply) = &asked.replies[place] else { continue };
        match (reply.verdict(), reply.model()) {
            (Some(Verdict::Unsat), _) => {
                truths.insert(case, CaseTruth::Proven(own.name.clone()));
            }
            (Some(Verdict::Sat), Some(model)) => {
                let parsed = &mut formulas[place];
                if matches!(check(&mut parsed.asked(own.dialect), model), Checked::Valid) {
                    let (solver, formula) = (own.name.clone(), parsed.formula.name.clone());
                    let model = model.to_string();
                    truths.insert(case, CaseTruth::Model { solver, formula, model });
                }
            }
            _ => {}
        }
    }
    truths
}

/// A model that the bounded search finds, as text.
fn searched(parsed: &mut ParsedFormula) -> Option<String> {
    let query = parsed.script.queries().last()?;
    let asserted = query.assertions.iter().map(|active| active.assertion.term);
    let terms: Vec<TermId> = asserted.chain(query.assumptions.iter().copied()).collect();
    let model = repaired(&parsed.pool, &terms, &Model::new())?;
    witness_text(&mut parsed.pool, &terms, &model)
}
