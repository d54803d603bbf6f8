//! Registration: instances are found, read once and stored before anything is run.
//!
//! Afterwards the number of runs is known, runs can be made in any order, and a resumed campaign
//! does not depend on files still being in place. Equal bytes are one instance, whatever their
//! names. Labels from tables are matched here, since they belong to names of files.

use std::collections::BinaryHeap;
use std::io;
use std::path::PathBuf;

use luthier_corpus::{
    CorpusError, Options, SelectedFiles, Selection, exists, instances, name_below,
};
use luthier_judge::features;
use luthier_records::{Digest, Instance, Label, place_text};
use luthier_smtlib::Dialect;
use luthier_store::{InstanceId, Store, StoreError};

use crate::experiment::{Experiment, SetSpec, TrackSpec};
use crate::labels::{LabelTable, LabelUse, MatchedBy};
use crate::parsed_instance::ParsedInstance;
use crate::{CampaignError, Event, suites};

/// All instances of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Registered {
    /// The sets, in the order of the experiment.
    pub sets: Vec<RegisteredSet>,
    /// The number of files that could not be opened.
    pub unreadable: usize,
    /// The number of instances that belong to other shards.
    pub in_other_shards: usize,
    /// It was stopped before everything was read.
    pub stopped: bool,
}

/// One set.
#[derive(Clone, Debug, Default)]
pub struct RegisteredSet {
    /// Its name.
    pub name: String,
    /// Its instances, in order.
    pub instances: Vec<RegisteredInstance>,
}

/// One instance of a set.
#[derive(Clone, Debug)]
pub struct RegisteredInstance {
    /// Its name.
    pub name: String,
    /// Its id in the store; `None` if nothing was to be stored.
    pub id: Option<InstanceId>,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Why it cannot be read.
    pub fault: Option<String>,
}

/// A file that was found; it may still be left out of the sample.
struct FoundFile {
    track: String,
    name: String,
    bytes: Vec<u8>,
    /// The tables of its track, as numbers of [`LabelTables::all`].
    tables: Vec<usize>,
}

/// The tables of expected answers of one set, each read once.
#[derive(Default)]
struct LabelTables {
    all: Vec<(PathBuf, LabelTable, LabelUse)>,
}

impl LabelTables {
    /// Reads the tables of a track; returns their indices.
    fn read(&mut self, set: &SetSpec, track: &TrackSpec) -> Result<Vec<usize>, CampaignError> {
        let mut numbers = Vec::new();
        for path in &track.labels {
            let known = self.all.iter().position(|(known, ..)| known == path);
            let number = match known {
                Some(number) => number,
                None => {
                    let table = LabelTable::read(path)?;
                    let used = LabelUse {
                        source: path.to_string_lossy().into_owned(),
                        set: set.name.clone(),
                        rows: table.len(),
                        foreign: table.foreign.clone(),
                        ..LabelUse::default()
                    };
                    self.all.push((path.clone(), table, used));
                    self.all.len() - 1
                }
            };
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// The labels of an instance.
    fn of(&mut self, found: &FoundFile, instance: &Instance, set: &SetSpec) -> Vec<Label> {
        let place = place_text(&set.name, &found.track, &found.name);
        let mut labels = Vec::new();
        for &number in &found.tables {
            let (_, table, used) = &mut self.all[number];
            match table.of(&place) {
                None => used.without += 1,
                // A table has one answer per file.
                Some(_) if instance.queries.len() != 1 => used.several_queries += 1,
                Some((label, matched_by)) => {
                    match matched_by {
                        MatchedBy::Path => used.by_path += 1,
                        MatchedBy::Name => used.by_name += 1,
                    }
                    labels.push(label);
                }
            }
        }
        labels
    }
}

/// How many selected files that are not there are named.
const MAX_MISSING_SHOWN: usize = 5;

/// How many instances go into one transaction.
const BATCH: usize = 500;

impl Registered {
    /// The number of instances; one that occurs in several sets or tracks counts in each.
    pub fn instances(&self) -> usize {
        self.sets.iter().map(|set| set.instances.len()).sum()
    }

    /// The instances that cannot be read.
    pub fn faulty(&self) -> impl Iterator<Item = &RegisteredInstance> {
        let instances = self.sets.iter().flat_map(|set| &set.instances);
        instances.filter(|instance| instance.fault.is_some())
    }
}

/// Whether there is anything to read: a suite, or a path that exists. In that case other paths that do
/// not exist are reported and counted like files that cannot be opened.
pub(crate) fn require_paths(experiment: &Experiment) -> Result<(), CampaignError> {
    let tracks = || experiment.sets.iter().flat_map(|set| &set.tracks);
    let mut paths = tracks().flat_map(|track| &track.paths).peekable();
    let Some(&first) = paths.peek() else { return Ok(()) };
    if tracks().any(|track| !track.suites.is_empty()) || paths.any(|path| exists(path)) {
        return Ok(());
    }
    match first.metadata() {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(CorpusError::Unreadable { path: first.clone(), cause }.into())
        }
        _ => Err(CorpusError::Missing { path: first.clone() }.into()),
    }
}

/// Registers the instances of all sets. Without a store they are only read. `stop` ends it early;
/// instances stored so far are recognised later.
pub fn register(
    experiment: &Experiment,
    mut store: Option<&mut Store>,
    stop: &dyn Fn() -> bool,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<Registered, CampaignError> {
    require_paths(experiment)?;
    let mut registered = Registered::default();
    for set in &experiment.sets {
        let mut batch: Vec<FoundFile> = Vec::new();
        let mut done = RegisteredSet { name: set.name.clone(), ..RegisteredSet::default() };
        let mut sample = Sample::new(experiment);
        let mut count = 0;
        let mut tables = LabelTables::default();
        'tracks: for track in &set.tracks {
            let of_track = tables.read(set, track)?;
            let selection =
                track.selection.as_ref().map(|file| Selection::read(file)).transpose()?;
            let mut selected = match selection {
                Some(selection) => {
                    let names = names(track, stop)?;
                    Some(selection.of_set(&set.name, names.iter().map(String::as_str)))
                }
                None => None,
            };
            for found in search(track, &of_track)? {
                if stop() {
                    registered.stopped = true;
                    return Ok(registered);
                }
                match found {
                    Ok(found) => {
                        if let Some(selected) = &mut selected
                            && !selected.take(&found.name, &found.bytes)
                        {
                            continue;
                        }
                        if let Some(sample) = &mut sample {
                            sample.offer(found);
                            continue;
                        }
                        if experiment.limit.is_some_and(|limit| count >= limit) {
                            break 'tracks;
                        }
                        count += 1;
                        // After the limit, so that all shards together are the whole experiment.
                        if is_in_other_shard(experiment, &found) {
                            registered.in_other_shards += 1;
                            continue;
                        }
                        batch.push(found);
                        if batch.len() >= BATCH {
                            let store = store.as_deref_mut();
                            let dialect = experiment.dialect;
                            store_batch(
                                set,
                                &batch,
                                &mut tables,
                                dialect,
                                store,
                                &mut done,
                                observer,
                            )?;
                            batch.clear();
                        }
                        observer(Event::Registering { instances: count, set: &set.name });
                    }
                    Err(error) => {
                        registered.unreadable += 1;
                        observer(Event::Unreadable { message: error.to_string() });
                    }
                }
            }
            if let Some(selected) = selected {
                registered.unreadable += report_missing(set, &selected, observer);
            }
        }
        for found in sample.into_iter().flat_map(Sample::into_sorted) {
            if is_in_other_shard(experiment, &found) {
                registered.in_other_shards += 1;
            } else {
                batch.push(found);
            }
        }
        let (dialect, store) = (experiment.dialect, store.as_deref_mut());
        store_batch(set, &batch, &mut tables, dialect, store, &mut done, observer)?;
        for (_, _, used) in &tables.all {
            observer(Event::Labelled(used));
        }
        registered.sets.push(done);
    }
    observer(Event::Registered(&registered));
    Ok(registered)
}

/// Says which selected files of a set are not there or are others; returns how many.
fn report_missing(
    set: &SetSpec,
    selected: &SelectedFiles,
    observer: &mut dyn FnMut(Event<'_>),
) -> usize {
    let (absent, different) = selected.missing();
    let kinds = [
        (&absent, "of the selection is not there; `luthier bench add` says where the set is"),
        (&different, "of the selection has other contents here; it is not run"),
    ];
    for (files, problem) in kinds {
        for (count, file) in files.iter().enumerate().take(MAX_MISSING_SHOWN) {
            let more = match files.len() - count - 1 {
                rest if rest > 0 && count + 1 == MAX_MISSING_SHOWN => format!(", and {rest} more"),
                _ => String::new(),
            };
            let message = format!("{}/{file}: {problem}{more}", set.name);
            observer(Event::Unreadable { message });
        }
    }
    absent.len() + different.len()
}

fn is_in_other_shard(experiment: &Experiment, found: &FoundFile) -> bool {
    experiment.shard.is_some_and(|shard| !shard.contains(&Digest::of(&found.bytes)))
}

/// Stores a batch, in one transaction.
fn store_batch(
    set: &SetSpec,
    batch: &[FoundFile],
    tables: &mut LabelTables,
    dialect: Option<Dialect>,
    store: Option<&mut Store>,
    done: &mut RegisteredSet,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<(), CampaignError> {
    let read: Vec<Instance> = batch
        .iter()
        .map(|found| {
            let parsed = ParsedInstance::read(&found.bytes, dialect);
            for message in parsed.remarks {
                observer(Event::Remark { instance: &found.name, message });
            }
            let mut instance = parsed.instance;
            if instance.fault.is_none() {
                instance.features = Some(features(&parsed.pool, &parsed.script));
            }
            instance
        })
        .collect();
    let labels: Vec<Vec<Label>> =
        batch.iter().zip(&read).map(|(found, instance)| tables.of(found, instance, set)).collect();
    let mut ids: Vec<Option<InstanceId>> = vec![None; batch.len()];
    if let Some(store) = store {
        store.batch(|store| {
            let set_id = store.add_set(&set.name, set.trust_status)?;
            let all = batch.iter().zip(&read).zip(&labels).zip(&mut ids);
            for (((found, instance), labels), id) in all {
                let track = store.add_track(set_id, &found.track)?;
                let added = store.add_instance(instance, &found.bytes)?;
                store.add_member(track, added, &found.name)?;
                for label in labels {
                    store.add_label(track, added, &found.name, label)?;
                }
                *id = Some(added);
            }
            Ok::<(), StoreError>(())
        })?;
    }
    let all = batch.iter().zip(read).zip(ids);
    done.instances.extend(all.map(|((found, instance), id)| RegisteredInstance {
        name: found.name.clone(),
        id,
        digest: instance.digest,
        fault: instance.fault,
    }));
    Ok(())
}

type Search<'a> = Box<dyn Iterator<Item = Result<FoundFile, CampaignError>> + 'a>;

/// The instances of a track: those of its suites, then those of its paths.
fn search<'a>(track: &'a TrackSpec, tables: &'a [usize]) -> Result<Search<'a>, CampaignError> {
    let mut suites =
        track.suites.iter().map(|name| suites::find(name)).collect::<Result<Vec<_>, _>>()?;
    let own = suites.drain(..).flat_map(|suite| {
        suite.files().into_iter().map(|file| {
            Ok(FoundFile {
                track: track.name.clone().unwrap_or_else(|| file.track.to_owned()),
                name: file.name,
                bytes: file.text.into_bytes(),
                tables: tables.to_vec(),
            })
        })
    });
    let on_disk = track.paths.iter().flat_map(move |path| {
        instances(std::slice::from_ref(path), &Options::default()).map(move |found| {
            let found = found?;
            let name = name_below(path, &found.name);
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let track = track.name.clone().unwrap_or(folder);
            Ok(FoundFile { track, name, bytes: found.bytes, tables: tables.to_vec() })
        })
    });
    Ok(Box::new(own.collect::<Vec<_>>().into_iter().chain(on_disk)))
}

/// The names of all files of a track. Paths of a selection are understood by them.
fn names(track: &TrackSpec, stop: &dyn Fn() -> bool) -> Result<Vec<String>, CampaignError> {
    let found = search(track, &[])?.take_while(|_| !stop());
    // What cannot be opened is reported when it is read.
    Ok(found.flatten().map(|found| found.name).collect())
}

/// A random sample: the instances with the smallest digests of seed, content and name. It depends only on
/// the instances and the seed.
struct Sample {
    limit: usize,
    seed: u64,
    position: usize,
    chosen: BinaryHeap<SampledFile>,
}

struct SampledFile {
    rank: Digest,
    position: usize,
    found: FoundFile,
}

impl Sample {
    fn new(experiment: &Experiment) -> Option<Self> {
        let limit = experiment.limit.filter(|_| experiment.sample)?;
        let seed = experiment.seeds.first().copied().unwrap_or(0);
        Some(Self { limit, seed, position: 0, chosen: BinaryHeap::new() })
    }

    fn offer(&mut self, found: FoundFile) {
        let mut text = self.seed.to_le_bytes().to_vec();
        text.extend_from_slice(Digest::of(&found.bytes).as_bytes());
        text.extend_from_slice(found.name.as_bytes());
        self.position += 1;
        let rank = Digest::of(&text);
        self.chosen.push(SampledFile { rank, position: self.position, found });
        if self.chosen.len() > self.limit {
            self.chosen.pop();
        }
    }

    fn into_sorted(self) -> impl Iterator<Item = FoundFile> {
        let mut chosen = self.chosen.into_vec();
        chosen.sort_unstable_by_key(|chosen| chosen.position);
        chosen.into_iter().map(|chosen| chosen.found)
    }
}

impl Ord for SampledFile {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.rank, self.position).cmp(&(other.rank, other.position))
    }
}

impl PartialOrd for SampledFile {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SampledFile {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SampledFile {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_registration_reads_no_further_files() {
        let suites = vec!["demo".to_owned()];
        let tracks = vec![TrackSpec { suites, ..TrackSpec::default() }];
        let set = SetSpec { name: "demo".to_owned(), tracks, trust_status: true };
        let experiment = Experiment { sets: vec![set], ..Experiment::default() };
        let read = std::cell::Cell::new(0);
        let stop = || read.get() == 3;
        let mut observer = |event: Event<'_>| {
            if let Event::Registering { instances, .. } = event {
                read.set(instances);
            }
        };
        assert!(register(&experiment, None, &stop, &mut observer).unwrap().stopped);
        assert_eq!(read.get(), 3);
        let all = register(&experiment, None, &|| false, &mut observer).unwrap();
        assert!(!all.stopped && all.instances() == read.get() && read.get() > 3);
    }

    #[test]
    fn a_sample_depends_on_the_seed_and_not_on_the_order() {
        let chosen = |seed: u64, names: &[&str]| {
            let experiment = Experiment {
                limit: Some(3),
                sample: true,
                seeds: vec![seed],
                ..Experiment::default()
            };
            let mut sample = Sample::new(&experiment).unwrap();
            for name in names {
                let bytes = name.as_bytes().to_vec();
                let (track, name) = (String::new(), (*name).to_owned());
                sample.offer(FoundFile { track, name, bytes, tables: Vec::new() });
            }
            let mut names: Vec<String> = sample.into_sorted().map(|found| found.name).collect();
            names.sort();
            names
        };
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut turned = names;
        turned.reverse();
        assert_eq!(chosen(1, &names), chosen(1, &turned));
        assert_eq!(chosen(1, &names).len(), 3);
        let samples: Vec<_> = (0..20).map(|seed| chosen(seed, &names)).collect();
        assert!(samples.iter().any(|sample| *sample != samples[0]));
    }
}
