//! Establishing the answer to a formula with the means at hand: evaluation, a bounded search for models,
//! our own solver, and the newest releases of other families.
//!
//! A `sat` counts only with a model that the referee accepts. An `unsat` is proven by our own solver, or
//! accepted if two families agree and the bounded search finds nothing; [`Evidence`] says which. The
//! release under suspicion is never asked about itself.

use luthier_ask::{Request, Solver};
use luthier_judge::repaired;
use luthier_records::Verdict;
use luthier_semantics::Model;
use luthier_smtlib::Script;
use luthier_terms::TermPool;

use crate::query::last_query;
use crate::trial::Trial;
use crate::truth::{Evidence, Truth, accepted_model};

/// Solvers that are asked for proofs and models.
#[derive(Clone, Debug, Default)]
pub struct Provers {
    /// Our own solver.
    pub own: Option<Solver>,
    /// Releases of other families, one of each.
    pub others: Vec<Solver>,
}

impl Provers {
    /// The answers to scripts whose solver says `sat` or `unsat`, in order. `trial` has the environment;
    /// its solver is not asked.
    pub fn answers(
        &self,
        pool: &mut TermPool,
        scripts: &[&Script],
        trial: &Trial<'_>,
    ) -> Vec<Truth> {
        let mut truths: Vec<Truth> = scripts
            .iter()
            .map(|script| match repaired(pool, &last_query(script), &Model::new()) {
                Some(model) => Truth::Sat(model),
                None => Truth::Open,
            })
            .collect();
        let mut agreed: Vec<Vec<String>> = vec![Vec::new(); scripts.len()];
        for (solver, is_own) in
            self.own.iter().map(|own| (own, true)).chain(self.others.iter().map(|one| (one, false)))
        {
            let open: Vec<usize> =
                (0..scripts.len()).filter(|&one| truths[one].verdict().is_none()).collect();
            if open.is_empty() {
                break;
            }
            let trial = Trial { solver, batches: true, ..*trial };
            let asked: Vec<&Script> = open.iter().map(|&one| scripts[one]).collect();
            let verdicts = trial.ask(pool, &asked, None);
            let mut satisfiable = Vec::new();
            for (&place, reply) in open.iter().zip(&verdicts) {
                match reply.as_ref().and_then(luthier_ask::Reply::verdict) {
                    Some(Verdict::Unsat) if is_own => {
                        truths[place] = Truth::Unsat(Evidence::Proven(solver.name.clone()));
                    }
                    Some(Verdict::Unsat) => agreed[place].push(solver.name.clone()),
                    Some(Verdict::Sat) => satisfiable.push(place),
                    _ => {}
                }
            }
            let asked: Vec<&Script> = satisfiable.iter().map(|&one| scripts[one]).collect();
            let replies = trial.ask(pool, &asked, Some(Request::Model));
            for (place, reply) in satisfiable.into_iter().zip(replies) {
                let Some(model) = reply.as_ref().and_then(luthier_ask::Reply::model) else {
                    continue;
                };
                let accepted = accepted_model(pool, scripts[place], model, solver.dialect);
                if let Some(model) = accepted {
                    truths[place] = Truth::Sat(model);
                }
            }
        }
        for (truth, agreed) in truths.iter_mut().zip(agreed) {
            if truth.verdict().is_none() && agreed.len() >= 2 {
                *truth = Truth::Unsat(Evidence::Agreed(agreed));
            }
        }
        truths
    }
}
