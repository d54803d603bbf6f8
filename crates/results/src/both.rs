//! Two databases, judged together, for comparisons.
//!
//! The ground truth of an instance is weighed from the observations of both: a valid model in the second
//! shows that an `unsat` in the first was wrong. The rules are those of a merge: an instance is the same if
//! digest and dialect are; a set is trusted only if both databases trust it; of two labels of one source
//! for one place the first counts. But a merge keeps one of two runs with the same key, and a comparison
//! needs both: so the configurations of the second database stay configurations of their own, also if
//! they are the same as in the first. The family of a solver decides what is independent evidence, so a
//! configuration that is there twice proves no more than once.
//!
//! An instance stands at its places in the first database, so that it counts once if the second has it
//! under another name of the set; at those in the second only if the first does not have it, or if runs
//! belong to these places alone.
//!
//! Numbers of rows are unique within one database. In these results those of the second are negative.
//! The second database is held in memory while the first is read.

use std::collections::{BTreeMap, HashMap};

use luthier_records::{Digest, Label, Place};
use luthier_report::{Results, SetInfo, TrackInfo};
use luthier_store::{
    CampaignId, ConfigurationId, InstanceId, InstanceRuns, RunId, Store, StoreError,
};

use crate::builder::{ResultsBuilder, lists};
use crate::judge::{Judge, labelled_configurations};
use crate::load::with_entries_in_memory_order;

/// The results of two databases.
#[derive(Debug)]
pub struct BothResults {
    /// Everything. Labels of solvers are those within their database.
    pub results: Results,
    /// How many of the solvers are of the first database; those of the second follow.
    pub first_solvers: usize,
    /// The same for campaigns.
    pub first_campaigns: usize,
}

/// Reads and judges two databases together, as they are now.
pub fn load_both(first: &Store, second: &Store) -> Result<BothResults, StoreError> {
    first.reading(|first| second.reading(|second| load(first, second)))
}

fn load(first: &Store, second: &Store) -> Result<BothResults, StoreError> {
    let mut configurations = labelled_configurations(first)?;
    let first_solvers = configurations.len();
    let others = labelled_configurations(second)?.into_iter();
    configurations.extend(others.map(|(id, one)| (ConfigurationId(-id.0), one)));
    let labels: Vec<String> = configurations.iter().map(|(_, one)| one.name.clone()).collect();
    let joint = joint_lists(lists(first)?, lists(second)?);
    let first_campaigns = first.campaigns()?.len();
    let sets = joint.sets.iter().map(|set| (set.name.clone(), set.trust_status)).collect();
    let judge = Judge::over(first, configurations, sets, false);
    let mut gathered = ResultsBuilder::over(judge, joint, Vec::new());
    let mut others = read_second(second)?;
    first.visit_instances(|mut instance| -> Result<(), StoreError> {
        if let Some(other) = others.remove(&key(&instance)) {
            add_second(&mut instance, other);
        }
        gathered.add(&instance);
        Ok(())
    })?;
    let mut only_second: Vec<InstanceRuns> = others.into_values().collect();
    only_second.sort_unstable_by_key(|instance| std::cmp::Reverse(instance.id));
    only_second.iter().for_each(|instance| gathered.add(instance));
    let mut results = with_entries_in_memory_order(gathered.finish(Vec::new()));
    for (solver, label) in results.solvers.iter_mut().zip(labels) {
        solver.label = label;
    }
    Ok(BothResults { results, first_solvers, first_campaigns })
}

/// The lists of both, with sets and tracks of the same name once.
fn joint_lists(first: Results, second: Results) -> Results {
    let mut sets: BTreeMap<String, (SetInfo, BTreeMap<String, TrackInfo>)> = BTreeMap::new();
    for (lists, sign) in [(&first, 1), (&second, -1)] {
        for set in &lists.sets {
            let (joint, _) = sets.entry(set.name.clone()).or_insert_with(|| {
                (SetInfo { number: sign * set.number, ..set.clone() }, BTreeMap::new())
            });
            joint.trust_status &= set.trust_status;
        }
        for track in &lists.tracks {
            if let Some((_, tracks)) = sets.get_mut(&lists.sets[track.set].name) {
                tracks
                    .entry(track.name.clone())
                    .or_insert_with(|| TrackInfo { number: sign * track.number, ..track.clone() });
            }
        }
    }
    let mut joint = first;
    (joint.sets, joint.tracks) = (Vec::new(), Vec::new());
    for (number, (set, tracks)) in sets.into_values().enumerate() {
        joint.tracks.extend(tracks.into_values().map(|track| TrackInfo { set: number, ..track }));
        joint.sets.push(set);
    }
    joint.solvers.extend(second.solvers.into_iter().map(|mut solver| {
        solver.number = -solver.number;
        solver
    }));
    joint.campaigns.extend(second.campaigns.into_iter().map(|mut campaign| {
        campaign.number = -campaign.number;
        campaign
    }));
    joint
}

fn key(instance: &InstanceRuns) -> (Digest, String) {
    (instance.instance.digest, instance.instance.dialect.clone())
}

/// All instances of the second database, with negative numbers.
fn read_second(second: &Store) -> Result<HashMap<(Digest, String), InstanceRuns>, StoreError> {
    let mut all = HashMap::new();
    second.visit_instances(|mut instance| -> Result<(), StoreError> {
        instance.id = InstanceId(-instance.id.0);
        for run in &mut instance.runs {
            run.id = RunId(-run.id.0);
            run.campaign = CampaignId(-run.campaign.0);
            run.configuration = ConfigurationId(-run.configuration.0);
            run.instance = instance.id;
        }
        all.insert(key(&instance), instance);
        Ok(())
    })?;
    Ok(all)
}

/// Adds what the second database has about an instance.
fn add_second(instance: &mut InstanceRuns, other: InstanceRuns) {
    let InstanceRuns { instance: content, places, labels, mut runs, .. } = other;
    if instance.instance.features.is_none() {
        instance.instance.features = content.features;
    }
    let is_bound = |place: &Place| runs.iter().any(|run| run.places.contains(place));
    let mut all: BTreeMap<Place, Vec<Label>> =
        std::mem::take(&mut instance.places).into_iter().zip(instance.labels.drain(..)).collect();
    let has_places = !all.is_empty();
    for (place, labels) in places.into_iter().zip(labels) {
        let stands = all.contains_key(&place) || !has_places || is_bound(&place);
        let known = match stands {
            true => Some(all.entry(place).or_default()),
            // A label is about the content, so it holds at the places that there are.
            false => all.values_mut().next(),
        };
        let Some(known) = known else { continue };
        for label in labels {
            if known.iter().all(|one| one.source != label.source) {
                known.push(label);
            }
        }
    }
    (instance.places, instance.labels) = all.into_iter().unzip();
    for run in &mut runs {
        run.instance = instance.id;
    }
    instance.runs.append(&mut runs);
}
