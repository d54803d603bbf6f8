//! Proven answers: what the observations of some databases prove about queries, whatever labels and statuses
//! claim.
//!
//! The ground truth of each query is weighed anew from the runs of all databases together, without labels and
//! statuses: a planted answer, a model that the referee accepted, or the agreement of at least two families of
//! solvers without contradiction (the rules of `luthier_judge::ground_truth`). An instance is the same in two
//! databases if digest and dialect are. Contradictory evidence proves nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use luthier_judge::{Claim, PriorEvidence, ground_truth};
use luthier_records::{
    Digest, Evidence, ModelOutcome, Place, ProvenAnswer, Query, RunAnswer, Verdict,
};
use luthier_store::{InstanceRuns, RunId, Store, StoreError};

use crate::judge::labelled_configurations;

/// An instance with what is proven about its queries.
#[derive(Clone, Debug)]
pub struct ProvenInstance {
    /// The digest of its bytes.
    pub digest: Digest,
    /// The name of the dialect in which it was read.
    pub dialect: String,
    /// What it states about its queries.
    pub queries: Vec<Query>,
    /// Where it was found, in any of the databases.
    pub places: BTreeSet<Place>,
    /// One entry for each query.
    pub answers: Vec<Option<ProvenAnswer>>,
    /// For each query the run with the model that proves `sat`: the index of the database, and the run.
    pub witnesses: Vec<Option<(usize, RunId)>>,
}

/// One answer of one run, as it is kept until all databases are read.
struct Observed {
    database: usize,
    run: RunId,
    query: usize,
    family: String,
    by: String,
    verdict: Verdict,
    model: Option<ModelOutcome>,
    is_claim: bool,
}

struct Gathered {
    queries: Vec<Query>,
    places: BTreeSet<Place>,
    observed: Vec<Observed>,
}

/// What the databases prove, by digest and dialect.
pub fn proven_answers(stores: &[Store]) -> Result<Vec<ProvenInstance>, StoreError> {
    proven_answers_of(stores, |_| true)
}

/// The same for the contents that are wanted; nothing is kept of the others.
pub(crate) fn proven_answers_of(
    stores: &[Store],
    is_wanted: impl Fn(Digest) -> bool,
) -> Result<Vec<ProvenInstance>, StoreError> {
    let mut all: BTreeMap<(Digest, String), Gathered> = BTreeMap::new();
    for (database, store) in stores.iter().enumerate() {
        let configurations: HashMap<_, _> = labelled_configurations(store)?.into_iter().collect();
        store.visit_instances(|found| -> Result<(), StoreError> {
            let InstanceRuns { instance, places, runs, .. } = found;
            if instance.fault.is_some() || !is_wanted(instance.digest) {
                return Ok(());
            }
            let key = (instance.digest, instance.dialect);
            let queries = instance.queries;
            let gathered = all.entry(key).or_insert_with(|| Gathered {
                queries,
                places: BTreeSet::new(),
                observed: Vec::new(),
            });
            gathered.places.extend(places);
            for run in runs {
                let Some(configuration) = configurations.get(&run.configuration) else { continue };
                let answers = run.answers.iter().enumerate();
                gathered.observed.extend(answers.map(|(query, answer)| Observed {
                    database,
                    run: run.id,
                    query,
                    family: configuration.family.clone(),
                    by: configuration.name.clone(),
                    verdict: answer.verdict,
                    model: answer.model.as_ref().map(|finding| finding.outcome),
                    is_claim: RunAnswer::is_claim(answer),
                }));
            }
            Ok(())
        })?;
    }
    let proven = all.into_iter().map(|((digest, dialect), gathered)| {
        let Gathered { queries, places, observed } = gathered;
        let found: Vec<_> = queries
            .iter()
            .enumerate()
            .map(|(number, query)| prove(number, query, &observed))
            .collect();
        let (answers, witnesses) = found.into_iter().unzip();
        ProvenInstance { digest, dialect, queries, places, answers, witnesses }
    });
    Ok(proven.collect())
}

/// What is proven about a query, and the run whose model is the witness.
fn prove(
    number: usize,
    query: &Query,
    observed: &[Observed],
) -> (Option<ProvenAnswer>, Option<(usize, RunId)>) {
    let of_query = || observed.iter().filter(|one| one.query == number);
    let claims: Vec<Claim<'_>> = of_query()
        .map(|one| Claim {
            family: &one.family,
            verdict: one.verdict,
            model: one.model,
            is_claim: one.is_claim,
        })
        .collect();
    let without_status = Query { status: None, ..query.clone() };
    let truth = ground_truth(&without_status, PriorEvidence::default(), &claims, false);
    let Some((verdict, evidence)) = truth.verdict else { return (None, None) };
    // Of several models one that is complete as printed, since that needs no default values.
    let has_model = |wanted: ModelOutcome| of_query().find(|one| one.model == Some(wanted));
    let witness = has_model(ModelOutcome::Valid).or_else(|| has_model(ModelOutcome::Completed));
    let witness = witness.filter(|_| verdict == Verdict::Sat);
    let by: BTreeSet<&str> = match evidence {
        Evidence::Model => witness.iter().map(|one| one.by.as_str()).collect(),
        Evidence::Agreement => of_query()
            .filter(|one| one.is_claim && one.verdict == verdict)
            .map(|one| one.by.as_str())
            .collect(),
        Evidence::Planted | Evidence::Label | Evidence::Status => BTreeSet::new(),
    };
    let by = by.into_iter().map(str::to_owned).collect();
    let answer = ProvenAnswer { verdict, evidence, by };
    (Some(answer), witness.map(|one| (one.database, one.run)))
}
