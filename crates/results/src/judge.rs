//! Ground truth and judgements, computed from the stored observations.
//!
//! For each instance and set, the ground truth of every query is derived from all evidence (planted
//! answers, checked models, labels, trusted status, agreement of independent families; see
//! `luthier_judge`), and every answer is judged against it. Judgements are never stored: another
//! observation, another trusted set or a better judge may change them.

use std::collections::BTreeMap;

use luthier_judge::{Claim, PriorEvidence, ground_truth, judge_answer};
use luthier_records::{Configuration, GroundTruth, Instance, Judgement, Label, Place, Verdict};
use luthier_report::labels;
use luthier_store::{ConfigurationId, InstanceId, InstanceRuns, Store, StoreError, StoredRun};

/// An instance in one set, with the ground truth of its queries there. Every run on it counts
/// at each of its places.
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
    /// The ground truth of each of its queries.
    pub truths: Vec<GroundTruth>,
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
    /// A judge of this store. With `vote`, the majority verdict is given beside the ground truth where
    /// no evidence decides.
    pub fn new(store: &'a Store, vote: bool) -> Result<Self, StoreError> {
        let sets = store.sets()?.into_iter().map(|set| (set.name, set.trust_status)).collect();
        Ok(Self::over(store, labelled_configurations(store)?, sets, vote))
    }

    /// A judge with these configurations and sets, which may be more than those of the store.
    pub(crate) fn over(
        store: &'a Store,
        labelled: Vec<(ConfigurationId, Configuration)>,
        sets: Vec<(String, bool)>,
        vote: bool,
    ) -> Self {
        let mut configurations = Vec::new();
        let mut index = BTreeMap::new();
        for (id, configuration) in labelled {
            index.insert(id, configurations.len());
            configurations.push(configuration);
        }
        Self { store, configurations, sets, index, vote }
    }

    /// Judges instance after instance. One that stands in several sets comes once for each. So do
    /// places with runs of their own: imported results count for the file of their name only, also
    /// if others have the same bytes.
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
            // A label of one copy of a file holds for all copies.
            let labels: Vec<&Label> = here().flat_map(|(_, labels)| labels).collect();
            for (places, runs) in with_their_runs(places, &instance.runs) {
                visitor(&self.judge(instance, set, places, &labels, &runs, *trust_status))?;
            }
        }
        Ok(())
    }

    fn judge<'b>(
        &self,
        instance: &'b InstanceRuns,
        set: usize,
        places: Vec<&'b Place>,
        labels: &[&'b Label],
        runs: &[&'b StoredRun],
        trust_status: bool,
    ) -> JudgedInstance<'b> {
        // A table has one answer for a file.
        let has_one_query = instance.instance.queries.len() == 1;
        let labelled: Vec<Verdict> = match has_one_query {
            true => labels.iter().map(|label| label.verdict).collect(),
            false => Vec::new(),
        };
        let expected = PriorEvidence { labels: &labelled, trust_status };
        let truths: Vec<GroundTruth> = instance
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
                ground_truth(query, expected, &claims, self.vote)
            })
            .collect();
        let runs = runs.iter().filter_map(|run| {
            let answers = run.answers.iter().zip(&truths);
            let judged = answers
                .map(|(answer, truth)| judge_answer(truth, answer.verdict, answer.is_claim()));
            let configuration = *self.index.get(&run.configuration)?;
            Some(JudgedRun { configuration, run, judgements: judged.collect() })
        });
        let runs = runs.collect();
        JudgedInstance {
            set,
            places,
            labels: labels.to_vec(),
            instance: &instance.instance,
            truths,
            runs,
        }
    }
}

/// The places in groups, each with the runs that count there. Almost always there is one group.
fn with_their_runs<'b>(
    places: Vec<&'b Place>,
    runs: &'b [StoredRun],
) -> Vec<(Vec<&'b Place>, Vec<&'b StoredRun>)> {
    if places.is_empty() {
        return Vec::new();
    }
    if runs.iter().all(|run| run.places.is_empty()) {
        return vec![(places, runs.iter().collect())];
    }
    // Places with the same runs of their own, by the numbers of these. Runs come in one order, so
    // equal sets are equal lists.
    let mut own: BTreeMap<&Place, Vec<i64>> =
        places.iter().map(|place| (*place, Vec::new())).collect();
    for run in runs {
        for place in &run.places {
            if let Some(own) = own.get_mut(place) {
                own.push(run.id.0);
            }
        }
    }
    let mut groups: BTreeMap<Vec<i64>, Vec<&'b Place>> = BTreeMap::new();
    for place in places {
        groups.entry(own.remove(place).unwrap_or_default()).or_default().push(place);
    }
    let counts = |place: &Place, run: &StoredRun| {
        run.places.is_empty() || run.places.binary_search(place).is_ok()
    };
    let with_runs = groups.into_values().map(|places| {
        let here = runs.iter().filter(|run| counts(places[0], run)).collect();
        (places, here)
    });
    with_runs.collect()
}

#[cfg(test)]
mod tests {
    use luthier_records::{Class, Ending, Measured, Place, Timestamp};
    use luthier_store::{CampaignId, ConfigurationId, InstanceId, RunId, StoredRun};

    use super::with_their_runs;

    fn place(name: &str) -> Place {
        Place { set: "set".to_owned(), track: "t".to_owned(), name: name.to_owned() }
    }

    fn run(id: i64, places: &[Place]) -> StoredRun {
        StoredRun {
            id: RunId(id),
            campaign: CampaignId(1),
            configuration: ConfigurationId(1),
            instance: InstanceId(1),
            repetition: 0,
            started: Timestamp(0),
            ending: Ending::Unrecorded,
            class: Class::Unknown,
            measured: Measured::default(),
            answers: Vec::new(),
            conversion: Vec::new(),
            core: None,
            load: None,
            places: places.to_vec(),
        }
    }

    /// The names of the places of each group, with the numbers of its runs.
    fn groups(places: &[Place], runs: &[StoredRun]) -> Vec<(String, Vec<i64>)> {
        with_their_runs(places.iter().collect(), runs)
            .into_iter()
            .map(|(places, runs)| {
                let names: String = places.iter().map(|place| place.name.as_str()).collect();
                (names, runs.iter().map(|run| run.id.0).collect())
            })
            .collect()
    }

    #[test]
    fn a_run_counts_at_its_places_or_at_all() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(place);
        let all = [a.clone(), b.clone(), c.clone(), d.clone()];
        let everywhere = [run(1, &[]), run(2, &[])];
        assert_eq!(groups(&all, &everywhere), [("abcd".to_owned(), vec![1, 2])]);
        let own = [run(1, &[]), run(2, std::slice::from_ref(&a)), run(3, &[b, c]), run(4, &[a])];
        let expected = [
            ("d".to_owned(), vec![1]),
            ("a".to_owned(), vec![1, 2, 4]),
            ("bc".to_owned(), vec![1, 3]),
        ];
        assert_eq!(groups(&all, &own), expected);
        assert!(groups(&[], &own).is_empty());
        assert_eq!(groups(&[d], &[]), [("d".to_owned(), vec![])]);
    }
}
