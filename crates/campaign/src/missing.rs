//! The runs of an experiment that are not stored yet, in the order in which they are made.
//!
//! A run is identified by configuration, instance and repetition. Every instance counts once, however
//! many sets contain it.

use std::collections::BTreeSet;

use luthier_records::Digest;
use luthier_store::{ConfigurationId, InstanceId, Store};

use crate::experiment::Order;
use crate::plan::Plan;
use crate::{CampaignError, Planned, Registered};

/// Runs that are still to be made.
#[derive(Clone, Debug)]
pub struct MissingRuns {
    /// How many there are in all, and how many are stored.
    pub planned: Planned,
    /// The numbers of the configurations of the plan in the store.
    pub configurations: Vec<ConfigurationId>,
    /// The instances of the experiment.
    pub instances: Vec<TargetInstance>,
    /// The runs, in order.
    pub runs: Vec<PlannedRun>,
}

/// One planned run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// The position of its configuration in the plan.
    pub configuration: usize,
    /// The position of its instance in [`MissingRuns::instances`].
    pub instance: usize,
    /// Which repetition it is, from 0.
    pub repetition: u32,
}

/// An instance of planned runs.
#[derive(Clone, Debug)]
pub struct TargetInstance {
    /// Its number in the store.
    pub id: InstanceId,
    /// The digest of its bytes.
    pub digest: Digest,
    /// One of its names.
    pub name: String,
}

impl MissingRuns {
    /// The runs of a plan on registered instances that the store does not have.
    pub fn new(
        plan: &Plan,
        registered: &Registered,
        store: &mut Store,
    ) -> Result<Self, CampaignError> {
        let mut configurations = Vec::new();
        for runnable in &plan.configurations {
            configurations.push(store.add_configuration(&runnable.configuration)?);
        }
        let mut missing = Self {
            planned: Planned { runs: 0, recorded: 0, jobs: plan.jobs },
            configurations,
            instances: targets(registered),
            runs: Vec::new(),
        };
        missing.look_again(plan, store)?;
        Ok(missing)
    }

    /// Looks again which runs the store has.
    pub fn look_again(&mut self, plan: &Plan, store: &Store) -> Result<(), CampaignError> {
        let mut recorded = Vec::new();
        for configuration in &self.configurations {
            recorded.push(store.recorded(*configuration)?);
        }
        self.runs.clear();
        let mut already = 0;
        for repetition in 0..plan.experiment.repetitions {
            for (instance, target) in self.instances.iter().enumerate() {
                for (configuration, recorded) in recorded.iter().enumerate() {
                    if recorded.contains(&(target.id, repetition)) {
                        already += 1;
                    } else {
                        self.runs.push(PlannedRun { configuration, instance, repetition });
                    }
                }
            }
        }
        match plan.experiment.order {
            Order::Instances => {}
            Order::Solvers => self.runs.sort_by_key(|run| (run.repetition, run.configuration)),
            Order::Random => {
                let seed = plan.experiment.seeds.first().copied().unwrap_or(0);
                let targets = &self.instances;
                self.runs.sort_by_cached_key(|run| {
                    let identity = &plan.configurations[run.configuration].configuration.identity();
                    let target = &targets[run.instance].digest;
                    let text = format!("{seed} {identity} {target} {}", run.repetition);
                    Digest::of(text.as_bytes())
                });
            }
        }
        self.planned =
            Planned { runs: self.runs.len() + already, recorded: already, jobs: plan.jobs };
        Ok(())
    }
}

/// Every instance once.
fn targets(registered: &Registered) -> Vec<TargetInstance> {
    let mut seen = BTreeSet::new();
    let instances = registered.sets.iter().flat_map(|set| &set.instances);
    let stored = instances.filter_map(|instance| Some((instance.id?, instance)));
    stored
        .filter(|(id, _)| seen.insert(*id))
        .map(|(id, instance)| TargetInstance {
            id,
            digest: instance.digest,
            name: instance.name.clone(),
        })
        .collect()
}
