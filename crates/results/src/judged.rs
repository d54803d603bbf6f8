//! What the facts of a store amount to: beliefs about queries, judgements on answers.
//!
//! Nothing of this is stored. It follows from the facts, and another fact, another trust or a
//! better judge may change it.

use std::collections::BTreeMap;

use luthier_judge::{Claim, Expected, believe, judge_answer};
use luthier_records::{Belief, Configuration, Instance, Judgement, Label, Place, Verdict};
use luthier_report::labels;
use luthier_store::{ConfigurationId, InstanceId, InstanceRuns, Store, StoreError, StoredRun};

/// An instance in one set, with everything that is believed about it there.
#[derive(Debug)]
pub struct JudgedInstance<'a> {
    /// The index of the set in [`Judge::sets`].
    pub set: usize,
    /// Where it stands; more than one place if the set has copies.
    pub places: Vec<&'a Place>,
    /// The expected answers from outside for any of these places.
    pub labels: Vec<&'a Label>,
    /// The instance.
    pub instance: &'a Instance,
    /// What is believed about each of its queries.
    pub beliefs: Vec<Belief>,
    /// The runs on it.
    pub runs: Vec<JudgedRun<'a>>,
}

/// A run with the judgements on its answers.
#[derive(Debug)]
pub struct JudgedRun<'a> {
    /// The index of the configuration in [`Judge::configurations`].
    pub configuration: usize,
    /// The run.
    pub run: &'a StoredRun,
    /// One judgement for each of its answers.
    pub judgements: Vec<Judgement>,
}

/// The configurations of a store as they are shown: names that are equal are replaced by
/// [`labels`] that tell them apart, the same as everywhere.
pub fn labelled_configurations(
    store: &Store,
) -> Result<Vec<(ConfigurationId, Configuration)>, StoreError> {
    let mut configurations = store.configurations()?;
    let given: Vec<&Configuration> = configurations.iter().map(|(_, one)| one).collect();
    let labels = labels(&given);
    for ((_, configuration), label) in configurations.iter_mut().zip(labels) {
        configuration.name = label;
    }
    Ok(configurations)
}

/// Judges the runs of a store.
#[derive(Debug)]
pub struct Judge<'a> {
    store: &'a Store,
    /// The configurations that have runs, in the order in which they came, with their labels as
    /// names, see [`labelled_configurations`].
    pub configurations: Vec<Configuration>,
    /// The names of the sets, and whether the status of their files is trusted.
    pub sets: Vec<(String, bool)>,
    index: BTreeMap<ConfigurationId, usize>,
    vote: bool,
}

impl<'a> Judge<'a> {
    /// A judge of this store. With `vote`, the majority is told where nothing better decides.
    pub fn new(store: &'a Store, vote: bool) -> Result<Self, StoreError> {
        let mut configurations = Vec::new();
        let mut index = BTreeMap::new();
        for (id, configuration) in labelled_configurations(store)? {
            index.insert(id, configurations.len());
            configurations.push(configuration);
        }
        let sets = store.sets()?.into_iter().map(|set| (set.name, set.trust_status)).collect();
        Ok(Self { store, configurations, sets, index, vote })
    }

    /// Judges instance after instance. One that stands in several sets comes once for each.
    pub fn visit<E: From<StoreError>>(
        &self,
        mut visitor: impl FnMut(&JudgedInstance<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.store.visit_instances(|instance| self.visit_sets(&instance, &mut visitor))
    }

    /// Judges one instance, once for each set in which it stands.
    pub fn visit_one<E: From<StoreError>>(
        &self,
        instance: InstanceId,
        mut visitor: impl FnMut(&JudgedInstance<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.store.instance(instance)? {
            Some(instance) => self.visit_sets(&instance, &mut visitor),
            None => Ok(()),
        }
    }

    /// The same for an instance that was read.
    pub(crate) fn visit_sets<E>(
        &self,
        instance: &InstanceRuns,
        visitor: &mut impl FnMut(&JudgedInstance<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (set, (name, trust_status)) in self.sets.iter().enumerate() {
            let here = || {
                instance.places.iter().zip(&instance.labels).filter(|(place, _)| place.set == *name)
            };
            let places: Vec<&Place> = here().map(|(place, _)| place).collect();
            if !places.is_empty() {
                let labels = here().flat_map(|(_, labels)| labels).collect();
                visitor(&self.judge(instance, set, places, labels, *trust_status))?;
            }
        }
        Ok(())
    }

    fn judge<'b>(
        &self,
        instance: &'b InstanceRuns,
        set: usize,
        places: Vec<&'b Place>,
        labels: Vec<&'b Label>,
        trust_status: bool,
    ) -> JudgedInstance<'b> {
        // A table has one answer for a file.
        let has_one_query = instance.instance.queries.len() == 1;
        let labelled: Vec<Verdict> = match has_one_query {
            true => labels.iter().map(|label| label.verdict).collect(),
            false => Vec::new(),
        };
        let expected = Expected { labels: &labelled, trust_status };
        let beliefs: Vec<Belief> = instance
            .instance
            .queries
            .iter()
            .enumerate()
            .map(|(number, query)| {
                let claims: Vec<Claim<'_>> = instance
                    .runs
                    .iter()
                    .filter_map(|run| {
                        let answer = run.answers.get(number)?;
                        let configuration = self.index.get(&run.configuration)?;
                        Some(Claim {
                            family: &self.configurations[*configuration].family,
                            verdict: answer.verdict,
                            model: answer.model.as_ref().map(|finding| finding.outcome),
                            is_claim: answer.is_claim(),
                        })
                    })
                    .collect();
                believe(query, expected, &claims, self.vote)
            })
            .collect();
        let runs = instance.runs.iter().filter_map(|run| {
            let answers = run.answers.iter().zip(&beliefs);
            let judged = answers
                .map(|(answer, belief)| judge_answer(belief, answer.verdict, answer.is_claim()));
            let configuration = *self.index.get(&run.configuration)?;
            Some(JudgedRun { configuration, run, judgements: judged.collect() })
        });
        let runs = runs.collect();
        JudgedInstance { set, places, labels, instance: &instance.instance, beliefs, runs }
    }
}
