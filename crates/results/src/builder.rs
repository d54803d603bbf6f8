//! Builds [`Results`] from judged instances.
//!
//! Features are referred to by their index in the sorted list of names, and a new name shifts the
//! others. So names get provisional numbers while instances are added, and final ones at the end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use luthier_records::{Features, GroundTruth};
use luthier_report::{
    CampaignInfo, Content, Entry, JudgedContent, Observation, Results, RunInfo, ScoredRun, SetInfo,
    SolverInfo, TrackInfo, observe,
};
use luthier_store::{InstanceRuns, Store, StoreError};

use crate::Judge;

/// The instances read and judged so far.
pub(crate) struct ResultsBuilder<'a> {
    judge: Judge<'a>,
    /// The lists of the results; those of dialects and features grow.
    lists: Results,
    /// Tracks by the names of set and track.
    tracks: HashMap<String, HashMap<String, usize>>,
    campaigns: HashMap<i64, usize>,
    names: FeatureNames,
    contents: Vec<Content>,
    judged: Vec<DraftJudged>,
    entries: Vec<DraftEntry>,
}

struct DraftJudged {
    content: usize,
    truths: Vec<GroundTruth>,
    runs: Vec<RunInfo>,
    observations: Vec<Observation>,
}

struct DraftEntry {
    track: usize,
    name: Arc<str>,
    judged: usize,
}

impl<'a> ResultsBuilder<'a> {
    /// Reads the lists of a store. Dialects and features begin with those that are known already. With
    /// `vote`, truths have the majority where nothing better decides.
    pub(crate) fn new(
        store: &'a Store,
        dialects: Vec<String>,
        features: Vec<String>,
        vote: bool,
    ) -> Result<Self, StoreError> {
        let mut lists = lists(store)?;
        lists.dialects = dialects;
        Ok(Self::over(Judge::new(store, vote)?, lists, features))
    }

    /// Over these lists, which are in the order of [`Results`], with their judge. Features begin with
    /// those that are known already.
    pub(crate) fn over(judge: Judge<'a>, lists: Results, features: Vec<String>) -> Self {
        let mut tracks: HashMap<String, HashMap<String, usize>> = HashMap::new();
        for (index, track) in lists.tracks.iter().enumerate() {
            let set = lists.sets[track.set].name.clone();
            tracks.entry(set).or_default().insert(track.name.clone(), index);
        }
        let numbers = lists.campaigns.iter().map(|campaign| campaign.number);
        let campaigns = numbers.enumerate().map(|(index, number)| (number, index)).collect();
        ResultsBuilder {
            judge,
            lists,
            tracks,
            campaigns,
            names: FeatureNames::new(features),
            contents: Vec::new(),
            judged: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// The tracks, by their numbers.
    pub(crate) fn track_indices(&self) -> HashMap<i64, usize> {
        let numbers = self.lists.tracks.iter().map(|track| track.number);
        numbers.enumerate().map(|(index, number)| (number, index)).collect()
    }

    /// Judges an instance and adds it.
    pub(crate) fn add(&mut self, found: &InstanceRuns) {
        let instance = &found.instance;
        let content = self.contents.len();
        self.contents.push(Content {
            number: found.id.0,
            digest: instance.digest,
            size: instance.size,
            dialect: index_of(&mut self.lists.dialects, &instance.dialect),
            is_unreadable: instance.fault.is_some(),
            features: instance.features.as_ref().map(|features| self.names.intern(features)),
        });
        let ResultsBuilder { judge, lists, tracks, campaigns, judged, entries, .. } = self;
        let Ok(()) = judge.visit_sets(found, &mut |here| -> Result<(), Infallible> {
            let (mut runs, mut observations) = (Vec::new(), Vec::new());
            for of in &here.runs {
                let run = of.run;
                let limit = lists.solvers[of.configuration].configuration.limits.cpu;
                let Some(&campaign) = campaigns.get(&run.campaign.0) else { continue };
                let (answers, judgements) = (&run.answers, &of.judgements);
                observations.extend(observe(
                    runs.len(),
                    run.class,
                    answers,
                    judgements,
                    &here.truths,
                ));
                runs.push(RunInfo {
                    number: run.id.0,
                    campaign,
                    solver: of.configuration,
                    repetition: run.repetition,
                    scored: ScoredRun::new(run.class, &run.measured, answers, judgements, limit),
                    peak_memory: run.measured.peak_memory,
                });
            }
            let number = judged.len();
            let truths = here.truths.clone();
            judged.push(DraftJudged { content, truths, runs, observations });
            let of_set = tracks.get(&judge.sets[here.set].0);
            for place in &here.places {
                if let Some(&track) = of_set.and_then(|of_set| of_set.get(&place.track)) {
                    let name = Arc::from(place.name.as_str());
                    entries.push(DraftEntry { track, name, judged: number });
                }
            }
            Ok(())
        });
    }

    /// Combines the added instances with `kept`, whose features are those that were known at the
    /// beginning and whose tracks are right.
    pub(crate) fn finish(self, kept: Vec<Entry>) -> Results {
        let ResultsBuilder { mut lists, mut names, contents, judged, entries, .. } = self;
        let is_same = names.is_sorted();
        let mut kept = kept;
        let final_numbers = names.sort();
        let mut renumbered = Renumbering::new(&final_numbers);
        if !is_same {
            kept = refit(&kept, |content| {
                content.features.as_ref().map(|features| renumbered.apply(features))
            });
        }
        let contents: Vec<Arc<Content>> = contents
            .into_iter()
            .map(|mut content| {
                if !is_same && let Some(features) = &mut content.features {
                    *features = renumbered.apply(features);
                }
                Arc::new(content)
            })
            .collect();
        let judged: Vec<Arc<JudgedContent>> = judged
            .into_iter()
            .map(|DraftJudged { content, truths, runs, observations }| {
                let (content, observations) = (contents[content].clone(), observations.into());
                Arc::new(JudgedContent { content, truths, runs, observations })
            })
            .collect();
        lists.features = names.names;
        lists.entries = kept;
        lists.entries.extend(entries.into_iter().map(
            |DraftEntry { track, name, judged: number }| Entry {
                track,
                name,
                judged: judged[number].clone(),
            },
        ));
        Results::new(lists)
    }
}

/// Everything but dialects, features and entries.
pub(crate) fn lists(store: &Store) -> Result<Results, StoreError> {
    let mut lists = Results::default();
    for (id, campaign) in store.campaigns()? {
        lists.campaigns.push(CampaignInfo { number: id.0, campaign });
    }
    for (id, configuration) in store.configurations()? {
        lists.solvers.push(SolverInfo { number: id.0, label: String::new(), configuration });
    }
    let mut by_number = HashMap::new();
    for set in store.sets()? {
        by_number.insert(set.id, lists.sets.len());
        lists.sets.push(SetInfo {
            number: set.id.0,
            name: set.name,
            trust_status: set.trust_status,
            tracks: 0..0,
            entries: 0..0,
        });
    }
    for track in store.tracks()? {
        if let Some(&set) = by_number.get(&track.set) {
            let number = track.id.0;
            lists.tracks.push(TrackInfo { number, set, name: track.name, entries: 0..0 });
        }
    }
    Ok(lists)
}

fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// Names of features, and the sets of them that occur. Many instances use the same operators, so
/// a set is kept once.
pub(crate) struct FeatureNames {
    /// The names, each with its place in this list as its number.
    pub names: Vec<String>,
    numbers: HashMap<String, u32>,
    sets: HashMap<Vec<u32>, Arc<[u32]>>,
}

impl FeatureNames {
    pub(crate) fn new(names: Vec<String>) -> Self {
        let numbers = names.iter().cloned().zip(0..).collect();
        FeatureNames { names, numbers, sets: HashMap::new() }
    }

    /// The numbers of the names that an instance uses, ascending.
    pub(crate) fn intern(&mut self, features: &Features) -> Arc<[u32]> {
        let mut numbers: Vec<u32> = features.names().map(|name| self.number(name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let shared = |numbers: &Vec<u32>| Arc::from(numbers.as_slice());
        match self.sets.get(&numbers) {
            Some(known) => known.clone(),
            None => {
                let set: Arc<[u32]> = shared(&numbers);
                self.sets.insert(numbers, set.clone());
                set
            }
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn is_sorted(&self) -> bool {
        self.names.is_sorted()
    }

    /// Sorts the names; returns the new number for each old one.
    pub(crate) fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_unstable_by_key(|&old| &self.names[old]);
        let mut new_numbers = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            new_numbers[old] = new;
        }
        self.names.sort_unstable();
        new_numbers
    }
}

/// Sets of features with other numbers, each made once.
pub(crate) struct Renumbering<'a> {
    new_numbers: &'a [u32],
    done: HashMap<Arc<[u32]>, Arc<[u32]>>,
}

impl<'a> Renumbering<'a> {
    pub(crate) fn new(new_numbers: &'a [u32]) -> Self {
        Renumbering { new_numbers, done: HashMap::new() }
    }

    pub(crate) fn apply(&mut self, features: &Arc<[u32]>) -> Arc<[u32]> {
        if let Some(done) = self.done.get(features) {
            return done.clone();
        }
        let mut numbers: Vec<u32> =
            features.iter().map(|&old| self.new_numbers[old as usize]).collect();
        numbers.sort_unstable();
        let new: Arc<[u32]> = Arc::from(numbers);
        self.done.insert(features.clone(), new.clone());
        new
    }
}

/// The same entries with other features. What they shared they share again.
pub(crate) fn refit(
    entries: &[Entry],
    mut features: impl FnMut(&Content) -> Option<Arc<[u32]>>,
) -> Vec<Entry> {
    let mut contents: HashMap<i64, Arc<Content>> = HashMap::new();
    let mut judged: HashMap<*const JudgedContent, Arc<JudgedContent>> = HashMap::new();
    let refitted = entries.iter().map(|entry| {
        let old = &entry.judged;
        let new = judged.entry(Arc::as_ptr(old)).or_insert_with(|| {
            let content = contents.entry(old.content.number).or_insert_with(|| {
                let features = features(&old.content);
                Arc::new(Content { features, ..(*old.content).clone() })
            });
            Arc::new(JudgedContent { content: content.clone(), ..(**old).clone() })
        });
        Entry { judged: new.clone(), ..entry.clone() }
    });
    refitted.collect()
}
