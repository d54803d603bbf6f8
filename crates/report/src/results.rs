//! All runs of a database, judged, in memory: the input of scores, pages, charts and documents.
//!
//! An [`Entry`] is a file at its place: a set has tracks, a track has entries. Copies of a file are
//! entries of their own and share the data about their content. References are indices into the lists
//! of [`Results`]; numbers (`number`) are row numbers of the database, from which addresses of pages
//! are made. In results of two databases the numbers of the second are negative.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use luthier_records::{
    Bytes, Campaign, Configuration, Conflict, Digest, Evidence, GroundTruth, Verdict, place_text,
};

use crate::labels::labels;
use crate::{Observation, ScoredRun};

/// Everything in a database, judged.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The campaigns, in the order in which they came.
    pub campaigns: Vec<CampaignInfo>,
    /// The configurations, in the order in which they came.
    pub solvers: Vec<SolverInfo>,
    /// The sets, by name.
    pub sets: Vec<SetInfo>,
    /// The tracks, by set, then name.
    pub tracks: Vec<TrackInfo>,
    /// Names of dialects.
    pub dialects: Vec<String>,
    /// Names of operators and other features, by name.
    pub features: Vec<String>,
    /// All entries, by track, then name.
    pub entries: Vec<Entry>,
    by_instance: HashMap<i64, Vec<u32>>,
    with_runs: Vec<usize>,
    has_repetitions: bool,
}

/// A campaign.
#[derive(Clone, Debug)]
pub struct CampaignInfo {
    /// Its number.
    pub number: i64,
    /// What is recorded about it.
    pub campaign: Campaign,
}

/// A configuration: a release with options, under limits.
#[derive(Clone, Debug)]
pub struct SolverInfo {
    /// Its number.
    pub number: i64,
    /// What it is called here; no two have the same label.
    pub label: String,
    /// What is recorded about it.
    pub configuration: Configuration,
}

/// A set of benchmarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetInfo {
    /// Its number.
    pub number: i64,
    /// Its name.
    pub name: String,
    /// Whether the status in its files is trusted.
    pub trust_status: bool,
    /// Its tracks, as indices.
    pub tracks: Range<usize>,
    /// Its entries, as indices.
    pub entries: Range<usize>,
}

/// A track of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackInfo {
    /// Its number.
    pub number: i64,
    /// The index of its set.
    pub set: usize,
    /// Its name; sets without tracks have one with the empty name.
    pub name: String,
    /// Its entries, as indices.
    pub entries: Range<usize>,
}

/// A file at its place.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The index of its track.
    pub track: usize,
    /// The name of the file.
    pub name: Arc<str>,
    /// What is known about it, shared with its copies in the same set.
    pub judged: Arc<JudgedContent>,
}

/// The content of a file, as judged in one set.
#[derive(Clone, Debug)]
pub struct JudgedContent {
    /// The content, shared with its copies in other sets.
    pub content: Arc<Content>,
    /// The ground truth of each of its queries.
    pub truths: Vec<GroundTruth>,
    /// The runs on it, by solver, then repetition.
    pub runs: Vec<RunInfo>,
    /// What these runs show that a person should look at, by run, then query.
    pub observations: Box<[Observation]>,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Content {
    /// The number of the instance.
    pub number: i64,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its length.
    pub size: Bytes,
    /// The index of its dialect.
    pub dialect: usize,
    /// Whether it could not be read.
    pub is_unreadable: bool,
    /// The indices of its features, ascending; `None` if they are not known.
    pub features: Option<Arc<[u32]>>,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// Its number.
    pub number: i64,
    /// The index of its campaign.
    pub campaign: usize,
    /// The index of its solver.
    pub solver: usize,
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// What it counts for.
    pub scored: ScoredRun,
    /// The largest memory that it had.
    pub peak_memory: Bytes,
}

impl Results {
    /// Puts everything together: sorts the entries, gives solvers labels that differ, and finds the
    /// ranges of sets and tracks, whose given ranges are ignored. Tracks must be ordered by set, and
    /// indices must be right.
    pub fn new(mut parts: Results) -> Self {
        parts.entries.sort_by(|left, right| {
            (left.track, &left.name, left.judged.content.number).cmp(&(
                right.track,
                &right.name,
                right.judged.content.number,
            ))
        });
        let Results {
            solvers, sets, tracks, entries, by_instance, with_runs, has_repetitions, ..
        } = &mut parts;
        let configurations: Vec<&Configuration> =
            solvers.iter().map(|solver| &solver.configuration).collect();
        let labels = labels(&configurations);
        for (solver, label) in solvers.iter_mut().zip(labels) {
            solver.label = label;
        }
        for (index, track) in tracks.iter_mut().enumerate() {
            track.entries = entries.partition_point(|entry| entry.track < index)
                ..entries.partition_point(|entry| entry.track <= index);
        }
        for (index, set) in sets.iter_mut().enumerate() {
            let first = tracks.partition_point(|track| track.set < index);
            let end = tracks.partition_point(|track| track.set <= index);
            set.tracks = first..end;
            set.entries = entries.partition_point(|entry| entry.track < first)
                ..entries.partition_point(|entry| entry.track < end);
        }
        by_instance.clear();
        let mut repeated = false;
        let mut has_runs = vec![false; solvers.len()];
        for (index, entry) in entries.iter().enumerate() {
            for run in &entry.judged.runs {
                has_runs[run.solver] = true;
                repeated |= run.repetition > 0;
            }
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            by_instance.entry(entry.judged.content.number).or_default().push(index);
        }
        *has_repetitions = repeated;
        *with_runs = (0..solvers.len()).filter(|&solver| has_runs[solver]).collect();
        parts
    }

    /// Whether anything was run more than once.
    pub fn has_repetitions(&self) -> bool {
        self.has_repetitions
    }

    /// The solvers that have runs, as indices.
    pub fn solvers_with_runs(&self) -> &[usize] {
        &self.with_runs
    }

    /// The entries of an instance, as indices; none if there is no such instance.
    pub fn entries_of(&self, instance: i64) -> impl Iterator<Item = usize> + use<'_> {
        self.by_instance.get(&instance).into_iter().flatten().map(|&index| index as usize)
    }

    /// The set of an entry, as an index.
    pub fn set_of(&self, entry: &Entry) -> usize {
        self.tracks[entry.track].set
    }

    /// The place of an entry as people write it, see [`place_text`].
    pub fn place_of(&self, entry: &Entry) -> String {
        let track = &self.tracks[entry.track];
        place_text(&self.sets[track.set].name, &track.name, &entry.name)
    }

    /// The index of the solver with this label.
    pub fn solver(&self, label: &str) -> Option<usize> {
        self.solvers.iter().position(|solver| solver.label == label)
    }
}

impl JudgedContent {
    /// The ground truth, if it has a single query and something decides.
    pub fn expected(&self) -> Option<(Verdict, Evidence)> {
        match self.truths.as_slice() {
            [truth] => truth.verdict,
            _ => None,
        }
    }

    /// What contradicts what, over all queries, each once.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut all: Vec<Conflict> =
            self.truths.iter().flat_map(|truth| truth.conflicts.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What one of these runs shows.
    pub fn observations_of<'a>(
        &'a self,
        run: &RunInfo,
    ) -> impl Iterator<Item = &'a Observation> + use<'a> {
        let number = run.number;
        let is_of_run = move |one: &&Observation| {
            self.runs.get(one.run as usize).is_some_and(|run| run.number == number)
        };
        self.observations.iter().filter(is_of_run)
    }

    /// The runs of a solver on it, by repetition.
    pub fn runs_of(&self, solver: usize) -> &[RunInfo] {
        let first = self.runs.partition_point(|run| run.solver < solver);
        let end = self.runs.partition_point(|run| run.solver <= solver);
        &self.runs[first..end]
    }
}

/// The representative run of the repetitions where one is needed: if an answer is wrong or a model
/// invalid, the first such run; otherwise the one in the middle by penalised time (of an even number the faster
/// of the two), among those that are scored; a framework error only if there is nothing else.
pub fn representative<'a>(runs: impl IntoIterator<Item = &'a RunInfo>) -> Option<&'a RunInfo> {
    let mut all: Vec<&RunInfo> = runs.into_iter().collect();
    if all.len() <= 1 {
        return all.pop();
    }
    if let Some(bad) = all.iter().find(|run| run.scored.is_refuted()) {
        return Some(bad);
    }
    if all.iter().any(|run| run.scored.is_scored()) {
        all.retain(|run| run.scored.is_scored());
    }
    all.sort_by_key(|run| (run.scored.penalised(), run.scored.cpu, run.repetition));
    all.get((all.len() - 1) / 2).copied()
}
